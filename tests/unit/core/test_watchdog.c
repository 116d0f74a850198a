// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_watchdog.c - the NMI watchdog on the modelled PMUs: it is silent while the heart beats, and
 * reports each lockup once. Other events lose a counter to it as to any pinned event.
 */
#include "pmu/state/state.h"
#include "pmu/own/watchdog.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <string.h>

#include "tests/unit/test.h"

#define CYCLES_PER_SECOND 100000
#define BEAT              (CYCLES_PER_SECOND * 2 / 5)
#define EVENTS            6 /* as zen4 has counters, any of them for cycles */

static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4"};
#define for_each_uarch(u) \
	for (const char *const *u = uarchs; u < uarchs + sizeof(uarchs) / sizeof(*uarchs); u++)

static struct {
	uint64_t beat_ns;
	unsigned reports, seconds;
	struct pmu_regs regs;
} seen;

static uint64_t cycles_per_second(void)
{
	return CYCLES_PER_SECOND;
}

static void beat_arm(uint64_t ns)
{
	seen.beat_ns = ns;
}

static void report(const struct pmu_regs *regs, unsigned seconds)
{
	seen.reports++;
	seen.seconds = seconds;
	seen.regs = *regs;
}

static const struct pmu_watchdog_host host = {cycles_per_second, beat_arm, report};

static int on(unsigned seconds)
{
	return pmu_watchdog_on(&host, seconds, &rig.why);
}

static void boot(const char *uarch)
{
	rig_boot(uarch, true);
	memset(&seen, 0, sizeof(seen));
}

TEST(test_silent_while_the_heart_beats)
{
	for_each_uarch(u)
	{
		boot(*u);
		assert_int_equal(on(1), 0);
		assert_int_equal(seen.beat_ns, 400000000);
		for (unsigned i = 0; i < 50; i++) {
			shim_run(i % 2 ? VPMU_OS : VPMU_USR, BEAT);
			pmu_watchdog_beat();
		}
		assert_int_equal(seen.reports, 0);
		assert_true(shim.nmis >= 19);
		assert_int_equal(shim.unknown_nmis, 0);
		assert_int_equal(pmu_watchdog_state().beats, 50);
		pmu_watchdog_off();
	}
}

TEST(test_each_lockup_is_reported_once)
{
	for_each_uarch(u)
	{
		uint64_t before = pmu_watchdog_state().lockups;

		boot(*u);
		assert_int_equal(on(2), 0);
		for (unsigned lockups = 1; lockups <= 3; lockups++) {
			uint64_t ip;

			pmu_watchdog_beat();
			shim_run(VPMU_USR, CYCLES_PER_SECOND);
			ip = shim.ip[VPMU_OS];
			shim_run(VPMU_OS, 4 * 2 * CYCLES_PER_SECOND);
			assert_int_equal(seen.reports, lockups);
			assert_int_equal(seen.seconds, 2);
			assert_false(seen.regs.user);
			assert_in_range(seen.regs.ip, ip, ip + 4 * CYCLES_PER_SECOND);
		}
		assert_int_equal(pmu_watchdog_state().lockups, before + 3);
		pmu_watchdog_off();
	}
}

TEST(test_it_is_no_lockup_to_be_switched_on)
{
	boot("skx");
	assert_int_equal(on(1), 0);
	shim_run(VPMU_OS, CYCLES_PER_SECOND * 3 / 2);
	assert_int_equal(seen.reports, 0);
	assert_int_equal(on(1), 0);
	shim_run(VPMU_OS, CYCLES_PER_SECOND * 3 / 2);
	assert_int_equal(seen.reports, 0);
	pmu_watchdog_off();
}

TEST(test_off_leaves_nothing_behind)
{
	uint64_t nmis;

	for_each_uarch(u)
	{
		boot(*u);
		assert_false(pmu_watchdog_state().on);
		assert_int_equal(on(1), 0);
		assert_true(pmu_watchdog_state().on);
		pmu_watchdog_off();
		assert_int_equal(seen.beat_ns, 0);
		assert_int_equal(pmu.counters.used, 0);
		nmis = shim.nmis;
		shim_run(VPMU_OS, 10 * CYCLES_PER_SECOND);
		pmu_watchdog_beat();
		assert_int_equal(shim.nmis, nmis);
		assert_int_equal(seen.beat_ns, 0);
		assert_false(pmu_watchdog_state().on || pmu_watchdog_state().counts);
		pmu_watchdog_off();
	}
}

static unsigned active(const struct pmu_event *events)
{
	unsigned n = 0;

	for (unsigned i = 0; i < EVENTS; i++)
		n += events[i].state == PMU_STATE_ACTIVE;
	return n;
}

static void open_cycles_events(struct pmu_event *events, bool pinned, int task)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

	attr.pinned = pinned;
	for (unsigned i = 0; i < EVENTS; i++)
		assert_int_equal(pmu_event_open(&events[i], &attr, task, 0, NULL, 0, &rig.why), 0);
}

static void close_all(struct pmu_event *events)
{
	for (unsigned i = 0; i < EVENTS; i++)
		pmu_event_close(&events[i]);
}

/* Switching it on or off in the middle of a run schedules at once. */
TEST(test_flexible_events_give_way)
{
	struct pmu_event events[EVENTS];
	uint64_t schedules;

	boot("zen4");
	open_cycles_events(events, false, RIG_TID);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(active(events), EVENTS);
	schedules = pmu_stats()->schedules;
	assert_int_equal(on(1), 0);
	assert_true(pmu_stats()->schedules > schedules);
	assert_true(pmu_watchdog_state().counts);
	assert_int_equal(active(events), EVENTS - 1);
	pmu_watchdog_off();
	assert_int_equal(active(events), EVENTS);
	pmu_task_sched_out();
	close_all(events);
}

TEST(test_pinned_events_of_the_cpu_do_not)
{
	struct pmu_event events[EVENTS];

	boot("zen4");
	open_cycles_events(events, true, -1);
	assert_int_equal(on(1), -EBUSY);
	assert_non_null(strstr(rig.why.text, "pinned events hold them"));
	assert_false(pmu_watchdog_state().on);
	assert_int_equal(active(events), EVENTS);
	close_all(events);
	assert_int_equal(on(1), 0);
	pmu_watchdog_off();
}

TEST(test_refusals)
{
	boot("skx");
	assert_int_equal(on(0), -EINVAL);
	assert_int_equal(on(61), -EINVAL);
	assert_false(pmu_watchdog_state().on);
	assert_int_equal(seen.beat_ns, 0);
	shim.pmu = SHIM_PMU_IGNORES;
	rig_init();
	assert_int_equal(on(1), -ENOENT);
	assert_false(pmu_watchdog_state().on);
}

/* Its overflows are no samples, and are not in the accounts. */
TEST(test_the_books_do_not_know_it)
{
	boot("icl");
	assert_int_equal(on(1), 0);
	shim_run(VPMU_OS, 5 * CYCLES_PER_SECOND);
	assert_int_equal(seen.reports, 1);
	assert_int_equal(pmu_stats()->books.overflows, 0);
	pmu_watchdog_off();
}
