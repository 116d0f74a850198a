// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model.c - vpmu/model/model.h as a contract: what faults, what counts where, and that
 * vpmu_model_until() tells exactly when vpmu_model_advance() raises the next PMI. It proves the
 * model against the manuals as we read them, not against silicon.
 */
#include "arch/x86/msr.h"
#include "vpmu/model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CPI               16 /* cycles an instruction */
#define MASK48            ((1ull << 48) - 1)
#define OS_USR            (EVTSEL_OS | EVTSEL_USR)
#define SEL(event, umask) ((uint64_t)(umask) << 8 | (event) | OS_USR | EVTSEL_EN)
#define CMASK(n)          ((uint64_t)(n) << 24)
#define ALL_GLOBAL_HSW    0x70000000full

static struct vpmu_model model(const char *name, bool ht)
{
	struct vpmu_model m;

	vpmu_model_init(&m, vpmu_uarch_find(name), ht, CPI);
	return m;
}

static void wr(struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	assert_int_equal(vpmu_model_wrmsr(m, msr, v), VPMU_DONE);
}

static uint64_t rd(struct vpmu_model *m, uint32_t msr)
{
	uint64_t v = 0;

	assert_int_equal(vpmu_model_rdmsr(m, msr, &v), VPMU_DONE);
	return v;
}

static void run(struct vpmu_model *m, enum vpmu_ring ring, uint64_t n)
{
	struct vpmu_progress p = {0};

	p.instructions[ring] = n;
	p.cycles[ring] = p.ref_cycles[ring] = n * CPI;
	vpmu_model_advance(m, &p);
}

/* --- What faults --- */

static const struct fault {
	const char *uarch;
	uint32_t msr;
	uint64_t value;
	enum vpmu_access write, read;
} faults[] = {
	{"skx", MSR_IA32_PERFEVTSEL0, SEL(0xc0, 0) | EVTSEL_ANY | EVTSEL_INT, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PERFEVTSEL0, 1ull << 32, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_PERFEVTSEL0, 1ull << 63, VPMU_GP, VPMU_DONE},
	{"icl", MSR_IA32_PERFEVTSEL0, EVTSEL_ANY, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_PERFEVTSEL0 + 3, 0, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PERFEVTSEL0 + 4, 0, VPMU_GP, VPMU_GP},
	{"icl", MSR_IA32_PERFEVTSEL0 + 7, 0, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PMC0, UINT64_MAX, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PMC0 + 4, 0, VPMU_GP, VPMU_GP},
	{"skx", MSR_IA32_A_PMC0, MASK48, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_A_PMC0, MASK48 + 1, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_A_PMC0 + 4, 0, VPMU_GP, VPMU_GP},
	{"skx", MSR_IA32_FIXED_CTR0 + 2, MASK48, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_FIXED_CTR0, MASK48 + 1, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_FIXED_CTR0 + 3, 0, VPMU_GP, VPMU_GP},
	{"icl", MSR_IA32_FIXED_CTR0 + 3, 0, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_FIXED_CTR_CTRL, 0xfff, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_FIXED_CTR_CTRL, 0x1000, VPMU_GP, VPMU_DONE},
	{"icl", MSR_IA32_FIXED_CTR_CTRL, 0xbbbb, VPMU_DONE, VPMU_DONE},
	{"icl", MSR_IA32_FIXED_CTR_CTRL, 0x4, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_PERF_GLOBAL_CTRL, ALL_GLOBAL_HSW, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 4, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 35, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_PERF_GLOBAL_CTRL, GLOBAL_METRICS, VPMU_GP, VPMU_DONE},
	{"icl", MSR_IA32_PERF_GLOBAL_CTRL, GLOBAL_METRICS | 0xf000000ffull, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PERF_GLOBAL_STATUS, 0, VPMU_GP, VPMU_DONE},
	{"hsw", MSR_IA32_PERF_GLOBAL_STATUS_RESET, GLOBAL_STATUS_CTR_FRZ, VPMU_GP, VPMU_DONE},
	{"hsw", MSR_IA32_PERF_GLOBAL_STATUS_RESET, GLOBAL_STATUS_COND_CHGD, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PERF_GLOBAL_STATUS_RESET, GLOBAL_STATUS_CTR_FRZ, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PERF_GLOBAL_STATUS_RESET, 1ull << 5, VPMU_GP, VPMU_DONE},
	{"hsw", MSR_IA32_PERF_GLOBAL_STATUS_SET, 0, VPMU_GP, VPMU_GP},
	{"skx", MSR_IA32_PERF_GLOBAL_STATUS_SET, 1, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PERF_GLOBAL_STATUS_SET, GLOBAL_STATUS_COND_CHGD, VPMU_GP, VPMU_DONE},
	{"hsw", MSR_IA32_PERF_GLOBAL_INUSE, 0, VPMU_GP, VPMU_GP},
	{"skx", MSR_IA32_PERF_GLOBAL_INUSE, 0, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_PERF_CAPABILITIES, 0, VPMU_GP, VPMU_DONE},
	{"skx", MSR_PERF_METRICS, 0, VPMU_GP, VPMU_GP},
	{"icl", MSR_PERF_METRICS, 0, VPMU_DONE, VPMU_DONE},
	{"icl", MSR_PERF_METRICS, 1ull << 32, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_PEBS_ENABLE, 0xf0000000full, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PEBS_ENABLE, 0x10, VPMU_GP, VPMU_DONE},
	{"icl", MSR_IA32_PEBS_ENABLE, 0xf000000ffull, VPMU_DONE, VPMU_DONE},
	{"icl", MSR_IA32_PEBS_ENABLE, 1ull << 36, VPMU_GP, VPMU_DONE},
	{"skx", MSR_PEBS_DATA_CFG, 0, VPMU_GP, VPMU_GP},
	{"icl", MSR_PEBS_DATA_CFG, PEBS_DATA_MEMORY | PEBS_DATA_GPRS, VPMU_DONE, VPMU_DONE},
	{"icl", MSR_PEBS_DATA_CFG, PEBS_DATA_XMMS, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_PERFEVTSEL0, EVTSEL_ADAPTIVE, VPMU_GP, VPMU_DONE},
	{"icl", MSR_IA32_PERFEVTSEL0, EVTSEL_ADAPTIVE, VPMU_DONE, VPMU_DONE},
	{"icl", MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_ADAPTIVE, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_ADAPTIVE, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_DS_AREA, 0xffff800000000000, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_DS_AREA, 0x800000000000, VPMU_GP, VPMU_DONE},
	{"skx", MSR_OFFCORE_RSP_1, 0x10001, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_OFFCORE_RSP_0, 1ull << 40, VPMU_GP, VPMU_DONE},
	{"skx", MSR_TSX_FORCE_ABORT, 1, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_TSX_FORCE_ABORT, 2, VPMU_GP, VPMU_DONE},
	{"hsw", MSR_TSX_FORCE_ABORT, 0, VPMU_GP, VPMU_GP},
	{"icl", MSR_TSX_FORCE_ABORT, 0, VPMU_GP, VPMU_GP},
	{"hsw", MSR_PEBS_FRONTEND, 0, VPMU_GP, VPMU_GP},
	{"skx", MSR_PEBS_FRONTEND, 0x11, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_PEBS_LD_LAT, 0x10000, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_DEBUGCTL, 1ull << 6, VPMU_GP, VPMU_DONE},
	{"skx", MSR_IA32_TSC, 0, VPMU_NOT_OURS, VPMU_NOT_OURS},
	{"skx", MSR_AMD_PERF_CTL0, 0, VPMU_NOT_OURS, VPMU_NOT_OURS},
	{"zen4", MSR_IA32_PERFEVTSEL0, 0, VPMU_NOT_OURS, VPMU_NOT_OURS},
	{"zen4", MSR_K7_EVNTSEL0 + 3, SEL(0xc0, 0), VPMU_DONE, VPMU_DONE},
	{"zen4", MSR_AMD_PERF_CTL0 + 11, UINT64_MAX, VPMU_DONE, VPMU_DONE},
	{"zen4", MSR_AMD_PERF_CTL0 + 12, 0, VPMU_NOT_OURS, VPMU_NOT_OURS},
	{"zen4", MSR_AMD_PERF_CNTR_GLOBAL_STATUS, 0, VPMU_GP, VPMU_DONE},
	{"zen4", MSR_AMD_PERF_CNTR_GLOBAL_CTL, 0x3f, VPMU_DONE, VPMU_DONE},
	{"zen4", MSR_AMD_PERF_CNTR_GLOBAL_CTL, 0x40, VPMU_GP, VPMU_DONE},
	{"zen4", MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR, GLOBAL_STATUS_CTR_FRZ, VPMU_DONE, VPMU_DONE},
};

