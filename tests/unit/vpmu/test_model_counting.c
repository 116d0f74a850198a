// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_counting.c - the contract of vpmu/model/model.h: the events, counters and counts. The
 * test compares the model with the manuals, not with real CPUs.
 */
#include "tests/unit/vpmu/modelled_pmu.h"

#include "tests/unit/test.h"

/* --- Counting --- */

/* Counts with `value` in `msr`, unless that is 0. */
static uint64_t counted(const char *uarch, unsigned i, uint64_t sel, uint64_t n, uint32_t msr,
			uint64_t value)
{
	struct vpmu_model m = model_of(uarch, false);

	if (msr)
		write_msr(&m, msr, value);
	write_msr(&m, general_selector_msr(&m, i), sel);
	run_model(&m, VPMU_USR, n);
	return read_msr(&m, general_counter_msr(&m, i));
}

static const struct counting {
	const char *uarch;
	unsigned counter;
	uint64_t sel;
	uint64_t n, count;
} countings[] = {
	{"hsw", 0, SEL(0xc0, 0), 12345, 12345},
	{"hsw", 7, SEL(0xc0, 0), 12345, 12345},
	{"hsw", 0, SEL(0x3c, 0), 1000, 1000 * CPI},
	{"hsw", 0, SEL(0x3c, 1), 1000, 1000 * CPI / 10},
	{"hsw", 0, SEL(0xc4, 0), 1004, 200},
	{"hsw", 0, SEL(0xff, 0xff), 1000, 0},
	{"hsw", 0, SEL(0xc0, 0) & ~EVTSEL_EN, 1000, 0},
	{"hsw", 0, SEL(0xc0, 0) & ~EVTSEL_USR, 1000, 0},
	/* Constraints. */
	{"hsw", 2, SEL(0x48, 1), 1000, 1000 * CPI / 4},
	{"hsw", 1, SEL(0x48, 1), 1000, 0},
	{"hsw", 6, SEL(0x48, 1), 1000, 0},
	{"hsw", 3, SEL(0xd1, 1), 8000, 1900},
	{"hsw", 4, SEL(0xd1, 1), 8000, 0},
	{"hsw", 1, SEL(0xc0, 1), 1000, 1000},
	{"hsw", 0, SEL(0xc0, 1), 1000, 0},
	{"skx", 0, SEL(0x48, 1), 1000, 1000 * CPI / 4},
	{"skx", 3, SEL(0xd1, 1), 8000, 1900},
	{"skx", 4, SEL(0xd1, 1), 8000, 0},
	{"icl", 3, SEL(0xd1, 1), 8000, 1900},
	{"icl", 4, SEL(0xd1, 1), 8000, 0},
	{"icl", 7, SEL(0xa4, 1), 100, 100 * CPI * 5},
	{"zen4", 5, SEL(0xc0, 0), 777, 777},
	{"zen4", 5, SEL(0x76, 0), 777, 777 * CPI},
	{"zen4", 0, SEL(0x8f, 3) | 2ull << 32, 1000, 900},
	{"zen4", 0, SEL(0x8f, 3), 1000, 0},
	/* Counter masks, and names that have one. */
	{"hsw", 0, SEL(0xa3, 4) | CMASK(4), 1000, 1000 * CPI / 2},
	{"hsw", 0, SEL(0xa3, 4), 1000, 0},
	{"hsw", 4, SEL(0xa3, 4) | CMASK(4), 1000, 0},
	{"hsw", 0, SEL(0xc4, 0) | CMASK(1), 1000, 200},
	{"hsw", 0, SEL(0xc4, 0) | CMASK(1) | EVTSEL_EDGE, 1000, 200},
	{"hsw", 0, SEL(0xc4, 0) | CMASK(2), 1000, 0},
	{"hsw", 0, SEL(0xc4, 0) | CMASK(1) | EVTSEL_INV, 1000, 1000 * CPI - 200},
	{"hsw", 0, SEL(0xc4, 0) | CMASK(2) | EVTSEL_INV, 1000, 1000 * CPI},
	{"hsw", 0, SEL(0xc4, 0) | EVTSEL_INV, 1000, 200},
	{"icl", 0, SEL(0xa4, 1) | CMASK(5), 1000, 1000 * CPI},
	{"icl", 0, SEL(0xa4, 1) | CMASK(6), 1000, 0},
};

