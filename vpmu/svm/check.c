// SPDX-License-Identifier: BSD-2-Clause
/*
 * check.c - does this machine count as we think it does? Before launch: is the TSC a constant per
 * instruction? After launch, as the guest: is every kind of exit accounted for to the
 * instruction, and does stepping go unseen? Where an answer is no, counts are estimates and say so.
 */
#include "vpmu/svm/probes.h"

#include "arch/x86/insn.h"
#include "vpmu/svm/vpmu.h"

#define ROUNDS     3
#define ESTIMATES  10
#define SHORT_RUNS 101
#define CHECK_IDT  32
#define VECTOR_BP  3

_Static_assert(CHECK_LEAF == VPMU_CPUID_LEAF, "probes.h disagrees");
_Static_assert(CHECK_SUBLEAF == VPMU_CPUID_INSTRUCTIONS, "probes.h disagrees");

uint64_t vpmu_check_ticks_short(void);
uint64_t vpmu_check_ticks_long(void);
uint64_t vpmu_check_ticks_loop(void);
uint32_t vpmu_check_straight(void);
uint32_t vpmu_check_ud2(void);
uint32_t vpmu_check_int3(void);
uint32_t vpmu_check_flags(void);
void vpmu_check_on_ud2(void);
void vpmu_check_on_int3(void);

uint32_t vpmu_check_saw_tf;

/* Ticks an instruction, from the difference of two stretches: 0 when it does not divide. */
static uint64_t ticks_once(void)
{
	uint64_t few = vpmu_check_ticks_short(), many = vpmu_check_ticks_long();
	uint64_t more = CHECK_LONG - CHECK_SHORT;

	return many > few && (many - few) % more == 0 ? (many - few) / more : 0;
}

uint64_t vpmu_measure_ticks(void)
{
	uint64_t flags = irq_save(), ticks = ticks_once();

	for (int i = 1; i < ROUNDS; i++)
		if (ticks_once() != ticks)
			ticks = 0;
	irq_restore(flags);
	return ticks;
}

/* The least of some, as anything may have come in between. */
uint64_t vpmu_estimate_ticks(void)
{
	const uint64_t insns = CHECK_LOOPS * CHECK_LOOP_INSNS;
	uint64_t flags = irq_save(), least = UINT64_MAX;

	for (int i = 0; i < ESTIMATES; i++) {
		uint64_t ticks = vpmu_check_ticks_loop();

		least = ticks < least ? ticks : least;
	}
	irq_restore(flags);
	return least < insns ? 1 : (least + insns / 2) / insns;
}

static void insert_sorted(uint64_t *sorted, unsigned n, uint64_t v)
{
	for (; n && sorted[n - 1] > v; n--)
		sorted[n] = sorted[n - 1];
	sorted[n] = v;
}

uint64_t vpmu_measure_overhead(const struct vpmu_cpu *cpu)
{
	uint64_t ticks[SHORT_RUNS] = {0}, flags = irq_save();

	for (unsigned i = 0; i < SHORT_RUNS; i++) {
		insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_MARK);
		insert_sorted(ticks, i, *(const volatile uint64_t *)&cpu->ticks);
	}
	irq_restore(flags);
	return ticks[SHORT_RUNS / 2];
}

/* What each probe must say, and how the guest runs meanwhile. */
static const struct check {
	uint32_t (*probe)(void);
	uint32_t expected;
	bool track, step;
} checks[] = {
	{vpmu_check_straight, CHECK_PROBE_INSNS + CHECK_SHORT, false, false},
	{vpmu_check_straight, CHECK_PROBE_INSNS + CHECK_SHORT, true, false},
	{vpmu_check_straight, CHECK_PROBE_INSNS + CHECK_SHORT, false, true},
	{vpmu_check_ud2, CHECK_PROBE_INSNS + 2, false, false},
	{vpmu_check_ud2, CHECK_PROBE_INSNS + 2, true, false},
	{vpmu_check_ud2, CHECK_PROBE_INSNS + 2, false, true},
	{vpmu_check_int3, CHECK_PROBE_INSNS + 2, false, false},
	{vpmu_check_int3, CHECK_PROBE_INSNS + 2, false, true},
	{vpmu_check_flags, CHECK_PROBE_INSNS + 8, false, true},
};

/* The guest shares our memory, so it may say itself how it wants to run from its next exit on. */
static bool passes_check(struct vpmu_cpu *cpu, const struct check *check)
{
	uint32_t counted;

	*(volatile bool *)&cpu->always_track = check->track;
	*(volatile bool *)&cpu->always_step = check->step;
	counted = check->probe();
	*(volatile bool *)&cpu->always_track = false;
	*(volatile bool *)&cpu->always_step = false;
	return counted == check->expected && !*(volatile uint32_t *)&vpmu_check_saw_tf;
}

static bool all_pass(struct vpmu_cpu *cpu)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		if (!passes_check(cpu, &checks[i]))
			return false;
	return true;
}

bool vpmu_self_check(struct vpmu_cpu *cpu)
{
	static uint64_t idt[CHECK_IDT][2];
	struct vpmu_tables before;
	struct vpmu_table ours = {sizeof(idt) - 1, (uint64_t)idt};
	uint64_t flags = irq_save();
	bool pass;

	vpmu_store_tables(&before);
	vpmu_set_gate(idt[VECTOR_UD], vpmu_check_on_ud2, before.cs);
	vpmu_set_gate(idt[VECTOR_BP], vpmu_check_on_int3, before.cs);
	vpmu_load_idt(&ours);
	pass = all_pass(cpu);
	vpmu_load_idt(&before.idtr);
	irq_restore(flags);
	return pass;
}
