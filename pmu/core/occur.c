// SPDX-License-Identifier: BSD-2-Clause
/*
 * occur.c - software events that are counted where they happen, and sampled there, as Linux does:
 * each period that is over is an overflow, also where one occurrence weighs several periods; but
 * where samples tell their PERIOD and it is not adjusted to a frequency, each occurrence is one,
 * whatever the period, and tells its weight.
 *
 * An NMI may count for the same event between any two instructions: `count` and `left` change by
 * one instruction each, and each period is taken by one.
 */
#include "pmu/core/occur.h"

#include "arch/x86/insn.h"
#include "pmu/core/overflow.h"

/* One occurrence makes at most so many overflows; what is due then is made up for by the next ones.
 */
#define BURST 64

/* Is a period over? Begins the next one then, and returns how long the other was; 0: no. */
static uint64_t take_period(struct pmu_event *e)
{
	uint64_t *at = (uint64_t *)&e->left, left, next, over;

	do {
		left = local_load(at);
		next = e->period;
		if ((int64_t)left > 0)
			return 0;
	} while (!local_cmpxchg(at, left, left + next));
	over = e->this_period;
	e->this_period = next;
	return over;
}

static bool tells_weight(const struct pmu_event *e)
{
	return e->attr.sample_type & PERF_SAMPLE_PERIOD && !e->attr.freq;
}

static void overflow_software(struct pmu_event *e, uint64_t period, const struct pmu_regs *regs,
			      const struct pmu_sample_data *data)
{
	uint64_t interrupted = e->last_period; /* another sample may be on its way */

	e->last_period = period;
	pmu_overflow(e, regs, data);
	e->last_period = interrupted;
}

void pmu_occur(struct pmu_event *e, uint64_t n, const struct pmu_regs *regs,
	       const struct pmu_sample_data *data)
{
	if (pmu_limit_hit(e))
		return;
	local_add(&e->count, n);
	if (!e->period)
		return;
	if (tells_weight(e)) {
		if (!e->rate.throttled)
			overflow_software(e, n, regs, data);
		return;
	}
	local_add((uint64_t *)&e->left, -n);
	for (unsigned i = 0; i < BURST && !pmu_limit_hit(e); i++) {
		uint64_t period = take_period(e);

		if (!period)
			break;
		overflow_software(e, period, regs, data);
	}
}

static bool is_occurrence_excluded(const struct pmu_event *e, const struct pmu_regs *regs)
{
	return regs->user ? e->attr.exclude_user : e->attr.exclude_kernel;
}

static __attribute__((noinline)) void tell_software(enum perf_sw_ids id,
						    const struct pmu_regs *regs, uint64_t address)
{
	for (struct pmu_event *e = pmu.soft.occurring[id]; e; e = e->next_active) {
		const struct pmu_sample_data data = {.fields = e->class->fields, .addr = address};

		if (!is_occurrence_excluded(e, regs))
			pmu_occur(e, 1, regs, &data);
	}
}

/* Most often nothing counts them: then this is all. */
void pmu_software(enum perf_sw_ids id, const struct pmu_regs *regs, uint64_t address)
{
	if (pmu.soft.occurring[id])
		tell_software(id, regs, address);
}