TEST(test_counting)
{
	for (size_t i = 0; i < sizeof(countings) / sizeof(*countings); i++) {
		const struct counting *c = &countings[i];
		uint64_t got = counted(c->uarch, c->counter, c->sel, c->n, 0, 0);

		if (got != c->count)
			fail_msg("row %zu: %s counter %u selector %#llx: %llu, not %llu", i,
				 c->uarch, c->counter, (unsigned long long)c->sel,
				 (unsigned long long)got, (unsigned long long)c->count);
	}
}

/* The value of a register determines the part of an event that counts. */
TEST(test_kinds)
{
	static const struct {
		const char *uarch;
		unsigned counter;
		uint64_t sel, n, count;
		uint32_t msr;
		uint64_t value;
	} rows[] = {
		{"hsw", 3, SEL(0xcd, 1), 800, 10, MSR_PEBS_LD_LAT, 3},
		{"hsw", 3, SEL(0xcd, 1), 800, 0, MSR_PEBS_LD_LAT, 2},
		{"hsw", 0, SEL(0xcd, 1), 800, 0, MSR_PEBS_LD_LAT, 3},
		{"hsw", 0, SEL(0xb7, 1), 4000, 0, 0, 0},
		{"hsw", 0, SEL(0xb7, 1), 4000, 10, MSR_OFFCORE_RSP_0, 0x8000},
		{"hsw", 0, SEL(0xb7, 1), 4000, 20, MSR_OFFCORE_RSP_0, 0x2000008001},
		{"hsw", 0, SEL(0xb7, 1), 4000, 0, MSR_OFFCORE_RSP_1, 0x1},
		{"skx", 3, SEL(0xbb, 1), 4000, 10, MSR_OFFCORE_RSP_1, 0x10001},
		{"skx", 3, SEL(0xbb, 1), 4000, 20, MSR_OFFCORE_RSP_1, 0x10003},
		/* Linux's encodings of loads that miss the last level, and of hits there. */
		{"skx", 3, SEL(0xb7, 1), 4000, 2, MSR_OFFCORE_RSP_0, 0x3fbc020001},
		{"skx", 3, SEL(0xb7, 1), 4000, 8, MSR_OFFCORE_RSP_0, 0x3f803c0001},
		{"skx", 3, SEL(0xb7, 1), 4000, 10, MSR_OFFCORE_RSP_0, 0x3fbc3c0001},
		{"skx", 4, SEL(0xbb, 1), 4000, 0, MSR_OFFCORE_RSP_1, 0x10001},
		{"icl", 0, SEL(0xbb, 1), 4000, 0, MSR_OFFCORE_RSP_0, 0x10001},
		{"skx", 0, SEL(0xc6, 1), 400, 4, MSR_PEBS_FRONTEND, 0x11},
		{"skx", 0, SEL(0xc6, 1), 400, 0, 0, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(counted(rows[i].uarch, rows[i].counter, rows[i].sel, rows[i].n,
					 rows[i].msr, rows[i].value),
				 rows[i].count);
}

/* Every row counts floor(source * num / den) on each of its counters, and nothing on others. If a
 * register selects kinds, the test selects one. */
static void check_counted(const struct vpmu_uarch *uarch, const struct vpmu_event *ev)
{
	static const struct {
		uint32_t msr;
		uint64_t one;
	} kinds[] = {
		[VPMU_KINDS_NONE] = {0, 0},
		[VPMU_KINDS_OFFCORE_0] = {MSR_OFFCORE_RSP_0, 1},
		[VPMU_KINDS_OFFCORE_1] = {MSR_OFFCORE_RSP_1, 1},
		[VPMU_KINDS_LD_LAT] = {MSR_PEBS_LD_LAT, 100},
		[VPMU_KINDS_FRONTEND] = {MSR_PEBS_FRONTEND, 1},
	};
	const uint64_t n = 1000003;
	const struct vpmu_quantity *what = vpmu_quantity(ev);
	const uint64_t units[] = {
		[VPMU_SRC_NONE] = 0,
		[VPMU_SRC_INSTRUCTIONS] = n,
		[VPMU_SRC_CYCLES] = n * CPI,
		[VPMU_SRC_REF_CYCLES] = n * CPI,
		[VPMU_SRC_SLOTS] = n * CPI * uarch->slots,
	};
	uint64_t sel = SEL(ev->code & 0xff, ev->umask) | CMASK(ev->cmask) |
		       (ev->inv ? EVTSEL_INV : 0) | (ev->edge ? EVTSEL_EDGE : 0) |
		       (uint64_t)(ev->code >> 8) << 32;
	/* A counter alone is too narrow for such an event. */
	unsigned num = ev->large ? 0 : what->num;
	struct vpmu_model m = model_of(uarch->name, false);
	uint64_t ignored;

	/* KVM has none of these registers. */
	if (kinds[ev->kinds].msr &&
	    vpmu_model_rdmsr(&m, kinds[ev->kinds].msr, &ignored) != VPMU_DONE) {
		assert_true(uarch->has & VPMU_KVM);
		return;
	}
	for (unsigned i = 0; i < uarch->gp[0]; i++) {
		uint64_t want = ev->counters >> i & 1 ? units[what->source] * num / what->den : 0;

		assert_int_equal(
			counted(uarch->name, i, sel, n, kinds[ev->kinds].msr, kinds[ev->kinds].one),
			want);
	}
}

TEST(test_every_event)
{
	struct vpmu_rows rows;
	size_t count;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&count);

	for (size_t u = 0; u < count; u++) {
		vpmu_rows_init(&rows, list[u]->events);
		for (unsigned e = 0; e < rows.nrows; e++)
			if (rows.row[e]->counters)
				check_counted(list[u], rows.row[e]);
	}
}

/* PPR, "Large Increment per Cycle Events": an even counter, with the odd one above it. */
TEST(test_merged)
{
	const uint64_t merge = (SEL(0xff, 0) & ~OS_USR) | EVTSEL_AMD_EVENT_HI;
	struct vpmu_model z = model_of("zen4", true);

	write_msr(&z, MSR_AMD_PERF_CNTR_GLOBAL_CTL, 0x3f);
	write_msr(&z, MSR_AMD_PERF_CTL0 + 4, SEL(0x03, 1) | EVTSEL_INT);
	write_msr(&z, MSR_AMD_PERF_CTL0 + 6, merge & ~EVTSEL_EN);
	run_model(&z, VPMU_USR, 1000);
	assert_int_equal(read_msr(&z, MSR_AMD_PERF_CTR0 + 4), 0);
	write_msr(&z, MSR_AMD_PERF_CTL0 + 6, merge);
	run_model(&z, VPMU_USR, 1000);
	assert_int_equal(read_msr(&z, MSR_AMD_PERF_CTR0 + 4), 100);

	/* 64 bits: the upper 16 overflow. */
	write_msr(&z, MSR_AMD_PERF_CTR0 + 4, MASK48 - 9);
	write_msr(&z, MSR_AMD_PERF_CTR0 + 6, 0xfffe);
	assert_true(vpmu_model_until(&z, VPMU_USR) == UINT64_MAX);
	run_model(&z, VPMU_USR, 110);
	assert_int_equal(read_msr(&z, MSR_AMD_PERF_CTR0 + 4), 1);
	assert_int_equal(read_msr(&z, MSR_AMD_PERF_CTR0 + 6), 0xffff);
	assert_int_equal(read_msr(&z, MSR_AMD_PERF_CNTR_GLOBAL_STATUS), 0);
	write_msr(&z, MSR_AMD_PERF_CTR0 + 4, MASK48 - 9);
	assert_int_equal(vpmu_model_until(&z, VPMU_USR), 100);
	run_model(&z, VPMU_USR, 100);
	assert_int_equal(read_msr(&z, MSR_AMD_PERF_CTR0 + 4), 0);
	assert_int_equal(read_msr(&z, MSR_AMD_PERF_CTR0 + 6), 0);
	assert_int_equal(read_msr(&z, MSR_AMD_PERF_CNTR_GLOBAL_STATUS), 4);
	assert_int_equal(vpmu_model_until(&z, VPMU_USR), 0);
}

/* Because remainders are kept, counts do not depend on the sizes of the steps. */
TEST(test_remainders)
{
	struct vpmu_model once = model_of("skx", true), often = once;

	for (unsigned i = 0; i < 4; i++) {
		static const uint64_t sel[] = {SEL(0xc4, 0), SEL(0xd1, 1), SEL(0x3c, 1),
					       SEL(0xc4, 0) | CMASK(1) | EVTSEL_INV};

		write_msr(&once, MSR_IA32_PERFEVTSEL0 + i, sel[i]);
		write_msr(&often, MSR_IA32_PERFEVTSEL0 + i, sel[i]);
	}
	run_model(&once, VPMU_OS, 100000);
	for (unsigned k = 0, left = 100000; left; k++) {
		unsigned n = k % 7 + 1 < left ? k % 7 + 1 : left;

		run_model(&often, k % 2 ? VPMU_OS : VPMU_USR, n);
		left -= n;
	}
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(read_msr(&once, MSR_IA32_PMC0 + i),
				 read_msr(&often, MSR_IA32_PMC0 + i));
}

TEST(test_rings)
{
	struct vpmu_model m = model_of("skx", true);

	write_msr(&m, MSR_IA32_PERFEVTSEL0, SEL(0xc0, 0) & ~EVTSEL_OS);
	write_msr(&m, MSR_IA32_PERFEVTSEL0 + 1, SEL(0xc0, 0) & ~EVTSEL_USR);
	write_msr(&m, MSR_IA32_PERFEVTSEL0 + 2, SEL(0xc0, 0));
	assert_true(vpmu_model_asymmetric(&m));
	run_model(&m, VPMU_OS, 300);
	run_model(&m, VPMU_USR, 50);
	assert_int_equal(read_msr(&m, MSR_IA32_PMC0), 50);
	assert_int_equal(read_msr(&m, MSR_IA32_PMC0 + 1), 300);
	assert_int_equal(read_msr(&m, MSR_IA32_PMC0 + 2), 350);
	/* Until all are gone. */
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 4);
	assert_true(vpmu_model_asymmetric(&m));
	for (unsigned i = 0; i < 3; i++)
		write_msr(&m, MSR_IA32_PERFEVTSEL0 + i, 0);
	assert_false(vpmu_model_asymmetric(&m));
	/* Symmetric: an event of both rings, an event that never counts, a counter that is off. */
	write_msr(&m, MSR_IA32_PERFEVTSEL0, SEL(0xc0, 0) & ~EVTSEL_OS);
	write_msr(&m, MSR_IA32_PERFEVTSEL0 + 1, SEL(0xff, 0xff) & ~EVTSEL_OS);
	write_msr(&m, MSR_IA32_PERFEVTSEL0 + 2, SEL(0xc0, 0));
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 6);
	assert_false(vpmu_model_asymmetric(&m));
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 7);
	assert_true(vpmu_model_asymmetric(&m));
}

