// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_kvm.c - the registers as KVM shows them to its guests. Sources: Linux's
 * Documentation/virt/kvm/x86/, and what its KVM accepts as values.
 */
#include "tests/unit/vpmu/modelled_pmu.h"
#include "vpmu/model/model_priv.h"
#include "vpmu/model/model_trace.h"

#define CAPABILITY_WRITES (1ull << 13)

static struct cpuid_regs ask_leaf(const struct vpmu_model *m, uint32_t leaf)
{
	struct cpuid_regs r = {~0u, ~0u, ~0u, ~0u};

	vpmu_model_cpuid(m, leaf, 0, &r);
	return r;
}

static void check_gp(struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	if (!vpmu_model_wrmsr_faults(m, msr, v) || vpmu_model_wrmsr(m, msr, v) != VPMU_GP)
		fail_msg("%s: %#x takes %#llx", m->uarch->name, msr, (unsigned long long)v);
}

static void check_absent(struct vpmu_model *m, uint32_t msr)
{
	uint64_t v;

	if (vpmu_model_rdmsr(m, msr, &v) == VPMU_DONE)
		fail_msg("%s: %#x is there", m->uarch->name, msr);
	if (vpmu_model_wrmsr(m, msr, 0) == VPMU_DONE)
		fail_msg("%s: %#x can be written", m->uarch->name, msr);
}

TEST(test_signature)
{
	static const char *const names[] = {"kvm_intel", "kvm_amd"};
	const struct vpmu_model other = model_of("skx", true);

	for (unsigned i = 0; i < 2; i++) {
		struct vpmu_model m = model_of(names[i], true);
		struct cpuid_regs r = ask_leaf(&m, 0x40000000);

		assert_int_equal(r.eax, 0x40000001);
		assert_memory_equal(&r.ebx, "KVMK", 4);
		assert_memory_equal(&r.ecx, "VMKV", 4);
		assert_memory_equal(&r.edx, "M\0\0\0", 4);
		assert_int_equal(ask_leaf(&m, 1).ecx >> 31, 1);
		assert_int_equal(ask_leaf(&m, 6).ecx, 0); /* neither APERF nor MPERF */
		m.machine.hides_hypervisor = true;
		assert_int_equal(ask_leaf(&m, 0x40000000).ebx, 0);
	}
	assert_int_equal(ask_leaf(&other, 0x40000000).ebx, ~0u); /* of the machine below */
}

TEST(test_intel_is_version_2)
{
	struct vpmu_model m = model_of("kvm_intel", true);
	const struct cpuid_regs r = ask_leaf(&m, 0xa);

	assert_int_equal(r.eax, 0x07300402);
	assert_int_equal(r.ebx, 0);
	assert_int_equal(r.ecx, 0);
	assert_int_equal(r.edx, 0x8603);                    /* AnyThread is deprecated */
	assert_int_equal(ask_leaf(&m, 1).edx >> 21 & 1, 0); /* no DS */
	assert_int_equal(ask_leaf(&m, 1).ecx >> 15 & 1, 1); /* PDCM */
	m = model_of("kvm_intel", false);
	assert_int_equal(ask_leaf(&m, 0xa).eax, 0x07300802);
}

TEST(test_intel_capabilities)
{
	struct vpmu_model m = model_of("kvm_intel", true);
	const uint64_t unavailable = MISC_ENABLE_BTS_UNAVAILABLE | MISC_ENABLE_PEBS_UNAVAILABLE;

	vpmu_branches_offer(&m);
	vpmu_model_offer_trace(&m, true);
	assert_int_equal(read_msr(&m, MSR_IA32_PERF_CAPABILITIES), CAPABILITY_WRITES);
	assert_int_equal(read_msr(&m, MSR_IA32_MISC_ENABLE) & unavailable, unavailable);
	assert_int_equal(read_msr(&m, MSR_IA32_MISC_ENABLE) & MISC_ENABLE_PERFMON,
			 MISC_ENABLE_PERFMON);
	check_gp(&m, MSR_IA32_MISC_ENABLE, 1 | MISC_ENABLE_PERFMON);
	write_msr(&m, MSR_IA32_MISC_ENABLE, unavailable); /* the bit of the PMU stays */
	assert_int_equal(read_msr(&m, MSR_IA32_MISC_ENABLE), unavailable | MISC_ENABLE_PERFMON);
	assert_false(vpmu_cpuid_tells_pt(&m));
}

/* Registers of the host's CPU that its guests have not. */
TEST(test_intel_lacks)
{
	static const uint32_t lacks[] = {
		MSR_OFFCORE_RSP_0,
		MSR_OFFCORE_RSP_0 + 1,
		MSR_LBR_SELECT,
		MSR_LBR_TOS,
		MSR_LBR_FROM0,
		MSR_LBR_TO0,
		MSR_LBR_INFO0,
		MSR_IA32_LBR_CTL,
		MSR_PERF_METRICS,
		MSR_IA32_PERF_GLOBAL_STATUS_SET,
		MSR_IA32_PERF_GLOBAL_INUSE,
		MSR_IA32_PEBS_ENABLE,
		MSR_PEBS_DATA_CFG,
		MSR_PEBS_LD_LAT,
		MSR_PEBS_FRONTEND,
		MSR_IA32_RTIT_CTL,
		MSR_IA32_DS_AREA,
		MSR_TSX_FORCE_ABORT,
		MSR_IA32_PERFEVTSEL0 + 4,
		MSR_IA32_A_PMC0 + 4,
		MSR_IA32_FIXED_CTR0 + 3,
	};
	struct vpmu_model m = model_of("kvm_intel", true);

	vpmu_branches_offer(&m);
	vpmu_model_offer_trace(&m, true);
	vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
	for (size_t i = 0; i < sizeof(lacks) / sizeof(*lacks); i++)
		check_absent(&m, lacks[i]);
	/* A machine that passes for a real one lacks them, too. */
	m.machine.hides_hypervisor = true;
	check_absent(&m, MSR_LBR_SELECT);
}

