// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_registers.c - the contract of vpmu/model/model.h: faults, widths of counters, and
 * CPUID. The test compares the model with the manuals, not with real CPUs.
 */
#include "tests/unit/vpmu/modelled_pmu.h"

#include "include/perf0/vpmu.h"

#include "tests/unit/test.h"

#define ALL_GLOBAL_HSW 0x70000000full

/* --- Faults --- */

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
	{"adl", MSR_PERF_METRICS, 1ull << 63, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PEBS_ENABLE, 0xf0000000full, VPMU_DONE, VPMU_DONE},
	{"skx", MSR_IA32_PEBS_ENABLE, 0x10, VPMU_GP, VPMU_DONE},
	{"icl", MSR_IA32_PEBS_ENABLE, 0xf000000ffull, VPMU_DONE, VPMU_DONE},
	{"icl", MSR_IA32_PEBS_ENABLE, 1ull << 36, VPMU_GP, VPMU_DONE},
	{"skx", MSR_PEBS_DATA_CFG, 0, VPMU_GP, VPMU_GP},
	{"icl", MSR_PEBS_DATA_CFG, PEBS_DATA_MEMORY | PEBS_DATA_GPRS, VPMU_DONE, VPMU_DONE},
	{"icl", MSR_PEBS_DATA_CFG, PEBS_DATA_XMMS | PEBS_DATA_LBRS | PEBS_DATA_LBR_ENTRIES(32),
	 VPMU_DONE, VPMU_DONE},
	{"icl", MSR_PEBS_DATA_CFG, 1 << 4, VPMU_GP, VPMU_DONE},
	{"icl", MSR_PEBS_DATA_CFG, 1ull << 32, VPMU_GP, VPMU_DONE},
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
	{"skx", MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_IN_SMM, VPMU_DONE, VPMU_DONE},
	{"zen4", MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_IN_SMM, VPMU_GP, VPMU_DONE},
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

TEST(test_faults)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		const struct fault *f = &faults[i];
		struct vpmu_model m = model_of(f->uarch, true), before = m;
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

static unsigned count_names(const char *uarch)
{
	static const uint32_t ranges[] = {0, 0xc0000000, 0xc0010000, MSR_KVM_STEAL_TIME};
	struct vpmu_model m = model_of(uarch, true);
	unsigned n = 0;
	uint64_t v;

	for (unsigned r = 0; r < 4; r++)
		for (uint32_t i = 0; i < (ranges[r] == MSR_KVM_STEAL_TIME ? 1 : 0x2000); i++)
			n += vpmu_model_rdmsr(&m, ranges[r] + i, &v) != VPMU_NOT_OURS;
	return n;
}

/* No row hides another one: Intel's names, and AMD's. */
TEST(test_each_name_is_found)
{
	assert_int_equal(count_names("skx"), 334);
	assert_int_equal(count_names("adl"), 334);
	assert_int_equal(count_names("zen4"), 109);
}

/* The faults of writes are predicted correctly: for each register, each bit alone, and no bit. */
static void check_told_faults(const struct vpmu_model *m, uint32_t msr)
{
	for (unsigned bit = 0; bit <= 64; bit++) {
		const uint64_t v = bit < 64 ? 1ull << bit : 0;
		struct vpmu_model copy = *m;
		const bool does = vpmu_model_wrmsr(&copy, msr, v) != VPMU_DONE;

		if (vpmu_model_wrmsr_faults(m, msr, v) != does)
			fail_msg("%s: MSR %#x, value %#llx", m->uarch->name, msr,
				 (unsigned long long)v);
	}
}

TEST(test_faults_are_told)
{
	static const uint32_t ranges[] = {0, 0xc0000000, 0xc0010000};
	const uint32_t msrs = 0x2000;
	size_t n;
	const struct vpmu_uarch *const *uarchs = vpmu_uarch_list(&n);

	for (size_t u = 0; u < n; u++)
		for (unsigned r = 0; r < 3 * msrs; r++) {
			const uint32_t msr = ranges[r / msrs] + r % msrs;
			struct vpmu_model m = model_of(uarchs[u]->name, true);
			uint64_t v;

			if (vpmu_model_rdmsr(&m, msr, &v) != VPMU_NOT_OURS)
				check_told_faults(&m, msr);
		}
}

