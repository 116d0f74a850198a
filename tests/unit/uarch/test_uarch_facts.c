// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_uarch_facts.c - facts of each microarchitecture, written by hand; registers; errata.
 */
#include "tests/unit/uarch/uarch_rows.h"

#include "tests/unit/test.h"

/* --- Facts by hand --- */

#define F(n) UARCH_FIXED(n)

TEST(test_machines)
{
	static const struct {
		const char *name;
		uint64_t ht_on, ht_off, pebs;
		uint8_t width;
	} rows[] = {
		{"nhm", 0x70000000f, 0x70000000f, 0xf, 48},
		{"wsm", 0x70000000f, 0x70000000f, 0xf, 48},
		{"snb", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"ivb", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"hsw", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"bdw", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"skl", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"clx", 0x70000000f, 0x7000000ff, 0xf, 48},
		{"icl", 0xf000000ff, 0xf000000ff, 0xf000000ff, 48},
		{"tgl", 0xf000000ff, 0xf000000ff, 0xf000000ff, 48},
		{"spr", 0xf000000ff, 0xf000000ff, 0xf000000ff, 48},
		{"gnr", 0xf000000ff, 0xf000000ff, 0xf000000ff, 48},
		{"lnl_p", 0xf000003ff, 0xf000003ff, 0xf000003ff, 48},
		{"lnl_e", 0x77000000ff, 0x77000000ff, 0x77000000ff, 48},
		{"adl_e", 0x70000003f, 0x70000003f, 0x70000003f, 48},
		{"mtl_e", 0x7000000ff, 0x7000000ff, 0x7000000ff, 48},
		{"ptl_p", 0xf000003ff, 0xf000003ff, 0xf000003ff, 48},
		{"cwf", 0x77000000ff, 0x77000000ff, 0x77000000ff, 48},
		{"slm", 0x700000003, 0x700000003, 0x1, 40},
		{"knl", 0x700000003, 0x700000003, 0x1, 40},
		{"glm", 0x70000000f, 0x70000000f, 0x1, 48},
		{"glp", 0x70000000f, 0x70000000f, 0x70000000f, 48},
		{"tnt", 0x70000000f, 0x70000000f, 0x70000000f, 48},
		{"k8", 0xf, 0xf, 0, 48},
		{"fam10h", 0xf, 0xf, 0, 48},
		{"fam15h", 0x3f, 0x3f, 0, 48},
		{"fam16h", 0xf, 0xf, 0, 48},
		{"zen1", 0x3f, 0x3f, 0, 48},
		{"zen5", 0x3f, 0x3f, 0, 48},
	};

	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct uarch *u = uarch_by_name(rows[i].name);

		assert_non_null(u);
		if (uarch_machine_counters(u, true) != rows[i].ht_on ||
		    uarch_machine_counters(u, false) != rows[i].ht_off)
			fail_msg("%s: counters", u->name);
		assert_true((UARCH_WITH(u, pebs)->pebs & rows[i].ht_off) == rows[i].pebs);
		assert_int_equal(UARCH_WITH(u, width)->width, rows[i].width);
	}
}

struct fact {
	const char *name;
	uint64_t select, counters; /* of the machine with hyper-threading off */
};