static void test_faults(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		const struct fault *f = &faults[i];
		struct vpmu_model m = model(f->uarch, true), before = m;
		enum vpmu_access got = vpmu_model_wrmsr(&m, f->msr, f->value);
		uint64_t v = 0x5ca1ab1e;

		if (got != f->write || vpmu_model_rdmsr(&m, f->msr, &v) != f->read)
			fail_msg("%s: MSR %#x, value %#llx", f->uarch, f->msr,
				 (unsigned long long)f->value);
		if (f->write != VPMU_DONE)
			assert_memory_equal(&m, &before, sizeof(m));
		if (f->read != VPMU_DONE)
			assert_int_equal(v, 0x5ca1ab1e);
	}
}

static void test_rdpmc(void **state)
{
	struct vpmu_model hsw = model("hsw", true), off = model("hsw", false),
			  icl = model("icl", true), zen = model("zen4", true);
	uint64_t v;

	(void)state;
	wr(&hsw, MSR_IA32_A_PMC0 + 2, 0x123456789abc);
	assert_int_equal(vpmu_model_rdpmc(&hsw, 2, &v), VPMU_DONE);
	assert_int_equal(v, 0x123456789abc);
	wr(&hsw, MSR_IA32_FIXED_CTR0 + 1, 77);
	assert_int_equal(vpmu_model_rdpmc(&hsw, 0x40000001, &v), VPMU_DONE);
	assert_int_equal(v, 77);
	assert_int_equal(vpmu_model_rdpmc(&hsw, 4, &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdpmc(&off, 7, &v), VPMU_DONE);
	assert_int_equal(vpmu_model_rdpmc(&off, 8, &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdpmc(&hsw, 0x40000003, &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdpmc(&hsw, 0x80000000, &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdpmc(&hsw, 0x20000000, &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdpmc(&icl, 0x20000000, &v), VPMU_DONE);
	assert_int_equal(vpmu_model_rdpmc(&icl, 0x40000003, &v), VPMU_DONE);
	assert_int_equal(vpmu_model_rdpmc(&zen, 5, &v), VPMU_DONE);
	assert_int_equal(vpmu_model_rdpmc(&zen, 6, &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdpmc(&zen, 0x40000000, &v), VPMU_GP);
}

static void test_reset_state(void **state)
{
	struct vpmu_model hsw = model("hsw", true), off = model("hsw", false);

	(void)state;
	assert_int_equal(rd(&hsw, MSR_IA32_PERF_GLOBAL_CTRL), 0xf);
	assert_int_equal(rd(&off, MSR_IA32_PERF_GLOBAL_CTRL), 0xff);
	assert_int_equal(rd(&hsw, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	assert_int_equal(rd(&hsw, MSR_IA32_MISC_ENABLE) & 0x1880, 0x0880);
	wr(&hsw, MSR_IA32_MISC_ENABLE, 0x1000);
	assert_int_equal(rd(&hsw, MSR_IA32_MISC_ENABLE), 0x0880);
	assert_int_equal(rd(&hsw, MSR_IA32_PERF_CAPABILITIES), PERF_CAP_FW_WRITE | 0x2c0);
}

/* --- Widths --- */

static void test_widths(void **state)
{
	struct vpmu_model m = model("skx", true), z = model("zen4", true);

	(void)state;
	wr(&m, MSR_IA32_PMC0, 0x80000000);
	assert_int_equal(rd(&m, MSR_IA32_PMC0), 0xffff80000000);
	wr(&m, MSR_IA32_PMC0, 0xdead00007fffffff);
	assert_int_equal(rd(&m, MSR_IA32_A_PMC0), 0x7fffffff);
	wr(&m, MSR_IA32_A_PMC0, MASK48);
	assert_int_equal(rd(&m, MSR_IA32_PMC0), MASK48);
	wr(&z, MSR_AMD_PERF_CTR0, UINT64_MAX);
	assert_int_equal(rd(&z, MSR_AMD_PERF_CTR0), MASK48);
}

static void test_amd_aliases(void **state)
{
	struct vpmu_model z = model("zen4", true);

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		wr(&z, MSR_K7_EVNTSEL0 + i, SEL(0x76, i));
		assert_int_equal(rd(&z, MSR_AMD_PERF_CTL0 + 2 * i), SEL(0x76, i));
		wr(&z, MSR_AMD_PERF_CTR0 + 2 * i, 1000 + i);
		assert_int_equal(rd(&z, MSR_K7_PERFCTR0 + i), 1000 + i);
	}
	wr(&z, MSR_AMD_PERF_CTL0, UINT64_MAX);
	assert_int_equal(rd(&z, MSR_AMD_PERF_CTL0) & ((1ull << 19) | (1ull << 21) | (0xfull << 36)),
			 0);
}

/* --- Counting --- */

/* With `value` in `msr`, unless that is 0. */
static uint64_t counted(const char *uarch, unsigned i, uint64_t sel, uint64_t n, uint32_t msr,
			uint64_t value)
{
	struct vpmu_model m = model(uarch, false);
	bool amd = m.uarch->vendor == VPMU_AMD;

	if (msr)
		wr(&m, msr, value);
	wr(&m, amd ? MSR_AMD_PERF_CTL0 + 2 * i : MSR_IA32_PERFEVTSEL0 + i, sel);
	run(&m, VPMU_USR, n);
	return rd(&m, amd ? MSR_AMD_PERF_CTR0 + 2 * i : MSR_IA32_PMC0 + i);
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

static void test_counting(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(countings) / sizeof(*countings); i++) {
		const struct counting *c = &countings[i];
		uint64_t got = counted(c->uarch, c->counter, c->sel, c->n, 0, 0);

		if (got != c->count)
			fail_msg("row %zu: %s counter %u selector %#llx: %llu, not %llu", i,
				 c->uarch, c->counter, (unsigned long long)c->sel,
				 (unsigned long long)got, (unsigned long long)c->count);
	}
}

/* A register says how many kinds of an event count. */
static void test_kinds(void **state)
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
		{"hsw", 0, SEL(0xb7, 1), 4000, 30, MSR_OFFCORE_RSP_0, 0x2000008001},
		{"hsw", 0, SEL(0xb7, 1), 4000, 0, MSR_OFFCORE_RSP_1, 0x1},
		{"skx", 3, SEL(0xbb, 1), 4000, 20, MSR_OFFCORE_RSP_1, 0x10001},
		{"skx", 4, SEL(0xbb, 1), 4000, 0, MSR_OFFCORE_RSP_1, 0x10001},
		{"icl", 0, SEL(0xbb, 1), 4000, 0, MSR_OFFCORE_RSP_0, 0x10001},
		{"skx", 0, SEL(0xc6, 1), 400, 4, MSR_PEBS_FRONTEND, 0x11},
		{"skx", 0, SEL(0xc6, 1), 400, 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_int_equal(counted(rows[i].uarch, rows[i].counter, rows[i].sel, rows[i].n,
					 rows[i].msr, rows[i].value),
				 rows[i].count);
}

/* Every row counts floor(source * num / den) on each of its counters, and nothing on the others;
 * where a register says what of it, for one kind. */
static void test_every_event(void **state)
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
	size_t count;
	const struct vpmu_uarch *list = vpmu_uarch_list(&count);

	(void)state;
	for (size_t u = 0; u < count; u++)
		for (size_t e = 0; e < list[u].nevents; e++) {
			const struct vpmu_event *ev = &list[u].events[e];
			const uint64_t units[] = {
				[VPMU_SRC_NONE] = 0,
				[VPMU_SRC_INSTRUCTIONS] = n,
				[VPMU_SRC_CYCLES] = n * CPI,
				[VPMU_SRC_REF_CYCLES] = n * CPI,
				[VPMU_SRC_SLOTS] = n * CPI * list[u].slots,
			};
			uint64_t sel = SEL(ev->code & 0xff, ev->umask) | CMASK(ev->cmask) |
				       (ev->inv ? EVTSEL_INV : 0) | (uint64_t)(ev->code >> 8) << 32;
			/* By itself such a counter is too narrow. */
			unsigned num = ev->large ? 0 : ev->num;

			for (unsigned i = 0; i < list[u].gp[0]; i++) {
				uint64_t want = ev->counters >> i & 1
							? units[ev->source] * num / ev->den
							: 0;

				assert_int_equal(counted(list[u].name, i, sel, n,
							 kinds[ev->kinds].msr,
							 kinds[ev->kinds].one),
						 want);
			}
		}
}

/* PPR, "Large Increment per Cycle Events": an even counter, with the odd one above it. */
static void test_merged(void **state)
{
	const uint64_t merge = (SEL(0xff, 0) & ~OS_USR) | EVTSEL_AMD_EVENT_HI;
	struct vpmu_model z = model("zen4", true);

	(void)state;
	wr(&z, MSR_AMD_PERF_CNTR_GLOBAL_CTL, 0x3f);
	wr(&z, MSR_AMD_PERF_CTL0 + 4, SEL(0x03, 1) | EVTSEL_INT);
	wr(&z, MSR_AMD_PERF_CTL0 + 6, merge & ~EVTSEL_EN);
	run(&z, VPMU_USR, 1000);
	assert_int_equal(rd(&z, MSR_AMD_PERF_CTR0 + 4), 0);
	wr(&z, MSR_AMD_PERF_CTL0 + 6, merge);
	run(&z, VPMU_USR, 1000);
	assert_int_equal(rd(&z, MSR_AMD_PERF_CTR0 + 4), 100);

	/* 64 bits: the overflow is that of the upper 16. */
	wr(&z, MSR_AMD_PERF_CTR0 + 4, MASK48 - 9);
	wr(&z, MSR_AMD_PERF_CTR0 + 6, 0xfffe);
	assert_true(vpmu_model_until(&z, VPMU_USR) == UINT64_MAX);
	run(&z, VPMU_USR, 110);
	assert_int_equal(rd(&z, MSR_AMD_PERF_CTR0 + 4), 1);
	assert_int_equal(rd(&z, MSR_AMD_PERF_CTR0 + 6), 0xffff);
	assert_int_equal(rd(&z, MSR_AMD_PERF_CNTR_GLOBAL_STATUS), 0);
	wr(&z, MSR_AMD_PERF_CTR0 + 4, MASK48 - 9);
	assert_int_equal(vpmu_model_until(&z, VPMU_USR), 100);
	run(&z, VPMU_USR, 100);
	assert_int_equal(rd(&z, MSR_AMD_PERF_CTR0 + 4), 0);
	assert_int_equal(rd(&z, MSR_AMD_PERF_CTR0 + 6), 0);
	assert_int_equal(rd(&z, MSR_AMD_PERF_CNTR_GLOBAL_STATUS), 4);
	assert_int_equal(vpmu_model_until(&z, VPMU_USR), 0);
}

/* The remainders make a count independent of how the progress is cut up. */
static void test_remainders(void **state)
{
	struct vpmu_model once = model("skx", true), often = once;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		static const uint64_t sel[] = {SEL(0xc4, 0), SEL(0xd1, 1), SEL(0x3c, 1),
					       SEL(0xc4, 0) | CMASK(1) | EVTSEL_INV};

		wr(&once, MSR_IA32_PERFEVTSEL0 + i, sel[i]);
		wr(&often, MSR_IA32_PERFEVTSEL0 + i, sel[i]);
	}
	run(&once, VPMU_OS, 100000);
	for (unsigned k = 0, left = 100000; left; k++) {
		unsigned n = k % 7 + 1 < left ? k % 7 + 1 : left;

		run(&often, k % 2 ? VPMU_OS : VPMU_USR, n);
		left -= n;
	}
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(rd(&once, MSR_IA32_PMC0 + i), rd(&often, MSR_IA32_PMC0 + i));
}

static void test_rings(void **state)
{
	struct vpmu_model m = model("skx", true);

	(void)state;
	wr(&m, MSR_IA32_PERFEVTSEL0, SEL(0xc0, 0) & ~EVTSEL_OS);
	wr(&m, MSR_IA32_PERFEVTSEL0 + 1, SEL(0xc0, 0) & ~EVTSEL_USR);
	wr(&m, MSR_IA32_PERFEVTSEL0 + 2, SEL(0xc0, 0));
	assert_true(vpmu_model_asymmetric(&m));
	run(&m, VPMU_OS, 300);
	run(&m, VPMU_USR, 50);
	assert_int_equal(rd(&m, MSR_IA32_PMC0), 50);
	assert_int_equal(rd(&m, MSR_IA32_PMC0 + 1), 300);
	assert_int_equal(rd(&m, MSR_IA32_PMC0 + 2), 350);
	/* Until all are gone. */
	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 4);
	assert_true(vpmu_model_asymmetric(&m));
	for (unsigned i = 0; i < 3; i++)
		wr(&m, MSR_IA32_PERFEVTSEL0 + i, 0);
	assert_false(vpmu_model_asymmetric(&m));
	/* Neither an event in both rings, nor one that never counts, nor one that is not on. */
	wr(&m, MSR_IA32_PERFEVTSEL0, SEL(0xc0, 0) & ~EVTSEL_OS);
	wr(&m, MSR_IA32_PERFEVTSEL0 + 1, SEL(0xff, 0xff) & ~EVTSEL_OS);
	wr(&m, MSR_IA32_PERFEVTSEL0 + 2, SEL(0xc0, 0));
	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 6);
	assert_false(vpmu_model_asymmetric(&m));
	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 7);
	assert_true(vpmu_model_asymmetric(&m));
}

static void test_fixed(void **state)
{
	struct vpmu_model m = model("icl", true);

	(void)state;
	wr(&m, MSR_IA32_FIXED_CTR_CTRL, 0x3331);
	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0xf00000000 | GLOBAL_METRICS);
	run(&m, VPMU_USR, 10);
	run(&m, VPMU_OS, 1);
	assert_int_equal(rd(&m, MSR_IA32_FIXED_CTR0), 1);
	assert_int_equal(rd(&m, MSR_IA32_FIXED_CTR0 + 1), 11 * CPI);
	assert_int_equal(rd(&m, MSR_IA32_FIXED_CTR0 + 2), 11 * CPI);
	assert_int_equal(rd(&m, MSR_IA32_FIXED_CTR0 + 3), 11 * CPI * 5);
}

static void test_metrics(void **state)
{
	struct vpmu_model m = model("icl", true);
	unsigned sum = 0;
	uint64_t v;

	(void)state;
	wr(&m, MSR_PERF_METRICS, 0);
	wr(&m, MSR_IA32_FIXED_CTR_CTRL, 0x3000);
	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0x800000000);
	run(&m, VPMU_USR, 10);
	assert_int_equal(rd(&m, MSR_PERF_METRICS), 0);
	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0x800000000 | GLOBAL_METRICS);
	run(&m, VPMU_USR, 10);
	v = rd(&m, MSR_PERF_METRICS);
	for (int i = 0; i < 4; i++)
		sum += v >> (8 * i) & 0xff;
	assert_int_equal(sum, 0xff);
}

