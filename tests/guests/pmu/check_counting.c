// SPDX-License-Identifier: BSD-2-Clause
/*
 * check_counting.c - instructions and branches of code that is known: SDM vol. 3, "Pre-defined
 * Architectural Performance Events"; by rings; by counter mask, INV and edge.
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/insn.h"

#define SHORT 10
#define LONG  1010
#define TURNS (LONG - SHORT)

void pmu_nops(uint64_t turns);
void pmu_calls(uint64_t turns);
void pmu_cpuids(uint64_t turns);
void pmu_stack(uint64_t turns);
void pmu_msrs(uint64_t turns);
void pmu_ports(uint64_t turns);
void pmu_not_taken(uint64_t turns);
void pmu_syscalls(uint64_t turns), pmu_sysenters(uint64_t turns);
void pmu_on_syscall(void), pmu_on_sysenter(void);

static const struct code {
	const char *name;
	void (*run)(uint64_t turns);
	unsigned instructions, branches; /* of a turn */
	bool rings;                      /* for ring 3, too */
} codes[] = {
	{"a loop of two", pmu_loop, 2, 1, true},
	{"100 NOPs", pmu_nops, 102, 1, true},
	{"CALL, JMP, RET", pmu_calls, 6, 4, true},
	{"CPUID", pmu_cpuids, 7, 1, true},
	{"stack and locked", pmu_stack, 8, 1, true},
	{"RDMSR", pmu_msrs, 4, 1, false},
	{"ports", pmu_ports, 10, 1, false},
	{"not taken", pmu_not_taken, 5, 2, true},
	/* Ring 3's alone, behind the others. */
	{"SYSCALL", pmu_syscalls, 4, 0, false},
	{"SYSENTER", pmu_sysenters, 7, 0, false},
};
#define CODES (sizeof(codes) / sizeof(*codes) - 2)

/* The count of LONG - SHORT turns, without what surrounds them. */
static uint64_t count_difference(unsigned i, uint64_t selector, void (*code)(uint64_t))
{
	const uint64_t less = pmu_count(i, selector, code, SHORT);

	return pmu_count(i, selector, code, LONG) - less;
}

static void count_code(const struct code *code)
{
	pmu_is(count_difference(0, pmu_events->instructions | PMU_BOTH, code->run),
	       (uint64_t)code->instructions * TURNS, "instructions of %s", code->name);
	pmu_is(count_difference(1, pmu_events->branches | PMU_BOTH, code->run),
	       (uint64_t)code->branches * TURNS, "branches of %s", code->name);
}

/* All of them at once, over the same code. */
static void check_together(void)
{
	const uint64_t all = PMU_BITS(pmu.counters);

	for (unsigned i = 0; i < pmu.counters; i++) {
		pmu_select(i, pmu_events->instructions | PMU_BOTH);
		pmu_set(i, 0);
	}
	pmu_run(all, pmu_loop, LONG);
	for (unsigned i = 1; i < pmu.counters; i++)
		pmu_is(pmu_get(i), pmu_get(0), "counter %u has what counter 0 has", i);
	pmu_run(1, pmu_loop, LONG);
	for (unsigned i = 1; i < pmu.counters; i++)
		pmu_ok(pmu_get(i) < pmu_get(0), "counter %u stands while it is not enabled", i);
}

static void check_switches(void)
{
	uint64_t before;

	pmu_select(0, pmu_events->instructions | PMU_BOTH);
	pmu_set(0, 5);
	pmu_loop(LONG);
	pmu_is(pmu_get(0), 5, "nothing is counted without the global control");
	wrmsr(pmu_selector_msr(0), pmu_events->instructions | PMU_BOTH);
	pmu_run(1, pmu_loop, LONG);
	pmu_is(pmu_get(0), 5, "nothing is counted without EN");
	pmu_select(0, pmu_events->instructions);
	pmu_run(1, pmu_loop, LONG);
	pmu_is(pmu_get(0), 5, "nothing is counted without USR and OS");
	pmu_select(0, pmu_events->instructions | PMU_BOTH);
	pmu_set(0, 0);
	pmu_run(1, pmu_loop, LONG);
	before = pmu_get(0);
	pmu_run(1, pmu_loop, LONG);
	pmu_is(pmu_get(0), 2 * before, "a second run of the same counts the same, on top");
}

void pmu_check_counting(void)
{
	for (size_t i = 0; i < CODES; i++)
		count_code(&codes[i]);
	check_switches();
	pmu_reset();
	check_together();
}

/* --- Rings --- */

static void in_ring3(uint64_t i)
{
	world_in_ring3(codes[i >> 32].run, (uint32_t)i);
}

static uint64_t count_ring3(size_t i, uint64_t selector, uint32_t turns)
{
	return pmu_count(0, selector, in_ring3, i << 32 | turns);
}