static const struct fact facts[] = {
	/* Fixed counters, and the plain event only. */
	{"hsw", UARCH_SELECT(0xc0, 0), F(0) | 0xff},
	{"hsw", UARCH_SELECT(0xc0, 0) | UARCH_CMASK(1), 0xff},
	{"hsw", UARCH_SELECT(0xc0, 0) | EVTSEL_EDGE, 0xff},
	{"hsw", UARCH_SELECT(0xc0, 0) | EVTSEL_ANY, F(0) | 0xff},
	{"hsw", UARCH_SELECT(0x3c, 0), F(1) | 0xff},
	{"hsw", UARCH_SELECT(0, 1), F(0)},
	{"hsw", UARCH_SELECT(0, 2) | EVTSEL_ANY, F(1)},
	{"hsw", UARCH_SELECT(0, 3), F(2)},
	{"hsw", UARCH_SELECT(0, 4), 0},
	{"hsw", UARCH_SELECT(0, 8), 0},
	{"icl", UARCH_SELECT(0, 4), F(3)},
	{"lnl_e", UARCH_SELECT(0, 4), 0},
	{"lnl_e", UARCH_SELECT(0, 5), F(4)},
	{"lnl_e", UARCH_SELECT(0, 7), F(6)},
	{"lnl_e", UARCH_SELECT(0xc2, 2), F(6) | 0xff},
	{"lnl_p", UARCH_SELECT(0, 5), 0},
	{"lnl_p", UARCH_SELECT(0xc0, 0), F(0) | 0x3ff},
	{"skl", UARCH_SELECT(0x3c, 1), 0xff},
	{"adl_p", UARCH_SELECT(0x3c, 1), F(2) | 0xff},
	{"hsw", UARCH_SELECT(0xc0, 0) | UARCH_IN_TX, 0xff},
	{"hsw", UARCH_SELECT(0xc0, 0) | UARCH_IN_TXCP, 0x4},
	{"skx", UARCH_SELECT(0x3c, 0) | UARCH_IN_TX | UARCH_IN_TXCP, 0x4},
	/* Nehalem, Westmere. */
	{"nhm", UARCH_SELECT(0x0b, 0x10), 0x8},
	{"nhm", UARCH_SELECT(0x0b, 0x01), 0xf},
	{"nhm", UARCH_SELECT(0x40, 0x01), 0x3},
	{"nhm", UARCH_SELECT(0x51, 0x01), 0x3},
	{"nhm", UARCH_SELECT(0xb7, 0x01), 0x4},
	{"wsm", UARCH_SELECT(0x40, 0x01), 0xf},
	{"wsm", UARCH_SELECT(0x60, 0x01), 0x1},
	{"wsm", UARCH_SELECT(0xb3, 0x04), 0x1},
	{"wsm", UARCH_SELECT(0xb7, 0x01), 0xf},
	{"westmereex", UARCH_SELECT(0xb7, 0x01), 0x4},
	/* Sandy Bridge to Broadwell. */
	{"snb", UARCH_SELECT(0x48, 0x01), 0x4},
	{"snb", UARCH_SELECT(0xa3, 0x02), 0x4},
	{"snb", UARCH_SELECT(0xa3, 0x04), 0xf},
	{"snb", UARCH_SELECT(0xa3, 0x06), 0x4},
	{"snb", UARCH_SELECT(0xc0, 0x01), 0x2},
	{"snb", UARCH_SELECT(0xcd, 0x01), 0x8},
	{"snb", UARCH_SELECT(0xd0, 0x81), 0xf},
	{"ivb", UARCH_SELECT(0x48, 0x01), 0x4},
	{"ivb", UARCH_SELECT(0xa3, 0x08), 0x4},
	{"ivb", UARCH_SELECT(0xa3, 0x0c), 0x4},
	{"ivb", UARCH_SELECT(0x79, 0x02), 0xf},
	{"hsw", UARCH_SELECT(0x48, 0x01), 0x4},
	{"hsw", UARCH_SELECT(0x48, 0x02), 0xff},
	{"hsw", UARCH_SELECT(0xa3, 0x08), 0x4},
	{"hsw", UARCH_SELECT(0xa3, 0x0c), 0x4},
	{"hsw", UARCH_SELECT(0xa3, 0x04), 0xf},
	{"hsw", UARCH_SELECT(0xcd, 0x01), 0x8},
	{"hsw", UARCH_SELECT(0xd1, 0x55), 0xf},
	{"hsw", UARCH_SELECT(0x08, 0x0e), 0xff},
	{"bdw", UARCH_SELECT(0x48, 0x01), 0x4},
	{"bdw", UARCH_SELECT(0xa3, 0x08), 0x4},
	{"bdw", UARCH_SELECT(0xcd, 0x01), 0x8},
	{"bdw", UARCH_SELECT(0xd2, 0x01), 0xf},
	/* Skylake to Sunny Cove. */
	{"skl", UARCH_SELECT(0x48, 0x01), 0xff},
	{"skl", UARCH_SELECT(0xa3, 0x0c), 0xff},
	{"skl", UARCH_SELECT(0xc0, 0x01), 0x2},
	{"skl", UARCH_SELECT(0xc0, 0x01) | EVTSEL_INV | UARCH_CMASK(10), 0xd},
	{"skl", UARCH_SELECT(0xd0, 0x81), 0xf},
	{"skx", UARCH_SELECT(0xc6, 0x01), 0xf},
	{"clx", UARCH_SELECT(0xcd, 0x01), 0xf},
	{"skl", UARCH_SELECT(0x49, 0x0e), 0xff},
	{"icl", UARCH_SELECT(0x08, 0x0e), 0xf},
	{"icl", UARCH_SELECT(0x49, 0x02), 0xf},
	{"icl", UARCH_SELECT(0x85, 0x0e), 0xf},
	{"icl", UARCH_SELECT(0xc4, 0x00), 0xff},
	{"icx", UARCH_SELECT(0xd1, 0x01), 0xf},
	{"tgl", UARCH_SELECT(0xd1, 0x01), 0xf},
	/* Golden Cove and later. */
	{"spr", UARCH_SELECT(0xcd, 0x01), 0xfe},
	{"spr", UARCH_SELECT(0xcd, 0x02), 0x1},
	{"spr", UARCH_SELECT(0xd0, 0x81), 0xf},
	{"adl_p", UARCH_SELECT(0xa3, 0x06), 0xf},
	{"gnr", UARCH_SELECT(0xcd, 0x01), 0xfe},
	{"lnl_p", UARCH_SELECT(0xcd, 0x01), 0x3fc},
	{"lnl_p", UARCH_SELECT(0x2a, 0x01), 0x3ff},
	{"lnl_p", UARCH_SELECT(0xa3, 0x08), 0x4},
	{"arl_p", UARCH_SELECT(0xa3, 0x0c), 0x4},
	{"lnl_p", UARCH_SELECT(0xa3, 0x04), 0x3ff},
	{"adl_p", UARCH_SELECT(0x0e, 0x01), 0xf},
	{"spr", UARCH_SELECT(0x8d, 0x01), 0xf},
	{"spr", UARCH_SELECT(0x2e, 0x41), 0xff},
	{"spr", UARCH_SELECT(0x3c, 0x08), 0xff},
	{"gnr", UARCH_SELECT(0x28, 0x07), 0xf},
	{"mtl_p", UARCH_SELECT(0x90, 0x01), 0xff},
	{"spr", UARCH_SELECT(0x2b, 0x01), 0xf},
	/* The small cores. */
	{"adl_e", UARCH_SELECT(0xd0, 0x05), 0x3},
	{"adl_e", UARCH_SELECT(0xd0, 0x06), 0x3f},
	{"srf", UARCH_SELECT(0xd0, 0x05), 0x3},
	{"mtl_e", UARCH_SELECT(0xd1, 0x01), 0xff},
	{"slm", UARCH_SELECT(0xb7, 0x01), 0x3},
	{"slm", UARCH_SELECT(0x3c, 0x01), 0x3},
	{"glm", UARCH_SELECT(0xd1, 0x01), 0xf},
	{"tnt", UARCH_SELECT(0x3c, 0x01), F(2) | 0xf},
	/* AMD: classes of family 15h, the northbridge, pairs. */
	{"k7", UARCH_AMD_SELECT(0x0e0, 0), 0xf},
	{"k8", UARCH_AMD_SELECT(0x0e0, 1), 0xf},
	{"fam10h", UARCH_AMD_SELECT(0x4e1, 1), 0xf},
	{"fam16h", UARCH_AMD_SELECT(0x0e0, 1), 0},
	{"fam15h", UARCH_AMD_SELECT(0x0e0, 1), 0},
	{"fam15h", UARCH_AMD_SELECT(0x000, 0x07), 0x38},
	{"fam15h", UARCH_AMD_SELECT(0x000, 0x70), 0x38},
	{"fam15h", UARCH_AMD_SELECT(0x000, 0x77), 0x08},
	{"fam15h", UARCH_AMD_SELECT(0x003, 0xff), 0x08},
	{"fam15h", UARCH_AMD_SELECT(0x004, 0x04), 0x38},
	{"fam15h", UARCH_AMD_SELECT(0x004, 0x06), 0x08},
	{"fam15h", UARCH_AMD_SELECT(0x005, 0x0f), 0x38},
	{"fam15h", UARCH_AMD_SELECT(0x023, 0x01), 0x07},
	{"fam15h", UARCH_AMD_SELECT(0x02d, 0x00), 0x08},
	{"fam15h", UARCH_AMD_SELECT(0x02e, 0x00), 0x09},
	{"fam15h", UARCH_AMD_SELECT(0x031, 0x10), 0x07},
	{"fam15h", UARCH_AMD_SELECT(0x031, 0x11), 0},
	{"fam15h", UARCH_AMD_SELECT(0x040, 0x00), 0x3f},
	{"fam15h", UARCH_AMD_SELECT(0x076, 0x00), 0x07},
	{"fam15h", UARCH_AMD_SELECT(0x07d, 0x07), 0x07},
	{"fam15h", UARCH_AMD_SELECT(0x08f, 0x00), 0x01},
	{"fam15h", UARCH_AMD_SELECT(0x0a0, 0x00), 0},
	{"fam15h", UARCH_AMD_SELECT(0x0c0, 0x00), 0x3f},
	{"fam15h", UARCH_AMD_SELECT(0x1c0, 0x00), 0x38},
	{"fam15h", UARCH_AMD_SELECT(0x0db, 0x00), 0x3f},
	{"fam15h", UARCH_AMD_SELECT(0x0d0, 0x00), 0x07},
	{"zen1", UARCH_AMD_SELECT(0x003, 0x08), 0x15},
	{"zen4", UARCH_AMD_SELECT(0x003, 0x08), 0x15},
	{"zen3", UARCH_AMD_SELECT(0x0c0, 0x00), 0x3f},
	{"zen5", UARCH_AMD_SELECT(0x076, 0x00), 0x3f},
};