static void test_inuse(void **state)
{
	struct vpmu_model m = model("skx", true);

	(void)state;
	wr(&m, MSR_IA32_PERFEVTSEL0 + 1, SEL(0xc0, 0));
	wr(&m, MSR_IA32_FIXED_CTR_CTRL, 0x020);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_INUSE), 0x200000002);
	wr(&m, MSR_IA32_FIXED_CTR_CTRL, 0x0a0);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_INUSE), 1ull << 63 | 0x200000002);
}

/* --- Overflow --- */

static void arm_fixed0(struct vpmu_model *m, uint64_t period)
{
	wr(m, MSR_IA32_FIXED_CTR0, -period & MASK48);
	wr(m, MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_OS | FIXED_CTRL_USR | FIXED_CTRL_PMI);
	wr(m, MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 32);
}

static void test_overflow(void **state)
{
	struct vpmu_model m = model("skx", true);

	(void)state;
	arm_fixed0(&m, 100);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 100);
	assert_false(vpmu_model_deliver(&m));
	run(&m, VPMU_OS, 99);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 1);
	run(&m, VPMU_USR, 4);
	assert_int_equal(rd(&m, MSR_IA32_FIXED_CTR0), 3);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 1ull << 32);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), 0);
	assert_true(vpmu_model_deliver(&m));
	assert_false(vpmu_model_deliver(&m));
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 1ull << 32);
	wr(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET, 1ull << 32);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), (1ull << 48) - 3);
}

