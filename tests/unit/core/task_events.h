/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_events.h - shared by the tests of events of tasks: events, and checks of their values.
 */
#ifndef TESTS_TASK_EVENTS_H
#define TESTS_TASK_EVENTS_H

#include "arch/x86/msr.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"
#include "pmu/state/slices.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <string.h>

#include "tests/unit/test.h"

#define SLICE        (PMU_MUX_INTERVAL_US * 1000ull)
#define INSTRUCTIONS user_only(rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS))
#define CLOCK        rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define BRANCHES     user_only(rig_attr(PERF_TYPE_RAW, 0xc4)) /* any general counter; 1 in 5 */

#define ONLY_3  user_only(rig_attr(PERF_TYPE_RAW, 0x1cd)) /* Haswell: counter 3 only */
#define ADDRESS 0x400000001000

static inline struct perf_event_attr user_only(struct perf_event_attr attr)
{
	attr.exclude_kernel = 1;
	return attr;
}

static inline struct perf_event_attr inherited(struct perf_event_attr attr)
{
	attr.inherit = 1;
	return attr;
}

static inline struct perf_event_attr pinned(struct perf_event_attr attr)
{
	attr.pinned = 1;
	return attr;
}

static inline struct perf_event_attr disabled(struct perf_event_attr attr)
{
	attr.disabled = 1;
	return attr;
}

static inline struct perf_event_attr inherited_sampling(uint64_t period)
{
	struct perf_event_attr attr = inherited(INSTRUCTIONS);

	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID;
	return attr;
}

static inline void open_at(struct pmu_event *e, struct perf_event_attr attr, int task, int cpu,
			   unsigned long flags)
{
	int got = pmu_event_open(e, &attr, task, cpu, NULL, flags, &rig.why);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

static inline void open_for(struct pmu_event *e, struct perf_event_attr attr,
			    const struct pmu_task *task)
{
	open_at(e, attr, (int)task->tid, -1, 0);
}

static inline void open_cpu(struct pmu_event *e, struct perf_event_attr attr)
{
	open_at(e, attr, -1, 0, 0);
}

static inline void open_set(struct pmu_event *e, struct perf_event_attr attr, int set)
{
	open_at(e, attr, set, 0, PERF_FLAG_PID_CGROUP);
}

/* On rig.task. */
static inline void open_ok(struct pmu_event *e, struct perf_event_attr attr,
			   struct pmu_event *leader)
{
	int got = rig_open(e, &attr, leader);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

static inline void close_many(struct pmu_event *e, unsigned n)
{
	while (n--)
		pmu_event_close(&e[n]);
}

/* A child of rig.task. */
static inline void fork_task(struct pmu_task *child, uint32_t tid)
{
	assert_int_equal(pmu_task_init(child, tid, tid, &rig.task), 0);
}

static inline struct pmu_value value_of(struct pmu_event *e)
{
	struct pmu_value v;

	pmu_event_read(e, &v);
	return v;
}

static inline void check_value(struct pmu_event *e, uint64_t value, uint64_t enabled,
			       uint64_t running)
{
	struct pmu_value v = value_of(e);

	assert_int_equal(v.value, value);
	assert_int_equal(v.time_enabled, enabled);
	assert_int_equal(v.time_running, running);
}

/* Checks that no event is open or inherited any more. */
static inline void check_empty(void)
{
	assert_int_equal(rig_nevents(), 0);
	assert_int_equal(rig.allocated, 0);
	assert_int_equal(pmu.counters.used, 0);
	assert_int_equal(shim.unknown_nmis, 0);
}

static inline uint64_t take_turn(struct pmu_task *task, uint64_t ns, uint64_t most)
{
	if (ns > most)
		ns = most;
	if (ns)
		rig_run(task, ns);
	return ns;
}

static inline struct perf_event_attr write_breakpoint(uint64_t address)
{
	struct perf_event_attr attr = inherited(rig_attr(PERF_TYPE_BREAKPOINT, 0));

	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_len = 8;
	attr.bp_addr = address;
	return attr;
}

#endif
