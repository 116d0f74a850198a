// SPDX-License-Identifier: BSD-2-Clause
/* mtrr.c - see mtrr.h. */
#include "arch/x86/mem/mtrr.h"

#include "arch/x86/portable/cpuid.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"

#include <stddef.h>
#include <stdint.h>

#define VARIABLE_MOST 32

static const uint16_t fixed_msrs[] = {
	MSR_MTRR_FIX64K_00000,    MSR_MTRR_FIX16K_80000,    MSR_MTRR_FIX16K_A0000,
	MSR_MTRR_FIX4K_C0000,     MSR_MTRR_FIX4K_C0000 + 1, MSR_MTRR_FIX4K_C0000 + 2,
	MSR_MTRR_FIX4K_C0000 + 3, MSR_MTRR_FIX4K_C0000 + 4, MSR_MTRR_FIX4K_C0000 + 5,
	MSR_MTRR_FIX4K_C0000 + 6, MSR_MTRR_FIX4K_C0000 + 7,
};
#define NFIXED (sizeof(fixed_msrs) / sizeof(fixed_msrs[0]))

/* The register of the default type comes last, because it enables the others. */
static struct {
	unsigned n; /* 0: the first CPU has none */
	uint16_t msr[NFIXED + 2 * VARIABLE_MOST + 1];
	uint64_t value[NFIXED + 2 * VARIABLE_MOST + 1];
} noted;

static void note_msr(uint16_t msr)
{
	noted.msr[noted.n] = msr;
	noted.value[noted.n++] = rdmsr(msr);
}

void mtrr_note(void)
{
	uint64_t cap;

	if (!cpuid_fact(CPUID_FACT(1, 0, EDX, 12, 12)))
		return;
	cap = rdmsr(MSR_MTRRCAP);
	for (size_t i = 0; cap & MTRRCAP_FIXED && i < NFIXED; i++)
		note_msr(fixed_msrs[i]);
	for (unsigned i = 0; i < MTRRCAP_VARIABLE(cap) && i < VARIABLE_MOST; i++) {
		note_msr((uint16_t)MSR_MTRR_PHYSBASE(i));
		note_msr((uint16_t)MSR_MTRR_PHYSMASK(i));
	}
	note_msr(MSR_MTRR_DEF_TYPE);
}

static bool is_mtrr_state_same(void)
{
	for (unsigned i = 0; i < noted.n; i++)
		if (rdmsr(noted.msr[i]) != noted.value[i])
			return false;
	return true;
}

/* SDM vol. 3, "MTRR Considerations in MP Systems". No CPU caches anything meanwhile. */
static void write_mtrrs(void)
{
	const uint64_t cr0 = read_cr0();

	write_cr0(cr0 | CR0_CD);
	insn_wbinvd();
	write_cr3(read_cr3());
	wrmsr(MSR_MTRR_DEF_TYPE, noted.value[noted.n - 1] & ~MTRR_DEF_TYPE_ENABLE);
	for (unsigned i = 0; i < noted.n; i++)
		wrmsr(noted.msr[i], noted.value[i]);
	insn_wbinvd();
	write_cr3(read_cr3());
	write_cr0(cr0);
}

bool mtrr_follow(void)
{
	if (is_mtrr_state_same())
		return false;
	write_mtrrs();
	return true;
}