static void test_overflow_without_interrupt(void **state)
{
	struct vpmu_model m = model("skx", true);

	(void)state;
	wr(&m, MSR_IA32_PMC0, (uint64_t)-1);
	wr(&m, MSR_IA32_PERFEVTSEL0, SEL(0xc0, 0));
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
	run(&m, VPMU_OS, 2);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 1);
	assert_false(vpmu_model_deliver(&m));
}

static void test_status_set_raises_nothing(void **state)
{
	struct vpmu_model m = model("skx", true);

	(void)state;
	wr(&m, MSR_IA32_PERF_GLOBAL_STATUS_SET, 1ull << 33);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), 1ull << 33);
	assert_false(vpmu_model_deliver(&m));
}

static void test_until_depends_on_ring(void **state)
{
	struct vpmu_model m = model("skx", true);

	(void)state;
	wr(&m, MSR_IA32_PMC0, (uint64_t)-10);
	wr(&m, MSR_IA32_PERFEVTSEL0, (SEL(0xc4, 0) | EVTSEL_INT) & ~EVTSEL_OS);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 50);
	run(&m, VPMU_USR, 3);
	assert_int_equal(vpmu_model_until(&m, VPMU_USR), 47);
}

/* --- Freeze on PMI --- */

static void overflow_frozen(struct vpmu_model *m)
{
	wr(m, MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON);
	arm_fixed0(m, 10);
	run(m, VPMU_OS, 10);
	assert_true(vpmu_model_deliver(m));
	run(m, VPMU_OS, 1000);
	assert_int_equal(rd(m, MSR_IA32_FIXED_CTR0), 0);
}

