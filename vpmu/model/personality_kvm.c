// SPDX-License-Identifier: BSD-2-Clause
/*
 * personality_kvm.c - the PMUs that guests of KVM see, by QEMU's `-cpu host,pmu=on`. Sources:
 * Linux's Documentation/virt/kvm/x86/cpuid.rst and msr.rst, and what its KVM accepts as values of
 * registers; QEMU's documentation of CPU models.
 *
 * Intel: version 2 at most, the host's general counters up to 8, three fixed counters, no records
 * of any kind. AMD: six counters, or four where the host has no PerfCtrExtCore. QEMU shows
 * PerfMonV2 only where it is asked for by name, and neither IBS nor last branches.
 *
 * Names are those of KVM's kernel modules.
 */
#include "vpmu/model/personality.h"

/* A Skylake-SP: the host has four counters for each thread, eight without hyper-threading. */
PERSONALITY(kvm_intel) = {
	IDENTITY(kvm_intel),
	.title = "KVM on Intel",
	.brand = "Intel Xeon 6130 in KVM (perf0 vpmu)",
	.signature = 0x00050654,
	ARCHITECTURAL(2, 8, 4),
	.width = 48,
	.slots = 4,
	.perf_capabilities = PERF_CAP_FW_WRITE,
	DESCRIPTORS(0x76036301, 0x00f0b6ff, 0x00c30000),
	.has = VPMU_KVM,
	EVENTS_OF(skylakex),
};

/* A Zen 3. */
PERSONALITY(kvm_amd) = {
	IDENTITY(kvm_amd),
	.title = "KVM on AMD",
	.brand = "AMD EPYC 7543 in KVM (perf0 vpmu)",
	.signature = 0x00a00f11,
	.gp = {6, 6},
	.width = 48,
	.slots = 6,
	.amd_core = true,
	.has = VPMU_KVM,
	EVENTS_OF(zen3),
};

/*
 * MSRs that KVM has for its guests, beside those of the PMU, as ranges. It reads the energies of
 * RAPL as zero.
 */
static const struct {
	uint32_t first, last;
} kvm_msrs[] = {
	{0x00000000, 0x00000001},                           /* machine checks of P5 */
	{0x00000010, 0x00000010},                           /* TSC */
	{0x00000017, 0x00000017},                           /* platform */
	{0x0000001b, 0x0000001b},                           /* APIC base */
	{0x0000002a, 0x0000002c},                           /* power-on, frequency */
	{0x0000003a, 0x0000003b},                           /* feature control, TSC adjust */
	{0x00000048, 0x00000049},                           /* speculation */
	{0x00000079, 0x00000079},                           /* microcode */
	{0x0000008b, 0x0000008b}, {0x0000009e, 0x0000009e}, /* SMBASE */
	{0x000000cd, 0x000000ce},                           /* bus frequency, platform */
	{0x000000fe, 0x000000fe},                           /* MTRRs */
	{0x0000010a, 0x0000010b},                           /* capabilities, flush */
	{0x0000011e, 0x0000011e},                           /* L2 control */
	{0x00000122, 0x00000122},                           /* TSX control */
	{0x00000140, 0x00000140},                           /* misc features */
	{0x00000174, 0x00000176},                           /* SYSENTER */
	{0x00000179, 0x0000017b},                           /* machine checks */
	{0x00000198, 0x00000198},                           /* performance status */
	{0x000001d9, 0x000001de}, /* DEBUGCTL, last branch and exception */
	{0x000001fc, 0x000001fc}, /* power control */
	{0x00000200, 0x0000020f}, /* MTRRs */
	{0x00000250, 0x00000250}, {0x00000258, 0x00000259}, {0x00000268, 0x0000026f},
	{0x00000277, 0x00000277}, /* PAT */
	{0x00000280, 0x0000029f}, /* machine checks */
	{0x000002ff, 0x000002ff}, /* MTRRs */
	{0x00000400, 0x0000047f}, /* machine checks */
	{0x00000606, 0x00000606}, /* RAPL: unit, package, memory, cores, graphics */
	{0x00000611, 0x00000611}, {0x00000619, 0x00000619}, {0x00000639, 0x00000639},
	{0x00000641, 0x00000641}, {0x000006e0, 0x000006e0}, /* TSC deadline */
	{0x00000800, 0x000008ff},                           /* x2APIC */
	{0x00000da0, 0x00000da0},                           /* XSS */
	{0xc0000080, 0xc0000084},                           /* EFER, SYSCALL */
	{0xc0000100, 0xc0000104},                           /* segments, TSC_AUX, TSC ratio */
	{0xc0010010, 0xc0010010},                           /* SYSCFG */
	{0xc0010015, 0xc0010015},                           /* HWCR */
	{0xc001001b, 0xc001001b},                           /* clock control */
	{0xc001001f, 0xc0010020},                           /* northbridge, microcode */
	{0xc0010055, 0xc0010055},                           /* pending interrupt */
	{0xc0010058, 0xc0010058},                           /* MMIO configuration */
	{0xc0010112, 0xc0010117},                           /* SMM, SVM */
	{0xc001011f, 0xc001011f},                           /* speculation */
	{0xc0010140, 0xc0010141},                           /* OS visible workarounds */
	{0xc0011022, 0xc0011022},                           /* data cache, decoder, bus unit */
	{0xc0011029, 0xc001102a},
};

bool vpmu_kvm_lacks(const struct vpmu_uarch *uarch, uint32_t msr)
{
	if (!(uarch->has & VPMU_KVM))
		return false;
	for (size_t i = 0; i < sizeof(kvm_msrs) / sizeof(kvm_msrs[0]); i++)
		if (msr - kvm_msrs[i].first <= kvm_msrs[i].last - kvm_msrs[i].first)
			return false;
	return true;
}
