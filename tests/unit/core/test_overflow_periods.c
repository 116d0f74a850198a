// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_overflow_periods.c - sampling on the modelled PMUs: one record for each period with any
 * skid, limits, and periods that change.
 */
#include "tests/unit/core/sampled_events.h"

#include "tests/unit/test.h"

/* --- One sample for each period --- */

TEST(test_samples_are_exact)
{
	static const struct {
		uint64_t period, instructions;
	} rows[] = {
		{10007, 2000000}, {10007, 10007 * 50}, {10007, 10007 * 50 - 1}, {10007, 10006},
		{100, 50000},     {101, 101 * 1000},   {999983, 12345678},
	};

	for_each_uarch(u) for (unsigned delay = 0; delay <= 6;
			       delay += 2) for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]);
						i++)
	{
		struct rb *rb = rig_ring(64);
		struct pmu_event e;

		rig_boot(*u, true);
		shim.nmi_delay = delay;
		open_into(&e, sampling(rows[i].period), rb);
		rig_task(rows[i].instructions);
		assert_int_equal(rig_value(&e), rows[i].instructions);
		assert_int_equal(e.books.overflows, rows[i].instructions / rows[i].period);
		assert_int_equal(drain_records(rb, PERF_RECORD_SAMPLE), e.books.written);
		assert_int_equal(e.books.lost + e.books.refused, 0);
		assert_int_equal(shim.unknown_nmis, 0);
		check_books(&e);
		pmu_event_close(&e);
	}
}

/* Many short runs make the same samples as one long one. */
TEST(test_periods_go_on_across_switches)
{
	for_each_uarch(u)
	{
		struct rb *rb = rig_ring(64);
		struct pmu_event e;

		rig_boot(*u, true);
		shim.nmi_delay = 3;
		open_into(&e, sampling(1000), rb);
		for (unsigned i = 0; i < 777; i++)
			rig_task(333 + i % 5);
		assert_int_equal(e.books.overflows, rig_value(&e) / 1000);
		assert_int_equal(shim.unknown_nmis, 0);
		check_books(&e);
		pmu_event_close(&e);
	}
}

/* AMD's older generations: the same model without its newer features. */
TEST(test_older_amd)
{
	for (int core = 0; core <= 1; core++) {
		struct rb *rb = rig_ring(64);
		struct pmu_event e;

		shim_boot("zen4", true);
		pmu_caps_detect(&rig.caps);
		rig.caps.perfmon_v2 = false;
		rig.caps.perfctr_core = core;
		assert_int_equal(rig_init(), 0);
		assert_true(pmu_info()->counters == (core ? 0x3f : 0xf));
		shim.nmi_delay = 2;
		open_into(&e, sampling(1009), rb);
		rig_task(1000000);
		assert_int_equal(rig_value(&e), 1000000);
		assert_int_equal(e.books.overflows, 1000000 / 1009);
		assert_int_equal(shim.unknown_nmis, 0);
		check_books(&e);
		pmu_event_close(&e);
	}
}

/* Reserved bits in the status, as on Zen 4 with old microcode, are no overflow. */
TEST(test_reserved_status_bits)
{
	struct rb *rb = rig_ring(64);
	struct pmu_event e;

	shim_boot("zen4", true);
	shim.model.regs.global_status = 1ull << 40 | 1ull << 17;
	pmu_caps_detect(&rig.caps);
	assert_int_equal(rig_init(), 0);
	shim.nmi_delay = 2;
	open_into(&e, sampling(1009), rb);
	for (unsigned i = 0; i < 50; i++)
		rig_task(333);
	assert_int_equal(e.books.overflows, rig_value(&e) / 1009);
	assert_int_equal(shim.unknown_nmis, 0);
	assert_true(shim.model.regs.global_status & 1ull << 40);
	pmu_event_close(&e);
}

