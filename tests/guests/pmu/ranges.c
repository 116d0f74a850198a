// SPDX-License-Identifier: BSD-2-Clause
/*
 * ranges.c - architectural events of a program that reads memory once, line by line: SDM vol. 3,
 * "Pre-defined Architectural Performance Events", "Fixed-function Performance Counters". The manual
 * gives no counts. A loop of known instructions has bounds, which hold on any core: an instruction
 * takes a tenth of a cycle at least, a load from memory some hundred at most, and overlaps others.
 * Events of one kind fit one another, whichever counter counts them.
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/insn.h"

#define LINES  PMU_LINES /* more than last levels of most cores hold */
#define INSNS  10u       /* of a turn of pmu_lines() */
#define AROUND 64u       /* instructions and branches around them, at most */

/* Bounds of the count over LINES, in tenths of LINES. */
struct range {
	const char *name;
	uint64_t selector; /* of an architectural event */
	uint8_t bit;       /* of CPUID.0AH:EBX */
	uint64_t least, most;
};

/* The clock of the general event of reference cycles may be a slower one. Each line is a miss once;
 * those that prefetchers ask for may be counted, too. */
static const struct range ranges[] = {
	{"core cycles", 0x003c, 0, 10, 500},         {"reference cycles", 0x013c, 2, 1, 300},
	{"last level references", 0x4f2e, 3, 0, 20}, {"last level misses", 0x412e, 4, 0, 20},
	{"mispredictions", 0x00c5, 6, 0, 1},
};

static bool has_event(const struct range *r)
{
	return !(pmu.missing_events >> r->bit & 1);
}

static void check_range(const struct range *r, uint64_t got, const char *by, unsigned i)
{
	const uint64_t least = r->least * LINES / 10, most = r->most * LINES / 10;

	pmu_ok(got >= least && got <= most, "%s by %s %u: %llu of %llu to %llu", r->name, by, i,
	       (unsigned long long)got, (unsigned long long)least, (unsigned long long)most);
}

static void check_ranges(void)
{
	for (size_t k = 0; k < sizeof(ranges) / sizeof(*ranges); k++)
		for (unsigned i = 0; has_event(&ranges[k]) && i < pmu.counters; i += 3)
			check_range(&ranges[k],
				    pmu_count(i, ranges[k].selector | PMU_BOTH, pmu_lines, LINES),
				    "counter", i);
}

/* All that cycles are divided by is of the same clock as they. */
static void check_together(void)
{
	const uint64_t fixed = 7ull << GLOBAL_FIXED_SHIFT;
	uint64_t cycles, reference;

	wrmsr(MSR_IA32_FIXED_CTR_CTRL, 0x333);
	for (unsigned i = 0; i < 3; i++)
		wrmsr(MSR_IA32_FIXED_CTR0 + i, 0);
	for (unsigned i = 0; i < 2; i++) {
		pmu_select(i, ranges[i].selector | PMU_BOTH);
		pmu_set(i, 0);
	}
	pmu_run(fixed | 3, pmu_lines, LINES);
	cycles = rdmsr(MSR_IA32_FIXED_CTR0 + 1);
	reference = rdmsr(MSR_IA32_FIXED_CTR0 + 2);
	check_range(&ranges[0], cycles, "fixed counter", 1);
	check_range(&ranges[1], reference, "fixed counter", 2);
	pmu_same_cycles(cycles, pmu_get(0), "cycles of a fixed counter and a general one");
	pmu_ok(reference < 4 * cycles && cycles < 4 * reference,
	       "cycles fit reference cycles: %llu, %llu", (unsigned long long)cycles,
	       (unsigned long long)reference);
	wrmsr(MSR_IA32_FIXED_CTR_CTRL, 0);
}

/* Instructions and branches are exact, whatever the loads do. */
static void check_exact(void)
{
	const uint64_t insns = pmu_count(0, pmu_events->instructions | PMU_BOTH, pmu_lines, LINES),
		       branches = pmu_count(0, pmu_events->branches | PMU_BOTH, pmu_lines, LINES);

	pmu_ok(insns - (uint64_t)INSNS * LINES < AROUND, "instructions %llu",
	       (unsigned long long)insns);
	pmu_ok(branches - LINES < AROUND, "branches %llu", (unsigned long long)branches);
}

void pmu_check_ranges(void)
{
	if (pmu.is_amd || (pmu.fixed & 7) != 7 || !pmu_memory)
		return;
	check_exact();
	check_ranges();
	pmu_reset();
	check_together();
}
