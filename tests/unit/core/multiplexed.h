/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * multiplexed.h - shared by the tests of more events than counters.
 */
#ifndef TESTS_MULTIPLEXED_H
#define TESTS_MULTIPLEXED_H

#include "pmu/state/state.h"
#include "tests/shim/rig.h"
#include "pmu/state/slices.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "tests/unit/test.h"

#define SLICE (PMU_MUX_INTERVAL_US * 1000ull)

#define CLOCK    rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define BRANCHES without_kernel(rig_attr(PERF_TYPE_RAW, 0xc4)) /* any general counter; 1 in 5 */

static inline struct perf_event_attr without_kernel(struct perf_event_attr attr)
{
	attr.exclude_kernel = 1;
	return attr;
}

static inline void open_muxed(struct pmu_event *e, struct perf_event_attr attr,
			      struct pmu_event *leader)
{
	int got = rig_open(e, &attr, leader);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

static inline void open_many(struct pmu_event *e, unsigned n, struct perf_event_attr attr)
{
	for (unsigned i = 0; i < n; i++)
		open_muxed(&e[i], attr, NULL);
}

static inline void close_many(struct pmu_event *e, unsigned n)
{
	while (n--)
		pmu_event_close(&e[n]);
}

static inline struct pmu_value muxed_value(struct pmu_event *e)
{
	struct pmu_value v;

	pmu_event_read(e, &v);
	return v;
}

#endif
