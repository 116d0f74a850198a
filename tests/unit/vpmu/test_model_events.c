// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_events.c - the contract of vpmu/model/model.h for counts of QEMU's plugin: time, kinds
 * of requests, counter masks, top-down, and remainders when events take turns.
 */
#include "tests/unit/vpmu/modelled_pmu.h"

#include "include/perf0/truth.h"
#include "include/perf0/vpmu.h"

#include <stdio.h>

#include "tests/unit/test.h"

/* All counts differ, and no two sums of counts are equal by accident. */
static uint64_t counts[EVENTS_NUMBERS];

static uint64_t distinct_count(enum events_count count)
{
	uint64_t x = (count + 1) * 0x9e3779b97f4a7c15ull;

	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9ull;
	return (x >> 40) + 1000;
}

static struct vpmu_model counting_model(const char *name, enum events_level level)
{
	struct vpmu_model m = model_of(name, false);

	for (unsigned i = 0; i < EVENTS_NUMBERS; i++)
		counts[i] = distinct_count((enum events_count)i);
	vpmu_model_counts(&m, level);
	return m;
}

/* Runs `n` instructions, with the events of `counts`. */
static void run_counted(struct vpmu_model *m, enum vpmu_ring ring, uint64_t n)
{
	struct vpmu_progress p = {0};

	p.instructions[ring] = n;
	p.cycles[ring] = p.ref_cycles[ring] = n * CPI;
	p.counts[ring] = counts;
	vpmu_model_advance(m, &p);
}

static uint32_t evtsel_msr(const struct vpmu_model *m, unsigned i)
{
	return m->uarch->vendor == VPMU_AMD ? MSR_AMD_PERF_CTL0 + 2 * i : MSR_IA32_PERFEVTSEL0 + i;
}

static uint32_t counter_msr(const struct vpmu_model *m, unsigned i)
{
	return m->uarch->vendor == VPMU_AMD ? MSR_AMD_PERF_CTR0 + 2 * i : MSR_IA32_A_PMC0 + i;
}

/* Returns the first counter that can count the event; -1: none. */
static int counter_for(const struct vpmu_model *m, uint64_t sel)
{
	for (unsigned i = 0; i < m->layout.ngp; i++)
		if (vpmu_model_event(m, i, sel))
			return (int)i;
	return -1;
}

static uint64_t counted_of(struct vpmu_model *m, uint64_t sel)
{
	const int i = counter_for(m, sel);

	if (i < 0)
		fail_msg("%s: no counter for %#llx", m->uarch->name, (unsigned long long)sel);
	write_msr(m, evtsel_msr(m, (unsigned)i), sel);
	write_msr(m, counter_msr(m, (unsigned)i), 0);
	run_counted(m, VPMU_USR, 1000);
	write_msr(m, evtsel_msr(m, (unsigned)i), 0);
	return read_msr(m, counter_msr(m, (unsigned)i));
}

static struct cpuid_regs event_leaf(const struct vpmu_model *m, uint64_t sel)
{
	struct cpuid_regs r;

	vpmu_model_describe(m, VPMU_CPUID_EVENT_LEAF + (uint32_t)(sel >> 32 & 0xf), (uint32_t)sel,
			    &r);
	return r;
}

#define C(name) counts[EVENTS_##name]

/* --- The core in time --- */

static void check_core(const char *personality, enum vpmu_core kind, const char *core)
{
	const struct vpmu_model m = counting_model(personality, EVENTS_LEVEL_MODEL);
	struct cpuid_regs r;
	char name[13] = "";

	assert_true(vpmu_model_describe(&m, VPMU_CPUID_LEAF, VPMU_CPUID_CORE, &r));
	memcpy(name, &r.ebx, sizeof(name) - 1);
	assert_int_equal(r.eax, kind);
	assert_string_equal(name, core);
}

TEST(test_core_leaf)
{
	const struct vpmu_model m = counting_model("skx", EVENTS_LEVEL_COUNTS);
	struct cpuid_regs r;

	check_core("skx", VPMU_CORE_OWN, "skx");
	check_core("gnr", VPMU_CORE_NEAREST, "adl");
	check_core("slm", VPMU_CORE_NEAREST, "adl");
	check_core("nhm", VPMU_CORE_NEAREST, "hsw");
	check_core("zen3", VPMU_CORE_OWN, "zen3");
	assert_true(vpmu_model_describe(&m, VPMU_CPUID_LEAF, VPMU_CPUID_CORE, &r));
	assert_int_equal(r.eax, VPMU_CORE_NONE);
}