TEST(test_facts)
{
	for (size_t i = 0; i < UARCH_COUNT(facts); i++) {
		const struct uarch *u = uarch_by_name(facts[i].name);
		uint64_t got;

		assert_non_null(u);
		got = uarch_counters(u, facts[i].select) & uarch_machine_counters(u, false);
		if (got != facts[i].counters)
			fail_msg("%s: 0x%llx counts on 0x%llx, not 0x%llx", u->name,
				 (unsigned long long)facts[i].select, (unsigned long long)got,
				 (unsigned long long)facts[i].counters);
	}
}

/*
 * The emulated PMU has its own tables, which were also made from the manuals: an event must count
 * there on every counter that this table allows.
 */
TEST(test_emulated_pmu_agrees)
{
	size_t n, compared = 0;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&n);
	struct vpmu_rows rows;

	for (size_t i = 0; i < n; i++) {
		const struct uarch *u = uarch_by_name(list[i]->name);

		assert_non_null(u);
		vpmu_rows_init(&rows, list[i]->events);
		for (unsigned k = 0; k < rows.nrows; k++) {
			const struct vpmu_event *e = rows.row[k];
			uint64_t select = UARCH_AMD_SELECT(e->code, (uint64_t)e->umask) |
					  UARCH_CMASK(e->cmask) | (e->inv ? EVTSEL_INV : 0);
			uint64_t mine = uarch_counters(u, select) &
					uarch_machine_counters(u, false) & UARCH_GENERAL;

			if (!e->counters)
				continue;
			compared++;
			if (mine & ~(uint64_t)e->counters)
				fail_msg("%s: %#x.%#x is on 0x%llx here, on 0x%x there", u->name,
					 e->code, e->umask, (unsigned long long)mine, e->counters);
		}
	}
	assert_true(compared > 100);
}

