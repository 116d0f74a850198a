// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tfa.c - TSX_FORCE_ABORT on the modelled PMUs: events use counter 3 only while transactions
 * abort. Changing the setting schedules at once.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <string.h>

#include "tests/unit/test.h"

#define EVENTS 4 /* as skx has counters with hyper-threading on */
#define PMC3   (1ull << 3)

static void open_all(struct pmu_event *events)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_RAW, 0x00c4);

	for (unsigned i = 0; i < EVENTS; i++)
		assert_int_equal(rig_open(&events[i], &attr, NULL), 0);
}

static void close_all(struct pmu_event *events)
{
	for (unsigned i = 0; i < EVENTS; i++)
		pmu_event_close(&events[i]);
}

static unsigned active(const struct pmu_event *events)
{
	unsigned n = 0;

	for (unsigned i = 0; i < EVENTS; i++)
		n += events[i].state == PMU_STATE_ACTIVE;
	return n;
}

TEST(test_transactions_abort_from_the_start)
{
	struct pmu_event events[EVENTS];

	rig_boot("skx", true);
	assert_int_equal(rdmsr(MSR_TSX_FORCE_ABORT), 1);
	assert_int_equal(pmu_tfa_counters(), PMC3);
	assert_true(pmu_tfa_aborts());
	open_all(events);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(active(events), EVENTS);
	pmu_task_sched_out();
	close_all(events);
}

TEST(test_the_switch_schedules)
{
	struct pmu_event events[EVENTS];

	rig_boot("skx", true);
	open_all(events);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(pmu_set_tfa(false, &rig.why), 0);
	assert_int_equal(rdmsr(MSR_TSX_FORCE_ABORT), 0);
	assert_int_equal(active(events), EVENTS - 1);
	assert_int_equal(pmu.counters.used & PMC3, 0);
	shim_run(VPMU_USR, 1000);
	assert_int_equal(pmu_set_tfa(true, &rig.why), 0);
	assert_int_equal(rdmsr(MSR_TSX_FORCE_ABORT), 1);
	assert_int_equal(active(events), EVENTS);
	pmu_task_sched_out();
	close_all(events);
}

TEST(test_what_needs_that_counter_is_refused)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_RAW, 0x00c4);
	struct pmu_event group[EVENTS];

	rig_boot("skx", true);
	assert_int_equal(pmu_set_tfa(false, &rig.why), 0);
	for (unsigned i = 0; i < EVENTS - 1; i++)
		assert_int_equal(rig_open(&group[i], &attr, i ? &group[0] : NULL), 0);
	assert_int_equal(rig_open(&group[EVENTS - 1], &attr, &group[0]), -EINVAL);
	assert_int_equal(pmu_set_tfa(true, &rig.why), 0);
	assert_int_equal(rig_open(&group[EVENTS - 1], &attr, &group[0]), 0);
	close_all(group);
}

/* A pinned event that loses its counter is in the error state until it is enabled again. */
TEST(test_pinned_events_fail)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_RAW, 0x00c4);
	struct pmu_event events[EVENTS];

	rig_boot("skx", true);
	attr.pinned = 1;
	for (unsigned i = 0; i < EVENTS; i++)
		assert_int_equal(rig_open(&events[i], &attr, NULL), 0);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(pmu_set_tfa(false, &rig.why), 0);
	assert_int_equal(events[EVENTS - 1].state, PMU_STATE_ERROR);
	assert_int_equal(pmu_set_tfa(true, &rig.why), 0);
	assert_int_equal(events[EVENTS - 1].state, PMU_STATE_ERROR);
	pmu_event_enable(&events[EVENTS - 1]);
	assert_int_equal(active(events), EVENTS);
	pmu_task_sched_out();
	close_all(events);
}

TEST(test_other_cpus)
{
	static const char *const uarchs[] = {"hsw", "icl", "zen4"};

	for (size_t i = 0; i < sizeof(uarchs) / sizeof(uarchs[0]); i++) {
		rig_boot(uarchs[i], true);
		assert_int_equal(pmu_tfa_counters(), 0);
		assert_int_equal(pmu_set_tfa(true, &rig.why), -ENOENT);
		assert_non_null(strstr(rig.why.text, "transactions take no counter"));
		assert_int_equal(shim.faults, 0);
	}
	shim_boot("skx", true);
	shim.pmu = SHIM_PMU_IGNORES;
	rig_init();
	assert_int_equal(pmu_tfa_counters(), 0);
}
