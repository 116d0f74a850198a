// SPDX-License-Identifier: BSD-2-Clause
/*
 * tick.c - the frame of a decision: see tick.h. lists.c has the lists; policy_perf.c and
 * policy_fair.c make the decision.
 */
#include "pmu/sched/decision.h"

uint64_t pmu_tick_counters(const struct pmu_tick *t, const struct pmu_tick_event *e)
{
	return pmu_open_counters(t, e);
}

/* --- Publishing the result --- */

/* Publishes the facts of an event that is not plain for the other hyper-thread and the node. */
static void publish_special(struct pmu_tick *t, const struct pmu_decision *d, unsigned i,
			    const uint8_t *index)
{
	struct pmu_tick_event *e = d->events[i];
	uint64_t bit = 1ull << index[i];

	t->upper |= e->pair ? 2 * bit : 0;
	t->corrupted |= e->corrupting ? bit : 0;
	t->northbridge |= e->northbridge ? bit : 0;
	if (e->branches.registers)
		pmu_extras_hold(&t->extras, e->branches.reg, e->branches.value);
	if (!e->extra.registers)
		return;
	e->extra.reg = d->reg[i];
	pmu_extras_hold(&t->extras, e->extra.reg, e->extra.value);
}

void pmu_publish(struct pmu_tick *t, const struct pmu_decision *d, const uint8_t *index,
		 uint64_t used)
{
	pmu_publish_begin(t, used);
	for (unsigned i = 0; i < d->n; i++) {
		struct pmu_tick_event *e = d->events[i];

		if (!e)
			continue;
		t->running[t->n++] = e;
		e->counter = index[i];
		if (!e->first_counter)
			e->first_counter = (uint8_t)(index[i] + 1);
		if (d->special)
			publish_special(t, d, i, index);
	}
}

/* --- The end of a slice --- */

bool pmu_tick_multiplexes(const struct pmu_tick *t)
{
	const struct pmu_tick_context *cpu = t->contexts[PMU_TICK_CPU];
	const struct pmu_tick_context *task = t->contexts[PMU_TICK_TASK];

	return (cpu && cpu->multiplex) || (task && task->multiplex);
}

void pmu_tick_next(struct pmu_tick *t)
{
	if (!t->fair) {
		pmu_each_context (t, context)
			pmu_tick_rotate(context);
		return;
	}
	pmu_each_context (t, context)
		pmu_tick_each (g, context->flexible)
			g->served += g->wait == PMU_RUNS;
	pmu_fair_account(t->fair);
}

/* --- The check at opening --- */

bool pmu_tick_fits(const struct pmu_tick *t, const struct pmu_tick_group *g)
{
	const struct pmu_tick idle = {.counters = t->counters,
				      .taken = t->taken,
				      .limits = PMU_UNLIMITED,
				      .assign = t->assign,
				      .fair = t->fair};
	struct pmu_tick_group group = *g;

	pmu_tick_group_update(&group);
	return t->fair ? pmu_fits_fair(&idle, &group) : pmu_fits_perf(&idle, &group);
}
