// SPDX-License-Identifier: BSD-2-Clause
/*
 * steal.c - see steal.h. Linux, Documentation/virt/kvm/x86/msr.rst, "MSR_KVM_STEAL_TIME": KVM keeps
 * a record of 64 bytes in memory of the guest. An odd version says that it is being written.
 */
#include "rt/run/steal.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/cpuid.h"
#include "arch/x86/smp/smp.h"
#include "rt/portable/noise.h"

#define FEATURES_LEAF 0x40000001u

struct steal_record {
	uint64_t ns;
	uint32_t version, flags;
	uint32_t rest[12];
};
_Static_assert(sizeof(struct steal_record) == 64, "KVM writes 64 bytes");

static volatile struct steal_record records[SMP_MAX_CPUS] __attribute__((aligned(64)));
static bool is_on[SMP_MAX_CPUS];

static bool is_told(void)
{
	return cpuid_is_kvm() && insn_cpuid(FEATURES_LEAF, 0).eax & KVM_FEATURE_STEAL;
}

void steal_begin(void)
{
	const unsigned cpu = smp_cpu();

	is_on[cpu] = is_told() &&
		     wrmsr_safe(MSR_KVM_STEAL_TIME, phys_of(&records[cpu]) | KVM_STEAL_ENABLE);
}

void steal_end(void)
{
	if (is_on[smp_cpu()])
		wrmsr_safe(MSR_KVM_STEAL_TIME, 0);
	is_on[smp_cpu()] = false;
}

/* KVM writes before this CPU runs on, so a second reading of an odd version is rare. */
uint64_t steal_ns(void)
{
	const volatile struct steal_record *record = &records[smp_cpu()];
	uint32_t version;
	uint64_t ns;

	if (!is_on[smp_cpu()])
		return NOISE_UNKNOWN;
	do {
		version = record->version;
		ns = record->ns;
	} while (version & 1 || version != record->version);
	return ns;
}