/* --- Instructions without a row --- */

/* They are counted with modelled time, once for all of its counters, in the rings of these. */
TEST(test_rowless)
{
	const uint64_t cycles = 0x3c, branches = 0xc4;
	struct vpmu_model m = counting_model("skx", EVENTS_LEVEL_MODEL);

	run_counted(&m, VPMU_USR, 1000);
	write_msr(&m, evtsel_msr(&m, 0), branches | EVTSEL_USR | EVTSEL_OS | EVTSEL_EN);
	run_counted(&m, VPMU_USR, 1000);
	assert_int_equal(m.timed.instructions, 0);
	assert_int_equal(m.timed.rowless[0], 0);
	for (unsigned i = 1; i < 3; i++)
		write_msr(&m, evtsel_msr(&m, i), cycles | EVTSEL_USR | EVTSEL_EN);
	assert_true(m.derived.used[EVENTS_ROWLESS / 64] >> EVENTS_ROWLESS % 64 & 1);
	run_counted(&m, VPMU_OS, 1000);
	assert_int_equal(m.timed.instructions, 0);
	run_counted(&m, VPMU_USR, 1000);
	for (unsigned i = 0; i < EVENTS_ROWLESS_KINDS; i++)
		assert_int_equal(m.timed.rowless[i], counts[EVENTS_ROWLESS + i]);
	assert_int_equal(m.timed.instructions, 1000);
	write_msr(&m, evtsel_msr(&m, 1), 0);
	write_msr(&m, evtsel_msr(&m, 2), 0);
	run_counted(&m, VPMU_USR, 1000);
	assert_int_equal(m.timed.instructions, 1000);
}

/* --- Cycles, slots, stalls --- */

TEST(test_time)
{
	struct vpmu_model m;

	m = counting_model("skx", EVENTS_LEVEL_MODEL);
	assert_int_equal(counted_of(&m, SEL(0x3c, 0)), C(SLOTS) / 4);
	assert_int_equal(event_leaf(&m, SEL(0x3c, 0)).eax, TRUTH_MODELLED);
	assert_int_equal(counted_of(&m, SEL(0x3c, 1)), C(SLOTS) / 4 / 10);
	assert_int_equal(event_leaf(&m, SEL(0x3c, 1)).eax, TRUTH_MODELLED);
	assert_int_equal(counted_of(&m, SEL(0x9c, 1)), C(SLOTS_FRONTEND));
	assert_int_equal(counted_of(&m, SEL(0x9c, 1) | CMASK(4)), C(STALLS_FRONTEND));
	assert_int_equal(counted_of(&m, SEL(0x0d, 1)), C(STALLS_BAD_SPECULATION));
	assert_int_equal(counted_of(&m, SEL(0x0d, 1) | CMASK(1)), C(STALLS_BAD_SPECULATION));
	assert_int_equal(event_leaf(&m, SEL(0x0d, 1) | CMASK(1)).eax, TRUTH_MODELLED);
	assert_int_equal(counted_of(&m, SEL(0x0d, 1) | CMASK(1) | EVTSEL_EDGE), C(MISPREDICTED));
	assert_int_equal(counted_of(&m, SEL(0xa2, 1)), C(STALLS_BACKEND));
	assert_int_equal(counted_of(&m, SEL(0xa2, 8)), C(FULL_STORES));
	assert_int_equal(counted_of(&m, SEL(0xa6, 0x40)), C(STALLS_STORES));
	assert_int_equal(counted_of(&m, SEL(0x5e, 1)), C(SCHEDULER_EMPTY));
	assert_int_equal(counted_of(&m, SEL(0xa3, 6) | CMASK(6)), C(STALLS_MEMORY));
	assert_int_equal(counted_of(&m, SEL(0xa3, 4) | CMASK(4)), C(STALLS_EXECUTE));
	assert_int_equal(counted_of(&m, SEL(0xa3, 2) | CMASK(2)), C(PENDING_LLC) / 4);
	assert_int_equal(counted_of(&m, SEL(0x14, 1) | CMASK(1)), C(DIVIDER));
	m = counting_model("adl", EVENTS_LEVEL_MODEL);
	assert_int_equal(counted_of(&m, SEL(0x3c, 1)), C(SLOTS) / 6);
	m = counting_model("zen4", EVENTS_LEVEL_MODEL);
	assert_int_equal(counted_of(&m, SEL(0x76, 0)), C(SLOTS) / 6);
	assert_int_equal(counted_of(&m, SEL(0xa0, 1) | 1ull << 32), C(SLOTS_FRONTEND));
	assert_int_equal(counted_of(&m, SEL(0xa0, 0x1e) | 1ull << 32),
			 C(SLOTS_MEMORY) + C(SLOTS_CORE));
	assert_int_equal(counted_of(&m, SEL(0xaa, 7)), C(UOPS) + C(WRONG_PATH));
}

