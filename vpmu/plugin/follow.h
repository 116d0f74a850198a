/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * follow.h - what a vCPU executes, and what is made of it: where branches went, where accesses lie,
 * and what the model of a core (vpmu/micro/) makes of both. It is told call by call, or written
 * down as records, in the same order, and followed a little later (feed.h): the counts are the
 * same. There is nothing of QEMU here, so tests follow lists of their own.
 *
 * Contexts: a follower belongs to one thread at a time.
 */
#ifndef VPMU_PLUGIN_FOLLOW_H
#define VPMU_PLUGIN_FOLLOW_H

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

/* What a record is, in the lower bits of `what`; in the upper ones: */
enum follow_kind {
	FOLLOW_RUN,    /* struct follow_run: it begins */
	FOLLOW_LOAD,   /* follow_access(); `va`: its address */
	FOLLOW_STORE,  /* the same */
	FOLLOW_PAGE,   /* the physical page; `va`: a page that the next access lies in */
	FOLLOW_BRANCH, /* struct follow_branch: it runs */
	FOLLOW_FLUSH,  /* all translations are gone */
	FOLLOW_ALONE,  /* struct follow_run: likewise, a block of one instruction */
	FOLLOW_AGAIN,  /* the next access is of such a block */
};
#define FOLLOW_KIND_BITS 3
#define FOLLOW_KIND_MASK ((1u << FOLLOW_KIND_BITS) - 1)

struct follow_record {
	uint64_t what, va;
};

/* Pages whose places are known at a time, by their lower bits. */
#define FOLLOW_PAGES 1024

static inline unsigned follow_page_slot(uint64_t va)
{
	return va >> MICRO_PAGE_SHIFT & (FOLLOW_PAGES - 1);
}

#define FOLLOW_WAITING 8  /* branches that interrupts came behind; the oldest is forgotten */
#define FOLLOW_SIZES   64 /* kinds of accesses whose size is remembered */

/* An access's size, as a shift, from the number that QEMU gives it. */
typedef unsigned follow_size_fn(uint32_t info);

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
	follow_size_fn *size_of;
	struct {
		uint32_t info, shift;
	} sizes[FOLLOW_SIZES];
	uint64_t physical[FOLLOW_PAGES];
	struct follow_branch kept; /* `last`, when its run is gone */
	struct follow_branch waiting[FOLLOW_WAITING];
	unsigned nwaiting;
};

/* follow_init() - of zeros; `size_of` is a pure function. follow_translate: for micro_init(), whose
 * calls have the follower as context. */
void follow_init(struct follower *f, uint64_t *counts, follow_size_fn *size_of);
micro_translate_fn follow_translate;

/* follow_reset() - what runs next is told as if nothing had run before; counts stay. */
void follow_reset(struct follower *f);

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
struct micro_outcome follow_access_at(struct follower *f, uint64_t what, uint64_t va,
				      bool coherent);
void follow_again(struct follower *f);
static inline void follow_page(struct follower *f, uint64_t physical, uint64_t va)
{
	f->physical[follow_page_slot(va)] = physical >> MICRO_PAGE_SHIFT << MICRO_PAGE_SHIFT;
}

/* follow_list() - the next `n` records. */
void follow_list(struct follower *f, const struct follow_record *records, size_t n);

/* follow_forget_runs() - all runs and branches that were told of are freed. */
void follow_forget_runs(struct follower *f);

/* follow_access() - what is known of an access beforehand. follow_access_with(): its `info`, when
 * it happens. */
static inline uint32_t follow_access(enum follow_kind kind, uint32_t registers)
{
	return (uint32_t)kind | registers << 8;
}

static inline uint64_t follow_access_with(uint32_t access, uint32_t info)
{
	return (uint64_t)info << 32 | access;
}

/* follow_bytes() - how long an access of that `info` is. */
static inline unsigned follow_bytes(struct follower *f, uint32_t info)
{
	const unsigned i = info * 0x9e3779b1u >> 26;

	if (f->sizes[i].info != info || f->sizes[i].shift == UINT32_MAX) {
		f->sizes[i].info = info;
		f->sizes[i].shift = f->size_of(info);
	}
	return 1u << f->sizes[i].shift;
}

#endif
