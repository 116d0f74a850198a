// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_reload.c - auto counter reload in vpmu's model: its counters, the causes of a reload,
 * and the visible overflows.
 */
#include "tests/unit/vpmu/modelled_pmu.h"

#define GP_CAUSES(i)    (MSR_IA32_PMC_GP0_CFG_B + PMC_STEP * (i))
#define GP_RELOAD(i)    (MSR_IA32_PMC_GP0_CFG_C + PMC_STEP * (i))
#define FIXED_CAUSES(i) (MSR_IA32_PMC_FX0_CFG_B + PMC_STEP * (i))
#define FIXED_RELOAD(i) (MSR_IA32_PMC_FX0_CFG_C + PMC_STEP * (i))
#define INSTRUCTIONS    SEL(0xc0, 0x00)
#define BRANCHES        SEL(0xc4, 0x00) /* each fifth instruction, where nothing else is known */

/* The values of Skymont's CPUID. */
TEST(test_which_counters)
{
	struct vpmu_model m = model_of("cwf", false), large = model_of("lnl", false);
	struct cpuid_regs r = {0};
	uint64_t v;

	vpmu_model_cpuid(&m, 0x23, 2, &r);
	assert_true(r.eax == 0xfc && r.ebx == 3 && r.ecx == 0xfc && r.edx == 3);
	write_msr(&m, GP_CAUSES(2), 0x3000000fc);
	write_msr(&m, GP_RELOAD(7), 0xffffffff);
	write_msr(&m, FIXED_CAUSES(1), 0x3000000fc);
	write_msr(&m, FIXED_RELOAD(0), 0xffffffff);
	assert_int_equal(read_msr(&m, GP_CAUSES(2)), 0x3000000fc);
	assert_int_equal(read_msr(&m, FIXED_RELOAD(0)), 0xffffffff);
	assert_int_equal(vpmu_model_wrmsr(&m, GP_CAUSES(2), 1), VPMU_GP);
	assert_int_equal(vpmu_model_wrmsr(&m, GP_CAUSES(2), 1ull << 34), VPMU_GP);
	assert_int_equal(vpmu_model_wrmsr(&m, GP_RELOAD(2), 1ull << 32), VPMU_GP);
	assert_int_equal(vpmu_model_rdmsr(&m, GP_CAUSES(1), &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdmsr(&m, GP_RELOAD(1), &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdmsr(&m, FIXED_CAUSES(2), &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdmsr(&large, GP_CAUSES(2), &v), VPMU_GP);
}

/* General counter `i` has a period that begins anew at each overflow of `causes`. */
static void count_period(struct vpmu_model *m, unsigned i, uint64_t sel, uint32_t period,
			 uint64_t causes)
{
	write_msr(m, MSR_IA32_PMC_GP0_CTR + PMC_STEP * i, -(uint64_t)period & MASK48);
	write_msr(m, GP_RELOAD(i), -period);
	write_msr(m, GP_CAUSES(i), causes);
	write_msr(m, MSR_IA32_PERFEVTSEL0 + i, sel);
}

/* Advances from event to event, as vpmu does. Returns the number of interrupts. */
static unsigned go(struct vpmu_model *m, uint64_t n)
{
	unsigned interrupts = 0;

	while (n) {
		const uint64_t until = vpmu_model_until(m, VPMU_USR), step = until < n ? until : n;

		if (!step) {
			interrupts += vpmu_model_deliver(m);
			continue;
		}
		run_model(m, VPMU_USR, step);
		n -= step;
	}
	return interrupts + vpmu_model_deliver(m);
}

/* An interrupt comes if 1000 instructions have more than this number of branches. They have 200. */
static unsigned rate_of_branches(struct vpmu_model *m, uint32_t branches, uint64_t n)
{
	*m = model_of("cwf", false);
	count_period(m, 2, BRANCHES | EVTSEL_INT, branches, 1 << 3);
	count_period(m, 3, INSTRUCTIONS, 1000, 1 << 2 | 1 << 3);
	write_msr(m, MSR_IA32_PERF_GLOBAL_CTRL, 0xc);
	return go(m, n);
}

TEST(test_a_rate)
{
	struct vpmu_model m;

	assert_int_equal(rate_of_branches(&m, 201, 100500), 0);
	assert_int_equal(m.regs.global_status, 0);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0 + 3), -500ull & MASK48);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0 + 2), -101ull & MASK48);
	assert_int_equal(rate_of_branches(&m, 150, 750), 1);
	assert_int_equal(m.regs.global_status, 1 << 2);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0 + 2), 0);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0 + 3), -1000ull & MASK48);
}

/* A counter that reloads itself has no status, and interrupts only if that is enabled. */
TEST(test_by_itself)
{
	for (unsigned asks = 0; asks < 2; asks++) {
		struct vpmu_model m = model_of("cwf", false);

		count_period(&m, 4, INSTRUCTIONS | (asks ? EVTSEL_INT : 0), 100, 1 << 4);
		write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1 << 4);
		assert_int_equal(go(&m, 1050), asks ? 10 : 0);
		assert_int_equal(m.regs.global_status, 0);
		assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0 + 4), -50ull & MASK48);
	}
}

/* A general counter reloads a fixed one, and vice versa. */
TEST(test_fixed)
{
	struct vpmu_model m = model_of("cwf", false);

	count_period(&m, 2, INSTRUCTIONS, 100, 1ull << 32);
	write_msr(&m, FIXED_RELOAD(0), -1000u);
	write_msr(&m, FIXED_CAUSES(0), 1 << 2);
	write_msr(&m, MSR_IA32_FIXED_CTR0, -30ull & MASK48);
	write_msr(&m, MSR_IA32_FIXED_CTR_CTRL, FIXED_CTRL_USR);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 32 | 1 << 2);
	go(&m, 30);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0 + 2), -100ull & MASK48);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0), 0);
	go(&m, 100);
	assert_int_equal(read_msr(&m, MSR_IA32_FIXED_CTR0), -1000ull & MASK48);
	assert_int_equal(m.regs.global_status, 1ull << 32 | 1 << 2);
}

/* A reload value without causes has no effect. */
TEST(test_without_causes)
{
	struct vpmu_model m = model_of("cwf", false);

	count_period(&m, 2, INSTRUCTIONS | EVTSEL_INT, 100, 0);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1 << 2);
	assert_int_equal(go(&m, 150), 1);
	assert_int_equal(m.regs.global_status, 1 << 2);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0 + 2), 50);
}
