// SPDX-License-Identifier: BSD-2-Clause
/*
 * occur.c - software events that are counted and sampled where they occur, as in Linux. Each
 * completed period is an overflow, even if one occurrence spans several periods. If samples contain
 * PERIOD and it is not adjusted to a frequency, each occurrence is one overflow with its weight,
 * whatever the period.
 *
 * An NMI may count for the same event between any two instructions. So one instruction each changes
 * `count` and `left`, and one instruction takes a period.
 */
#include "pmu/core/occur.h"

#include "arch/x86/insn.h"
#include "pmu/core/overflow.h"

PERCPU struct pmu_event *pmu_occurring[PERF_COUNT_SW_MAX];

/* The most overflows of one occurrence; later occurrences make up for the rest. */
#define BURST 64

/*
 * If a period is complete, begins the next one and returns the length of the old one; else returns
 * 0.
 */
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
	uint64_t interrupted = e->last_period; /* belongs to a sample that this one interrupts */

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

void pmu_software_tell(enum perf_sw_ids id, const struct pmu_regs *regs, uint64_t address)
{
	for (struct pmu_event *e = pmu_occurring[id]; e; e = e->next_active) {
		const struct pmu_sample_data data = {.fields = e->class->fields, .addr = address};

		if (!is_occurrence_excluded(e, regs))
			pmu_occur(e, 1, regs, &data);
	}
}