TEST(test_fixed_counters)
{
	struct vpmu_model m = counting_model("icl", EVENTS_LEVEL_MODEL);

	write_msr(&m, MSR_IA32_FIXED_CTR_CTRL, 0x3333);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0xf00000000);
	run_counted(&m, VPMU_USR, 1000);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0), 1000);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0 + 1), C(SLOTS) / 5);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0 + 2), C(SLOTS) / 5);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0 + 3), C(SLOTS));
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_MODEL);
}

/* The core in time is asked for by what needs it. */
TEST(test_levels)
{
	static const struct {
		uint64_t sel;
		enum events_level level;
	} rows[] = {
		{SEL(0xc0, 0), EVENTS_LEVEL_NONE},      /* INST_RETIRED.ANY */
		{SEL(0xd1, 0x20), EVENTS_LEVEL_CACHES}, /* MEM_LOAD_RETIRED.L3_MISS */
		{SEL(0x2e, 0x41), EVENTS_LEVEL_CACHES}, /* LONGEST_LAT_CACHE.MISS */
		{SEL(0xc5, 0), EVENTS_LEVEL_CACHES},    /* BR_MISP_RETIRED.ALL_BRANCHES */
		{SEL(0x08, 0x01), EVENTS_LEVEL_CACHES}, /* DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK */
		{SEL(0xd1, 0x40), EVENTS_LEVEL_MODEL},  /* MEM_LOAD_RETIRED.FB_HIT */
		{SEL(0x3c, 0), EVENTS_LEVEL_MODEL},     /* CPU_CLK_UNHALTED.THREAD */
		{SEL(0x0e, 1), EVENTS_LEVEL_MODEL},     /* UOPS_ISSUED.ANY */
		{SEL(0x08, 0x10), EVENTS_LEVEL_MODEL},  /* DTLB_LOAD_MISSES.WALK_PENDING */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_model m = counting_model("skx", EVENTS_LEVEL_MODEL);

		const int counter = counter_for(&m, rows[i].sel);

		assert_true(counter >= 0);
		write_msr(&m, evtsel_msr(&m, (unsigned)counter), rows[i].sel);
		assert_int_equal(m.derived.needed, rows[i].level);
	}
}

/* Without modelled time cycles are the clock's, or, with `ipc1`, one for each instruction. */
TEST(test_other_times)
{
	struct vpmu_model m = counting_model("skx", EVENTS_LEVEL_COUNTS);

	assert_int_equal(counted_of(&m, SEL(0x3c, 0)), 1000 * CPI);
	assert_int_equal(counted_of(&m, SEL(0x3c, 1)), 1000 * CPI / 10);
	assert_int_equal(event_leaf(&m, SEL(0x3c, 0)).eax, TRUTH_RATIO);
	m = counting_model("skx", EVENTS_LEVEL_MODEL);
	m.machine.ipc1 = true;
	assert_int_equal(counted_of(&m, SEL(0x3c, 0)), 1000);
	assert_int_equal(counted_of(&m, SEL(0x3c, 1)), 1000 / 10);
	assert_int_equal(counted_of(&m, SEL(0xa3, 4) | CMASK(4)), 1000 / 2);
	assert_int_equal(event_leaf(&m, SEL(0x3c, 0)).eax, TRUTH_RATIO);
	assert_int_equal(m.derived.needed, EVENTS_LEVEL_NONE);
	assert_int_equal(counted_of(&m, SEL(0xd1, 8)), C(L1D_LOAD_MISSES));
}

