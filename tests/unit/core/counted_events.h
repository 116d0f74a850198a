/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counted_events.h - shared by the tests of opening, counting and controlling events.
 */
#ifndef TESTS_COUNTED_EVENTS_H
#define TESTS_COUNTED_EVENTS_H

#include "arch/x86/msr.h"
#include "pmu/api/attr_bits.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

#define INSTRUCTIONS rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS)
#define CYCLES       rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES)
#define RAW(config)  rig_attr(PERF_TYPE_RAW, config)

static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4"};

#define for_each_uarch(u) \
	for (const char *const *u = uarchs; u < uarchs + sizeof(uarchs) / sizeof(*uarchs); u++)

static inline struct perf_event_attr user_only(struct perf_event_attr attr)
{
	attr.exclude_kernel = 1;
	return attr;
}

static inline void open_ok(struct pmu_event *e, struct perf_event_attr attr,
			   struct pmu_event *leader)
{
	int got = rig_open(e, &attr, leader);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

#endif
