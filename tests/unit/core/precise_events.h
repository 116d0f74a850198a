/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * precise_events.h - shared by the tests of precise events.
 */
#ifndef TESTS_PRECISE_EVENTS_H
#define TESTS_PRECISE_EVENTS_H

#include "arch/x86/msr.h"
#include "pmu/state/state.h"
#include "pmu/driver/datasrc.h"
#include "tests/shim/rig.h"

#include <string.h>

#include <asm/perf_regs.h>
#include "tests/unit/test.h"
#include <linux/errno.h>

static const char *const uarchs[] = {"hsw", "skx", "icl"};

#define for_each_uarch(u) \
	for (const char *const *u = uarchs; u < uarchs + sizeof(uarchs) / sizeof(*uarchs); u++)

static inline struct perf_event_attr precise(uint64_t period)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	attr.precise_ip = 2;
	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	return attr;
}

static inline void open_into(struct pmu_event *e, struct perf_event_attr attr, struct rb *rb)
{
	int got = rig_open(e, &attr, NULL);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
	assert_int_equal(pmu_event_set_output(e, rb), 0);
}

static inline bool is_user(uint64_t ip)
{
	return ip < 0x80000000;
}

static inline uint64_t tsc_ns(uint64_t tsc)
{
	return tsc;
}

static inline void boot_precise(const char *uarch)
{
	rig_boot(uarch, false);
	rig.host.is_user = is_user;
	rig.host.tsc_ns = tsc_ns;
}

#endif
