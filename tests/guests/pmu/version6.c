// SPDX-License-Identifier: BSD-2-Clause
/*
 * version6.c - the features of Intel's version 6: a second name of each register of a counter, more
 * bits of selectors, auto counter reload. SDM vol. 3, "Architectural Performance Monitoring Version
 * 6", "Auto Counter Reload".
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/dev/apic.h"
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
static void check_new_names(void)
{
	wrmsr(MSR_IA32_PMC_GP0_CTR + PMC_STEP, 0);
	wrmsr(MSR_IA32_PMC_GP0_CFG_A + PMC_STEP, pmu_events->branches | PMU_BOTH | EVTSEL_EN);
	pmu_run(2, pmu_loop, TURNS);
	pmu_is(rdmsr(MSR_IA32_PMC_GP0_CTR + PMC_STEP),
	       pmu_count(1, pmu_events->branches | PMU_BOTH, pmu_loop, TURNS),
	       "a counter counts the same by its names of version 6");
}

/* No cycle has more than one cycle, so "at least" and "exactly" one are alike; and each has more
 * than one slot. */
static void check_equal(void)
{
	const uint64_t one = PMU_BOTH | CMASK(1);

	pmu_select(0, pmu_events->cycles | one);
	pmu_select(1, pmu_events->cycles | one | EVTSEL_INTEL_EQ);
	pmu_set(0, 0);
	pmu_set(1, 0);
	pmu_run(3, pmu_loop, TURNS);
	pmu_same_cycles(pmu_get(1), pmu_get(0), "EQ: a cycle is exactly one");
	pmu_reset();
	if (!(pmu.missing_events >> 7 & 1))
		pmu_is(pmu_count(0, SLOTS | one | EVTSEL_INTEL_EQ, pmu_loop, TURNS), 0,
		       "EQ: no cycle has one slot");
}

/* --- Auto counter reload --- */

/* Counter `i` has a period, which begins anew with each overflow of `causes`. */
static void set_period(unsigned i, uint64_t selector, uint32_t period, uint64_t causes)
{
	pmu_select(i, selector);
	pmu_set(i, -(uint64_t)period & PMU_BITS(pmu.width));
	wrmsr(MSR_IA32_PMC_GP0_CFG_B + PMC_STEP * i, causes);
	wrmsr(MSR_IA32_PMC_GP0_CFG_C + PMC_STEP * i, -period);
}

/* An interrupt where `branches` of them come before 1000 instructions, of which each second one is
 * a branch. */
static void run_rate(unsigned a, unsigned b, uint32_t branches)
{
	pmu_clear_status(pmu_status());
	pmu_set_lvt(APIC_LVT_NMI);
	set_period(a, pmu_events->branches | PMU_BOTH | EVTSEL_INT, branches, 1u << b);
	set_period(b, pmu_events->instructions | PMU_BOTH, 1000, 1u << a | 1u << b);
	pmu_run(1u << a | 1u << b, pmu_loop, TURNS);
}

/* By the first two counters that have it. */
static void check_reload(void)
{
	const unsigned a = (unsigned)__builtin_ctz(pmu.reloaded),
		       b = (unsigned)__builtin_ctz(pmu.reloaded & (pmu.reloaded - 1));
	const uint64_t both = 1u << a | 1u << b;

	run_rate(a, b, 520);
	pmu_is(world_nmis, 0, "below the rate no interrupt comes");
	pmu_is(pmu_status() & both, 0, "and no overflow is seen");
	run_rate(a, b, 480);
	pmu_is(world_nmis, 1, "above it one does");
	pmu_is(pmu_status() & both, 1u << a, "of the counter with the rate");
	wrmsr(MSR_IA32_PMC_GP0_CFG_B + PMC_STEP * a, 0);
	wrmsr(MSR_IA32_PMC_GP0_CFG_B + PMC_STEP * b, 0);
	pmu_reset();
}

static void check_no_reload(void)
{
	for (unsigned i = 0; i < pmu.counters; i++)
		if (!(pmu.reloaded >> i & 1))
			pmu_gp_on_write(MSR_IA32_PMC_GP0_CFG_B + PMC_STEP * i, 0,
					"counter %u is not reloaded", i);
}

void pmu_check_version6(void)
{
	if (pmu.is_amd || pmu.version < 6) {
		pmu_ok(true, "this is no version 6");
		return;
	}
	pmu_ok(pmu.has_leaf_23h, "leaf 23H is there");
	check_aliases();
	check_new_names();
	if (pmu.has_eq)
		check_equal();
	if (pmu.reloaded & (pmu.reloaded - 1))
		check_reload();
	check_no_reload();
}
