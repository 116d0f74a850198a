// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_precise_samples.c - precise events on the modelled PMUs: the event of each sample, counts
 * and accounts.
 */
#include "arch/x86/portable/quirks.h"
#include "tests/unit/core/precise_events.h"

#include "tests/unit/test.h"

struct sample {
	struct perf_event_header header;
	uint64_t ip, time, period;
};

/* Reads at most `most` samples from the ring. */
static unsigned drain(struct rb *rb, struct sample *samples, unsigned most)
{
	static uint8_t out[8192];
	struct perf_event_header header;
	unsigned found = 0;
	size_t n;

	while ((n = rb_read(rb, out, sizeof(out))))
		for (size_t at = 0; at < n; at += header.size) {
			memcpy(&header, out + at, sizeof(header));
			if (header.type != PERF_RECORD_SAMPLE)
				continue;
			assert_int_equal(header.size, sizeof(*samples));
			assert_true(found < most);
			memcpy(&samples[found++], out + at, sizeof(*samples));
		}
	return found;
}

/* --- Samples --- */

/* Sample n is of instruction number n * period, however late its NMI comes. */
TEST(test_each_is_exact)
{
	static const uint64_t periods[] = {2, 3, 100, 1009, 10007};
	static struct sample samples[4096];

	for_each_uarch(u) for (unsigned delay = 0; delay < 8; delay += 7) for (unsigned p = 0;
									       p < 5; p++)
	{
		const uint64_t period = periods[p], n = period * 200 + period - 1;
		struct rb *rb = rig_ring(64);
		struct pmu_event e;
		uint64_t first;

		boot_precise(*u);
		shim.nmi_delay = period > 100 ? delay : 0;
		open_into(&e, precise(period), rb);
		if (e.period != period) {
			/* test_short_periods() */
			assert_true(!strcmp(*u, "hsw") && period < 129);
			pmu_event_close(&e);
			continue;
		}
		first = shim.ip[VPMU_USR];
		rig_task(n);
		assert_int_equal(rig_value(&e), n);
		assert_int_equal(e.books.overflows, 200);
		assert_int_equal(e.books.written, 200);
		assert_int_equal(drain(rb, samples, 4096), 200);
		for (unsigned i = 0; i < 200; i++) {
			assert_int_equal(samples[i].ip, first + (i + 1) * period - 1);
			assert_int_equal(samples[i].period, period);
			assert_int_equal(samples[i].header.misc & PERF_RECORD_MISC_CPUMODE_MASK,
					 PERF_RECORD_MISC_USER);
		}
		assert_int_equal(shim.unknown_nmis, 0);
		assert_int_equal(shim.faults, 0);
		pmu_event_close(&e);
		assert_int_equal(shim.model.pebs.enable, 0);
	}
}

/* A fixed counter's reset value stands behind those of general ones: 8 of them, or 32 from format 5
 * on. */
TEST(test_resets_of_fixed_counters)
{
	static const char *const names[] = {"icl", "lnl", "cwf"};
	static struct sample samples[64];

	for (unsigned u = 0; u < 3; u++) {
		struct rb *rb = rig_ring(64);
		struct pmu_event e;

		boot_precise(names[u]);
		open_into(&e, precise(1000), rb);
		rig_task(50500);
		assert_true(shim.model.regs.fixed[0].value && !shim.model.regs.gp[0].value);
		assert_int_equal(drain(rb, samples, 64), 50);
		for (unsigned i = 0; i < 50; i++)
			assert_int_equal(samples[i].ip, 0x400000 + 1000 * (i + 1) - 1);
		pmu_event_close(&e);
	}
}

/* With precise_ip 1 a sample has the next instruction's address, not marked as exact. Adaptive
 * records have one IP only. */
TEST(test_levels)
{
	for_each_uarch(u) for (unsigned level = 1; level <= 3; level++)
	{
		bool exact = level > 1 || !strcmp(*u, "icl");
		struct perf_event_attr attr = precise(1000);
		struct rb *rb = rig_ring(1);
		struct sample s;
		struct pmu_event e;

		boot_precise(*u);
		attr.precise_ip = level;
		open_into(&e, attr, rb);
		rig_task(1500);
		assert_int_equal(drain(rb, &s, 1), 1);
		assert_int_equal(s.ip, 0x400000 + 1000 - exact);
		pmu_event_close(&e);
	}
}

/* A sample has the record's time if the record has one, not the NMI's. */
TEST(test_time)
{
	for_each_uarch(u)
	{
		struct rb *rb = rig_ring(1);
		uint64_t start;
		struct sample s;
		struct pmu_event e;

		boot_precise(*u);
		shim.nmi_delay = 50;
		open_into(&e, precise(1000), rb);
		start = shim.ns;
		rig_task(1500);
		assert_int_equal(drain(rb, &s, 1), 1);
		if (strcmp(*u, "hsw"))
			assert_in_range(s.time, start + 999, start + 1000);
		else
			assert_true(s.time >= start + 1049);
		pmu_event_close(&e);
	}
}

