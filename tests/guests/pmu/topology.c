// SPDX-License-Identifier: BSD-2-Clause
/*
 * topology.c - CPUID's threads and cores against the CPUs that the firmware knows: SDM vol. 2,
 * "CPUID", leaves 01H, 04H and 0BH; APM vol. 3, "CPUID", 8000_0008h and 8000_001Eh. A tool that
 * asks CPUID alone finds as many CPUs as there are.
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/insn.h"

#define CACHE_LEAF    0x04
#define LEVELS_LEAF   0x0b
#define PACKAGE_LEAF  0x80000008u
#define CORE_LEAF     0x8000001eu
#define EDX_HTT       (1u << 28)
#define LEVEL_THREADS 1u
#define LEVEL_CORES   2u

static uint32_t level_type(const struct cpuid_regs *level)
{
	return level->ecx >> 8 & 0xff;
}

static void check_intel_levels(void)
{
	const struct cpuid_regs threads = insn_cpuid(LEVELS_LEAF, 0),
				cores = insn_cpuid(LEVELS_LEAF, 1),
				none = insn_cpuid(LEVELS_LEAF, 2);
	const uint32_t sharing = (insn_cpuid(CACHE_LEAF, 0).eax >> 14 & 0xfff) + 1;

	pmu_is(level_type(&threads), LEVEL_THREADS, "0BH begins with threads");
	pmu_is(level_type(&cores), LEVEL_CORES, "then cores");
	pmu_is(level_type(&none), 0, "and nothing behind");
	pmu_is(cores.ebx & 0xffff, pmu.cpus, "0BH: CPUs of the package");
	pmu_ok((threads.ebx & 0xffff) <= pmu.cpus, "0BH: %u threads of a core",
	       threads.ebx & 0xffff);
	pmu_ok(sharing >= (threads.ebx & 0xffff) && sharing <= 1u << (threads.eax & 0x1f),
	       "04H: %u threads share a core's first cache", sharing);
}

static void check_amd_levels(void)
{
	const uint32_t threads = (insn_cpuid(CORE_LEAF, 0).ebx >> 8 & 0xff) + 1;

	pmu_is((insn_cpuid(PACKAGE_LEAF, 0).ecx & 0xff) + 1, pmu.cpus,
	       "8000_0008h: CPUs of the package");
	pmu_ok(threads <= pmu.cpus, "8000_001Eh: %u threads of a core", threads);
}

void pmu_check_topology(void)
{
	const struct cpuid_regs first = insn_cpuid(1, 0);

	pmu_is(first.ebx >> 16 & 0xff, pmu.cpus, "01H: CPUs of the package");
	pmu_is(first.edx & EDX_HTT, pmu.cpus > 1 ? EDX_HTT : 0, "HTT where there is more than one");
	if (pmu.is_amd)
		check_amd_levels();
	else
		check_intel_levels();
}
