// SPDX-License-Identifier: BSD-2-Clause
/* time_records.c - see time_records.h. */
#include "vpmu/plugin/time_records.h"

/* --- Before a run or an access --- */

static void set_fetched(struct time_reader *reader, feed_record r)
{
	r >>= FEED_KIND_BITS;
	memcpy(&reader->fetched, &r, sizeof(reader->fetched));
}

static void add_prefetch(struct time_reader *reader, feed_record r)
{
	struct line_request *to = &reader->asked[reader->outcome.nprefetches++];

	memcpy(to, &r, sizeof(*to));
}

static void set_outcome(struct time_reader *reader, feed_record r)
{
	const uint8_t nprefetches = reader->outcome.nprefetches;

	memcpy(&reader->outcome, &r, sizeof(r));
	reader->outcome.nprefetches = nprefetches;
	reader->outcome.prefetches = reader->asked;
	reader->has_outcome = true;
}

/* --- Runs and accesses --- */

static inline void replay_run(struct time_reader *reader, feed_record r)
{
	struct run_time *t = reader->time;
	const struct timed_insns *run =
		(const struct timed_insns *)(uintptr_t)(r & (TIME_ENDS - 1) &
							~(uint64_t)FEED_KIND_MASK);

	if (r & TIME_ENDS)
		time_end(t, r & TIME_TAKEN, r & TIME_MISPREDICTED);
	if (!run)
		return;
	if (r & TIME_ITERATES)
		time_iteration(t, run);
	else
		time_run(t, run, reader->fetched);
	reader->fetched.cycles = 0;
}

static inline void replay_access(struct time_reader *reader, feed_record r, bool stores)
{
	const unsigned insn = feed_access_insn(r), bytes = 1u << feed_access_shift(r);
	const uint64_t va = feed_access_va(r);

	if (!reader->has_outcome) {
		time_hit(reader->time, insn, stores, va, bytes);
		return;
	}
	time_access(reader->time, insn, stores, va, bytes, &reader->outcome);
	reader->has_outcome = false;
	reader->outcome.nprefetches = 0;
}

static inline void replay_one(struct time_reader *reader, feed_record r)
{
	switch ((enum time_kind)(r & FEED_KIND_MASK)) {
	case TIME_RUN:
		replay_run(reader, r);
		break;
	case TIME_REPEAT:
		time_repeat(reader->time, r >> FEED_KIND_BITS);
		break;
	case TIME_LOAD:
		replay_access(reader, r, false);
		break;
	case TIME_STORE:
		replay_access(reader, r, true);
		break;
	case TIME_FETCHED:
		set_fetched(reader, r);
		break;
	case TIME_PREFETCH:
		add_prefetch(reader, r);
		break;
	case TIME_OUTCOME:
		set_outcome(reader, r);
		break;
	}
}

void time_replay(void *reader, const feed_record *records, size_t n)
{
	for (const feed_record *end = records + n; records < end; records++)
		replay_one(reader, *records);
}
