/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay_vcpu.h - what a vCPU executes, and what is made of it: where branches went, where accesses
 * lie, and what the model of a core (vpmu/micro/) makes of both. It is told call by call, or
 * written down as records, in the same order, and followed a little later (record_ring.h): the
 * counts are the same. There is nothing of QEMU here, so tests follow lists of their own.
 *
 * Contexts: a follower belongs to one thread at a time.
 */
#ifndef VPMU_PLUGIN_REPLAY_VCPU_H
#define VPMU_PLUGIN_REPLAY_VCPU_H

#include "include/perf0/branch_log.h"
#include "include/perf0/branch_records.h"
#include "vpmu/micro/micro.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A branch, told once. */
struct follow_branch {
	uint64_t ip, next; /* its own address, and the one behind it */
	uint64_t target;   /* 0: not known before */
	uint32_t needs;    /* accesses of its run without which it is not reached */
	uint8_t kind;      /* enum micro_branch */
	bool models;       /* the model is told of it */
};

/* Instructions behind each other. */
struct follow_run {
	struct micro_block block;
	uint64_t repeats;    /* address of a REP string instruction at its end, or 0 */
	bool ends_in_branch; /* which is: */
	struct follow_branch branch;
};

/* An access, but for its address. */
struct follow_access {
	bool stores;
	uint8_t shift;      /* its size is 1 << shift */
	uint32_t registers; /* micro_registers() */
};

/*
 * A record: what it is, in the lower bits; above, a pointer to what was told once (a multiple of
 * 8), and of a run how many times more it runs, one after the other; or for an access its address
 * and number, for a page its slot and the physical page's number.
 */
enum follow_kind {
	FOLLOW_RUN,    /* struct follow_run: it begins */
	FOLLOW_LOAD,   /* follow_access() */
	FOLLOW_STORE,  /* the same */
	FOLLOW_PAGE,   /* follow_page_record(): where the next access's page is */
	FOLLOW_BRANCH, /* struct follow_branch: it runs */
	FOLLOW_FLUSH,  /* all translations are gone */
	FOLLOW_ALONE,  /* struct follow_run: likewise, a block of one instruction */
	FOLLOW_AGAIN,  /* the next access is of such a block */
};
#define FOLLOW_KIND_BITS    3
#define FOLLOW_KIND_MASK    ((1u << FOLLOW_KIND_BITS) - 1)
#define FOLLOW_POINTER_BITS 47
#define FOLLOW_ONCE_MORE    (1ull << FOLLOW_POINTER_BITS)
#define FOLLOW_MOST_MORE    (UINT64_MAX - FOLLOW_ONCE_MORE)
#define FOLLOW_ADDRESS_BITS 48
#define FOLLOW_NUMBER_BITS  (64 - FOLLOW_ADDRESS_BITS - FOLLOW_KIND_BITS)
#define FOLLOW_NUMBERS      (1u << FOLLOW_NUMBER_BITS)
typedef uint64_t follow_record;

/* Pages whose places are known at a time, by their lower bits. */
#define FOLLOW_PAGES_BITS 10
#define FOLLOW_PAGES      (1u << FOLLOW_PAGES_BITS)

static inline unsigned follow_page_slot(uint64_t va)
{
	return va >> MICRO_PAGE_SHIFT & (FOLLOW_PAGES - 1);
}

#define FOLLOW_WAITING 8 /* branches that interrupts came behind; the oldest is forgotten */

/* Exact counts that nothing else adds to: they are apart until follow_sum(), for what else is exact
 * is added to by another thread, in the same lines. */
struct follow_counts {
	uint64_t taken, unaligned;
	uint64_t split[2], page_split[2]; /* loads, stores */
};

