// SPDX-License-Identifier: BSD-2-Clause
/*
 * version6.c - what came with Intel's version 6: a second name of each register of a counter, and
 * more bits of selectors. SDM vol. 3, "Architectural Performance Monitoring Version 6".
 */
#include "tests/guests/pmu/pmu.h"

#include "arch/x86/insn.h"

#define TURNS    1000
#define CMASK(n) ((uint64_t)(n) << 24)
#define SLOTS    0x01a4ull /* TOPDOWN.SLOTS_P */

static void check_alias(uint32_t one, uint32_t other, uint64_t value)
{
	pmu_keeps(one, value, "by its name of version 6");
	pmu_is(rdmsr(other), value, "what is written to %x is in %x", one, other);
	wrmsr(other, value >> 1);
	pmu_is(rdmsr(one), value >> 1, "and the other way round");
	wrmsr(other, 0);
}

static void check_aliases(void)
{
	for (unsigned i = 0; i < pmu.counters; i++) {
		check_alias(MSR_IA32_PMC_GP0_CTR + PMC_STEP * i, MSR_IA32_A_PMC0 + i,
			    PMU_BITS(pmu.width));
		check_alias(MSR_IA32_PMC_GP0_CFG_A + PMC_STEP * i, pmu_selector_msr(i),
			    pmu_events->branches << 1 | EVTSEL_OS);
	}
	for (unsigned i = 0; i < PMU_FIXED_END; i++)
		if (pmu_has_fixed(i))
			check_alias(MSR_IA32_PMC_FX0_CTR + PMC_STEP * i, MSR_IA32_FIXED_CTR0 + i,
				    PMU_BITS(pmu.fixed_width));
	pmu_gp_on_write(MSR_IA32_PMC_GP0_CTR, 1ull << pmu.width, "beyond its width");
	if (!pmu_names_next())
		return;
	pmu_gp_on_read(MSR_IA32_PMC_GP0_CTR + PMC_STEP * pmu.counters, "no such counter");
	pmu_gp_on_read(MSR_IA32_PMC_GP0_CFG_A + PMC_STEP * pmu.counters, "no such selector");
}

/* All that a counter takes, by these names alone. */
static void check_counting(void)
{
	wrmsr(MSR_IA32_PMC_GP0_CTR + PMC_STEP, 0);
	wrmsr(MSR_IA32_PMC_GP0_CFG_A + PMC_STEP, pmu_events->branches | PMU_BOTH | EVTSEL_EN);
	pmu_run(2, pmu_loop, TURNS);
	pmu_is(rdmsr(MSR_IA32_PMC_GP0_CTR + PMC_STEP),
	       pmu_count(1, pmu_events->branches | PMU_BOTH, pmu_loop, TURNS),
	       "a counter counts the same by its names of version 6");
}

/* No cycle has more than one cycle, and a mask of one is "at least" and "exactly" one alike. */
static void check_equal(void)
{
	const uint64_t cycles = pmu_events->cycles | PMU_BOTH | CMASK(1);

	pmu_same_cycles(pmu_count(0, cycles | EVTSEL_INTEL_EQ, pmu_loop, TURNS),
			pmu_count(0, cycles, pmu_loop, TURNS), "EQ: a cycle is exactly one");
	if (!(pmu.missing_events >> 7 & 1))
		pmu_is(pmu_count(0, SLOTS | PMU_BOTH | CMASK(1) | EVTSEL_INTEL_EQ, pmu_loop, TURNS),
		       0, "EQ: no cycle has one slot");
}

void pmu_check_version6(void)
{
	if (pmu.is_amd || pmu.version < 6) {
		pmu_ok(true, "this is no version 6");
		return;
	}
	pmu_ok(pmu.has_leaf_23h, "leaf 23H is there");
	check_aliases();
	check_counting();
	if (pmu.has_eq)
		check_equal();
}
