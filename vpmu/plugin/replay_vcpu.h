/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replay_vcpu.h - turns the execution of a vCPU into counts: targets of branches, addresses of
 * accesses, the model of caches and predictors (vpmu/micro/), and the core in time (run_time.h).
 * Callbacks report it directly, or as records in the same order, which are replayed a little later
 * (record_ring.h): the counts are the same. It does not depend on QEMU, so tests replay lists of
 * their own.
 *
 * Contexts: a follower belongs to one thread at a time.
 */
#ifndef VPMU_PLUGIN_REPLAY_VCPU_H
#define VPMU_PLUGIN_REPLAY_VCPU_H

#include "include/perf0/branch_log.h"
#include "include/perf0/branch_records.h"
#include "vpmu/micro/micro.h"
#include "vpmu/plugin/record_ring.h"
#include "vpmu/plugin/run_time.h"
#include "vpmu/plugin/time_records.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The addresses from here on are ring 0's. */
#define UPPER_HALF (1ull << 63)

/* A branch, described once. */
struct follow_branch {
	uint64_t ip, next; /* its address, and the one behind it */
	uint64_t target;   /* 0: unknown in advance */
	uint32_t needs;    /* accesses of its run that must happen before it */
	uint8_t kind;      /* enum micro_branch */
	bool models;       /* the model gets it */
	bool counts;       /* its run may end before it: EVENTS_BRANCHES has grown when it begins */
};

/* A run of consecutive instructions. */
struct follow_run {
	struct micro_block block;
	struct timed_insns insns;
	uint64_t repeats;    /* address of a REP string instruction at its end, or 0 */
	bool ends_in_branch; /* the branch is: */
	struct follow_branch branch;
};

/* An access without its address. */
struct follow_access {
	bool stores;
	uint8_t shift; /* its size is 1 << shift */
	uint8_t insn;  /* its instruction in the run, below TIMED_INSNS */
};

/*
 * A record. The low bits are its kind. Above them: a pointer to a description (a multiple of 8),
 * for a run with the number of further iterations; or the address, size and instruction of an
 * access; or the slot of a page and the number of the physical page.
 */
enum follow_kind {
	FOLLOW_RUN,    /* struct follow_run: the run begins */
	FOLLOW_PAGE,   /* follow_page_record(): the page of the next access */
	FOLLOW_LOAD,   /* follow_access() */
	FOLLOW_STORE,  /* follow_access(), a store */
	FOLLOW_BRANCH, /* struct follow_branch: the branch runs */
	FOLLOW_FLUSH,  /* all translations are gone */
	FOLLOW_ALONE,  /* struct follow_run: a block of one instruction begins */
	FOLLOW_AGAIN,  /* struct follow_run: the next access is of such a block */
};
#define FOLLOW_POINTER_BITS 47
#define FOLLOW_ONCE_MORE    (1ull << FOLLOW_POINTER_BITS)
#define FOLLOW_MOST_MORE    (UINT64_MAX - FOLLOW_ONCE_MORE)
typedef feed_record follow_record;
_Static_assert((int)FOLLOW_LOAD == (int)FEED_LOAD && (int)FOLLOW_STORE == (int)FEED_STORE &&
		       FOLLOW_RUN == 0,
	       "an access is the same in both rings, and a run's record its address");

/* Pages with a known place, indexed by their low bits. */
#define FOLLOW_PAGES_BITS 10
#define FOLLOW_PAGES      (1u << FOLLOW_PAGES_BITS)

static inline unsigned follow_page_slot(uint64_t va)
{
	return va >> MICRO_PAGE_SHIFT & (FOLLOW_PAGES - 1);
}

#define FOLLOW_WAITING 8 /* branches that an interrupt has followed; the oldest is dropped */

/* Exact counts that only the follower adds to. They are apart until follow_sum(), as another thread
 * adds to the other exact counts in the same cache lines. */
struct follow_counts {
	uint64_t taken, unaligned;
	uint64_t split[2], page_split[2]; /* of loads, of stores */
};

/*
 * Counts of the model, by ring. All that the model adds between the beginnings of two runs belongs
 * to the ring of the first one, the outcome of its branch too.
 */
