/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * time_records.h - what struct run_time (run_time.h) is told, as records of a ring (record_ring.h).
 * So caches and predictors run in one thread, and the core in time in another one. The order is
 * that of the calls that the records stand for, so the counts are the same.
 *
 * Contexts: time_put_*(): the ring's writer. time_replay(): the replay of the ring (record_ring.h).
 */
#ifndef VPMU_PLUGIN_TIME_RECORDS_H
#define VPMU_PLUGIN_TIME_RECORDS_H

#include "vpmu/plugin/record_ring.h"
#include "vpmu/plugin/run_time.h"

#include <string.h>

/* The kind of a record, its low bits. What is told of a run or an access comes before it. */
enum time_kind {
	TIME_RUN,    /* time_end(), if TIME_ENDS; then time_run() of the pointer, if there is one */
	TIME_REPEAT, /* time_repeat(), as often as the other bits say */
	TIME_LOAD,   /* an access; its instruction and size, and its address: as FOLLOW_LOAD */
	TIME_STORE,  /* the same, as FOLLOW_STORE */
	TIME_FETCHED,  /* struct micro_fetched of the next run; without it there is nothing to wait
			  for */
	TIME_PREFETCH, /* struct line_request of the next access, behind its first byte */
	TIME_OUTCOME,  /* the first word of struct micro_outcome of the next access, behind its
			  first byte; without it that hits L1 and the TLB */
};
_Static_assert((int)TIME_LOAD == (int)FEED_LOAD && (int)TIME_STORE == (int)FEED_STORE,
	       "an access is the same in both rings");
#define TIME_POINTER_BITS 47
#define TIME_ENDS         (1ull << TIME_POINTER_BITS) /* the run before has ended */
#define TIME_TAKEN        (TIME_ENDS << 1)            /* its branch was taken */
#define TIME_MISPREDICTED (TIME_ENDS << 2)            /* and mispredicted */
#define TIME_ITERATES     (TIME_ENDS << 3)            /* time_iteration() in place of time_run() */

/* Reads the records of a ring. */
struct time_reader {
	struct run_time *time;
	struct micro_fetched fetched;
	struct micro_outcome outcome;
	bool has_outcome;
	struct line_request asked[MICRO_ASKED];
};

/* time_replay() - tells the next `n` records to the reader's `time`; a feed_replay_fn. */
void time_replay(void *reader, const feed_record *records, size_t n);

_Static_assert(sizeof(struct line_request) == sizeof(feed_record) &&
		       offsetof(struct micro_outcome, prefetches) == sizeof(feed_record) &&
		       sizeof(struct micro_fetched) < sizeof(feed_record),
	       "each is a record with its kind");

/* A word whose first byte is replaced by the kind. */
static inline feed_record time_word(const void *from, enum time_kind kind)
{
	feed_record r;

	memcpy(&r, from, sizeof(r));
	return (r & ~(feed_record)UINT8_MAX) | kind;
}

/* time_put_fetched() - the next run waits for its code, if `fetched` has cycles. */
static inline void time_put_fetched(struct feed *to, struct micro_fetched fetched)
{
	feed_record r = 0;

	if (!fetched.cycles)
		return;
	memcpy(&r, &fetched, sizeof(fetched));
	feed_put(to, r << FEED_KIND_BITS | TIME_FETCHED);
}

/* time_put_run() - a run or an iteration (`flags`) begins; `flags` say how the one before has
 * ended. NULL: no other one begins. time_put_repeat(): as time_repeat(). */
static inline void time_put_run(struct feed *to, const struct timed_insns *run, uint64_t flags,
				struct micro_fetched fetched)
{
	time_put_fetched(to, fetched);
	feed_put(to, (uint64_t)(uintptr_t)run | flags | TIME_RUN);
}

static inline void time_put_repeat(struct feed *to, uint64_t n)
{
	feed_put(to, n << FEED_KIND_BITS | TIME_REPEAT);
}

/* time_put_access() - as time_hit(), of 1 << `shift` bytes; behind time_put_outcome() as
 * time_access(). The address is canonical, of 48 bits. */
static inline void time_put_access(struct feed *to, unsigned insn, bool stores, uint64_t va,
				   unsigned shift)
{
	feed_put(to, feed_at(feed_access(stores ? TIME_STORE : TIME_LOAD, insn, shift), va));
}

/* time_put_outcome() - the next access is no hit in L1 and the first TLB. */
static inline void time_put_outcome(struct feed *to, struct micro_outcome o)
{
	for (unsigned i = 0; i < o.nprefetches; i++)
		feed_put(to, time_word(&o.prefetches[i], TIME_PREFETCH));
	feed_put(to, time_word(&o, TIME_OUTCOME));
}

#endif
