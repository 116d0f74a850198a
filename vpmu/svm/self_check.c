// SPDX-License-Identifier: BSD-2-Clause
/*
 * self_check.c - checks that this machine counts as vpmu expects. Before launch: an instruction
 * takes a constant number of TSC ticks. After launch, as the guest: every kind of exit counts to
 * the instruction, and the guest does not see single steps. If a check fails, counts are estimates
 * and are reported as such.
 */
#include "vpmu/svm/self_check.h"

#include "arch/x86/insn.h"
#include "vpmu/svm/count/plugin_page.h"
#include "vpmu/svm/probes.h"
#include "vpmu/svm/stop/hpet_timer.h"
#include "vpmu/svm/stop/plugin_stop.h"
#include "vpmu/svm/vcpu/host_insn.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define ROUNDS     3
#define ESTIMATES  10
#define SHORT_RUNS 101
#define CHECK_IDT  32

#define TRIALS          40  /* of the timer */
#define TRIAL_INSNS     200 /* instructions after which it stops the guest */
#define STOP_CHECK_STEP 7   /* instructions between two targets of the check */

_Static_assert(CHECK_LEAF == VPMU_CPUID_LEAF, "probes.h disagrees");
_Static_assert(CHECK_SUBLEAF == VPMU_CPUID_INSTRUCTIONS, "probes.h disagrees");

uint64_t vpmu_check_ticks_short(void);
uint64_t vpmu_check_ticks_long(void);
uint64_t vpmu_check_ticks_loop(void);
uint32_t vpmu_check_straight(void);
uint32_t vpmu_check_ud2(void);
uint32_t vpmu_check_int3(void);
uint32_t vpmu_check_flags(void);
uint32_t vpmu_check_kinds(void);
void vpmu_check_on_ud2(void);
void vpmu_check_on_int3(void);
void vpmu_check_on_gp(void);

uint32_t vpmu_check_saw_tf;
uint64_t vpmu_check_words[2];

/* TSC ticks per instruction, from two pieces of code of different length; 0 if they do not divide
 * evenly. */
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

/* Takes the minimum of several rounds, because an interrupt may lengthen any of them. */
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
		insert_sorted(ticks, i, *(const volatile uint64_t *)&cpu->clock.ticks);
	}
	irq_restore(flags);
	return ticks[SHORT_RUNS / 2];
}

/* The result of each probe, and how the guest runs while it executes. */
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
	{vpmu_check_kinds, CHECK_PROBE_INSNS + 30 + 2 * CHECK_REPEATS, false, false},
	{vpmu_check_kinds, CHECK_PROBE_INSNS + 30 + 2 * CHECK_REPEATS, true, false},
	{vpmu_check_kinds, CHECK_PROBE_INSNS + 30 + 2 * CHECK_REPEATS, false, true},
};

/* The counts of QEMU's plugin for each probe, up to its return; all other counts are 0. */
static const struct counted {
	uint32_t (*probe)(void);
	struct {
		uint8_t count, n;
	} expected[12];
} counted[] = {
	{vpmu_check_straight,
	 {{EVENTS_STORES, 1}, {EVENTS_LOADS, 2}, {EVENTS_BRANCHES, 1}, {EVENTS_RETURNS, 1}}},
	{vpmu_check_ud2,
	 {{EVENTS_LOADS, 1 + 2},
	  {EVENTS_STORES, 2},
	  {EVENTS_BRANCHES, 1 + 1},
	  {EVENTS_RETURNS, 1},
	  {EVENTS_FAR_BRANCHES, 1}}},
	{vpmu_check_int3,
	 {{EVENTS_LOADS, 2},
	  {EVENTS_STORES, 1},
	  {EVENTS_BRANCHES, 2 + 1},
	  {EVENTS_RETURNS, 1},
	  {EVENTS_FAR_BRANCHES, 2}}},
	{vpmu_check_flags,
	 {{EVENTS_LOADS, 2 + 2}, {EVENTS_STORES, 4}, {EVENTS_BRANCHES, 1}, {EVENTS_RETURNS, 1}}},
	{vpmu_check_kinds,
	 {{EVENTS_BRANCHES, 9 + 1},
	  {EVENTS_CONDITIONAL, 2},
	  {EVENTS_CALLS, 2},
	  {EVENTS_RETURNS, 2 + 1},
	  {EVENTS_INDIRECT_CALLS, 1},
	  {EVENTS_INDIRECT_JUMPS, 1},
	  {EVENTS_FAR_BRANCHES, 1},
	  {EVENTS_LOADS, 2 + 1 + 2 * CHECK_REPEATS + 1 + 2},
	  {EVENTS_STORES, 1 + 2 + 1 + CHECK_REPEATS + 1},
	  {EVENTS_LOCKED, 1},
	  {EVENTS_DIVIDES, 1},
	  {EVENTS_REP_ITERATIONS, 2 * CHECK_REPEATS}}},
};

static const struct counted *find_counted(uint32_t (*probe)(void))
{
	const struct counted *c = counted;

	while (c->probe != probe)
		c++;
	return c;
}

