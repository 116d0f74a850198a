// SPDX-License-Identifier: BSD-2-Clause
/* test_pmu_cpus.c - what a package has one of is the same for each of its CPUs. */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/smp.h"
#include "rt/image_test.h"

#define TURNS 2000000

/* A loop of two instructions. */
static void spin(void *arg)
{
	(void)arg;
	for (uint64_t left = TURNS; left; left--)
		__asm__ volatile("");
}

struct reading {
	uint32_t msr;
	bool ok;
	uint64_t value;
};

static void read_energy(void *arg)
{
	struct reading *r = arg;

	spin(NULL);
	r->ok = rdmsr_safe(r->msr, &r->value);
}

static uint32_t energy_register(void)
{
	const uint32_t intel = 0x756e6547; /* "Genu" */

	return insn_cpuid(0, 0).ebx == intel ? MSR_PKG_ENERGY_STATUS : MSR_AMD_PKG_ENERGY_STATUS;
}

/* One counter of energy, whoever reads it: it goes on from CPU to CPU. */
static const char *test_energy_is_of_the_package(void)
{
	struct reading r = {.msr = energy_register()};
	uint64_t before = 0;

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
		smp_call(cpu, read_energy, &r);
		if (!r.ok || !r.value)
			return cpu ? "one CPU alone has no energy"
				   : IMAGE_TEST_SKIP("energy is not counted");
		if (before && (int32_t)(r.value - before) <= 0)
			return "another CPU's energy is less";
		before = r.value;
	}
	return NULL;
}

IMAGE_TEST(test_energy_is_of_the_package);