static void test_freeze_legacy(void **state)
{
	struct vpmu_model m = model("hsw", true);

	(void)state;
	overflow_frozen(&m);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_CTRL), 0);
	wr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 32);
	run(&m, VPMU_OS, 5);
	assert_int_equal(rd(&m, MSR_IA32_FIXED_CTR0), 5);
}

/* Linux acknowledges with the complement of what it did not handle. */
static void test_amd_acknowledges_by_complement(void **state)
{
	struct vpmu_model m = model("zen4", true);

	(void)state;
	wr(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS_SET, UINT64_MAX);
	assert_int_equal(rd(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS), 0x3f | GLOBAL_STATUS_CTR_FRZ);
	wr(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR, ~2ull);
	assert_int_equal(rd(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS), 2);
}

static void test_freeze_streamlined(void **state)
{
	struct vpmu_model m = model("skx", true);

	(void)state;
	overflow_frozen(&m);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_CTRL), 1ull << 32);
	assert_int_equal(rd(&m, MSR_IA32_PERF_GLOBAL_STATUS), GLOBAL_STATUS_CTR_FRZ | 1ull << 32);
	assert_int_equal(vpmu_model_until(&m, VPMU_OS), UINT64_MAX);
	wr(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET, GLOBAL_STATUS_CTR_FRZ | 1ull << 32);
	run(&m, VPMU_OS, 5);
	assert_int_equal(rd(&m, MSR_IA32_FIXED_CTR0), 5);
}