#define FOLLOW_RING_COUNTS 8u
struct follow_rings {
	uint32_t n;
	uint8_t count[FOLLOW_RING_COUNTS];      /* enum events_count */
	uint64_t last[FOLLOW_RING_COUNTS];      /* when the ring began */
	uint64_t before[2][FOLLOW_RING_COUNTS]; /* of ring 0, ring 3; until then */
	bool is_user;
};

struct follower {
	struct micro *micro; /* NULL: nothing is modelled */
	struct run_time time;
	struct feed *times; /* what takes time is told to `time` by this ring; NULL: at once */
	struct time_reader reader;
	bool is_untimed;               /* follow_time() */
	bool stays;                    /* follow_stay() */
	bool tells_later;              /* follow_list() uses `times` at the moment */
	uint64_t ended;                /* flags of time_put_run(): how the last run has ended */
	const struct timed_insns *run; /* the last run; NULL: it has ended */
	uint64_t *counts;              /* EVENTS_NUMBERS of them */
	const uint64_t *user;          /* and those of ring 3 that are apart; NULL: none */
	uint64_t branches_before;      /* branches that had begun before the last unmodelled run */
	struct follow_counts own;
	const struct follow_branch *last; /* NULL: the target of the last branch is known */
	uint32_t accesses;                /* accesses of the last run so far */
	unsigned accessing;               /* the instruction in the run that accesses */
	bool is_alone;                    /* that run is a block of one instruction */
	uint64_t repeated;                /* the REP string instruction at its end, or 0 */
	uint64_t mispredicted;            /* the last mispredicted branch */
	struct follow_rings *rings;       /* NULL: rings are not counted apart */
	struct branch_stack *branches;    /* records last branches while it is on; may be NULL */
	uint64_t recorded_at;             /* the cycle of the last record */
	struct branch_log *log;           /* logs all branches while both are on; may be NULL */
	uint64_t physical[FOLLOW_PAGES];
	struct follow_branch kept; /* a copy of `last` when its run is gone */
	struct follow_branch waiting[FOLLOW_WAITING];
	unsigned nwaiting;
};

/* follow_init() - of zeros. follow_by_ring(): time is told by a ring from now on, whose thread runs
 * the core; false: there is no CPU to spare, or no memory. follow_end(): ends that thread.
 * follow_translate: for micro_init(), follow_ip: for micro_set_ip();
 * the context of their calls is the follower. */
void follow_init(struct follower *f, uint64_t *counts);
bool follow_by_ring(struct follower *f, struct feed *times);
void follow_end(struct follower *f);
micro_translate_fn follow_translate;
micro_ip_fn follow_ip;

/* follow_reset() - forgets the instructions that ran before; counts stay. */
void follow_reset(struct follower *f);

/* follow_stopped() - the guest has stopped, and all records are replayed. follow_arrived() then
 * reports where it goes on. */
void follow_stopped(struct follower *f);

/* follow_sum() - adds everything that was reported to the counts. follow_sum_clock(): only to those
 * below EVENTS_UOPS, and to cycles and slots. */
void follow_sum(struct follower *f);
void follow_sum_clock(struct follower *f);

/* follow_ring_count() - ring 3's or ring 0's part of the i'th count of `rings`. */
uint64_t follow_ring_count(const struct follower *f, uint32_t i, bool user);

/*
 * follow_arrived() - code at `va` runs next, which reveals the target of the last branch. True: the
 * last branch was reached. follow_run(): that run begins, for the model, too;
 * follow_run_unmodelled(): without the model. follow_access_at(): an access, whose page
 * follow_page() has reported; `coherent`: other vCPUs have caches, too. follow_run_alone(): a block
 * of one instruction begins; follow_again(): the next access is of one, `run`. QEMU so repeats an
 * instruction of a larger block, and then reports only its access.
 */
bool follow_arrived(struct follower *f, uint64_t va);
void follow_run(struct follower *f, const struct follow_run *run);
void follow_run_alone(struct follower *f, const struct follow_run *run);
void follow_access_at(struct follower *f, const struct follow_access *access, uint64_t va,
		      bool coherent);