static void check_ring3(size_t i)
{
	const struct code *code = &codes[i];
	const uint64_t event = pmu_events->instructions, branches = pmu_events->branches;
	const uint64_t usr = count_ring3(i, event | EVTSEL_USR, SHORT),
		       os = count_ring3(i, event | EVTSEL_OS, SHORT),
		       both = count_ring3(i, event | PMU_BOTH, SHORT);

	pmu_is(usr + os, both, "instructions of both rings are the sum, with %s", code->name);
	pmu_is(count_ring3(i, event | EVTSEL_USR, LONG) - usr, (uint64_t)code->instructions * TURNS,
	       "instructions in ring 3 of %s", code->name);
	pmu_is(count_ring3(i, event | EVTSEL_OS, LONG) - os, 0,
	       "no more instructions of ring 0 with more of %s", code->name);
	pmu_is(count_ring3(i, branches | EVTSEL_USR, LONG) -
		       count_ring3(i, branches | EVTSEL_USR, SHORT),
	       (uint64_t)code->branches * TURNS, "branches in ring 3 of %s", code->name);
}

/* From CALL to INT: 2 instructions around those of the function, which are 2 and 2 a turn. */
static void check_exactly(void)
{
	pmu_is(count_ring3(0, pmu_events->instructions | EVTSEL_USR, SHORT), 2 + 3 + 2 * SHORT,
	       "all that ring 3 executes, from IRET to INT");
}

/* Manuals do not say to which ring an instruction that changes the ring belongs; it counts once. */
static void check_both(size_t i, const char *name)
{
	const uint64_t event = pmu_events->instructions, selector = event | PMU_BOTH;

	pmu_is(count_ring3(i, event | EVTSEL_USR, LONG) + count_ring3(i, event | EVTSEL_OS, LONG),
	       count_ring3(i, selector, LONG), "both rings are the sum, with %s", name);
	pmu_is(count_ring3(i, selector, LONG) - count_ring3(i, selector, SHORT),
	       (uint64_t)codes[i].instructions * TURNS, "instructions of both rings of %s", name);
}

static void check_calls(void)
{
	const uint64_t efer = rdmsr(MSR_EFER);

	wrmsr(MSR_EFER, efer | EFER_SCE);
	wrmsr(MSR_STAR, (uint64_t)WORLD_CODE << 32 | (uint64_t)(WORLD_USER_32 | 3) << 48);
	wrmsr(MSR_LSTAR, (uint64_t)pmu_on_syscall);
	wrmsr(MSR_SFMASK, 0);
	check_both(CODES, "SYSCALL and SYSRET");
	wrmsr(MSR_EFER, efer);
	if (pmu.is_amd)
		return;
	wrmsr(MSR_IA32_SYSENTER_CS, WORLD_CODE);
	wrmsr(MSR_IA32_SYSENTER_ESP, 0);
	wrmsr(MSR_IA32_SYSENTER_EIP, (uint64_t)pmu_on_sysenter);
	check_both(CODES + 1, "SYSENTER and SYSEXIT");
	wrmsr(MSR_IA32_SYSENTER_CS, 0);
}

void pmu_check_rings(void)
{
	pmu_is(count_difference(0, pmu_events->instructions | EVTSEL_OS, pmu_loop), 2 * TURNS,
	       "OS counts ring 0");
	pmu_is(count_difference(0, pmu_events->instructions | EVTSEL_USR, pmu_loop), 0,
	       "USR does not count ring 0");
	pmu_is(world_in_ring3(pmu_nothing, 0), WORLD_RETURNED, "ring 3 returns");
	for (size_t i = 0; i < CODES; i++)
		if (codes[i].rings)
			check_ring3(i);
	check_exactly();
	check_calls();
}

/* --- SDM vol. 3, "Architectural Performance Monitoring Version 1": CMASK, INV, E --- */

#define CMASK(n)   ((uint64_t)(n) << 24)
#define IN_A_CYCLE 64 /* no core retires so many */

static void count_masked(const uint64_t *selectors, unsigned n, uint64_t *counts)
{
	for (unsigned i = 0; i < n; i++) {
		pmu_select(i, selectors[i] | PMU_BOTH);
		pmu_set(i, 0);
	}
	pmu_run(PMU_BITS(n), pmu_loop, LONG);
	for (unsigned i = 0; i < n; i++)
		counts[i] = pmu_get(i);
}

void pmu_check_masks(void)
{
	const uint64_t event = pmu_events->instructions;
	const uint64_t selectors[] = {pmu_events->cycles, event | CMASK(IN_A_CYCLE) | EVTSEL_INV,
				      event | CMASK(IN_A_CYCLE), event};
	uint64_t counts[4];

	count_masked(selectors, 4, counts);
	pmu_ok(counts[0] > 0, "there are cycles");
	pmu_same_cycles(counts[1], counts[0], "no cycle has 64: INV counts all cycles");
	pmu_is(counts[2], 0, "and without INV none");
	pmu_is(count_difference(0, event | PMU_BOTH | EVTSEL_INV, pmu_loop), 2 * TURNS,
	       "INV without CMASK changes nothing");
	pmu_is(count_difference(1, pmu_events->cycles | PMU_BOTH | CMASK(IN_A_CYCLE), pmu_loop), 0,
	       "a cycle is not %u cycles", IN_A_CYCLE);
}