/* A sampling event would need single steps all the way; a counting event never overflows. */
TEST(test_sampled_cycles)
{
	struct events_target targets[VPMU_TARGETS];
	struct vpmu_model m = counting_model("skx", EVENTS_LEVEL_MODEL);

	write_msr(&m, MSR_IA32_PERFEVTSEL0, SEL(0x3c, 0) | EVTSEL_INT);
	write_msr(&m, MSR_IA32_A_PMC0, -100000ull & MASK48);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), (100000 + CPI - 1) / CPI);
	run_counted(&m, VPMU_USR, 10);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0), (-100000ull & MASK48) + 10 * CPI);
	write_msr(&m, MSR_IA32_A_PMC0, -(1ull << 47) & MASK48);
	run_counted(&m, VPMU_USR, 10);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0), (-(1ull << 47) & MASK48) + C(SLOTS) / 4);
	assert_true(vpmu_model_until(&m, VPMU_USR) > 1ull << 30);
	/* The guest can be stopped at this count. */
	vpmu_model_stops(&m, true);
	write_msr(&m, MSR_IA32_A_PMC0, -100000ull & MASK48);
	assert_true(vpmu_model_until(&m, VPMU_USR) == UINT64_MAX);
	assert_int_equal(vpmu_model_targets(&m, VPMU_USR, targets), 1);
	assert_int_equal(targets[0].left, 100000 * 4 - C(SLOTS) % 4);
	assert_int_equal(targets[0].term[0], EVENTS_SLOTS + 1);
	assert_int_equal(targets[0].term[1], 0);
	/* A watchdog's period is a time, and needs no model. */
	write_msr(&m, MSR_IA32_A_PMC0, -1000000000ull & MASK48);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 1000000000 / CPI);
	write_msr(&m, MSR_IA32_A_PMC0, -100000ull & MASK48);
	/* A PEBS record is also made there. */
	write_msr(&m, MSR_IA32_PEBS_ENABLE, 1);
	assert_int_equal(vpmu_model_targets(&m, VPMU_USR, targets), 1);
}

/* --- Top-down: the categories are all slots --- */

TEST(test_topdown)
{
	struct vpmu_model m;
	uint64_t slots, backend;

	m = counting_model("skx", EVENTS_LEVEL_MODEL);
	C(WRONG_PATH) = 4 * C(STALLS_BAD_SPECULATION) + C(WRONG_ISSUED);
	backend = C(SLOTS_MEMORY) + C(SLOTS_CORE);
	C(SLOTS) = C(UOPS) + C(SLOTS_FRONTEND) + C(WRONG_PATH) + backend;
	C(CYCLES) = C(SLOTS) / 4;
	slots = counted_of(&m, SEL(0x9c, 1)) + counted_of(&m, SEL(0x0e, 1)) +
		4 * counted_of(&m, SEL(0x0d, 1)) + backend;
	assert_int_equal(slots, C(SLOTS));
	assert_int_equal(counted_of(&m, SEL(0xc2, 2)), C(UOPS));

	m = counting_model("zen4", EVENTS_LEVEL_MODEL);
	C(SLOTS) = C(UOPS) + C(SLOTS_FRONTEND) + C(WRONG_PATH) + C(SLOTS_MEMORY) + C(SLOTS_CORE);
	slots = counted_of(&m, SEL(0xa0, 1) | 1ull << 32) +
		counted_of(&m, SEL(0xa0, 0x1e) | 1ull << 32) +
		counted_of(&m, SEL(0xa0, 0x60) | 1ull << 32) + counted_of(&m, SEL(0xaa, 7));
	assert_int_equal(slots, C(SLOTS));
}

static void start_metrics(struct vpmu_model *m)
{
	write_msr(m, MSR_IA32_FIXED_CTR0 + 3, 0);
	write_msr(m, MSR_PERF_METRICS, 0);
	write_msr(m, MSR_IA32_FIXED_CTR_CTRL, 0x2000);
	write_msr(m, MSR_IA32_PERF_GLOBAL_CTRL, 0x800000000 | GLOBAL_METRICS);
}