static void test_freeze_amd(void **state)
{
	struct vpmu_model m = model("zen4", true);

	(void)state;
	wr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON);
	wr(&m, MSR_AMD_PERF_CTR0, (uint64_t)-10);
	wr(&m, MSR_AMD_PERF_CTL0, SEL(0xc0, 0) | EVTSEL_INT);
	run(&m, VPMU_OS, 12);
	assert_true(vpmu_model_deliver(&m));
	run(&m, VPMU_OS, 1000);
	assert_int_equal(rd(&m, MSR_AMD_PERF_CTR0), 2);
	assert_int_equal(rd(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS), GLOBAL_STATUS_CTR_FRZ | 1);
	wr(&m, MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR, GLOBAL_STATUS_CTR_FRZ | 1);
	run(&m, VPMU_OS, 5);
	assert_int_equal(rd(&m, MSR_AMD_PERF_CTR0), 7);
}

static void test_no_freeze_by_default(void **state)
{
	struct vpmu_model m = model("skx", true);

	(void)state;
	arm_fixed0(&m, 10);
	run(&m, VPMU_OS, 10);
	assert_true(vpmu_model_deliver(&m));
	run(&m, VPMU_OS, 7);
	assert_int_equal(rd(&m, MSR_IA32_FIXED_CTR0), 7);
}

/* --- until() against advance() --- */

static uint64_t random_state = 88172645463325252ull;

static uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static void randomise(struct vpmu_model *m)
{
	bool amd = m->uarch->vendor == VPMU_AMD;

	for (unsigned i = 0; i < m->ngp; i++) {
		const struct vpmu_event *e = &m->uarch->events[random64() % m->uarch->nevents];
		uint64_t sel = (e->code & 0xff) | (uint64_t)(e->code >> 8) << 32 |
			       (uint64_t)e->umask << 8 | CMASK(random64() % 3 ? e->cmask : 1) |
			       (random64() & (OS_USR | EVTSEL_INT | EVTSEL_INV)) | EVTSEL_EN;

		wr(m, amd ? MSR_AMD_PERF_CTL0 + 2 * i : MSR_IA32_PERFEVTSEL0 + i, sel);
		m->gp[i].value = -(random64() % 100000 + 1) & MASK48;
	}
	for (unsigned i = 0; i < m->nfixed; i++)
		m->fixed[i].value = -(random64() % 1000000 + 1) & MASK48;
	if (m->nfixed)
		wr(m, MSR_IA32_FIXED_CTR_CTRL, random64() & 0xbbb);
	wr(m, amd ? MSR_AMD_PERF_CNTR_GLOBAL_CTL : MSR_IA32_PERF_GLOBAL_CTRL,
	   random64() & (((1ull << m->ngp) - 1) | ((1ull << m->nfixed) - 1) << 32));
	run(m, VPMU_OS, random64() % 50);
	m->pmi_pending = 0;
}

static void test_until_agrees(void **state)
{
	size_t count;
	const struct vpmu_uarch *list = vpmu_uarch_list(&count);
	unsigned finite = 0;

	(void)state;
	for (unsigned k = 0; k < 4000; k++) {
		enum vpmu_ring ring = random64() % VPMU_RINGS;
		struct vpmu_model m = model(list[k % count].name, k & 1), early;
		uint64_t until;

		randomise(&m);
		early = m;
		until = vpmu_model_until(&m, ring);
		if (until > 1ull << 40) {
			run(&m, ring, 100000);
			assert_int_equal(m.pmi_pending, 0);
			continue;
		}
		finite++;
		run(&early, ring, until - 1);
		assert_int_equal(early.pmi_pending, 0);
		run(&m, ring, until);
		assert_int_not_equal(m.pmi_pending, 0);
	}
	assert_true(finite > 1000);
}

/* --- CPUID --- */

static struct cpuid_regs cpuid(const struct vpmu_model *m, uint32_t leaf)
{
	struct cpuid_regs r = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

	vpmu_model_cpuid(m, leaf, 0, &r);
	return r;
}

