// SPDX-License-Identifier: BSD-2-Clause
/*
 * brs.c - Branch Sampling records the branches after an overflow; the interrupt waits for them.
 * PPR of family 19h model 01h, "Branch Sampling".
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"

#define RECORDS    16
#define TURNS      1000
#define CALLS      100
#define LOOP_BYTES 16 /* no more than these are pmu_loop()'s */

struct branch {
	int32_t from, to;
	uint32_t kind;
};
extern const struct branch pmu_branch_list[], pmu_branch_list_end[];
void pmu_branches(uint64_t ignored);

/* As the handler of the interrupt found them. */
static volatile uint64_t config, counted, from[RECORDS], to[RECORDS];

static void note_records(void)
{
	config = rdmsr(MSR_AMD_DBG_EXTN_CFG);
	counted = pmu_get(0);
	for (unsigned i = 0; i < RECORDS; i++) {
		from[i] = rdmsr(MSR_AMD_LBR_FROM0 + 2 * i);
		to[i] = rdmsr(MSR_AMD_LBR_FROM0 + 2 * i + 1);
	}
}

/* `code` runs with a counter of instructions that overflows once TURNS of them have retired. */
static void sample_branches(uint64_t enable, void (*code)(uint64_t), uint64_t argument)
{
	config = counted = 0;
	world_on_interrupt = note_records;
	pmu_set_lvt(APIC_LVT_NMI);
	wrmsr(MSR_AMD_DBG_EXTN_CFG, enable | BRS_ONES);
	pmu_set(0, -(uint64_t)TURNS);
	pmu_select(0, pmu_events->instructions | PMU_BOTH | EVTSEL_INT);
	code(argument);
	wrmsr(pmu_selector_msr(0), 0);
	wrmsr(MSR_AMD_DBG_EXTN_CFG, BRS_ONES);
	world_on_interrupt = NULL;
}

static bool is_of_loop(uint64_t address)
{
	return address - (uint64_t)pmu_loop < LOOP_BYTES;
}

static void check_loop(void)
{
	uint64_t handler;
	unsigned wrong = 0;

	sample_branches(0, pmu_loop, 4 * TURNS);
	handler = counted;
	sample_branches(BRS_ENABLE, pmu_loop, 4 * TURNS);
	pmu_is(world_nmis, 1, "one NMI");
	pmu_is(config & ~BRS_ONES, BRS_VALID, "all records are there, and it has ended by itself");
	/* The loop has two instructions a turn; either can be the one that overflows. */
	pmu_ok(counted - handler == 2 * RECORDS || counted - handler == 2 * RECORDS - 1,
	       "the NMI comes %llu instructions later, for %u branches of a loop",
	       (unsigned long long)(counted - handler), RECORDS);
	for (unsigned i = 0; i < RECORDS; i++)
		wrong += !is_of_loop(from[i]) || !is_of_loop(to[i]) || from[i] <= to[i];
	pmu_is(wrong, 0, "all records are of the loop's branch");
}

static void call_branches(uint64_t calls)
{
	while (calls--)
		pmu_branches(0);
}

/* The branch's number in the list; -1: it is not in the list. */
static int branch_index_of(unsigned i)
{
	const uint64_t base = (uint64_t)pmu_branches;

	for (const struct branch *b = pmu_branch_list; b < pmu_branch_list_end; b++)
		if (from[i] == base + (uint64_t)(int64_t)b->from &&
		    to[i] == base + (uint64_t)(int64_t)b->to)
			return (int)(b - pmu_branch_list);
	return -1;
}

static void check_order(void)
{
	const int last = (int)(pmu_branch_list_end - pmu_branch_list) - 1;
	unsigned known = 0, wrong = 0;

	sample_branches(BRS_ENABLE, call_branches, CALLS);
	for (unsigned i = 0; i < RECORDS; i++) {
		const int n = branch_index_of(i);

		known += n >= 0;
		wrong += i + 1 < RECORDS && n >= 0 && n < last && branch_index_of(i + 1) != n + 1;
	}
	pmu_ok(known >= RECORDS / 2, "%u of the records are branches that are known", known);
	pmu_is(wrong, 0, "they are in order, the oldest first");
}

void pmu_check_brs(void)
{
	if (!pmu.has_brs) {
		pmu_ok(true, "there is none");
		return;
	}
	check_loop();
	check_order();
	pmu_keeps(MSR_AMD_LBR_FROM0 + 1, -2ull, "a target can be marked");
}