/* Constraints of each version of Linux. */
TEST(test_versions)
{
	static const struct {
		const char *name;
		uint64_t select;
		uint32_t version;
		uint64_t counters;
	} rows[] = {
		{"hsw", UARCH_SELECT(0xa3, 0x01), UARCH_LINUX(3, 19), 0x4},
		{"hsw", UARCH_SELECT(0xa3, 0x04), UARCH_LINUX_RC(4, 0, 6), 0x4},
		{"hsw", UARCH_SELECT(0xa3, 0x04), UARCH_LINUX_RC(4, 0, 7), 0xf},
		{"hsw", UARCH_SELECT(0xa3, 0x01), UARCH_LINUX(4, 0), 0xff},
		{"bdw", UARCH_SELECT(0xa3, 0x0c), UARCH_LINUX(4, 2), 0x4},
		{"bdw", UARCH_SELECT(0xa3, 0x05), UARCH_LINUX_RC(4, 3, 3), 0x4},
		{"bdw", UARCH_SELECT(0xa3, 0x05), UARCH_LINUX_RC(4, 3, 4), 0xf},
		{"bdw", UARCH_SELECT(0xd0, 0x81), UARCH_LINUX_RC(4, 7, 6), 0xff},
		{"bdw", UARCH_SELECT(0xd0, 0x81), UARCH_LINUX_RC(4, 7, 7), 0xf},
		{"bdw", UARCH_SELECT(0xcd, 0x01), UARCH_LINUX(4, 6), 0xff},
		{"skl", UARCH_SELECT(0xc6, 0x01), UARCH_LINUX(4, 6), 0xff},
		{"skl", UARCH_SELECT(0xc6, 0x01), UARCH_LINUX(4, 7), 0xf},
		{"skl", UARCH_SELECT(0xd2, 0x01), UARCH_LINUX(4, 6), 0xff},
		{"hsw", UARCH_SELECT(0xd0, 0x81), UARCH_LINUX(3, 10), 0xf},
		{"slm", UARCH_SELECT(0x3c, 0x01), UARCH_LINUX(3, 14), F(2)},
		{"slm", UARCH_SELECT(0x3c, 0x01), UARCH_LINUX_RC(3, 15, 6), F(2)},
		{"slm", UARCH_SELECT(0x3c, 0x01), UARCH_LINUX(3, 15), 0x3},
	};

	assert_true(UARCH_LINUX_RC(4, 1, 1) < UARCH_LINUX_RC(4, 1, 7));
	assert_true(UARCH_LINUX_RC(4, 1, 7) < UARCH_LINUX(4, 1));
	assert_true(UARCH_LINUX(4, 1) < UARCH_LINUX_RC(4, 2, 1));
	assert_true(UARCH_LINUX(4, 19) < UARCH_LINUX(5, 0) && UARCH_LINUX(5, 3) < UARCH_NOW);
	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct uarch *u = uarch_by_name(rows[i].name);
		const struct uarch_constraint *row =
			uarch_constraint(u, rows[i].select, rows[i].version);
		uint64_t got =
			(row ? row->counters : UARCH_GENERAL) & uarch_machine_counters(u, false);

		if (got != rows[i].counters)
			fail_msg("row %zu: %s: 0x%llx, not 0x%llx", i, u->name,
				 (unsigned long long)got, (unsigned long long)rows[i].counters);
	}
}