static void test_cpuid_intel(void **state)
{
	static const struct {
		const char *name;
		bool ht;
		uint32_t signature, eax, ecx, edx;
	} rows[] = {
		{"hsw", true, 0x306c3, 0x07300403, 0, 0x603},
		{"hsw", false, 0x306c3, 0x07300803, 0, 0x603},
		{"skx", true, 0x50654, 0x07300404, 0, 0x603},
		{"icl", true, 0x706e5, 0x08300805, 0xf, 0x8604},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_model m = model(rows[i].name, rows[i].ht);
		struct cpuid_regs r = cpuid(&m, 0);

		assert_memory_equal(&r.ebx, "Genu", 4);
		assert_memory_equal(&r.edx, "ineI", 4);
		assert_memory_equal(&r.ecx, "ntel", 4);
		r = cpuid(&m, 1);
		assert_int_equal(r.eax, rows[i].signature);
		assert_int_equal(r.ecx & (1u << 3 | 1u << 15), 1u << 15);
		r = cpuid(&m, 0xa);
		assert_int_equal(r.eax, rows[i].eax);
		assert_int_equal(r.ebx, 0);
		assert_int_equal(r.ecx, rows[i].ecx);
		assert_int_equal(r.edx, rows[i].edx);
		assert_int_equal(cpuid(&m, 0x80000001).ecx & 1u << 2, 0);
		assert_int_equal(cpuid(&m, 0x80000022).eax, 0);
	}
}

static void test_cpuid_amd(void **state)
{
	struct vpmu_model m = model("zen4", true);
	struct cpuid_regs r = cpuid(&m, 0);

	(void)state;
	assert_memory_equal(&r.ebx, "Auth", 4);
	assert_int_equal(cpuid(&m, 1).eax, 0xa60f12);
	assert_int_equal(cpuid(&m, 1).ecx & 1u << 15, 0);
	assert_int_equal(cpuid(&m, 0xa).eax, 0);
	assert_int_equal(cpuid(&m, 0x80000000).eax, 0x80000022);
	assert_int_equal(cpuid(&m, 0x80000001).eax, 0xa60f12);
	assert_int_equal(cpuid(&m, 0x80000001).ecx & (1u << 2 | 1u << 23), 1u << 23);
	assert_int_equal(cpuid(&m, 0x80000022).eax, 5);
	assert_int_equal(cpuid(&m, 0x80000022).ebx, 6 | 16 << 10);
	/* Counters of the data fabric and of the L3; read-only APERF; retired instructions. */
	assert_int_equal(cpuid(&m, 0x80000001).ecx & (1u << 24 | 1u << 28), 1u << 24 | 1u << 28);
	assert_int_equal(cpuid(&m, 0x80000007).edx & 1u << 10, 1u << 10);
	assert_int_equal(cpuid(&m, 0x80000008).ebx & 1u << 1, 1u << 1);
}

/* What is not emulated is not announced, by any personality. */
/* As the machine says it: one package of `cpus` CPUs, with one thread each. */
static struct cpuid_regs topology(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
				  uint32_t cpus, uint32_t id)
{
	struct cpuid_regs r = {0};

	if (leaf == 1)
		r.ebx = id << 24 | cpus << 16 | 0x800;
	else if (leaf == 0xb)
		r = (struct cpuid_regs){.ebx = cpus, .ecx = (subleaf + 1) << 8, .edx = id};
	else if (leaf == 0x80000008)
		r = (struct cpuid_regs){.eax = 0x3028, .ecx = cpus - 1};
	else if (leaf == 0x8000001e)
		r = (struct cpuid_regs){.eax = id, .ebx = id};
	vpmu_model_cpuid(m, leaf, subleaf, &r);
	return r;
}

static void check_levels(const struct vpmu_model *m, uint32_t cpus, uint32_t threads,
			 uint32_t logical, uint32_t width)
{
	struct cpuid_regs r = topology(m, 1, 0, cpus, 1);

	assert_int_equal(r.ebx, 1u << 24 | logical << 16 | 0x800);
	assert_int_equal(r.edx >> 28 & 1, logical > 1);
	r = topology(m, 0xb, 0, cpus, 5);
	assert_true(r.eax == threads - 1 && r.ebx == threads && r.ecx == 0x100 && r.edx == 5);
	r = topology(m, 0xb, 1, cpus, 5);
	assert_true(r.eax == width && r.ebx == logical && r.ecx == 0x201 && r.edx == 5);
	r = topology(m, 0xb, 2, cpus, 5);
	assert_true(r.eax == 0 && r.ebx == 0 && r.ecx == 2 && r.edx == 5);
}

static void test_cpuid_topology(void **state)
{
	struct vpmu_model on = model("skx", true), off = model("skx", false);
	struct cpuid_regs r;

	(void)state;
	check_levels(&on, 1, 2, 2, 1);
	check_levels(&on, 5, 2, 6, 3);
	check_levels(&off, 1, 1, 1, 0);
	check_levels(&off, 5, 1, 5, 3);
	on = model("zen4", true);
	off = model("zen4", false);
	check_levels(&on, 4, 2, 4, 2);
	assert_true(topology(&on, 0x80000001, 0, 1, 0).ecx & 1u << 22);
	r = topology(&on, 0x80000008, 0, 3, 0);
	assert_true(r.eax == 0x3028 && r.ecx == (2 << 12 | 3));
	assert_int_equal(topology(&off, 0x80000008, 0, 3, 0).ecx, 2 << 12 | 2);
	assert_int_equal(topology(&on, 0x8000001e, 0, 4, 3).ebx, 1 << 8 | 1);
	assert_int_equal(topology(&off, 0x8000001e, 0, 4, 3).ebx, 3);
}