/* Shares of 255, for the slots since they were zeroed, in the rings that slots counts. */
TEST(test_metrics)
{
	struct vpmu_model m = counting_model("icl", EVENTS_LEVEL_MODEL);
	uint64_t v;

	memset(counts, 0, sizeof(counts));
	start_metrics(&m);
	C(UOPS) = 500;
	C(SLOTS_MEMORY) = 200;
	C(SLOTS_CORE) = 100;
	C(SLOTS_FRONTEND) = 150;
	C(WRONG_PATH) = 50;
	C(SLOTS) = 1000;
	run_counted(&m, VPMU_OS, 10);
	assert_int_equal(read_msr(&m, MSR_PERF_METRICS), 0);
	run_counted(&m, VPMU_USR, 10);
	v = read_msr(&m, MSR_PERF_METRICS);
	assert_int_equal(v & 0xff, 255 * 500 / 1000 + 2); /* and what rounding left over */
	assert_int_equal(v >> 8 & 0xff, 255 * 50 / 1000);
	assert_int_equal(v >> 16 & 0xff, 255 * 150 / 1000);
	assert_int_equal(v >> 24 & 0xff, 255 * 300 / 1000);
	assert_int_equal((v & 0xff) + (v >> 8 & 0xff) + (v >> 16 & 0xff) + (v >> 24), 255);
	memset(counts, 0, sizeof(counts));
	C(UOPS) = C(SLOTS) = 7;
	start_metrics(&m);
	run_counted(&m, VPMU_USR, 10);
	assert_int_equal(read_msr(&m, MSR_PERF_METRICS), 255);
}

/* Golden Cove also has a part of each. A written value applies to the slots until then. */
TEST(test_metrics_in_parts)
{
	static const unsigned shares[] = {500, 60, 180, 260, 500 / 8, 60, 180, 204};
	struct vpmu_model m = counting_model("adl", EVENTS_LEVEL_MODEL);
	uint64_t v;

	memset(counts, 0, sizeof(counts));
	start_metrics(&m);
	C(UOPS) = 500 * 6;
	C(WRONG_PATH) = 60 * 6;
	C(SLOTS_FRONTEND) = 180 * 6;
	C(SLOTS_MEMORY) = 204 * 6;
	C(SLOTS_CORE) = 56 * 6;
	C(SLOTS) = 1000 * 6;
	run_counted(&m, VPMU_USR, 10);
	v = read_msr(&m, MSR_PERF_METRICS);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(v >> 8 * i & 0xff, 255 * shares[i] / 1000 + (i ? 0 : 2));
	memset(counts, 0, sizeof(counts));
	write_msr(&m, MSR_PERF_METRICS, v);
	run_counted(&m, VPMU_USR, 10);
	for (unsigned i = 4; i < 8; i++)
		assert_in_range((read_msr(&m, MSR_PERF_METRICS) >> 8 * i & 0xff) + 1,
				v >> 8 * i & 0xff, (v >> 8 * i & 0xff) + 1);
}

/* --- Counter masks --- */

/* Rename, execution and retirement stall on their own, and a mask is a number of slots. */
TEST(test_masks_of_stages)
{
	const uint64_t none = CMASK(1) | EVTSEL_INV;
	struct vpmu_model m = counting_model("skx", EVENTS_LEVEL_MODEL);

	assert_int_equal(counted_of(&m, SEL(0x0e, 1) | none),
			 C(STALLS_FRONTEND) + C(STALLS_BAD_SPECULATION) + C(STALLS_BACKEND));
	assert_int_equal(counted_of(&m, SEL(0xb1, 1) | none), C(STALLS_EXECUTE));
	assert_int_equal(counted_of(&m, SEL(0xc2, 2) | none), C(STALLS_RETIRE));
	assert_int_equal(counted_of(&m, SEL(0xc2, 2) | CMASK(1)), C(RETIRING));
	assert_int_equal(counted_of(&m, SEL(0xb1, 1)), C(EXECUTED));
	assert_int_equal(counted_of(&m, SEL(0xb1, 1) | CMASK(3)), C(EXECUTING_3));
	assert_int_equal(counted_of(&m, SEL(0xa6, 4)), (C(EXECUTING_2) - C(EXECUTING_3)) & MASK48);
	assert_int_equal(counted_of(&m, SEL(0x9c, 1) | CMASK(3)), C(LATE_3));
	assert_int_equal(counted_of(&m, SEL(0x9c, 1) | CMASK(4)), C(STALLS_FRONTEND));
	m = counting_model("icl", EVENTS_LEVEL_MODEL);
	assert_int_equal(counted_of(&m, SEL(0x9c, 1) | CMASK(2)), C(LATE_2));
	assert_int_equal(counted_of(&m, SEL(0x9c, 1) | CMASK(5)), C(STALLS_FRONTEND));
	assert_int_equal(counted_of(&m, SEL(0xa2, 2)), C(SERIALIZED));
	m = counting_model("hsw", EVENTS_LEVEL_MODEL);
	assert_int_equal(counted_of(&m, SEL(0xa2, 4)), C(FULL_SCHEDULER));
	assert_int_equal(counted_of(&m, SEL(0xa2, 0x10)), C(FULL_REORDER));
	m = counting_model("snb", EVENTS_LEVEL_MODEL);
	assert_int_equal(event_leaf(&m, SEL(0xa2, 2)).eax, TRUTH_MODELLED); /* load buffer */
	m = counting_model("zen4", EVENTS_LEVEL_MODEL);
	assert_int_equal(counted_of(&m, SEL(0xae, 2)), C(FULL_LOADS));
	assert_int_equal(counted_of(&m, SEL(0xae, 4)), C(FULL_STORES));
	assert_int_equal(counted_of(&m, SEL(0xaf, 0x20)), C(FULL_REORDER));
}