/* Architectural perfmon version 1: no master switch. */
TEST(test_intel_version_1)
{
	struct rb *rb = rig_ring(64);
	struct pmu_event e;

	shim_boot("hsw", true);
	pmu_caps_detect(&rig.caps);
	rig.caps.version = 1;
	rig.caps.fixed_mask = 0;
	assert_int_equal(rig_init(), 0);
	assert_non_null(strstr(pmu_info()->driver, "version 1"));
	open_into(&e, sampling(1009), rb);
	rig_task(1000000);
	assert_int_equal(e.books.overflows, 1000000 / 1009);
	check_books(&e);
	pmu_event_close(&e);
}

/* One NMI serves several counters that overflow at once. */
TEST(test_all_bits_in_one_nmi)
{
	for_each_uarch(u)
	{
		struct rb *rb = rig_ring(64);
		struct pmu_event a, b, c;

		rig_boot(*u, true);
		shim.nmi_delay = 5;
		open_into(&a, sampling(1000), rb);
		open_into(&b, sampling(1000), rb);
		open_into(&c, sampling(1003), rb);
		rig_task(10500);
		assert_int_equal(a.books.written, 10);
		assert_int_equal(b.books.written, 10);
		assert_int_equal(c.books.written, 10);
		assert_int_equal(drain_records(rb, PERF_RECORD_SAMPLE), 30);
		assert_true(pmu_stats()->nmis < 30);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&a);
		pmu_event_close(&b);
		pmu_event_close(&c);
	}
}

/* Events that exclude ring 0 and events that count it do not disturb each other. */
TEST(test_mixed_rings)
{
	for_each_uarch(u) for (unsigned delay = 0; delay < 4; delay++)
	{
		struct perf_event_attr both = sampling(1009);
		struct rb *rb = rig_ring(64);
		struct pmu_event user, all;

		rig_boot(*u, true);
		shim.nmi_delay = delay;
		both.exclude_kernel = 0;
		open_into(&user, sampling(1000), rb);
		open_into(&all, both, rb);
		for (unsigned i = 0; i < 50; i++) {
			rig_task(5003);
			shim_run(VPMU_OS, 100);
		}
		assert_int_equal(rig_value(&user), 50 * 5003);
		assert_int_equal(user.books.written, 50 * 5003 / 1000);
		assert_int_equal(all.books.written, rig_value(&all) / 1009);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&user);
		pmu_event_close(&all);
	}
}

/* An overflow is served when its event stops. Its NMI comes later, and is not reported as unknown.
 */
TEST(test_late_nmi)
{
	for_each_uarch(u)
	{
		struct rb *rb = rig_ring(4);
		struct pmu_event e;

		rig_boot(*u, true);
		shim.nmi_delay = 6;
		open_into(&e, sampling(1000), rb);
		rig_task(1000);
		assert_int_equal(e.books.written, 1);
		shim_run(VPMU_OS, 10);
		assert_int_equal(shim.nmis, 1);
		assert_int_equal(pmu_stats()->late_nmis, 1);
		assert_int_equal(shim.unknown_nmis, 0);
		assert_int_equal(e.books.written, 1);
		rig_task(1000);
		assert_int_equal(e.books.written, 2);
		shim.ns += 1000000000;
		assert_false(shim.nmi(0, false));
		pmu_event_close(&e);
	}
}

static uint64_t counting_at_unmask;

static void note_unmask(void)
{
	counting_at_unmask = shim.model.regs.global_ctrl;
	shim_lvtpc_unmask();
}

/* On small cores from Gracemont on LVTPC is unmasked before the counters go on. On other cores
 * counters of ring 3 go on all the time. */
TEST(test_unmasked_while_stopped)
{
	static const struct {
		uint8_t model; /* 0: Ice Lake's */
		bool counts;
	} rows[] = {{0, true}, {0xbe, false}, {0xaf, false}, {0x96, true}};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rb *rb = rig_ring(64);
		struct pmu_event e;

		rig_boot("icl", false);
		if (rows[i].model)
			rig.caps.model = rows[i].model;
		assert_int_equal(rig_init(), 0);
		rig.host.lvtpc_unmask = note_unmask;
		open_into(&e, sampling(1009), rb);
		rig_task(100000);
		assert_int_equal(e.books.written, 100000 / 1009);
		assert_int_equal(rig_value(&e), 100000);
		assert_int_equal(counting_at_unmask != 0, rows[i].counts);
		pmu_event_close(&e);
	}
}

