// SPDX-License-Identifier: BSD-2-Clause
/*
 * first_counter.c - policy perf: chooses the counters. An event keeps the counter that it had
 * first, as long as all counting events can have theirs. So from slice to slice only the events
 * that come and go are moved. The greedy assignment decides which groups count, and where new
 * events go.
 */
#include "lib/bits.h"
#include "pmu/sched/decision.h"

/* Places event i, which is new, on its assigned counter, or else on another free one. */
static bool place_new_event(const struct pmu_placing *p, unsigned i, uint8_t *index, uint64_t *free)
{
	uint64_t can = p->events[i]->counters & *free;

	index[i] = p->index[i];
	if (!(can >> index[i] & 1))
		index[i] = pmu_placing_choice(can);
	if (index[i] == PMU_NO_COUNTER)
		return false;
	*free ^= 1ull << index[i];
	return true;
}

bool pmu_take_first_counters(const struct pmu_decision *d, uint8_t *index, uint64_t *used)
{
	const struct pmu_placing *p = &d->greedy.placing;
	uint64_t free = UINT64_MAX, new_events = 0;
	bool had_one = false;

	for (unsigned i = 0; i < d->n; i++) {
		unsigned first = d->events[i]->first_counter;
		uint64_t bit;

		if (!first) {
			new_events |= 1ull << i;
			continue;
		}
		bit = 1ull << (first - 1);
		if (!(p->events[i]->counters & free & bit))
			return false;
		free ^= bit;
		index[i] = (uint8_t)(first - 1);
		had_one = true;
	}
	for (; new_events; new_events &= new_events - 1)
		if (!place_new_event(p, bits_first(new_events), index, &free))
			return false;
	*used = ~free;
	return had_one;
}
