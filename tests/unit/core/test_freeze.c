// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_freeze.c - all counters stop when one of them reaches a count. The CPU stops them, in each
 * of its ways, or else the NMI does.
 */
#include "pmu/core/freeze.h"
#include "pmu/core/overflow.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

static void boot_hsw(void)
{
	assert_int_equal(rig_boot("hsw", true), 0);
}

static void boot_skx(void)
{
	assert_int_equal(rig_boot("skx", true), 0);
}

static void boot_icl(void)
{
	assert_int_equal(rig_boot("icl", true), 0);
}

static void boot_zen4(void)
{
	assert_int_equal(rig_boot("zen4", true), 0);
}

/* AMD before Zen 4, with six counters and with four. */
static void boot_zen3(void)
{
	shim_boot("zen4", true);
	pmu_caps_detect(&rig.caps);
	rig.caps.perfmon_v2 = rig.caps.lbr_pmc_freeze = false;
	assert_int_equal(rig_init(), 0);
}

static void boot_k7(void)
{
	shim_boot("zen4", true);
	pmu_caps_detect(&rig.caps);
	rig.caps.perfmon_v2 = rig.caps.lbr_pmc_freeze = rig.caps.perfctr_core = false;
	assert_int_equal(rig_init(), 0);
}

/* A CPU that has PerfMonV2 and does not freeze. */
static void boot_without_freeze(void)
{
	shim_boot("zen4", true);
	pmu_caps_detect(&rig.caps);
	rig.caps.lbr_pmc_freeze = false;
	assert_int_equal(rig_init(), 0);
}

static const struct machine {
	const char *name;
	void (*boot)(void);
	enum pmu_freeze kind;
	bool has_master;
} machines[] = {
	{"hsw", boot_hsw, PMU_FREEZE_CONTROL, true},
	{"skx", boot_skx, PMU_FREEZE_STATUS, true},
	{"icl", boot_icl, PMU_FREEZE_STATUS, true},
	{"zen4", boot_zen4, PMU_FREEZE_STATUS, true},
	{"no freeze", boot_without_freeze, PMU_FREEZE_NMI, true},
	{"zen3", boot_zen3, PMU_FREEZE_NMI, false},
	{"k7", boot_k7, PMU_FREEZE_NMI, false},
};
#define for_each_machine(m)                      \
	for (const struct machine *m = machines; \
	     m < machines + sizeof(machines) / sizeof(*machines); m++)

#define EVENTS 3

/* Instructions as the clock, instructions again, and branches: every fifth instruction. */
static struct pmu_event opened[EVENTS], *const events[EVENTS] = {&opened[0], &opened[1],
								 &opened[2]};

static void open_events(bool user)
{
	static const uint64_t configs[EVENTS] = {PERF_COUNT_HW_INSTRUCTIONS,
						 PERF_COUNT_HW_INSTRUCTIONS,
						 PERF_COUNT_HW_BRANCH_INSTRUCTIONS};

	for (unsigned i = 0; i < EVENTS; i++) {
		struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, configs[i]);

		attr.exclude_kernel = user;
		attr.exclude_user = !user;
		attr.pinned = 1;
		assert_int_equal(rig_open(&opened[i], &attr, NULL), 0);
	}
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < EVENTS; i++)
		assert_int_equal(opened[i].state, PMU_STATE_ACTIVE);
}

static void close_opened(void)
{
	pmu_task_sched_out();
	for (unsigned i = 0; i < EVENTS; i++)
		pmu_event_close(&opened[i]);
}

static enum pmu_frozen count_to(uint64_t after, enum pmu_freeze kind, uint64_t run,
				uint64_t value[EVENTS])
{
	enum pmu_frozen frozen;

	pmu_freeze_begin(&opened[0], after, kind);
	shim_run(VPMU_USR, 77); /* the counters stand still */
	pmu_freeze_start();
	shim_run(VPMU_USR, run);
	assert_int_equal(pmu_freeze_end(events, EVENTS, value, &frozen), 0);
	return frozen;
}

TEST(test_kinds)
{
	for_each_machine(m)
	{
		m->boot();
		assert_int_equal(pmu_freeze_kind(), m->kind);
		open_events(true);
		assert_int_equal(!!pmu_freeze_master().msr, m->has_master);
		close_opened();
	}
}