TEST(test_rdpmc)
{
	struct vpmu_model hsw = model_of("hsw", true), off = model_of("hsw", false),
			  icl = model_of("icl", true), zen = model_of("zen4", true);
	uint64_t v;

	write_msr(&hsw, MSR_IA32_A_PMC0 + 2, 0x123456789abc);
	assert_int_equal(vpmu_model_rdpmc(&hsw, 2, &v), VPMU_DONE);
	assert_int_equal(v, 0x123456789abc);
	write_msr(&hsw, MSR_IA32_FIXED_CTR0 + 1, 77);
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

TEST(test_reset_state)
{
	struct vpmu_model hsw = model_of("hsw", true), off = model_of("hsw", false);

	assert_int_equal(read_msr(&hsw, MSR_IA32_PERF_GLOBAL_CTRL), 0xf);
	assert_int_equal(read_msr(&off, MSR_IA32_PERF_GLOBAL_CTRL), 0xff);
	assert_int_equal(read_msr(&hsw, MSR_IA32_PERF_GLOBAL_STATUS), 0);
	assert_int_equal(read_msr(&hsw, MSR_IA32_MISC_ENABLE) & 0x1880, 0x0880);
	write_msr(&hsw, MSR_IA32_MISC_ENABLE, 0x1000);
	assert_int_equal(read_msr(&hsw, MSR_IA32_MISC_ENABLE), 0x0880);
	assert_int_equal(read_msr(&hsw, MSR_IA32_PERF_CAPABILITIES),
			 PERF_CAP_FREEZE_SMM | PERF_CAP_FW_WRITE | 0x2c0);
}

/* --- Widths --- */

TEST(test_widths)
{
	struct vpmu_model m = model_of("skx", true), z = model_of("zen4", true);

	write_msr(&m, MSR_IA32_PMC0, 0x80000000);
	assert_int_equal(read_msr(&m, MSR_IA32_PMC0), 0xffff80000000);
	write_msr(&m, MSR_IA32_PMC0, 0xdead00007fffffff);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0), 0x7fffffff);
	write_msr(&m, MSR_IA32_A_PMC0, MASK48);
	assert_int_equal(read_msr(&m, MSR_IA32_PMC0), MASK48);
	write_msr(&z, MSR_AMD_PERF_CTR0, UINT64_MAX);
	assert_int_equal(read_msr(&z, MSR_AMD_PERF_CTR0), MASK48);
}

TEST(test_amd_aliases)
{
	struct vpmu_model z = model_of("zen4", true);

	for (unsigned i = 0; i < 4; i++) {
		write_msr(&z, MSR_K7_EVNTSEL0 + i, SEL(0x76, i));
		assert_int_equal(read_msr(&z, MSR_AMD_PERF_CTL0 + 2 * i), SEL(0x76, i));
		write_msr(&z, MSR_AMD_PERF_CTR0 + 2 * i, 1000 + i);
		assert_int_equal(read_msr(&z, MSR_K7_PERFCTR0 + i), 1000 + i);
	}
	write_msr(&z, MSR_AMD_PERF_CTL0, UINT64_MAX);
	assert_int_equal(read_msr(&z, MSR_AMD_PERF_CTL0) &
				 ((1ull << 19) | (1ull << 21) | (0xfull << 36)),
			 0);
}

/* --- CPUID --- */

static struct cpuid_regs cpuid(const struct vpmu_model *m, uint32_t leaf)
{
	struct cpuid_regs r = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

	vpmu_model_cpuid(m, leaf, 0, &r);
	return r;
}

TEST(test_cpuid_intel)
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

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_model m = model_of(rows[i].name, rows[i].ht);
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