/* NMIs hit every point of the core's own code: ring 0 counts, with a tiny period. */
TEST(test_nmi_storm_in_the_core)
{
	for_each_uarch(u) for (uint64_t period = 2; period <= 9; period++) for (unsigned delay = 0;
										delay < 3; delay++)
	{
		struct perf_event_attr attr = sampling(period);
		struct rb *rb = rig_ring(1);
		struct pmu_event e, other;

		rig_boot(*u, true);
		shim.nmi_delay = delay;
		attr.exclude_kernel = 0;
		open_into(&e, attr, rb);
		attr.exclude_user = 1;
		open_into(&other, attr, rb);
		for (unsigned i = 0; i < 20; i++) {
			rig_task(10);
			pmu_event_reset(&other);
			pmu_event_disable(&e);
			pmu_event_enable(&e);
		}
		shim_run(VPMU_OS, 20);
		assert_int_equal(shim.unknown_nmis, 0);
		assert_true(e.books.overflows > 0);
		check_books(&e);
		check_books(&other);
		pmu_event_close(&e);
		pmu_event_close(&other);
	}
}

/*
 * Each overflow is on the last instruction before an exception, so that each NMI interrupts ring 0
 * at the exception's entry. There is no storm, because the event excludes ring 0.
 */
TEST(test_no_storm_at_an_entry)
{
	for_each_uarch(u)
	{
		struct pmu_event e;

		rig_boot(*u, true);
		shim.nmi_delay = 1;
		open_into(&e, sampling(32), rig_ring(64));
		pmu_task_sched_in(&rig.task);
		for (unsigned i = 0; i < 500; i++) {
			shim.ip[VPMU_OS] = 0xffff0000;
			shim_run(VPMU_USR, 32);
			shim_run(VPMU_OS, 1);
		}
		pmu_task_sched_out();
		assert_int_equal(e.books.written, 500);
		assert_int_equal(e.state, PMU_STATE_INACTIVE);
		pmu_event_close(&e);
	}
}

/* --- Limits and periods --- */

TEST(test_refresh)
{
	for_each_uarch(u)
	{
		struct perf_event_attr attr = sampling(1000);
		struct rb *rb = rig_ring(4);
		struct pmu_event e;
		struct pmu_value v;

		rig_boot(*u, true);
		attr.disabled = 1;
		open_into(&e, attr, rb);
		assert_int_equal(pmu_event_refresh(&e, 3), 0);
		rig_task(10000);
		assert_int_equal(e.books.written, 3);
		pmu_event_read(&e, &v);
		assert_int_equal(v.value, 3000);
		assert_int_equal(v.time_running, 3000);
		assert_int_equal(v.time_enabled, 3000);
		assert_int_equal(e.state, PMU_STATE_OFF);
		assert_true(pmu_event_hung_up(&e));
		assert_int_equal(rig.wakeups, 1);
		rig_task(10000);
		assert_int_equal(e.books.written, 3);
		assert_int_equal(pmu_event_refresh(&e, 2), 0);
		assert_false(pmu_event_hung_up(&e));
		rig_task(10000);
		assert_int_equal(e.books.written, 5);
		pmu_event_close(&e);
	}
}