/* KVM: reserved are bit 21 and those from 32 on; pin control is taken. */
TEST(test_intel_selectors)
{
	struct vpmu_model m = model_of("kvm_intel", true);

	write_msr(&m, MSR_IA32_PERFEVTSEL0, 0xffdfffff);
	assert_int_equal(read_msr(&m, MSR_IA32_PERFEVTSEL0), 0xffdfffff);
	check_gp(&m, MSR_IA32_PERFEVTSEL0, EVTSEL_ANY);
	for (unsigned bit = 32; bit < 64; bit++)
		check_gp(&m, MSR_IA32_PERFEVTSEL0, 1ull << bit);
	write_msr(&m, MSR_IA32_FIXED_CTR_CTRL, 0xbbb);
	check_gp(&m, MSR_IA32_FIXED_CTR_CTRL, 0x004);
	check_gp(&m, MSR_IA32_FIXED_CTR_CTRL, 0x1000);
}

TEST(test_intel_global)
{
	const uint64_t counters = 0x70000000full;
	struct vpmu_model m = model_of("kvm_intel", true);

	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, counters);
	check_gp(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1 << 4);
	check_gp(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 35);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET, counters | 3ull << 62);
	check_gp(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET, 1ull << 61);
	check_gp(&m, MSR_IA32_PERF_GLOBAL_STATUS_RESET, 1ull << 58);
	check_gp(&m, MSR_IA32_PERF_GLOBAL_STATUS, 0);
}

/* General counters refuse what is beyond their width, and fixed ones drop it. */
TEST(test_intel_counters)
{
	struct vpmu_model m = model_of("kvm_intel", true);

	check_gp(&m, MSR_IA32_A_PMC0, 1ull << 48);
	write_msr(&m, MSR_IA32_PMC0, 0xffff0000);
	assert_int_equal(read_msr(&m, MSR_IA32_PMC0), 0xffffffff0000);
	write_msr(&m, MSR_IA32_FIXED_CTR0, 1ull << 48 | 7);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0), 7);
	assert_false(vpmu_model_wrmsr_faults(&m, MSR_IA32_FIXED_CTR0, UINT64_MAX));
}

/* Last branches and single steps are dropped, freezing is refused. */
TEST(test_intel_debugctl)
{
	struct vpmu_model m = model_of("kvm_intel", true);

	write_msr(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_LBR | DEBUGCTL_BTF);
	assert_int_equal(read_msr(&m, MSR_IA32_DEBUGCTL), 0);
	check_gp(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON);
	check_gp(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_LBRS);
	check_gp(&m, MSR_IA32_DEBUGCTL, DEBUGCTL_BTS);
}

TEST(test_amd)
{
	const uint32_t ibs = 1 << 10, core = 1 << 23, northbridge = 1 << 24, l3 = 1 << 28;
	struct vpmu_model m = model_of("kvm_amd", true);

	vpmu_branches_offer(&m);
	assert_int_equal(ask_leaf(&m, 0x80000001).ecx & (ibs | core | northbridge | l3), core);
	assert_int_equal(ask_leaf(&m, 0x80000008).ebx & 1u << 31, 0);
	assert_int_equal(ask_leaf(&m, 0x8000001b).eax, 0);
	assert_int_equal(ask_leaf(&m, 0x80000022).eax, 0);
	/* Reserved bits are dropped: those of host and guest, too. */
	write_msr(&m, MSR_AMD_PERF_CTL0, UINT64_MAX);
	assert_int_equal(read_msr(&m, MSR_AMD_PERF_CTL0), 0xfffd7ffffull);
	check_absent(&m, MSR_AMD_PERF_CNTR_GLOBAL_CTL);
	check_absent(&m, MSR_AMD_LBR_FROM0);
	check_absent(&m, MSR_AMD_IBS_FETCH_CTL);
}

/* A record of stolen time: KVM reserves bits 5:1 of its address. */
TEST(test_steal_time)
{
	struct vpmu_model m = model_of("kvm_amd", true), zen = model_of("zen3", true);

	assert_int_equal(ask_leaf(&m, 0x40000001).eax, 1 << 5);
	write_msr(&m, MSR_KVM_STEAL_TIME, 0x12340001);
	assert_int_equal(read_msr(&m, MSR_KVM_STEAL_TIME), 0x12340001);
	check_gp(&m, MSR_KVM_STEAL_TIME, 0x12340003);
	check_absent(&zen, MSR_KVM_STEAL_TIME);
}

/* MSRs that KVM does not know raise #GP in its guests. */
TEST(test_unknown_registers)
{
	static const uint32_t known[] = {MSR_IA32_TSC, MSR_IA32_APIC_BASE,
					 MSR_EFER,     0xce,
					 0x198,        0x277,
					 0x2ff,        0x6e0,
					 0x808,        0xc0000102,
					 0x606},
			      unknown[] = {0x34,  0xe7,  0xe8,  0x1a6, 0x1aa,      0x1b1,
					   0x3f8, 0x610, 0x64e, 0x770, 0xc0010230, 0xc0010293};
	const struct vpmu_uarch *kvm = vpmu_uarch_find("kvm_intel");

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (vpmu_kvm_lacks(kvm, known[i]))
			fail_msg("%#x is unknown", known[i]);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
		if (!vpmu_kvm_lacks(kvm, unknown[i]))
			fail_msg("%#x is known", unknown[i]);
		assert_false(vpmu_kvm_lacks(vpmu_uarch_find("skx"), unknown[i]));
	}
}
