// SPDX-License-Identifier: BSD-2-Clause
/* exit_costs.c - see exit_costs.h. */
#include "apps/exit_costs.h"

#include "arch/x86/insn.h"
#include "lib/bits.h"
#include "pmu/own/self.h"
#include "pmu/driver/modelled.h"
#include "pmu/state/state.h"

#define LOOPS 1000

/* The time that passed by the TSC, and the instructions that the guest executed. */
struct span {
	uint64_t ticks, instructions;
};

struct target {
	uint32_t msr, ecx;
};

static void access_nothing(const struct target *target)
{
	(void)target;
}

static void exit_by_rdmsr(const struct target *target)
{
	rdmsr(target->msr);
}

static void read_pmc(const struct target *target)
{
	rdpmc(target->ecx);
}

static void exit_by_wrmsr(const struct target *target)
{
	wrmsr(target->msr, 0);
}

static void ask_cpuid(const struct target *target)
{
	(void)target;
	insn_cpuid(0, 0);
}

static void execute_many(const struct target *target)
{
	(void)target;
	for (unsigned i = 0; i < LOOPS; i++)
		__asm__ volatile("");
}

/* The two readings of the counter exit as well, so they lie outside of the clock's two readings. */
static __attribute__((noinline)) struct span span_of(void (*fn)(const struct target *),
						     const struct target *target)
{
	const uint64_t counter = pmu_self_read(), tsc = rdtsc();
	struct span span;

	fn(target);
	span.ticks = rdtsc() - tsc;
	span.instructions = pmu_self_read() - counter;
	return span;
}

static struct span span_beyond(struct span span, struct span less)
{
	return (struct span){span.ticks - less.ticks, span.instructions - less.instructions};
}

/* The cost of `fn` in instructions: the TSC's time, less the instructions of the guest itself. */
static uint64_t cost_of(void (*fn)(const struct target *), const struct target *target)
{
	const struct span nothing = span_of(access_nothing, target);
	const struct span loop = span_beyond(span_of(execute_many, target), nothing);
	const struct span span = span_beyond(span_of(fn, target), nothing);

	return span.ticks / (loop.ticks / loop.instructions) - span.instructions;
}

bool exit_costs_can(void)
{
	return pmu_time_is_instructions();
}

static void (*const accesses[EXIT_ACCESSES])(const struct target *) = {
	[EXIT_RDMSR_COUNTER] = exit_by_rdmsr,
	[EXIT_RDPMC] = read_pmc,
	[EXIT_WRMSR_COUNTER] = exit_by_wrmsr,
	[EXIT_CPUID] = ask_cpuid,
};

static struct target exit_target(enum exit_access access)
{
	const unsigned last = bits_last(pmu.info.counters & PMU_GENERAL_MASK);
	struct target target = {.ecx = pmu_self_rdpmc()};
	struct pmu_place place;

	pmu_place_init(&pmu.hw, access == EXIT_WRMSR_COUNTER ? last : pmu_self_index(), &place);
	target.msr = place.counter;
	return target;
}

void exit_costs_measure(enum exit_access access, uint64_t *costs, unsigned n)
{
	const struct target target = exit_target(access);
	const uint64_t rflags = irq_save();

	for (unsigned i = 0; i < n; i++)
		costs[i] = cost_of(accesses[access], &target);
	irq_restore(rflags);
}
