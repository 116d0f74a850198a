// SPDX-License-Identifier: BSD-2-Clause
/*
 * msrs.c - the PMU `msr`: clocks and counters that always run on every CPU, for tasks and CPUs. It
 * has perf's names and numbers. SDM vol. 3, "Hardware-Controlled Performance States" and
 * "Time-Stamp Counter", vol. 4, "MSR_SMI_COUNT"; APM vol. 2, "Read-only MPERF/APERF", "Instructions
 * Retired Performance Counter".
 */
#include "pmu/x86/meter.h"
#include "pmu/names/dynamic.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/quirks.h"
#include "lib/reason.h"

#include <linux/errno.h>

#define SMI_BITS 32
#define SMI_VERSION                                                                  \
	3 /* of architectural performance monitoring: from Nehalem and Silvermont on \
	   */
#define INTEL_FAMILY 6

static bool is_always_there(const struct pmu_caps *caps)
{
	(void)caps;
	return true;
}

static bool has_aperfmperf(const struct pmu_caps *caps)
{
	return caps->aperfmperf;
}

static bool counts_smi(const struct pmu_caps *caps)
{
	return caps->vendor == CPU_VENDOR_INTEL && caps->family == INTEL_FAMILY &&
	       caps->version >= SMI_VERSION;
}

/* The counter runs once HWCR enables it. */
static bool has_irperf(const struct pmu_caps *caps)
{
	uint64_t hwcr;

	if (!caps->irperf || has_quirk(caps, QUIRK_IRPERF_WRONG) ||
	    !rdmsr_safe(MSR_AMD_HWCR, &hwcr))
		return false;
	if (!(hwcr & HWCR_IRPERF_EN))
		wrmsr_safe(MSR_AMD_HWCR, hwcr | HWCR_IRPERF_EN);
	return rdmsr_safe(MSR_AMD_HWCR, &hwcr) && hwcr & HWCR_IRPERF_EN;
}

static bool has_ptsc(const struct pmu_caps *caps)
{
	return caps->ptsc;
}

/* Indexed by attr.config; perf's 3 is pperf, whose presence no CPUID bit shows. */
static const struct {
	const char *name;
	struct pmu_meter meter;
	bool (*there)(const struct pmu_caps *caps);
} rows[] = {
	[0] = {"msr/tsc/", {.msr = MSR_IA32_TSC, .width = 64}, is_always_there},
	[1] = {"msr/aperf/", {.msr = MSR_IA32_APERF, .width = 64}, has_aperfmperf},
	[2] = {"msr/mperf/", {.msr = MSR_IA32_MPERF, .width = 64}, has_aperfmperf},
	[4] = {"msr/smi/", {.msr = MSR_SMI_COUNT, .width = SMI_BITS}, counts_smi},
	[5] = {"msr/ptsc/", {.msr = MSR_AMD_PTSC, .width = 64}, has_ptsc},
	[6] = {"msr/irperf/", {.msr = MSR_AMD_IRPERF, .width = 64}, has_irperf},
};

static bool is_readable(const struct pmu_meter *m)
{
	return m->msr == MSR_IA32_TSC || pmu_has_msr(m->msr);
}

static int make_msr_event(struct pmu_event *e, struct reason *why)
{
	const uint64_t id = e->attr.config;

	if (id >= sizeof(rows) / sizeof(rows[0]) || !rows[id].name)
		return refuse(why, EINVAL, "msr has no event %llu", (unsigned long long)id);
	if (!rows[id].there(pmu.caps) || !is_readable(&rows[id].meter))
		return refuse(why, ENOENT, "this CPU has no %s%s", rows[id].name,
			      cpuid_kvm_reason());
	return pmu_meter_init(e, "msr", &rows[id].meter, why);
}

static const struct pmu_kind msr_kind = {
	.first = PMU_TYPE_MSR,
	.last = PMU_TYPE_MSR,
	.init = make_msr_event,
};

PMU_KIND(msr_kind);
