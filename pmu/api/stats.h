/* SPDX-License-Identifier: BSD-2-Clause */
/* stats.h - the books of all events, and what the event core did. The rules of use are pmu.h's. */
#ifndef PMU_API_STATS_H
#define PMU_API_STATS_H

#include "pmu/api/event.h"

#include <stdint.h>

struct pmu_stats {
	struct pmu_books books; /* of all events since pmu_init() */
	uint64_t nmis;          /* served */
	uint64_t schedules;     /* decisions about which events count where */
	uint64_t rotations;     /* of these, because a slice was over */
	uint64_t late_nmis;     /* ours, but their overflow had been served already */
	uint64_t spurious_nmis; /* that nothing of ours explains */
	uint64_t wakeups;       /* of readers of rings */
	uint64_t throttles;     /* events that sampled too often for a while */
	uint64_t respites;  /* times that a clock event left what it interrupted no time, and had to
			       wait */
	uint64_t ticks;     /* of frequencies, and ends of throttling */
	uint64_t exchanges; /* switches between tasks whose events are alike */
};
/* pmu_written() - where this CPU counts its samples in rings, since pmu_init(). Any context. */
const uint64_t *pmu_written(void);

/* pmu_stats() - of all CPUs together, until the next call on this CPU. Task context. */
const struct pmu_stats *pmu_stats(void);

#endif
