// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_overflow.c - sampling on the modelled PMUs: one record for each period whatever the skid,
 * the bytes of every record, and books that balance.
 */
#include "arch/x86/msr.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4"};
#define for_each_uarch(u) \
	for (const char *const *u = uarchs; u < uarchs + sizeof(uarchs) / sizeof(*uarchs); u++)

#define FULL_SAMPLE                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static struct perf_event_attr sampling(uint64_t period)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			   PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER;
	attr.sample_id_all = 1;
	return attr;
}

static void open_into(struct pmu_event *e, struct perf_event_attr attr, struct rb *rb)
{
	int got = rig_open(e, &attr, NULL);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
	assert_int_equal(pmu_event_set_output(e, rb), 0);
}

/* Counts the records of `type` in the ring, and keeps the last one. */
static uint64_t last[64];

static unsigned drain(struct rb *rb, uint32_t type)
{
	uint8_t out[8192];
	struct perf_event_header header;
	unsigned found = 0;
	size_t n;

	while ((n = rb_read(rb, out, sizeof(out))))
		for (size_t at = 0; at < n; at += header.size) {
			memcpy(&header, out + at, sizeof(header));
			if (header.type != type)
				continue;
			found++;
			assert_true(header.size <= sizeof(last));
			memcpy(last, out + at, header.size);
		}
	return found;
}

static void check_books(const struct pmu_event *e)
{
	assert_int_equal(e->books.overflows, e->books.written + e->books.lost + e->books.refused);
	assert_int_equal(pmu_stats()->books.overflows, pmu_stats()->books.written +
							       pmu_stats()->books.lost +
							       pmu_stats()->books.refused);
}

/* --- One sample for each period --- */

static void test_samples_are_exact(void **state)
{
	static const struct {
		uint64_t period, instructions;
	} rows[] = {
		{10007, 2000000}, {10007, 10007 * 50}, {10007, 10007 * 50 - 1}, {10007, 10006},
		{100, 50000},     {37, 37 * 1000},     {999983, 12345678},
	};

	(void)state;
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
		assert_int_equal(drain(rb, PERF_RECORD_SAMPLE), e.books.written);
		assert_int_equal(e.books.lost + e.books.refused, 0);
		assert_int_equal(shim.unknown_nmis, 0);
		check_books(&e);
		pmu_event_close(&e);
	}
}