void follow_again(struct follower *f, const struct follow_run *run);
static inline void follow_page(struct follower *f, uint64_t physical, uint64_t va)
{
	f->physical[follow_page_slot(va)] = physical >> MICRO_PAGE_SHIFT << MICRO_PAGE_SHIFT;
}

/* --- Runs that are not modelled: each block of the guest comes here --- */

static inline bool follow_is_recording(const struct follower *f)
{
	return f->branches && f->branches->on;
}

static inline uint64_t follow_branches_begun(const struct follower *f)
{
	return f->counts[EVENTS_BRANCHES] + (f->user ? f->user[EVENTS_BRANCHES] : 0);
}

static inline bool follow_was_reached(const struct follower *f, const struct follow_branch *b)
{
	return f->accesses >= b->needs &&
	       (!b->counts || follow_branches_begun(f) != f->branches_before);
}

/* Nothing but a count follows from where the last branch led. */
static inline bool follow_is_only_counted(const struct follower *f, uint64_t va)
{
	const struct follow_branch *b = f->last;

	if (follow_is_recording(f) || f->time.run)
		return false;
	return !b || (b->kind == MICRO_CONDITIONAL && !b->models &&
		      (va == b->target || va == b->next) && follow_was_reached(f, b));
}

static inline void follow_begin_unmodelled(struct follower *f, const struct follow_run *run)
{
	f->accesses = 0;
	f->is_alone = false;
	f->last = run->ends_in_branch ? &run->branch : NULL;
	f->branches_before = follow_branches_begun(f);
}

void follow_run_rarely(struct follower *f, const struct follow_run *run);
static inline void follow_run_unmodelled(struct follower *f, const struct follow_run *run)
{
	const uint64_t va = run->block.va;

	if (!follow_is_only_counted(f, va)) {
		follow_run_rarely(f, run);
		return;
	}
	f->own.taken += f->last && va == f->last->target;
	follow_begin_unmodelled(f, run);
}

/* follow_is_loop() - whether the branch at the run's end leads to its start, and nothing in between
 * has a record. */
bool follow_is_loop(const struct follow_run *run);

/* follow_list() - replays the next `n` records of a struct feed (feed_replay_fn).
 * follow_stay(): whether time is told at once, in spite of follow_by_ring(). */
void follow_list(void *follower, const follow_record *records, size_t n);
void follow_stay(struct follower *f, bool on);

/* follow_time() - whether time is told from now on, to an empty core. Without it the counts of
 * caches, TLBs and predictors are the same. */
void follow_time(struct follower *f, bool on);

/* follow_catch_up() - returns when the core has taken everything that it was told by the ring. */
void follow_catch_up(struct follower *f);

/* follow_forget_runs() - the descriptions of all runs and branches are freed. */
void follow_forget_runs(struct follower *f);

static inline follow_record follow_page_record(uint64_t physical, uint64_t va)
{
	return (physical >> MICRO_PAGE_SHIFT << FOLLOW_PAGES_BITS | follow_page_slot(va))
		       << FEED_KIND_BITS |
	       FOLLOW_PAGE;
}

/* follow_record_of() - the record of an access, without its address, which feed_at() adds, if
 * follow_has_record(). */
static inline follow_record follow_record_of(const struct follow_access *access)
{
	return feed_access(access->stores ? FOLLOW_STORE : FOLLOW_LOAD, access->insn,
			   access->shift);
}
static inline bool follow_has_record(uint64_t va)
{
	const unsigned above = 64 - FEED_ADDRESS_BITS;

	return (uint64_t)((int64_t)(va << above) >> above) == va;
}

/* follow_again_in() - a run that loops: counts one more iteration in the last record of the ring,
 * or adds a record. */
static inline void follow_again_in(struct feed *feed, follow_record record)
{
	follow_record *last = feed->at - 1;

	if ((*last & (FOLLOW_ONCE_MORE - 1)) == record && *last < FOLLOW_MOST_MORE)
		*last += FOLLOW_ONCE_MORE;
	else
		feed_put(feed, record);
}

#endif