/* Runs end within periods: samples and counts go on in the next run. */
TEST(test_across_switches)
{
	static struct sample samples[1024];

	for_each_uarch(u)
	{
		struct rb *rb = rig_ring(64);
		struct pmu_event e;
		uint64_t sum = 0, n = 0;
		unsigned found;

		boot_precise(*u);
		open_into(&e, precise(1000), rb);
		for (unsigned i = 0; i < 777; i++) {
			rig_task(200 + i % 37);
			n += 200 + i % 37;
			assert_int_equal(rig_value(&e), n);
		}
		found = drain(rb, samples, 1024);
		for (unsigned i = 0; i < found; i++)
			sum += samples[i].period;
		assert_int_equal(sum + e.this_period - (uint64_t)e.left, n);
		assert_in_range(found, n / 1000 - 1, n / 1000);
		assert_int_equal(e.books.overflows, found);
		pmu_event_close(&e);
	}
}

/* Two precise events and a plain one count the same. No sample goes to the wrong event. */
TEST(test_beside_others)
{
	for_each_uarch(u) for (unsigned delay = 0; delay < 4; delay++)
	{
		struct perf_event_attr branches = precise(400), plain = precise(777);
		struct pmu_event a, b, c;
		struct rb *rb = rig_ring(64);

		boot_precise(*u);
		shim.nmi_delay = delay;
		branches.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
		plain.precise_ip = 0;
		open_into(&a, precise(1000), rb);
		open_into(&b, branches, rb);
		open_into(&c, plain, rb);
		rig_task(1000000);
		if (rig_value(&a) != 1000000)
			fail_msg("%s %u: %llu", *u, delay, (unsigned long long)rig_value(&a));
		assert_int_equal(rig_value(&b), 200000);
		assert_int_equal(rig_value(&c), 1000000);
		assert_int_equal(a.books.overflows, 1000);
		assert_int_equal(b.books.overflows, 500);
		assert_int_equal(c.books.overflows, 1000000 / 777);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&a);
		pmu_event_close(&b);
		pmu_event_close(&c);
	}
}

/* A record of format 2 that names no event belongs to the only precise event. */
TEST(test_record_without_a_name)
{
	struct rb *rb = rig_ring(1);
	uint64_t index;
	struct pmu_event e;

	boot_precise("hsw");
	shim.nmi_delay = 50;
	open_into(&e, precise(100), rb);
	pmu_task_sched_in(&rig.task);
	shim_run(VPMU_USR, 120);
	memcpy(&index, (const void *)(shim.model.pebs.ds_area + 0x20), sizeof(index));
	*(uint64_t *)(index + 0x90) = 0;
	shim_run(VPMU_USR, 60);
	pmu_task_sched_out();
	assert_int_equal(rig_value(&e), 180);
	assert_int_equal(e.books.written, 1);
	pmu_event_close(&e);
}

/* More precise events than their counters take turns. Periods and counts still add up. */
TEST(test_turns)
{
	struct pmu_event e[6];
	struct rb *rb = rig_ring(64);
	uint64_t running = 0, written = 0;

	boot_precise("skx");
	for (unsigned i = 0; i < 6; i++) {
		struct perf_event_attr attr = precise(1000);

		attr.type = PERF_TYPE_RAW;
		attr.config = 0x04c4;
		open_into(&e[i], attr, rb);
	}
	rig_slices(50000000);
	for (unsigned i = 0; i < 6; i++) {
		struct pmu_value v;

		pmu_event_read(&e[i], &v);
		running += v.time_running;
		assert_true(v.value > 0 && v.time_running < v.time_enabled);
		assert_in_range(e[i].books.overflows, v.value / 1000 - 1, v.value / 1000);
		written += e[i].books.overflows;
		pmu_event_close(&e[i]);
	}
	assert_true(written > 0 && running > 0);
	assert_int_equal(shim.unknown_nmis, 0);
}

/* A new period takes effect, and a limit stops the event. */
TEST(test_changes)
{
	static struct sample samples[64];
	struct rb *rb = rig_ring(8);
	struct pmu_event e;

	boot_precise("skx");
	open_into(&e, precise(1000), rb);
	rig_task(2500);
	assert_int_equal(pmu_event_set_period(&e, 300), 0);
	rig_task(1000);
	assert_int_equal(drain(rb, samples, 64), 2 + 3);
	assert_int_equal(samples[2].period, 300);
	pmu_event_disable(&e);
	assert_int_equal(pmu_event_refresh(&e, 2), 0);
	rig_task(100000);
	assert_int_equal(drain(rb, samples, 64), 2);
	assert_int_equal(e.state, PMU_STATE_OFF);
	pmu_event_close(&e);
}