/* Many short runs make the same samples as one long one. */
static void test_periods_go_on_across_switches(void **state)
{
	(void)state;
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

/* AMD's older generations, by the same model with the newer features left unused. */
static void test_older_amd(void **state)
{
	(void)state;
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

/* Architectural perfmon version 1: no master switch. */
static void test_intel_version_1(void **state)
{
	struct rb *rb = rig_ring(64);
	struct pmu_event e;

	(void)state;
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

/* Several counters over at once are served in one NMI. */
static void test_all_bits_in_one_nmi(void **state)
{
	(void)state;
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
		assert_int_equal(drain(rb, PERF_RECORD_SAMPLE), 30);
		assert_true(pmu_stats()->nmis < 30);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&a);
		pmu_event_close(&b);
		pmu_event_close(&c);
	}
}

/* Some leave ring 0 out, some do not: the ones must not disturb the others. */
static void test_mixed_rings(void **state)
{
	(void)state;
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

/* The NMI of an overflow that was served while stopping comes late, and is known for what it is. */
static void test_late_nmi(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		struct rb *rb = rig_ring(4);
		struct pmu_event e;

		rig_boot(*u, true);
		shim.nmi_delay = 4;
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

/* Whatever point of the core's own code an NMI hits: ring 0 counts, with a tiny period. */
static void test_nmi_storm_in_the_core(void **state)
{
	(void)state;
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
 * Each overflow on the last instruction before an exception, so that each NMI interrupts ring 0 at
 * the exception's entry: no storm, as the event leaves ring 0 out.
 */
static void test_no_storm_at_an_entry(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		struct pmu_event e;

		rig_boot(*u, true);
		shim.nmi_delay = 1;
		open_into(&e, sampling(10), rig_ring(64));
		pmu_task_sched_in(&rig.task);
		for (unsigned i = 0; i < 500; i++) {
			shim.ip[VPMU_OS] = 0xffff0000;
			shim_run(VPMU_USR, 10);
			shim_run(VPMU_OS, 1);
		}
		pmu_task_sched_out();
		assert_int_equal(e.books.written, 500);
		assert_int_equal(e.state, PMU_STATE_INACTIVE);
		pmu_event_close(&e);
	}
}

/* --- Records, byte for byte --- */

static void test_sample_record(void **state)
{
	struct perf_event_attr attr = sampling(1000);
	struct rb *rb = rig_ring(4);
	struct pmu_event e;
	uint64_t ip, now;

	(void)state;
	rig_boot("skx", true);
	attr.sample_type = FULL_SAMPLE;
	open_into(&e, attr, rb);
	ip = shim.ip[VPMU_USR];
	now = shim.ns;
	rig_task(1500);
	assert_int_equal(drain(rb, PERF_RECORD_SAMPLE), 1);
	{
		const uint64_t want[] = {
			PERF_RECORD_SAMPLE | (uint64_t)PERF_RECORD_MISC_USER << 32 | 72ull << 48,
			e.id,
			ip + 1000,
			RIG_PID | (uint64_t)RIG_TID << 32,
			now + 1000,
			e.id,
			e.id,
			0,
			1000,
		};

		assert_memory_equal(last, want, sizeof(want));
	}
	pmu_event_close(&e);
}

static void test_skid_moves_ip(void **state)
{
	struct rb *rb = rig_ring(4);
	struct pmu_event e;
	uint64_t ip;

	(void)state;
	rig_boot("icl", true);
	shim.nmi_delay = 2;
	open_into(&e, sampling(1000), rb);
	ip = shim.ip[VPMU_USR];
	rig_task(1500);
	assert_int_equal(drain(rb, PERF_RECORD_SAMPLE), 1);
	assert_int_equal(last[2], ip + 1002);
	pmu_event_close(&e);
}

/* An overflow of ring 3 that is noticed in ring 0 belongs to where ring 3 stands, if that is known.
 */
static void test_skid_into_ring_0(void **state)
{
	struct rb *rb = rig_ring(4);
	struct pmu_event e;

	(void)state;
	rig_boot("hsw", true);
	shim.nmi_delay = 3;
	rig.user_ip = 0x1234;
	open_into(&e, sampling(1000), rb);
	rig_task(1000);
	assert_int_equal(drain(rb, PERF_RECORD_SAMPLE), 1);
	assert_int_equal(last[0] >> 32 & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
	assert_int_equal(last[2], 0x1234);
	rig.user_ip = 0;
	rig_task(1000);
	assert_int_equal(drain(rb, PERF_RECORD_SAMPLE), 1);
	assert_int_equal(last[0] >> 32 & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_KERNEL);
	pmu_event_close(&e);
}

static void test_comm_record(void **state)
{
	struct perf_event_attr attr = sampling(1000);
	struct rb *rb = rig_ring(4);
	struct pmu_event e, silent;

	(void)state;
	rig_boot("hsw", true);
	open_into(&silent, attr, rb);
	attr.comm = 1;
	attr.comm_exec = 1;
	open_into(&e, attr, rb);
	pmu_output_comm(&rig.task, "a-name-that-is-too-long", true);
	assert_int_equal(drain(rb, PERF_RECORD_COMM), 1);
	assert_int_equal(last[0] & 0xffffffff, PERF_RECORD_COMM);
	assert_int_equal(last[0] >> 32 & 0xffff, PERF_RECORD_MISC_COMM_EXEC);
	assert_int_equal(last[0] >> 48, 64);
	assert_int_equal(last[1], RIG_PID | (uint64_t)RIG_TID << 32);
	assert_memory_equal(&last[2], "a-name-that-is-", 16);
	assert_int_equal(last[4], RIG_PID | (uint64_t)RIG_TID << 32);
	assert_int_equal(last[5], shim.ns);
	assert_int_equal(last[6], 0);
	assert_int_equal(last[7], e.id);
	pmu_event_close(&e);
	pmu_event_close(&silent);
}

static void test_mmap2_record(void **state)
{
	static const uint8_t build_id[20] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
					     11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
	const struct pmu_mmap map = {
		.task = &rig.task,
		.prot = PMU_PROT_READ | PMU_PROT_EXEC,
		.addr = 0x400000,
		.len = 0x2000,
		.pgoff = 0x1000,
		.build_id = build_id,
		.build_id_size = sizeof(build_id),
		.filename = "perf0.elf",
	};
	struct perf_event_attr attr = sampling(1000);
	struct rb *rb = rig_ring(4);
	struct pmu_event e;

	(void)state;
	rig_boot("hsw", true);
	attr.mmap = attr.mmap2 = attr.build_id = 1;
	open_into(&e, attr, rb);
	pmu_output_mmap2(&map);
	assert_int_equal(drain(rb, PERF_RECORD_MMAP2), 1);
	assert_int_equal(last[0] & 0xffffffff, PERF_RECORD_MMAP2);
	assert_int_equal(last[0] >> 32 & 0xffff,
			 PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID);
	assert_int_equal(last[0] >> 48, 120);
	assert_int_equal(last[1], RIG_PID | (uint64_t)RIG_TID << 32);
	assert_int_equal(last[2], 0x400000);
	assert_int_equal(last[3], 0x2000);
	assert_int_equal(last[4], 0x1000);
	assert_int_equal(last[5] & 0xffffffff, 20);
	assert_memory_equal((uint8_t *)last + 44, build_id, 20);
	assert_int_equal(last[8], 5 | 2ull << 32);
	assert_string_equal((char *)&last[9], "perf0.elf");
	assert_int_equal(last[14], e.id);
	pmu_event_close(&e);

	/* Without a build-id, and in the older form. */
	attr.build_id = 0;
	open_into(&e, attr, rb);
	pmu_output_mmap2(&map);
	assert_int_equal(drain(rb, PERF_RECORD_MMAP2), 1);
	assert_int_equal(last[0] >> 32 & 0xffff, PERF_RECORD_MISC_USER);
	assert_int_equal(last[5] | last[6] | last[7], 0);
	pmu_event_close(&e);
	attr.mmap2 = 0;
	open_into(&e, attr, rb);
	pmu_output_mmap2(&map);
	assert_int_equal(drain(rb, PERF_RECORD_MMAP), 1);
	assert_int_equal(last[0] >> 48, 88);
	assert_string_equal((char *)&last[5], "perf0.elf");
	pmu_event_close(&e);
}

/* --- Loss --- */

static void test_lost(void **state)
{
	(void)state;
	for_each_uarch(u)
	{
		const unsigned fit = RB_PAGE_SIZE / 56;
		struct rb *rb = rig_ring(1);
		struct pmu_event e;
		struct pmu_value v;

		rig_boot(*u, true);
		open_into(&e, sampling(100), rb);
		assert_int_equal(e.out.sample_size, 56);
		rig_task(100 * (fit + 10));
		assert_int_equal(e.books.overflows, fit + 10);
		assert_int_equal(e.books.written, fit);
		assert_int_equal(e.books.lost, 10);
		pmu_event_read(&e, &v);
		assert_int_equal(v.lost, 10);
		check_books(&e);

		/* The next sample is preceded by a LOST record with the number. */
		assert_int_equal(drain(rb, PERF_RECORD_SAMPLE), fit);
		rig_task(100);
		assert_int_equal(e.books.written, fit + 1);
		assert_int_equal(drain(rb, PERF_RECORD_LOST), 1);
		assert_int_equal(last[0] >> 48, 56);
		assert_int_equal(last[1], e.id);
		assert_int_equal(last[2], 10);
		assert_int_equal(last[3], RIG_PID | (uint64_t)RIG_TID << 32);
		assert_int_equal(last[6], e.id);
		assert_int_equal(rb->lost, 0);
		pmu_event_close(&e);
	}
}

/* At the end there is no next sample. */
static void test_lost_at_the_end(void **state)
{
	const unsigned fit = RB_PAGE_SIZE / 56;
	struct rb *rb = rig_ring(1);
	struct pmu_event e;

	(void)state;
	rig_boot("skx", true);
	open_into(&e, sampling(100), rb);
	rig_task(100 * (fit + 7));
	assert_false(pmu_output_lost(&e));
	assert_int_equal(drain(rb, PERF_RECORD_SAMPLE), fit);
	assert_true(pmu_output_lost(&e));
	assert_int_equal(rb_used(rb), 56 + 48);
	assert_int_equal(drain(rb, PERF_RECORD_LOST_SAMPLES), 1);
	assert_int_equal(last[0] >> 48, 48);
	assert_int_equal(last[1], 7);
	assert_int_equal(last[5], e.id);
	assert_true(pmu_output_lost(&e));
	assert_int_equal(rb_used(rb), 0);
	pmu_event_close(&e);
}

static void test_no_ring(void **state)
{
	struct pmu_event e;

	(void)state;
	rig_boot("zen4", true);
	open_into(&e, sampling(100), NULL);
	rig_task(1000);
	assert_int_equal(e.books.overflows, 10);
	assert_int_equal(e.books.refused, 10);
	assert_true(pmu_output_lost(&e));
	check_books(&e);
	pmu_event_close(&e);
}

/* --- Limits and periods --- */

static void test_refresh(void **state)
{
	(void)state;
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

/* A leader at its limit takes its group down; a sibling at its limit but itself. */
static void test_limit_in_a_group(void **state)
{
	(void)state;
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

/* While it counts: the new period begins at that moment, on the same counter. */
static void test_set_period_while_counting(void **state)
{
	(void)state;
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
 * A slice ends between an overflow and its NMI: the sample is taken then, of the code that the
 * timer interrupted, and the NMI that comes after finds nothing.
 */
static void test_slice_ends_before_the_nmi(void **state)
{
	(void)state;
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
		assert_true(drain(rb, PERF_RECORD_SAMPLE) >= 4);
		assert_int_equal(last[2], 0x777);
		shim_run(VPMU_USR, 1000);
		pmu_task_sched_out();
		assert_int_equal(shim.unknown_nmis, 0);
		check_books(&e[0]);
		for (unsigned i = 9; i-- > 0;)
			pmu_event_close(&e[i]);
	}
}

static void test_set_period(void **state)
{
	struct rb *rb = rig_ring(4);
	struct pmu_event e;

	(void)state;
	rig_boot("icl", true);
	open_into(&e, sampling(1000), rb);
	rig_task(5500);
	assert_int_equal(e.books.written, 5);
	assert_int_equal(pmu_event_set_period(&e, 100), 0);
	rig_task(450);
	assert_int_equal(e.books.written, 9);
	assert_int_equal(drain(rb, PERF_RECORD_SAMPLE), 9);
	assert_int_equal(last[6], 100);
	pmu_event_close(&e);
}

static void test_period_beyond_the_counter(void **state)
{
	struct rb *rb = rig_ring(4);
	struct pmu_event e;

	(void)state;
	rig_boot("skx", true);
	open_into(&e, sampling(3ull << 47), rb);
	rig_task(3ull << 48);
	assert_int_equal(e.books.written, 2);
	pmu_event_close(&e);
}

/* --- Clocks --- */

static void test_clock_samples(void **state)
{
	const struct pmu_regs regs = {.ip = 0x4242, .user = true};
	struct perf_event_attr attr = sampling(100000);
	struct rb *rb = rig_ring(4);
	struct pmu_event e, slow;

	(void)state;
	rig_boot("hsw", true);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	open_into(&e, attr, rb);
	attr.sample_period = 250000;
	open_into(&slow, attr, rb);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 20; i++) {
		assert_true(rig.timer_ns > 0 && rig.timer_ns <= 100000);
		shim.ns += rig.timer_ns;
		pmu_timer(&regs);
	}
	pmu_task_sched_out();
	assert_int_equal(rig.timer_ns, 0);
	assert_int_equal(e.books.written, rig_value(&e) / 100000);
	assert_int_equal(slow.books.written, rig_value(&slow) / 250000);
	assert_true(slow.books.written >= 6);
	assert_int_equal(drain(rb, PERF_RECORD_SAMPLE), e.books.written + slow.books.written);
	assert_int_equal(last[2], 0x4242);
	check_books(&e);
	pmu_event_close(&e);
	pmu_event_close(&slow);
}

/* A ring that is left out is not sampled; its time counts all the same. */
static void test_clock_samples_of_one_ring(void **state)
{
	const struct pmu_regs user = {.ip = 1, .user = true}, kernel = {.ip = 2};
	struct perf_event_attr attr = sampling(100000);
	struct rb *rb = rig_ring(4);
	struct pmu_event u, k;

	(void)state;
	rig_boot("hsw", true);
	rig.user_ip = 1;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_TASK_CLOCK;
	attr.exclude_kernel = true;
	attr.exclude_user = false;
	open_into(&u, attr, rb);
	attr.exclude_kernel = false;
	attr.exclude_user = true;
	open_into(&k, attr, rb);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 10; i++) {
		shim.ns += 100000;
		pmu_timer(i < 3 ? &kernel : &user);
	}
	pmu_task_sched_out();
	assert_int_equal(u.books.written, 7);
	assert_int_equal(k.books.written, 3);
	assert_true(rig_value(&u) >= 1000000 && rig_value(&u) == rig_value(&k));
	check_books(&u);
	check_books(&k);
	pmu_event_close(&u);
	pmu_event_close(&k);
}

static void test_clock_sampling_refusals(void **state)
{
	struct perf_event_attr attr = sampling(100000);
	struct pmu_event e;

	(void)state;
	rig_boot("hsw", true);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = 9999;
	assert_true(rig_open(&e, &attr, NULL) < 0 && strstr(rig.why.text, "10000 ns apart"));
	attr.sample_period = 100000;
	rig.host.timer_arm = NULL;
	assert_true(rig_open(&e, &attr, NULL) < 0 && strstr(rig.why.text, "no timer"));
}

static void test_clock_limit(void **state)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct perf_event_attr attr = sampling(100000);
	struct pmu_event e;

	(void)state;
	rig_boot("hsw", true);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.disabled = 1;
	open_into(&e, attr, NULL);
	assert_int_equal(pmu_event_refresh(&e, 2), 0);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 5; i++) {
		shim.ns += 100000;
		pmu_timer(&regs);
	}
	pmu_task_sched_out();
	assert_int_equal(e.books.overflows, 2);
	assert_int_equal(rig_value(&e), 200000);
	assert_int_equal(e.state, PMU_STATE_OFF);
	pmu_event_close(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_are_exact),
		cmocka_unit_test(test_periods_go_on_across_switches),
		cmocka_unit_test(test_older_amd),
		cmocka_unit_test(test_intel_version_1),
		cmocka_unit_test(test_all_bits_in_one_nmi),
		cmocka_unit_test(test_mixed_rings),
		cmocka_unit_test(test_late_nmi),
		cmocka_unit_test(test_nmi_storm_in_the_core),
		cmocka_unit_test(test_no_storm_at_an_entry),
		cmocka_unit_test(test_sample_record),
		cmocka_unit_test(test_skid_moves_ip),
		cmocka_unit_test(test_skid_into_ring_0),
		cmocka_unit_test(test_comm_record),
		cmocka_unit_test(test_mmap2_record),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_lost_at_the_end),
		cmocka_unit_test(test_no_ring),
		cmocka_unit_test(test_refresh),
		cmocka_unit_test(test_limit_in_a_group),
		cmocka_unit_test(test_set_period_while_counting),
		cmocka_unit_test(test_slice_ends_before_the_nmi),
		cmocka_unit_test(test_set_period),
		cmocka_unit_test(test_period_beyond_the_counter),
		cmocka_unit_test(test_clock_samples),
		cmocka_unit_test(test_clock_samples_of_one_ring),
		cmocka_unit_test(test_clock_sampling_refusals),
		cmocka_unit_test(test_clock_limit),
	};

	return cmocka_run_group_tests_name("overflow", tests, NULL, NULL);
}