/* The event that replaces a generic one in PEBS, and the events that PEBS cannot record on older
 * CPUs. */
TEST(test_precise)
{
	const uint64_t inv = EVTSEL_INV;
	static const uint64_t none = UINT64_MAX;
	const struct {
		const char *name;
		uint64_t select, precise;
	} rows[] = {
		{"hsw", UARCH_SELECT(0xc0, 0x00), UARCH_SELECT(0xc0, 0x01)},
		{"hsw", UARCH_SELECT(0x3c, 0x00), UARCH_SELECT(0xc2, 0x01) | UARCH_CMASK(16) | inv},
		{"skx", UARCH_SELECT(0x3c, 0x00), UARCH_SELECT(0xc0, 0x01) | UARCH_CMASK(10) | inv},
		{"skx", UARCH_SELECT(0xc4, 0x00), UARCH_SELECT(0xc4, 0x04)},
		{"bdx", UARCH_SELECT(0xc5, 0x00), UARCH_SELECT(0xc5, 0x04)},
		{"clx", UARCH_SELECT(0xd1, 0x80), UARCH_SELECT(0xd1, 0x80)},
		{"skx", UARCH_SELECT(0xd1, 0x80), none},
		{"skl", UARCH_SELECT(0xc0, 0x00) | UARCH_CMASK(1), none},
		{"hsw", UARCH_SELECT(0x2e, 0x41), none},
		{"icl", UARCH_SELECT(0xc0, 0x00), none}, /* all can be: no table */
		{"zen4", UARCH_SELECT(0xc0, 0x00), none},
	};

	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		uint64_t select = rows[i].select;
		bool can = uarch_precise(uarch_by_name(rows[i].name), &select);

		if (can != (rows[i].precise != none) || (can && select != rows[i].precise))
			fail_msg("row %zu: %d, 0x%llx", i, can, (unsigned long long)select);
	}
}