/* A period longer than the counter's range: several records make one sample. */
TEST(test_long_period)
{
	struct pmu_event e;
	struct rb *rb = rig_ring(1);

	boot_precise("skx");
	pmu.hw.max_period = 1000;
	open_into(&e, precise(2500), rb);
	rig_task(26000);
	assert_int_equal(rig_value(&e), 26000);
	assert_int_equal(e.books.overflows, 10);
	pmu_event_close(&e);
}

/* If records have all that samples need, one NMI serves many of them; otherwise each has an NMI. */
TEST(test_many_records_an_nmi)
{
	static struct sample samples[256];

	for_each_uarch(u) for (unsigned way = 0; way < 3; way++)
	{
		const bool one_by_one = way || !strcmp(*u, "hsw");
		struct perf_event_attr attr = precise(1000);
		struct rb *rb = rig_ring(8);
		struct pmu_event e;

		boot_precise(*u);
		attr.wakeup_events = way == 1;
		open_into(&e, attr, rb);
		if (way == 2)
			pmu_event_refresh(&e, 1000);
		rig_task(200500);
		assert_int_equal(rig_value(&e), 200500);
		assert_int_equal(drain(rb, samples, 256), 200);
		assert_int_equal(shim.nmis, one_by_one ? 200 : 200 / 64);
		for (unsigned i = 0; i < 200; i++)
			assert_int_equal(samples[i].ip, 0x400000 + (i + 1) * 1000 - 1);
		pmu_event_close(&e);
	}
}

/* With a frequency the periods add up to the count, too. */
TEST(test_frequency)
{
	static struct sample samples[4096];

	for_each_uarch(u)
	{
		struct perf_event_attr attr = precise(0);
		struct rb *rb = rig_ring(64);
		uint64_t sum = 0;
		struct pmu_event e;
		unsigned n;

		boot_precise(*u);
		attr.freq = 1;
		attr.sample_freq = 10000;
		open_into(&e, attr, rb);
		rig_slices(100000000);
		n = drain(rb, samples, 4096);
		assert_in_range(n, 900, 1200);
		for (unsigned i = 0; i < n; i++)
			sum += samples[i].period;
		assert_int_equal(e.books.written, n);
		assert_int_equal(e.books.overflows, n);
		assert_int_equal(sum + e.this_period - (uint64_t)e.left, 100000000);
		assert_int_equal(rig_value(&e), 100000000);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&e);
	}
}

/* The count includes records that no NMI has served yet. */
TEST(test_read_between)
{
	struct pmu_event e;

	boot_precise("skx");
	open_into(&e, precise(1000), rig_ring(8));
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 1; i < 200; i++) {
		shim_run(VPMU_USR, 777);
		assert_int_equal(rig_value(&e), 777 * i);
	}
	pmu_task_sched_out();
	assert_int_equal(e.books.overflows, 777 * 199 / 1000);
	pmu_event_close(&e);
}

/* Format 1: the address behind the instruction, and nothing more exact than that. */
TEST(test_format_1)
{
	static const char *const with_format_1[] = {"nhm", "wsm", "snb", "ivb"};
	static struct sample samples[256];

	for (unsigned i = 0; i < 4; i++) {
		struct perf_event_attr attr = precise(1009);
		struct rb *rb = rig_ring(64);
		struct pmu_event e;
		uint64_t first;

		boot_precise(with_format_1[i]);
		rig.caps.quirks = 0; /* new microcode */
		assert_int_equal(rig_init(), 0);
		rig.host.is_user = is_user;
		assert_int_equal(pmu_info()->max_precise, 1);
		assert_int_equal(rig_open(&e, &attr, NULL), -EOPNOTSUPP);
		assert_non_null(strstr(rig.why.text, "precise_ip is 1 at most"));
		attr.precise_ip = 1;
		open_into(&e, attr, rb);
		first = shim.ip[VPMU_USR];
		rig_task(1009 * 200);
		assert_int_equal(rig_value(&e), 1009 * 200);
		assert_int_equal(drain(rb, samples, 256), 200);
		for (unsigned k = 0; k < 200; k++) {
			assert_int_equal(samples[k].ip, first + (k + 1) * 1009);
			assert_false(samples[k].header.misc & PERF_RECORD_MISC_EXACT_IP);
		}
		assert_int_equal(shim.faults, 0);
		pmu_event_close(&e);
	}
}

/* Sandy Bridge before the microcode that mends its PEBS. */
TEST(test_old_microcode)
{
	struct perf_event_attr attr = precise(1009);
	struct pmu_event e;

	boot_precise("snb");
	rig.caps.quirks = 1u << QUIRK_PEBS_BROKEN;
	assert_int_equal(rig_init(), 0);
	attr.precise_ip = 1;
	assert_int_equal(rig_open(&e, &attr, NULL), -EOPNOTSUPP);
	assert_non_null(strstr(rig.why.text, "newer microcode"));
}