static uint64_t expected_count(const struct counted *c, enum events_count count)
{
	for (size_t i = 0; i < sizeof(c->expected) / sizeof(*c->expected); i++)
		if (c->expected[i].n && c->expected[i].count == count)
			return c->expected[i].n;
	return 0;
}

static bool is_counted_right(const struct vpmu_cpu *cpu, const struct check *check)
{
	const volatile struct vpmu_events *e = &cpu->events;
	const struct counted *c = find_counted(check->probe);

	if (!e->own)
		return true;
	for (unsigned i = EVENTS_INSTRUCTIONS + 1; i < EVENTS_NUMBERS; i++)
		if (events_level_of((enum events_count)i) <= EVENTS_LEVEL_COUNTS &&
		    e->sum[i] != expected_count(c, (enum events_count)i))
			return false;
	return true;
}

/* The plugin counts at this level from the next exit on. */
static void ask_for_level(struct vpmu_cpu *cpu, enum events_level level)
{
	*(volatile enum events_level *)&cpu->model.derived.needed = level;
}

/* Sums start at the next exit, and exclude the run that ends there. */
static void sum_counts(struct vpmu_cpu *cpu, bool on)
{
	volatile struct vpmu_events *e = &cpu->events;

	e->sums = on;
	insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_MARK);
	for (unsigned i = 0; i < EVENTS_NUMBERS; i++)
		e->sum[i] = 0;
}

/* The guest shares the host's memory here, so the check sets the modes itself. They hold from the
 * next exit on. */
static uint32_t run_probe(struct vpmu_cpu *cpu, const struct check *check)
{
	uint32_t n;

	*(volatile bool *)&cpu->run.always_track = check->track;
	*(volatile bool *)&cpu->run.always_step = check->step;
	n = check->probe();
	*(volatile bool *)&cpu->run.always_track = false;
	*(volatile bool *)&cpu->run.always_step = false;
	return n;
}

static bool passes_check(struct vpmu_cpu *cpu, const struct check *check)
{
	return run_probe(cpu, check) == check->expected &&
	       !*(volatile uint32_t *)&vpmu_check_saw_tf;
}

static bool passes_counted(struct vpmu_cpu *cpu, const struct check *check)
{
	bool right;

	sum_counts(cpu, true);
	run_probe(cpu, check);
	insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_MARK);
	right = is_counted_right(cpu, check);
	sum_counts(cpu, false);
	return right;
}

static bool all_pass(struct vpmu_cpu *cpu, bool (*pass)(struct vpmu_cpu *, const struct check *))
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		if (!pass(cpu, &checks[i]))
			return false;
	return true;
}

/* Stops the guest inside a probe, which must count its instructions all the same. */
static bool passes_stop(struct vpmu_cpu *cpu, uint64_t after)
{
	const struct check check = {vpmu_check_straight, CHECK_PROBE_INSNS + CHECK_SHORT, false,
				    false};
	volatile struct vpmu_stop *stop = &cpu->stop;
	bool right;

	stop->checked = 0;
	stop->check = after;
	right = run_probe(cpu, &check) == check.expected && stop->checked == after;
	stop->check = 0;
	return right;
}

/* The plugin looks for targets only at a level that no counter has asked for yet. */
static bool stops_right(struct vpmu_cpu *cpu)
{
	bool right = true;

	ask_for_level(cpu, EVENTS_LEVEL_BRANCHES);
	sum_counts(cpu, true);
	for (uint64_t n = CHECK_SHORT / 2; n < CHECK_SHORT && right; n += STOP_CHECK_STEP)
		right = passes_stop(cpu, n);
	sum_counts(cpu, false);
	return right;
}

static bool all_counted(struct vpmu_cpu *cpu)
{
	ask_for_level(cpu, EVENTS_LEVEL_COUNTS);
	return all_pass(cpu, passes_counted);
}

/* Stops the guest inside a loop, until the timer is known to be right, or often enough. Loops of
 * different lengths give the TSC different last digits. */
void vpmu_tune_timer(struct vpmu_cpu *cpu)
{
	volatile struct vpmu_timer *timer = &cpu->timer;
	const uint64_t flags = irq_save();

	for (unsigned i = 0; i < TRIALS && vpmu_timer_early(cpu) == UINT64_MAX; i++) {
		timer->trial = TRIAL_INSNS;
		insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_MARK);
		for (volatile unsigned n = 0; n < TRIAL_INSNS + i; n++)
			;
		timer->trial = 0;
	}
	irq_restore(flags);
}

/* Returns whether instructions are counted right. Counts and stops that are wrong are given up. */
static bool check_all(struct vpmu_cpu *cpu)
{
	const enum events_level needed = cpu->model.derived.needed;
	const bool pass = all_pass(cpu, passes_check);

	if (pass && !all_counted(cpu))
		vpmu_events_lose(cpu);
	if (pass && cpu->model.plugin.stops && !stops_right(cpu))
		vpmu_stop_lose(cpu);
	ask_for_level(cpu, needed);
	return pass;
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
	vpmu_set_gate(idt[VECTOR_GP], vpmu_check_on_gp, before.cs);
	vpmu_load_idt(&ours);
	pass = check_all(cpu);
	vpmu_load_idt(&before.idtr);
	irq_restore(flags);
	return pass;
}
