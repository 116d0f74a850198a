// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_extra_events.c - events that need more than a counter, on the modelled PMUs: opening and
 * refusals, the registers that are written, and counts that follow from the requested values,
 * beside any other events.
 */
#include "arch/x86/msr.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

#define SLICE        (PMU_MUX_INTERVAL_US * 1000ull)
#define OFFCORE_0    0x1b7
#define OFFCORE_1    0x1bb
#define FRONTEND     0x1c6
#define LOAD_LATENCY 0x1cd
#define FLOPS(umask) ((umask) << 8 | 0x03)
#define PER_KIND     400 /* instructions: the model's off-core responses of one kind */

static struct perf_event_attr user_raw_attr(uint64_t config, uint64_t config1)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_RAW, config);

	attr.config1 = config1;
	attr.exclude_kernel = 1;
	return attr;
}

static void open_extra(struct pmu_event *e, uint64_t config, uint64_t config1,
		       struct pmu_event *leader)
{
	struct perf_event_attr attr = user_raw_attr(config, config1);
	int got = rig_open(e, &attr, leader);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

static void close_each(struct pmu_event *e, unsigned n)
{
	while (n--)
		pmu_event_close(&e[n]);
}

static uint64_t running_of(struct pmu_event *e)
{
	struct pmu_value v;

	pmu_event_read(e, &v);
	return v.time_running;
}

/* --- Opening --- */

TEST(test_refusals)
{
	static const struct {
		const char *uarch;
		uint64_t config, config1, config2;
		int error;
		const char *part;
	} rows[] = {
		{"hsw", OFFCORE_0, 0x3fffff8fff, 0, 0, ""},
		{"hsw", OFFCORE_0, 0, 0, 0, ""},
		{"hsw", OFFCORE_0, 1ull << 38, 0, EINVAL, "bits 0x4000000000 of config1"},
		{"hsw", OFFCORE_1, 0x7000, 0, EINVAL,
		 "OFFCORE_RESPONSE_1 (MSR 0x1a7), which takes 0x3fffff8fff"},
		{"hsw", OFFCORE_0, 1, 1, EINVAL, "config2"},
		{"hsw", 0xc4, 1, 0, EINVAL, "needs no register"},
		{"hsw", FRONTEND, 0x11, 0, EINVAL, "needs no register"},
		{"skx", FRONTEND, 0x11, 0, 0, ""},
		{"skx", FRONTEND, 0x8, 0, EINVAL, "bits 0x8 of config1"},
		{"icl", LOAD_LATENCY, 0xffff, 0, 0, ""},
		{"icl", LOAD_LATENCY, 0x10000, 0, EINVAL, "MSR 0x3f6"},
		{"zen4", FLOPS(1), 1, 0, EINVAL, "needs no register"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct perf_event_attr attr = user_raw_attr(rows[i].config, rows[i].config1);
		struct pmu_event e;

		rig_boot(rows[i].uarch, true);
		attr.config2 = rows[i].config2;
		assert_int_equal(rig_open(&e, &attr, NULL), -rows[i].error);
		if (!strstr(rig.why.text, rows[i].part))
			fail_msg("row %zu: %s", i, rig.why.text);
		if (!rows[i].error)
			pmu_event_close(&e);
	}
}

/* The tables have a register that the machine lacks, as under a hypervisor. */
TEST(test_no_such_register)
{
	const struct perf_event_attr attr = user_raw_attr(FRONTEND, 0x11);
	struct pmu_event e;

	rig_boot("hsw", true);
	rig.caps.model = 0x55;
	rig.caps.stepping = 4;
	assert_int_equal(rig_init(), 0);
	assert_int_equal(rig_open(&e, &attr, NULL), -ENXIO);
	assert_non_null(strstr(rig.why.text, "MSR 0x3f7"));
}

TEST(test_group)
{
	const struct perf_event_attr third = user_raw_attr(OFFCORE_0, 4);
	struct pmu_event e[3];

	rig_boot("skx", true);
	open_extra(&e[0], OFFCORE_0, 1, NULL);
	open_extra(&e[1], OFFCORE_0, 2, &e[0]);
	assert_int_equal(rig_open(&e[2], &third, &e[0]), -EINVAL);
	assert_string_equal(
		rig.why.text,
		"it needs 0x4 in MSR_OFFCORE_RSP_0 or MSR_OFFCORE_RSP_1, and the events "
		"of its group before it need other values there");
	/* An event with a value of the group may join it. */
	open_extra(&e[2], OFFCORE_1, 2, &e[0]);
	rig_task(4 * PER_KIND);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(rig_value(&e[i]), 4);
	close_each(e, 3);
}

/* --- Counting --- */

/* Each event counts by its own value, in either of the two registers. */
TEST(test_values)
{
	struct pmu_event e[4];

	rig_boot("hsw", true);
	open_extra(&e[0], OFFCORE_0, 0x1, NULL);
	open_extra(&e[1], OFFCORE_0, 0x7, NULL);
	open_extra(&e[2], OFFCORE_1, 0x1, NULL);
	open_extra(&e[3], OFFCORE_1, 0x7, NULL);
	rig_task(10 * PER_KIND);
	assert_int_equal(shim.model.regs.offcore_rsp[0], 0x1);
	assert_int_equal(shim.model.regs.offcore_rsp[1], 0x7);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(rig_value(&e[i]), i & 1 ? 30 : 10);
	assert_int_equal(shim.faults, 0);
	close_each(e, 4);
}

/* A register is written only when its value changes. */
TEST(test_writes)
{
	struct pmu_event e[2];
	uint64_t first, again, changed;

	rig_boot("hsw", true);
	open_extra(&e[0], OFFCORE_0, 0x1, NULL);
	first = shim.wrmsrs;
	rig_task(PER_KIND);
	first = shim.wrmsrs - first;
	again = shim.wrmsrs;
	rig_task(PER_KIND);
	again = shim.wrmsrs - again;
	assert_int_equal(first, again + 1);
	pmu_event_close(&e[0]);
	open_extra(&e[1], OFFCORE_0, 0x3, NULL);
	changed = shim.wrmsrs;
	rig_task(PER_KIND);
	changed = shim.wrmsrs - changed;
	assert_int_equal(changed, again + 1);
	assert_int_equal(rig_value(&e[0]), 2);
	assert_int_equal(rig_value(&e[1]), 2);
	pmu_event_close(&e[1]);
}

/* n values share two registers: each has its share of the time and the right count for it, although
 * its value moves between the registers while the event stays on its counter. */
TEST(test_turns)
{
	static const char *const uarchs[] = {"hsw", "skx", "icl"};

	for (unsigned u = 0; u < 3; u++)
		for (unsigned fair = 0; fair < 2; fair++) {
			struct pmu_event e[5];
			const unsigned n = 3 + fair + u % 2;

			rig_boot(uarchs[u], true);
			pmu_set_policy(fair ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
			for (unsigned i = 0; i < n; i++)
				open_extra(&e[i], i & 1 ? OFFCORE_1 : OFFCORE_0, (2u << i) - 1,
					   NULL);
			rig_slices(10 * n * SLICE);
			for (unsigned i = 0; i < n; i++) {
				/* With policy fair an event may be a slice ahead or behind. */
				assert_in_range(running_of(&e[i]), (20 - fair) * SLICE,
						(20 + fair) * SLICE);
				assert_int_equal(rig_value(&e[i]),
						 running_of(&e[i]) / PER_KIND * (i + 1));
			}
			assert_int_equal(shim.faults, 0);
			close_each(e, n);
			pmu_set_policy(PMU_POLICY_PERF);
		}
}

/* --- Pairs --- */

#define MERGE 0xf004000ffull /* event 0xfff, enabled */

TEST(test_pairs)
{
	struct pmu_event e[5];

	rig_boot("zen4", true);
	open_extra(&e[0], FLOPS(1), 0, NULL);
	open_extra(&e[1], FLOPS(2), 0, NULL);
	open_extra(&e[2], 0xc2, 0, NULL);
	open_extra(&e[3], 0xc0, 0, NULL);
	rig_task(1000);
	assert_int_equal(rig_value(&e[0]), 100);
	assert_int_equal(rig_value(&e[1]), 50);
	assert_int_equal(rig_value(&e[2]), 200);
	assert_int_equal(rig_value(&e[3]), 1000);
	assert_int_equal(running_of(&e[0]), 1000);
	/* The upper counter of a closed pair serves any event again. */
	close_each(e, 2);
	open_extra(&e[0], 0xc0, 0, NULL);
	open_extra(&e[1], 0xc0, 0, NULL);
	open_extra(&e[4], 0xc0, 0, NULL);
	rig_task(1000);
	assert_int_equal(rig_value(&e[0]), 1000);
	assert_int_equal(rig_value(&e[1]), 1000);
	assert_int_equal(rig_value(&e[4]), 1000);
	close_each(e, 5);
}

/*
 * Six plain events hold all counters until a pinned pair is opened. The counter of one of them then
 * becomes the pair's upper half. With the master switch of PerfMonV2, and without.
 */
TEST(test_pair_takes_counters)
{
	for (int master = 0; master <= 1; master++) {
		struct perf_event_attr pinned = user_raw_attr(FLOPS(1), 0);
		struct pmu_event plain[6], pair;

		shim_boot("zen4", true);
		pmu_caps_detect(&rig.caps);
		rig.caps.perfmon_v2 = master;
		assert_int_equal(rig_init(), 0);
		for (unsigned i = 0; i < 6; i++)
			open_extra(&plain[i], 0xc2, 0, NULL);
		pmu_task_sched_in(&rig.task);
		shim_run(VPMU_USR, 1000);
		pinned.pinned = 1;
		assert_int_equal(rig_open(&pair, &pinned, NULL), 0);
		assert_int_equal(rdmsr(pair.place->control + pmu.driver->stride), MERGE);
		shim_run(VPMU_USR, 1000);
		pmu_task_sched_out();
		assert_int_equal(rig_value(&pair), 100);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&pair);
		close_each(plain, 6);
	}
}

TEST(test_pairs_take_turns)
{
	struct pmu_event e[7];

	for (unsigned fair = 0; fair < 2; fair++) {
		rig_boot("zen4", true);
		pmu_set_policy(fair ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
		for (unsigned i = 0; i < 4; i++)
			open_extra(&e[i], FLOPS(1), 0, NULL);
		for (unsigned i = 4; i < 7; i++)
			open_extra(&e[i], 0xc0, 0, NULL);
		rig_slices(70 * SLICE);
		for (unsigned i = 0; i < 7; i++) {
			assert_true(running_of(&e[i]) >= 20 * SLICE);
			assert_int_equal(rig_value(&e[i]), running_of(&e[i]) / (i < 4 ? 10 : 1));
		}
		assert_int_equal(shim.faults, 0);
		close_each(e, 7);
		pmu_set_policy(PMU_POLICY_PERF);
	}
}

/* The two halves overflow as one counter. */
TEST(test_pair_samples)
{
	struct perf_event_attr attr = user_raw_attr(FLOPS(1), 0);
	struct rb *rb = rig_ring(8);
	struct pmu_event e[2];

	rig_boot("zen4", true);
	attr.sample_period = 100;
	assert_int_equal(rig_open(&e[0], &attr, NULL), 0);
	assert_int_equal(pmu_event_set_output(&e[0], rb), 0);
	open_extra(&e[1], 0xc0, 0, NULL);
	rig_task(10 * 1000 + 500);
	assert_int_equal(e[0].books.overflows, 10);
	assert_int_equal(e[0].books.written, 10);
	assert_int_equal(rig_value(&e[0]), 1050);
	assert_int_equal(shim.unknown_nmis, 0);
	close_each(e, 2);
}