TEST(test_masks)
{
	static const struct {
		uint64_t sel;
		bool known;
	} rows[] = {
		{SEL(0xc4, 0), true},
		{SEL(0xc4, 0) | CMASK(1), false},
		{SEL(0xc4, 0) | CMASK(1) | EVTSEL_INV, false},
		{SEL(0xc4, 0) | EVTSEL_EDGE, false},
		{SEL(0xc4, 0) | EVTSEL_INV, true},
		{SEL(0x3c, 0) | CMASK(1), true},
		{SEL(0x3c, 0) | CMASK(2), false},
		{SEL(0x3c, 0) | CMASK(2) | EVTSEL_INV, false},
		{SEL(0xc0, 0) | CMASK(16) | EVTSEL_INV, true},
		{SEL(0x9c, 1) | CMASK(2), true},
		{SEL(0x9c, 1) | CMASK(7), false},
		{SEL(0x9c, 1) | CMASK(2) | EVTSEL_EDGE, false},
		{SEL(0xb1, 1) | CMASK(5), true},
		{SEL(0xb1, 1) | CMASK(6), false},
		{SEL(0xa1, 1), true},
		{SEL(0xa1, 3), false},
	};
	struct vpmu_model m = counting_model("skx", EVENTS_LEVEL_MODEL);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!!event_leaf(&m, rows[i].sel).ebx != rows[i].known)
			fail_msg("%#llx", (unsigned long long)rows[i].sel);
	assert_int_equal(counted_of(&m, SEL(0x3c, 0) | CMASK(1)), C(SLOTS) / 4);
	assert_int_equal(counted_of(&m, SEL(0xc0, 0) | CMASK(16) | EVTSEL_INV), C(SLOTS) / 4);
	assert_int_equal(event_leaf(&m, SEL(0xc0, 0) | CMASK(16) | EVTSEL_INV).eax, TRUTH_MODELLED);
	/* Without the plugin each event has a ratio. */
	m = model_of("skx", false);
	assert_true(event_leaf(&m, SEL(0xc4, 0) | CMASK(1)).ebx);
}

/* --- Kinds --- */

static uint64_t with_register(const char *uarch, uint64_t sel, uint32_t msr, uint64_t value)
{
	struct vpmu_model m = counting_model(uarch, EVENTS_LEVEL_MODEL);

	write_msr(&m, msr, value);
	return counted_of(&m, sel);
}

#define ANY_RESPONSE  0x10000ull
#define L3_HIT        0x3f803c0000ull
#define L3_MISS       0x3fbfc00000ull
#define L3_HIT_HITM   0x10003c0000ull
#define OFFCORE(mask) with_register("icl", SEL(0xb7, 1), MSR_OFFCORE_RSP_0, mask)