static void test_cpuid_hidden(void **state)
{
	static const uint32_t absent[] = {0x05, 0x14, 0x15, 0x16, 0x1c, 0x23, 0x8000000a};
	size_t count;
	const struct vpmu_uarch *list = vpmu_uarch_list(&count);

	(void)state;
	for (size_t u = 0; u < count; u++) {
		struct vpmu_model m = model(list[u].name, true);

		for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++) {
			struct cpuid_regs r = cpuid(&m, absent[i]);

			assert_int_equal(r.eax | r.ebx | r.ecx | r.edx, 0);
		}
		assert_int_equal(cpuid(&m, 7).ebx & (1u << 4 | 1u << 9 | 1u << 11 | 1u << 25), 0);
		assert_int_equal(cpuid(&m, 1).edx >> 21 & 1, list[u].vendor == VPMU_INTEL);
		assert_int_equal(cpuid(&m, 1).ecx >> 2 & 1, list[u].vendor == VPMU_INTEL);
		assert_int_equal(cpuid(&m, 0).eax, list[u].core_type ? 0x1a : 0xd);
		assert_int_equal(cpuid(&m, 7).edx >> 15 & 1, !!list[u].core_type);
		assert_int_equal(!cpuid(&m, 0x1a).eax, !list[u].core_type);
	}
}

/* Of five CPUs the last two are small cores, which have counters of their own, and one thread. */
static void test_hybrid(void **state)
{
	const struct vpmu_uarch *adl = vpmu_uarch_find("adl"), *skx = vpmu_uarch_find("skx");
	struct vpmu_model large, small;
	uint64_t v;

	(void)state;
	assert_ptr_equal(vpmu_uarch_of(skx, 4, 5), skx);
	for (unsigned i = 0; i < 5; i++)
		assert_ptr_equal(vpmu_uarch_of(adl, i, 5), i < 3 ? adl : adl->small);
	vpmu_model_init(&large, adl, true, 1);
	vpmu_model_init(&small, adl->small, true, 1);
	assert_int_equal(cpuid(&large, 0x1a).eax, 0x40000001);
	assert_int_equal(cpuid(&small, 0x1a).eax, 0x20000001);
	assert_int_equal(cpuid(&small, 1).eax, cpuid(&large, 1).eax);
	assert_int_equal(cpuid(&large, 0xa).eax, 8 << 24 | 48 << 16 | 8 << 8 | 5);
	assert_int_equal(cpuid(&small, 0xa).eax, 7 << 24 | 48 << 16 | 6 << 8 | 5);
	assert_int_equal(vpmu_model_rdmsr(&large, MSR_IA32_PMC0 + 7, &v), VPMU_DONE);
	assert_int_equal(vpmu_model_rdmsr(&small, MSR_IA32_PMC0 + 6, &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdmsr(&small, MSR_PERF_METRICS, &v), VPMU_GP);
	check_levels(&large, 5, 1, 5, 3);
	check_levels(&small, 5, 1, 5, 3);
}

static void test_cpuid_brand(void **state)
{
	size_t count;
	const struct vpmu_uarch *list = vpmu_uarch_list(&count);

	(void)state;
	for (size_t u = 0; u < count; u++) {
		struct vpmu_model m = model(list[u].name, true);
		char text[48];

		for (uint32_t i = 0; i < 3; i++) {
			struct cpuid_regs r = cpuid(&m, 0x80000002 + i);

			memcpy(text + 16 * i, &r, sizeof(r));
		}
		assert_true(strlen(list[u].brand) < sizeof(text));
		assert_string_equal(text, list[u].brand);
	}
}

/* --- The table itself --- */

static void check_row(const struct vpmu_uarch *row)
{
	for (size_t e = 0; e < row->nevents; e++) {
		const struct vpmu_event *ev = &row->events[e];

		assert_int_not_equal(ev->den, 0);
		assert_int_not_equal(ev->counters & ((1u << row->gp[0]) - 1), 0);
		for (size_t k = 0; k < e; k++)
			if (row->events[k].code == ev->code && row->events[k].umask == ev->umask &&
			    row->events[k].cmask == ev->cmask)
				fail_msg("%s: %s twice", row->name, ev->name);
	}
}

static void test_rows(void **state)
{
	size_t count;
	const struct vpmu_uarch *list = vpmu_uarch_list(&count);

	(void)state;
	assert_int_equal(count, 5);
	assert_null(vpmu_uarch_find("p4"));
	for (size_t u = 0; u < count; u++) {
		const struct vpmu_uarch *row = &list[u];

		assert_ptr_equal(vpmu_uarch_find(row->name), row);
		check_row(row);
		if (row->small)
			check_row(row->small);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_rdpmc),
		cmocka_unit_test(test_reset_state),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_amd_aliases),
		cmocka_unit_test(test_counting),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_every_event),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_remainders),
		cmocka_unit_test(test_rings),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_inuse),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_overflow_without_interrupt),
		cmocka_unit_test(test_status_set_raises_nothing),
		cmocka_unit_test(test_until_depends_on_ring),
		cmocka_unit_test(test_amd_acknowledges_by_complement),
		cmocka_unit_test(test_freeze_legacy),
		cmocka_unit_test(test_freeze_streamlined),
		cmocka_unit_test(test_freeze_amd),
		cmocka_unit_test(test_no_freeze_by_default),
		cmocka_unit_test(test_until_agrees),
		cmocka_unit_test(test_cpuid_intel),
		cmocka_unit_test(test_cpuid_amd),
		cmocka_unit_test(test_cpuid_topology),
		cmocka_unit_test(test_cpuid_hidden),
		cmocka_unit_test(test_hybrid),
		cmocka_unit_test(test_cpuid_brand),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests_name("vpmu model", tests, NULL, NULL);
}