/* A leader at its limit stops its group. A sibling at its limit stops only itself. */
TEST(test_limit_in_a_group)
{
	for_each_uarch(u) for (int limited = 0; limited < 2; limited++)
	{
		struct perf_event_attr attr = sampling(1000);
		struct rb *rb = rig_ring(4);
		struct pmu_event e[2];

		rig_boot(*u, true);
		open_into(&e[0], attr, rb);
		assert_int_equal(rig_open(&e[1], &attr, &e[0]), 0);
		assert_int_equal(pmu_event_refresh(&e[limited], 2), 0);
		rig_task(5000);
		rig_task(5000);
		assert_int_equal(e[limited].state, PMU_STATE_OFF);
		assert_int_equal(e[limited].books.overflows, 2);
		assert_int_equal(rig_value(&e[!limited]), limited ? 10000 : 2000);
		assert_int_equal(rig_value(&e[limited]), 2000);
		assert_int_equal(e[limited].times.running, 2000);
		assert_int_equal(e[!limited].times.running, limited ? 10000 : 2000);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&e[1]);
		pmu_event_close(&e[0]);
	}
}

/* A new period for a running event begins at once, on the same counter. */
TEST(test_set_period_while_counting)
{
	for_each_uarch(u)
	{
		struct rb *rb = rig_ring(4);
		struct pmu_event e;
		uint8_t counter;

		rig_boot(*u, true);
		open_into(&e, sampling(1000), rb);
		pmu_task_sched_in(&rig.task);
		counter = e.tick.counter;
		shim_run(VPMU_USR, 2500);
		assert_int_equal(pmu_event_set_period(&e, 100), 0);
		assert_int_equal(e.tick.counter, counter);
		shim_run(VPMU_USR, 450);
		pmu_task_sched_out();
		assert_int_equal(e.books.written, 2 + 4);
		assert_int_equal(rig_value(&e), 2950);
		check_books(&e);
		pmu_event_close(&e);
	}
}

/*
 * A slice ends between an overflow and its NMI. The end of the slice takes the sample, of the code
 * that the timer interrupted, and the later NMI finds nothing.
 */
TEST(test_slice_ends_before_the_nmi)
{
	for_each_uarch(u)
	{
		const struct pmu_regs regs = {.ip = 0x777, .user = true};
		struct perf_event_attr attr = sampling(1000000);
		struct rb *rb = rig_ring(4);
		struct pmu_event e[9];

		rig_boot(*u, true);
		shim.nmi_delay = 5;
		attr.type = PERF_TYPE_RAW;
		attr.config = 0xc0 | EVTSEL_EDGE; /* no fixed counter */
		for (unsigned i = 0; i < 9; i++)
			open_into(&e[i], attr, rb);
		pmu_task_sched_in(&rig.task);
		assert_int_equal(e[0].state, PMU_STATE_ACTIVE);
		assert_int_equal(e[8].state, PMU_STATE_INACTIVE);
		shim_run(VPMU_USR, 1000000);
		assert_int_equal(e[0].books.overflows, 0);
		pmu_mux_timer(&regs);
		assert_int_equal(e[0].books.written, 1);
		assert_true(drain_records(rb, PERF_RECORD_SAMPLE) >= 4);
		assert_int_equal(last[2], 0x777);
		shim_run(VPMU_USR, 1000);
		pmu_task_sched_out();
		assert_int_equal(shim.unknown_nmis, 0);
		check_books(&e[0]);
		for (unsigned i = 9; i-- > 0;)
			pmu_event_close(&e[i]);
	}
}

TEST(test_set_period)
{
	struct rb *rb = rig_ring(4);
	struct pmu_event e;

	rig_boot("icl", true);
	open_into(&e, sampling(1000), rb);
	rig_task(5500);
	assert_int_equal(e.books.written, 5);
	assert_int_equal(pmu_event_set_period(&e, 100), 0);
	rig_task(450);
	assert_int_equal(e.books.written, 9);
	assert_int_equal(drain_records(rb, PERF_RECORD_SAMPLE), 9);
	assert_int_equal(last[6], 100);
	pmu_event_close(&e);
}

TEST(test_period_beyond_the_counter)
{
	struct rb *rb = rig_ring(4);
	struct pmu_event e;

	rig_boot("skx", true);
	open_into(&e, sampling(3ull << 47), rb);
	rig_task(3ull << 48);
	assert_int_equal(e.books.written, 2);
	pmu_event_close(&e);
}