TEST(test_offcore)
{
	assert_int_equal(OFFCORE(ANY_RESPONSE | 1), C(LLC_READS));
	assert_int_equal(OFFCORE(L3_MISS | 1), C(LLC_READ_MISSES));
	assert_int_equal(OFFCORE(L3_HIT | 1), (C(LLC_READS) - C(LLC_READ_MISSES)) & MASK48);
	assert_int_equal(OFFCORE(ANY_RESPONSE | 2), C(LLC_STORES));
	assert_int_equal(OFFCORE(L3_MISS | 2), C(LLC_STORE_MISSES));
	assert_int_equal(OFFCORE(ANY_RESPONSE | 4), C(L2_CODE_MISSES));
	assert_int_equal(OFFCORE(L3_MISS | 4), C(LLC_CODE_MISSES));
	assert_int_equal(OFFCORE(ANY_RESPONSE | 0x400), C(PREFETCH_MISSES));
	assert_int_equal(OFFCORE(ANY_RESPONSE | 0x407),
			 C(LLC_READS) + C(LLC_STORES) + C(L2_CODE_MISSES) + C(PREFETCH_MISSES));
	assert_int_equal(OFFCORE(L3_HIT | L3_MISS | 3), C(LLC_READS) + C(LLC_STORES));
	assert_int_equal(OFFCORE(L3_HIT_HITM | 1), C(LOADS_MODIFIED));
	assert_int_equal(OFFCORE(L3_HIT_HITM | 3), C(LOADS_MODIFIED) + C(STORES_MODIFIED));
	assert_int_equal(OFFCORE(ANY_RESPONSE | 0x10), C(L2_PREFETCH_MISSES));
	assert_int_equal(OFFCORE(L3_HIT | 0x417),
			 (C(LLC_READS) + C(LLC_STORES) + C(L2_CODE_MISSES) + C(PREFETCH_MISSES) +
			  C(L2_PREFETCH_MISSES) - C(LLC_READ_MISSES) - C(LLC_STORE_MISSES) -
			  C(LLC_CODE_MISSES) - C(PREFETCH_LLC_MISSES) - C(L2_PREFETCH_LLC_MISSES)) &
				 MASK48);
	/* Haswell's demand reads include L1D's prefetches. */
	assert_int_equal(with_register("hsw", SEL(0xb7, 1), MSR_OFFCORE_RSP_0, ANY_RESPONSE | 1),
			 C(LLC_READS) + C(PREFETCH_MISSES));
}

TEST(test_latency)
{
	struct vpmu_model m = counting_model("skx", EVENTS_LEVEL_MODEL);

	write_msr(&m, MSR_PEBS_LD_LAT, 3);
	assert_int_equal(counted_of(&m, SEL(0xcd, 1)), C(LATENT_LOADS));
	write_msr(&m, MSR_PEBS_LD_LAT, 0);
	assert_int_equal(counted_of(&m, SEL(0xcd, 1)), 0);
}

TEST(test_frontend)
{
	static const struct {
		uint64_t value;
		enum events_count count;
		uint32_t latency;
	} kinds[] = {
		{0x12, EVENTS_L1I_MISSES, 0},
		{0x13, EVENTS_L2_CODE_MISSES, 0},
		{0x14, EVENTS_ITLB_MISSES, 0},
		{0x15, EVENTS_ITLB_WALKS, 0},
		{0x408006, EVENTS_LATENT_FETCHES, 0x80},
	};
	struct vpmu_model m = counting_model("skx", EVENTS_LEVEL_MODEL);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		write_msr(&m, MSR_PEBS_FRONTEND, kinds[i].value);
		assert_int_equal(counted_of(&m, SEL(0xc6, 1)), counts[kinds[i].count]);
		assert_int_equal(vpmu_model_fetch_latency(&m), kinds[i].latency);
		assert_int_equal(event_leaf(&m, SEL(0xc6, 1)).eax, TRUTH_MODELLED);
	}
	/* The model has no cache of micro-operations: misses are a share of the instructions. */
	write_msr(&m, MSR_PEBS_FRONTEND, 0x11);
	assert_int_equal(counted_of(&m, SEL(0xc6, 1)), 1000 * 2 / 200);
	assert_int_equal(event_leaf(&m, SEL(0xc6, 1)).eax, TRUTH_RATIO);
}

/* --- Remainders --- */

/*
 * An event moves from counter to counter. As with Linux, the old counter keeps its selector. No
 * remainder is lost or left there.
 */
TEST(test_moves)
{
	struct vpmu_model m = model_of("skx", true);
	uint64_t instructions = 0, sum = 0;

	for (unsigned turn = 0; turn < 1000; turn++) {
		const unsigned i = turn * 7 % 4;

		write_msr(&m, MSR_IA32_A_PMC0 + i, 0);
		write_msr(&m, MSR_IA32_PERFEVTSEL0 + i, SEL(0xc4, 0));
		run_model(&m, VPMU_USR, turn % 3 + 1);
		instructions += turn % 3 + 1;
		write_msr(&m, MSR_IA32_PERFEVTSEL0 + i, SEL(0xc4, 0) & ~EVTSEL_EN);
		sum += read_msr(&m, MSR_IA32_A_PMC0 + i);
		assert_int_equal(sum, instructions / 5);
	}
}