struct follower {
	struct micro *micro; /* NULL: nothing is modelled */
	uint64_t *counts;    /* EVENTS_NUMBERS of them */
	struct follow_counts own;
	const struct follow_branch *last; /* NULL: it is known where it went */
	uint32_t accesses;                /* of the last run, so far */
	bool is_alone;                    /* that run is a block of one instruction */
	uint64_t repeated;                /* the REP string instruction that it ended in, or 0 */
	uint64_t mispredicted;            /* the last branch that was */
	struct branch_stack *branches; /* last branches are recorded there, while it is on; may be
					* NULL */
	uint64_t recorded_at;          /* cycles, when the last of them was */
	struct branch_log *log; /* all branches are logged there, while both are on; may be NULL */
	uint64_t physical[FOLLOW_PAGES];
	struct follow_branch kept; /* `last`, when its run is gone */
	struct follow_branch waiting[FOLLOW_WAITING];
	unsigned nwaiting;
	/* What accesses have in common, by number: registers, and above them their size as a shift.
	 */
	uint32_t nnumbers;
	uint32_t numbers[FOLLOW_NUMBERS];
};

/* follow_init() - of zeros. follow_translate: for micro_init(), whose calls have the follower as
 * context. */
void follow_init(struct follower *f, uint64_t *counts);
micro_translate_fn follow_translate;

/* follow_reset() - what runs next is told as if nothing had run before; counts stay. */
void follow_reset(struct follower *f);

/* follow_stopped() - the guest has stopped; all records are followed, and where it goes on is told
 * next, by follow_arrived(). */
void follow_stopped(struct follower *f);

/* follow_sum() - all that was told is in the counts. */
void follow_sum(struct follower *f);

/*
 * follow_arrived() - code at `va` runs next: so it is known where the last branch went. True: there
 * was one. follow_run(): that run begins, and the model is told. follow_run_unmodelled(): it is
 * not.
 * follow_access_at(): an access, whose page was told by follow_page() before; `coherent`: other
 * vCPUs have caches, too.
 * follow_run_alone(): likewise, a block of one instruction; follow_again(): the next access is of
 * one. QEMU does one so that it has begun in a larger block and has to do again; then the access is
 * all that it tells.
 */
bool follow_arrived(struct follower *f, uint64_t va);
void follow_run(struct follower *f, const struct follow_run *run);
void follow_run_alone(struct follower *f, const struct follow_run *run);
void follow_run_unmodelled(struct follower *f, const struct follow_run *run);
struct micro_outcome follow_access_at(struct follower *f, const struct follow_access *access,
				      uint64_t va, bool coherent);
void follow_again(struct follower *f);
static inline void follow_page(struct follower *f, uint64_t physical, uint64_t va)
{
	f->physical[follow_page_slot(va)] = physical >> MICRO_PAGE_SHIFT << MICRO_PAGE_SHIFT;
}

/* follow_is_loop() - the branch at the end of the run leads to it, with nothing between that would
 * have a record. */
bool follow_is_loop(const struct follow_run *run);

/* follow_list() - the next `n` records. */
void follow_list(struct follower *f, const follow_record *records, size_t n);

/* follow_forget_runs() - all runs and branches that were told of are freed. */
void follow_forget_runs(struct follower *f);

static inline follow_record follow_page_record(uint64_t physical, uint64_t va)
{
	return (physical >> MICRO_PAGE_SHIFT << FOLLOW_PAGES_BITS | follow_page_slot(va))
		       << FOLLOW_KIND_BITS |
	       FOLLOW_PAGE;
}

/*
 * follow_number() - the records of such accesses, but for their addresses: with the next number, if
 * none is like it. False: there are no more numbers. follow_at(): the record of one; where
 * follow_has_record() says so.
 */
bool follow_number(struct follower *f, const struct follow_access *access, follow_record *record);
static inline bool follow_has_record(uint64_t va)
{
	const unsigned above = 64 - FOLLOW_ADDRESS_BITS;

	return (uint64_t)((int64_t)(va << above) >> above) == va;
}
static inline follow_record follow_at(follow_record record, uint64_t va)
{
	return va << (64 - FOLLOW_ADDRESS_BITS) | record;
}

#endif