TEST(test_fixed)
{
	struct vpmu_model m = model_of("icl", true);

	write_msr(&m, MSR_IA32_FIXED_CTR_CTRL, 0x3331);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0xf00000000 | GLOBAL_METRICS);
	run_model(&m, VPMU_USR, 10);
	run_model(&m, VPMU_OS, 1);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0), 1);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0 + 1), 11 * CPI);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0 + 2), 11 * CPI);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0 + 3), 11 * CPI * 5);
}

TEST(test_metrics)
{
	struct vpmu_model m = model_of("icl", true);
	unsigned sum = 0;
	uint64_t v;

	write_msr(&m, MSR_PERF_METRICS, 0);
	write_msr(&m, MSR_IA32_FIXED_CTR_CTRL, 0x3000);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0x800000000);
	run_model(&m, VPMU_USR, 10);
	assert_int_equal(read_msr(&m, MSR_PERF_METRICS), 0);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0x800000000 | GLOBAL_METRICS);
	run_model(&m, VPMU_USR, 10);
	v = read_msr(&m, MSR_PERF_METRICS);
	for (int i = 0; i < 4; i++)
		sum += v >> (8 * i) & 0xff;
	assert_int_equal(sum, 0xff);
}

TEST(test_inuse)
{
	struct vpmu_model m = model_of("skx", true);

	write_msr(&m, MSR_IA32_PERFEVTSEL0 + 1, SEL(0xc0, 0));
	write_msr(&m, MSR_IA32_FIXED_CTR_CTRL, 0x020);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_INUSE), 0x200000002);
	write_msr(&m, MSR_IA32_FIXED_CTR_CTRL, 0x0a0);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_GLOBAL_INUSE), 1ull << 63 | 0x200000002);
}

/* --- The table itself --- */

static void check_event_rows(const struct vpmu_uarch *row)
{
	struct vpmu_rows rows;

	vpmu_rows_init(&rows, row->events);
	for (unsigned e = 0; e < rows.nrows; e++) {
		const struct vpmu_event *ev = rows.row[e];

		if (!ev->counters)
			continue;
		assert_int_not_equal(vpmu_quantity(ev)->den, 0);
		assert_int_not_equal(ev->counters & ((1u << row->gp[0]) - 1), 0);
	}
}

TEST(test_rows)
{
	size_t count;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&count);

	assert_int_equal(count, VPMU_NUMBERS);
	assert_null(vpmu_uarch_find("p4"));
	for (size_t u = 0; u < count; u++) {
		const struct vpmu_uarch *row = list[u];

		assert_ptr_equal(vpmu_uarch_find(row->name), row);
		check_event_rows(row);
		if (row->small)
			check_event_rows(row->small);
	}
}