TEST(test_cpuid_amd)
{
	struct vpmu_model m = model_of("zen4", true);
	struct cpuid_regs r = cpuid(&m, 0);

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

/* CPUID on a machine of one package with `cpus` CPUs, with one thread each. */
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

TEST(test_cpuid_topology)
{
	struct vpmu_model on = model_of("skx", true), off = model_of("skx", false);
	struct cpuid_regs r;

	check_levels(&on, 1, 2, 2, 1);
	check_levels(&on, 5, 2, 6, 3);
	check_levels(&off, 1, 1, 1, 0);
	check_levels(&off, 5, 1, 5, 3);
	on = model_of("zen4", true);
	off = model_of("zen4", false);
	check_levels(&on, 4, 2, 4, 2);
	assert_true(topology(&on, 0x80000001, 0, 1, 0).ecx & 1u << 22);
	r = topology(&on, 0x80000008, 0, 3, 0);
	assert_true(r.eax == 0x3028 && r.ecx == (2 << 12 | 3));
	assert_int_equal(topology(&off, 0x80000008, 0, 3, 0).ecx, 2 << 12 | 2);
	assert_int_equal(topology(&on, 0x8000001e, 0, 4, 3).ebx, 1 << 8 | 1);
	assert_int_equal(topology(&off, 0x8000001e, 0, 4, 3).ebx, 3);
}

TEST(test_cpuid_hidden)
{
	static const uint32_t absent[] = {0x05, 0x14, 0x15, 0x16, 0x1c, 0x8000000a};
	size_t count;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&count);

	for (size_t u = 0; u < count; u++) {
		struct vpmu_model m = model_of(list[u]->name, true);
		const bool records = PERF_CAP_PEBS_FMT(list[u]->perf_capabilities);

		for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++) {
			struct cpuid_regs r = cpuid(&m, absent[i]);

			assert_int_equal(r.eax | r.ebx | r.ecx | r.edx, 0);
		}
		assert_int_equal(cpuid(&m, 7).ebx & (1u << 4 | 1u << 9 | 1u << 11 | 1u << 25), 0);
		assert_int_equal(cpuid(&m, 1).edx >> 21 & 1, records);
		assert_int_equal(cpuid(&m, 1).ecx >> 2 & 1, records);
		assert_int_equal(cpuid(&m, 0).eax, list[u]->extended ? 0x23
						   : list[u]->lbr_format == LBR_FORMAT_ARCHITECTURAL
							   ? 0x1c
						   : list[u]->core_type    ? 0x1a
						   : list[u]->version == 5 ? 0x18
						   : list[u]->pt           ? 0x14
									   : 0xd);
		assert_int_equal(!cpuid(&m, 0x23).eax, !list[u]->extended);
		assert_int_equal(cpuid(&m, 7).edx >> 15 & 1, !!list[u]->core_type);
		assert_int_equal(!cpuid(&m, 0x1a).eax, !list[u]->core_type);
	}
}

/* The bit of hypervisors, and the leaves that it announces. vpmu's own leaves always exist. */
TEST(test_cpuid_hypervisor)
{
	struct vpmu_model m = model_of("skx", true);
	struct cpuid_regs r;

	assert_true(cpuid(&m, 1).ecx >> 31);
	assert_int_equal(cpuid(&m, 0x40000000).eax, UINT32_MAX);
	m.machine.hides_hypervisor = true;
	assert_false(cpuid(&m, 1).ecx >> 31);
	r = cpuid(&m, 0x40000000);
	assert_int_equal(r.eax | r.ebx | r.ecx | r.edx, 0);
	r = cpuid(&m, 0x4fffffff);
	assert_int_equal(r.eax | r.ebx | r.ecx | r.edx, 0);
	assert_true(vpmu_model_describe(&m, VPMU_CPUID_LEAF, VPMU_CPUID_MARK, &r));
	assert_memory_equal(&r.ebx, VPMU_SIGNATURE, VPMU_SIGNATURE_BYTES);
}

/* Linux looks for the energy of a package where this bit is set. */
TEST(test_cpuid_energy)
{
	const uint32_t rapl = 1u << 14;
	struct vpmu_model skx = model_of("skx", true), zen = model_of("zen4", true);
	struct cpuid_regs none = {0};

	assert_false(cpuid(&skx, 0x80000007).edx & rapl);
	vpmu_model_cpuid(&zen, 0x80000007, 0, &none);
	assert_true(none.edx & rapl);
}

/* The last two of five CPUs are small cores, which have counters of their own, and one thread. */
TEST(test_hybrid)
{
	const struct vpmu_uarch *adl = vpmu_uarch_find("adl"), *skx = vpmu_uarch_find("skx");
	struct vpmu_model large, small;
	uint64_t v;

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

static void read_brand(const struct vpmu_model *m, char text[48])
{
	for (uint32_t i = 0; i < 3; i++) {
		struct cpuid_regs r = cpuid(m, 0x80000002 + i);

		memcpy(text + 16 * i, &r, sizeof(r));
	}
}

/* Intel's string ends with the TSC's frequency, if it is known. */
TEST(test_cpuid_brand)
{
	size_t count;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&count);

	for (size_t u = 0; u < count; u++) {
		struct vpmu_model m = model_of(list[u]->name, true);
		const char *frequency = list[u]->vendor == VPMU_AMD ? "" : " @ 2.50GHz";
		char text[48], expected[64];

		read_brand(&m, text);
		assert_string_equal(text, list[u]->brand);
		m.machine.tsc_hz = 2495000000;
		read_brand(&m, text);
		snprintf(expected, sizeof(expected), "%s%s", list[u]->brand, frequency);
		assert_string_equal(text, expected);
	}
}
