/* SPDX-License-Identifier: BSD-2-Clause */
/* stats.h - statistics of the event core. pmu.h has the rules of use. */
#ifndef PMU_API_STATS_H
#define PMU_API_STATS_H

#include "pmu/api/event.h"

#include <stdint.h>

struct pmu_stats {
	struct pmu_books books; /* sums over all events since pmu_init() */
	uint64_t nmis;          /* served */
	uint64_t schedules;     /* decisions of the scheduler */
	uint64_t rotations;     /* of these, at the end of a slice */
	uint64_t late_nmis;     /* NMIs whose overflow had been served already */
	uint64_t spurious_nmis; /* NMIs that the core cannot explain */
	uint64_t wakeups;       /* wakeups of readers of rings */
	uint64_t throttles;     /* times that an event was throttled */
	uint64_t respites;  /* times that a clock event had to wait, because it left no time for the
			       interrupted code */
	uint64_t ticks;     /* ticks of frequencies and of throttling */
	uint64_t exchanges; /* switches between tasks that exchanged equal events */
};
/*
 * pmu_written() - the address of this CPU's number of samples in rings, since pmu_init(). Any
 * context.
 */
const uint64_t *pmu_written(void);

/* pmu_stats() - sums over all CPUs, valid until the next call on this CPU. Task context. */
const struct pmu_stats *pmu_stats(void);

#endif