/* The same with more events than places for remainders: stored remainders stay. */
TEST(test_places)
{
	struct vpmu_model m = model_of("skx", true);
	uint64_t sum = 0;

	for (unsigned turn = 0; turn < 5; turn++) {
		write_msr(&m, MSR_IA32_A_PMC0, 0);
		write_msr(&m, MSR_IA32_PERFEVTSEL0, SEL(0xc4, 0));
		run_model(&m, VPMU_USR, 1);
		write_msr(&m, MSR_IA32_PERFEVTSEL0, SEL(0xc4, 0) & ~EVTSEL_EN);
		sum += read_msr(&m, MSR_IA32_A_PMC0);
		for (unsigned other = 0; other < 100; other++) {
			write_msr(&m, MSR_IA32_PERFEVTSEL0, SEL(0xd1, other % 2 ? 1 : 8));
			run_model(&m, VPMU_USR, 1);
		}
	}
	assert_int_equal(sum, 1);
}

/* Two events swap their counters each time, a third of an event at a time. */
TEST(test_turns)
{
	const uint64_t sels[] = {SEL(0xc4, 0), SEL(0xd1, 1)};
	struct vpmu_model m = model_of("skx", true);
	uint64_t sum[2] = {0};

	for (unsigned turn = 0; turn < 1000; turn++) {
		const unsigned first = turn % 2;

		for (unsigned i = 0; i < 2; i++) {
			write_msr(&m, MSR_IA32_A_PMC0 + i, 0);
			write_msr(&m, MSR_IA32_PERFEVTSEL0 + i, sels[first ^ i]);
		}
		run_model(&m, VPMU_USR, turn % 7 + 1);
		for (unsigned i = 0; i < 2; i++) {
			sum[first ^ i] += read_msr(&m, MSR_IA32_A_PMC0 + i);
			write_msr(&m, MSR_IA32_PERFEVTSEL0 + i,
				  turn % 3 ? 0 : sels[0] & ~EVTSEL_EN);
		}
	}
	assert_int_equal(sum[0], (1000 / 7 * 28 + 1 + 2 + 3 + 4 + 5 + 6) / 5);
	assert_int_equal(sum[1], (1000 / 7 * 28 + 1 + 2 + 3 + 4 + 5 + 6) * 19 / 80);
	/* A selector with other rings does not get this remainder. */
	write_msr(&m, MSR_IA32_A_PMC0, 0);
	write_msr(&m, MSR_IA32_PERFEVTSEL0, SEL(0xc4, 0) & ~EVTSEL_OS);
	run_model(&m, VPMU_USR, 4);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0), 0);
	/* A measurement begins without remainders. */
	vpmu_model_begin(&m);
	run_model(&m, VPMU_USR, 4);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0), 0);
	run_model(&m, VPMU_USR, 1);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0), 1);
}

/* --- All rows --- */

/* An event has the kind of its quantity, and its sum is within the limit of one instruction. */
static void check_truth(const struct vpmu_uarch *uarch, const struct vpmu_event *row)
{
	const struct vpmu_quantity *what = vpmu_quantity(row);
	struct vpmu_model m = counting_model(uarch->name, EVENTS_LEVEL_MODEL);
	const uint64_t sel = SEL(row->code & 0xff, row->umask) | CMASK(row->cmask) |
			     (row->inv ? EVTSEL_INV : 0) | (row->edge ? EVTSEL_EDGE : 0) |
			     (uint64_t)(row->code >> 8) << 32;
	const uint32_t truth = event_leaf(&m, sel).eax;

	assert_int_not_equal(event_leaf(&m, sel).ebx, 0);
	if (what->sum.term[0])
		assert_true(truth == TRUTH_EXACT || truth == TRUTH_MODELLED);
	else if (what->source == VPMU_SRC_REF_CYCLES)
		assert_int_equal(truth, TRUTH_MODELLED);
	else if (!row->kinds && what->num != what->den)
		assert_int_equal(truth, TRUTH_RATIO);
	for (unsigned i = 0; i + 1 < VPMU_TERMS; i++)
		assert_true(what->sum.term[i] || !what->sum.term[i + 1]);
}

TEST(test_truths)
{
	struct vpmu_rows rows;
	size_t n;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&n);

	for (size_t u = 0; u < n; u++) {
		vpmu_rows_init(&rows, list[u]->events);
		for (unsigned e = 0; e < rows.nrows; e++)
			if (rows.row[e]->counters)
				check_truth(list[u], rows.row[e]);
	}
}