/* The counters stop exactly as late as the NMI comes. */
TEST(test_all_stop_together)
{
	static const unsigned delays[] = {0, 1, 9};
	uint64_t value[EVENTS];

	for_each_machine(m)
	{
		m->boot();
		open_events(true);
		for (unsigned d = 0; d < 3; d++)
			for (uint64_t after = 1; after < 60; after += 7) {
				const uint64_t late = after + delays[d];

				shim.nmi_delay = delays[d];
				assert_int_equal(count_to(after, m->kind, 5000, value),
						 m->kind == PMU_FREEZE_NMI ? PMU_FROZEN_BY_NMI
									   : PMU_FROZEN);
				assert_int_equal(value[0], late);
				assert_int_equal(value[1], late);
				/* The model carries the remainder of earlier instructions over. */
				assert_in_range(value[2], late / 5, late / 5 + 1);
			}
		assert_int_equal(shim.unknown_nmis, 0);
		close_opened();
	}
}

TEST(test_nothing_to_stop_at)
{
	uint64_t value[EVENTS];

	for_each_machine(m)
	{
		m->boot();
		open_events(true);
		assert_int_equal(count_to(0, m->kind, 500, value), PMU_FROZEN_NOT);
		assert_int_equal(value[0], 500);
		assert_int_equal(value[2], 100);
		assert_int_equal(count_to(501, m->kind, 500, value), PMU_FROZEN_NOT);
		assert_int_equal(value[1], 500);
		close_opened();
	}
}

/* Events' counts include all instructions except those while the counters stood still. */
TEST(test_events_go_on)
{
	uint64_t value[EVENTS];

	for_each_machine(m)
	{
		uint64_t before;

		m->boot();
		open_events(true);
		shim_run(VPMU_USR, 1000);
		before = rig_value(&opened[1]);
		count_to(100, m->kind, 100, value);
		assert_int_equal(rig_value(&opened[1]) - before, 100);
		shim_run(VPMU_USR, 1000);
		assert_int_equal(rig_value(&opened[1]) - before, 1100);
		assert_int_equal(rig_value(&opened[0]), rig_value(&opened[1]));
		assert_int_equal(pmu_stats()->spurious_nmis, 0);
		close_opened();
	}
}

/* If counting is interrupted, as by a switch of tasks, there are no values; later counts are
 * right. */
TEST(test_what_comes_between)
{
	enum pmu_frozen frozen;
	uint64_t value[EVENTS], before;

	for_each_machine(m)
	{
		m->boot();
		open_events(true);
		pmu_freeze_begin(&opened[0], 1000, m->kind);
		pmu_freeze_start();
		shim_run(VPMU_USR, 10);
		pmu_pause();
		pmu_resume();
		assert_int_equal(pmu_freeze_end(events, EVENTS, value, &frozen), -EAGAIN);
		before = rig_value(&opened[2]);
		shim_run(VPMU_USR, 5000);
		assert_int_equal(rig_value(&opened[2]) - before, 1000);
		assert_int_equal(count_to(20, m->kind, 500, value) != PMU_FROZEN_NOT, true);
		assert_int_equal(value[1], 20);
		close_opened();
	}
}

/* Ring 0 stops by the master switch. Where the NMI stops it, the NMI's first instructions count,
 * too. */
TEST(test_ring_0)
{
	for_each_machine(m)
	{
		struct pmu_master master;
		enum pmu_frozen frozen;
		uint64_t value[EVENTS];

		if (!m->has_master)
			continue;
		m->boot();
		open_events(false);
		master = pmu_freeze_master();
		pmu_freeze_begin(&opened[0], 100, m->kind);
		wrmsr(master.msr, master.on);
		shim_run(VPMU_OS, 5000);
		wrmsr(master.msr, master.off);
		assert_int_equal(pmu_freeze_end(events, EVENTS, value, &frozen), 0);
		assert_true(value[0] >= 100 && value[0] < (m->kind == PMU_FREEZE_NMI ? 150 : 101));
		assert_int_equal(value[0], value[1]);
		close_opened();
	}
}