TEST(test_flags)
{
	static const struct {
		const char *name;
		uint64_t select;
		uint8_t flags;
	} rows[] = {
		{"snb", UARCH_SELECT(0xc0, 0x01), UARCH_PEBS_ONLY | UARCH_ALONE},
		{"hsw", UARCH_SELECT(0xc0, 0x01), UARCH_PEBS_ONLY},
		{"hsw", UARCH_SELECT(0xd0, 0x81), 0},
		{"fam15h", UARCH_AMD_SELECT(0x02e, 0), UARCH_OVERLAP},
		{"fam15h", UARCH_AMD_SELECT(0x02d, 0), 0},
		{"fam10h", UARCH_AMD_SELECT(0x0e0, 7), UARCH_SHARED_NB},
		{"k8", UARCH_AMD_SELECT(0x0ff, 7), UARCH_SHARED_NB},
		{"zen2", UARCH_AMD_SELECT(0x003, 7), UARCH_PAIR},
	};

	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct uarch_constraint *row =
			uarch_constraint(uarch_by_name(rows[i].name), rows[i].select, UARCH_NOW);

		assert_non_null(row);
		assert_int_equal(row->flags, rows[i].flags);
	}
	assert_null(
		uarch_constraint(uarch_by_name("fam10h"), UARCH_AMD_SELECT(0x0c0, 0), UARCH_NOW));
}

/* --- Registers and errata --- */

TEST(test_registers)
{
	static const struct {
		const char *name;
		uint64_t select;
		uint32_t msr;
		uint64_t valid;
		bool shared;
		uint64_t alternative;
	} rows[] = {
		{"nhm", UARCH_SELECT(0xb7, 1), 0x1a6, 0xffff, true, 0},
		{"wsm", UARCH_SELECT(0xb7, 1), 0x1a6, 0xffff, true, UARCH_SELECT(0xbb, 1)},
		{"nhm", UARCH_SELECT(0x0b, 0x10), 0x3f6, 0xffff, true, 0},
		{"ivb", UARCH_SELECT(0xb7, 1), 0x1a6, 0x3f807f8fff, false, UARCH_SELECT(0xbb, 1)},
		{"ivb", UARCH_SELECT(0xbb, 1), 0x1a7, 0x3f807f8fff, false, UARCH_SELECT(0xb7, 1)},
		{"hsx", UARCH_SELECT(0xbb, 1), 0x1a7, 0x3fffff8fff, false, UARCH_SELECT(0xb7, 1)},
		{"hsw", UARCH_SELECT(0xcd, 1), 0x3f6, 0xffff, false, 0},
		{"skl", UARCH_SELECT(0xc6, 1), 0x3f7, 0x7fff17, false, 0},
		{"spr", UARCH_SELECT(0x2a, 1), 0x1a6, 0x3fffffffff, false, UARCH_SELECT(0x2b, 1)},
		{"spr", UARCH_SELECT(0xad, 0x40), 0x3f7, 0x7, false, 0},
		{"gnr", UARCH_SELECT(0xc6, 3), 0x3f7, 0x7fff1f, false, 0},
		{"slm", UARCH_SELECT(0xb7, 2), 0x1a7, 0x368005ffff, false, UARCH_SELECT(0xb7, 1)},
		{"adl_e", UARCH_SELECT(0xd0, 5), 0x3f6, 0xffff, false, 0},
	};

	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct uarch *u = uarch_by_name(rows[i].name);
		const struct uarch_extra *x = uarch_extra(u, rows[i].select);

		assert_non_null(x);
		assert_int_equal(x->msr, rows[i].msr);
		assert_true(x->valid == rows[i].valid);
		assert_int_equal(x->shared, rows[i].shared);
		assert_true(x->alternative == rows[i].alternative);
	}
	assert_null(uarch_extra(uarch_by_name("hsw"), UARCH_SELECT(0xc0, 0)));
	assert_null(uarch_extra(uarch_by_name("nhm"), UARCH_SELECT(0xbb, 1)));
	assert_null(uarch_extra(uarch_by_name("zen4"), UARCH_SELECT(0xb7, 1)));
}

/* The rest of the select survives the change of register. */
TEST(test_alternative_keeps_the_rest)
{
	uint64_t select = UARCH_SELECT(0xb7, 1) | EVTSEL_EDGE | UARCH_CMASK(3);

	assert_non_null(uarch_alternative(uarch_by_name("hsw"), &select));
	assert_true(select == (UARCH_SELECT(0xbb, 1) | EVTSEL_EDGE | UARCH_CMASK(3)));
	select = UARCH_SELECT(0xcd, 1);
	assert_null(uarch_alternative(uarch_by_name("hsw"), &select));
	assert_true(select == UARCH_SELECT(0xcd, 1));
}

static bool has_trouble(const char *name, enum uarch_trouble trouble, uint64_t select,
			uint32_t version)
{
	return uarch_erratum(uarch_by_name(name), trouble, select, version) != NULL;
}

TEST(test_errata)
{
	static const char *const leaky[] = {"snb", "snbx", "ivb", "ivbx", "hsw", "hsx"};
	static const char *const tight[] = {"nhm", "wsm", "bdw", "skl",
					    "icl", "spr", "slm", "zen4"};

	for (size_t i = 0; i < UARCH_COUNT(leaky); i++) {
		for (uint64_t code = 0xcc; code < 0xd8; code++)
			assert_int_equal(has_trouble(leaky[i], UARCH_HT_EXCLUSIVE,
						     UARCH_SELECT(code, 0x81), UARCH_NOW),
					 code >= 0xd0 && code <= 0xd3);
		assert_true(has_trouble(leaky[i], UARCH_HT_LIMIT, 0xc0, UARCH_NOW));
		assert_false(has_trouble(leaky[i], UARCH_HT_LIMIT_ALL, 0xc0, UARCH_NOW));
		assert_false(has_trouble(leaky[i], UARCH_HT_EXCLUSIVE, 0xd0, UARCH_LINUX(4, 0)));
		assert_true(
			has_trouble(leaky[i], UARCH_HT_LIMIT_ALL, 0xc0, UARCH_LINUX_RC(4, 1, 6)));
		assert_false(has_trouble(leaky[i], UARCH_HT_LIMIT, 0xc0, UARCH_LINUX_RC(4, 1, 6)));
		assert_false(
			has_trouble(leaky[i], UARCH_HT_LIMIT_ALL, 0xc0, UARCH_LINUX_RC(4, 1, 7)));
	}
	for (size_t i = 0; i < UARCH_COUNT(tight); i++)
		assert_false(has_trouble(tight[i], UARCH_HT_EXCLUSIVE, 0xd0, UARCH_NOW));

	/* Linux did not allow these events on Ivy Bridge for two years. */
	assert_true(has_trouble("ivb", UARCH_FORBIDDEN, 0xd1, UARCH_LINUX_RC(3, 10, 1)));
	assert_true(has_trouble("ivbx", UARCH_FORBIDDEN, 0xd1, UARCH_LINUX(4, 0)));
	assert_false(has_trouble("ivb", UARCH_FORBIDDEN, 0xd1, UARCH_LINUX(3, 9)));
	assert_false(has_trouble("ivb", UARCH_FORBIDDEN, 0xd1, UARCH_LINUX_RC(4, 1, 1)));
	assert_false(has_trouble("ivb", UARCH_FORBIDDEN, 0xc0, UARCH_LINUX(4, 0)));
	assert_false(has_trouble("hsw", UARCH_FORBIDDEN, 0xd1, UARCH_LINUX(4, 0)));

	assert_int_equal(
		uarch_erratum(uarch_by_name("skx"), UARCH_TSX_TAKES, 0, UARCH_NOW)->counters, 0x8);
	assert_false(has_trouble("skl", UARCH_TSX_TAKES, 0, UARCH_LINUX(5, 0)));
	assert_true(has_trouble("skl", UARCH_TSX_TAKES, 0, UARCH_LINUX_RC(5, 1, 1)));
	assert_false(has_trouble("icl", UARCH_TSX_TAKES, 0, UARCH_NOW));
}

TEST(test_generic_ids)
{
	static const struct {
		const char *name;
		unsigned id;
		uint64_t select;
	} rows[] = {
		{"hsw", PERF_COUNT_HW_CPU_CYCLES, 0x003c},
		{"hsw", PERF_COUNT_HW_CACHE_REFERENCES, 0x4f2e},
		{"hsw", PERF_COUNT_HW_REF_CPU_CYCLES, 0x0300},
		{"hsw", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0},
		{"snb", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x180010e},
		{"snb", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x18001b1},
		{"nhm", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x1803fb1},
		{"ivb", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0},
		{"k7", PERF_COUNT_HW_CACHE_MISSES, 0x0041},
		{"fam10h", PERF_COUNT_HW_CACHE_MISSES, 0x077e},
		{"fam15h", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0x00d1},
		{"zen1", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x0287},
		{"zen2", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 0x00a9},
		{"zen2", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 0},
		{"zen4", PERF_COUNT_HW_REF_CPU_CYCLES, 0x100000120},
		{"zen3", PERF_COUNT_HW_REF_CPU_CYCLES, 0},
	};

	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		uint64_t got = uarch_generic(uarch_by_name(rows[i].name), rows[i].id);

		if (got != rows[i].select)
			fail_msg("%s: event %u is 0x%llx", rows[i].name, rows[i].id,
				 (unsigned long long)got);
	}
}

/* The distance from its overflow to which a counter may be set; Linux's limits, and their absence.
 */
TEST(test_settings)
{
	static const struct {
		const char *name;
		uint64_t select;
		unsigned precise_ip;
		uint64_t wanted, got;
	} rows[] = {
		{"nhm", 0x00c0, 0, 5, 32},      {"wsm", 0x00c0, 0, 5, 5},
		{"snb", 0x01c0, 2, 5, 5},       {"hsw", 0x00c0, 0, 5, 32},
		{"hsx", 0x01c0, 2, 33, 128},    {"hsw", 0x01c0, 2, 129, 129},
		{"bdw", 0x00c0, 0, 5, 5},       {"bdw", 0x01c0, 2, 5, 128},
		{"bdx", 0x01c0, 0, 129, 192},   {"bde", 0x01c0, 1, 192, 192},
		{"skl", 0x01c0, 2, 5, 5},       {"icl", 0x00c0, 3, 5, 5},
		{"adl_p", 0x003c, 3, 5, 128},   {"adl_p", 0x003c, 2, 5, 5},
		{"spr", 0x003c, 3, 500, 500},   {"adl_e", 0x003c, 3, 5, 128},
		{"srf", 0x003c, 3, 5, 128},     {"lnl_p", 0x003c, 3, 5, 128},
		{"lnl_e", 0x003c, 3, 127, 128}, {"tnt", 0x003c, 3, 5, 5},
		{"zen4", 0x0076, 0, 5, 5},
	};

	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct uarch_setting *s = uarch_setting(uarch_by_name(rows[i].name),
							      rows[i].select, rows[i].precise_ip);
		const uint64_t got = s ? uarch_fit_setting(s, rows[i].wanted) : rows[i].wanted;

		if (got != rows[i].got)
			fail_msg("%s: 0x%llx is set to %llu", rows[i].name,
				 (unsigned long long)rows[i].select, (unsigned long long)got);
	}
}

/* perf's names, the auxiliary event, the time of unmasking LVTPC, registers of snoop responses. */
TEST(test_of_new_cores)
{
	static const struct {
		const char *name;
		uint64_t loads, stores, aux;
		bool mid_ack;
	} rows[] = {
		{"skl", 0x01cd, 0x82d0, 0, false},      {"adl_p", 0x01cd, 0x02cd, 0x8203, false},
		{"emr", 0x01cd, 0x02cd, 0x8203, false}, {"mtl_p", 0x01cd, 0x02cd, 0, false},
		{"gnr", 0x01cd, 0x02cd, 0, false},      {"lnl_p", 0x01cd, 0x02cd, 0, false},
		{"adl_e", 0x05d0, 0x06d0, 0, true},     {"arl_e", 0x05d0, 0x06d0, 0, true},
	};
	const struct uarch_extra *x;

	for (size_t i = 0; i < UARCH_COUNT(rows); i++) {
		const struct uarch *u = uarch_by_name(rows[i].name);

		assert_true(uarch_named_find(u, "mem-loads", 9)->select == rows[i].loads);
		assert_true(uarch_named_find(u, "mem-stores", 10)->select == rows[i].stores);
		assert_true(uarch_latency_aux(u) == rows[i].aux);
		assert_int_equal(uarch_named_find(u, "mem-loads-aux", 13) != NULL,
				 rows[i].aux != 0);
		assert_int_equal(uarch_mid_ack(u), rows[i].mid_ack);
	}
	assert_false(uarch_mid_ack(uarch_by_name("tnt")));
	x = uarch_extra(uarch_by_name("srf"), 0x0127);
	assert_true(x && x->msr == 0x1328 && x->valid == UINT64_MAX);
	x = uarch_extra(uarch_by_name("mtl_e"), 0x0227);
	assert_true(x && x->msr == 0x1329);
	assert_null(uarch_extra(uarch_by_name("adl_e"), 0x0127));
}

TEST(test_sources)
{
	for (uint8_t s = 0; s < UARCH_NSOURCES; s++)
		assert_true(*uarch_source_name(s));
	assert_string_equal(uarch_source_name(UARCH_NSOURCES), "nobody");
}
