// SPDX-License-Identifier: BSD-2-Clause
/*
 * schedule.c - which groups count: pinned before flexible, those of the CPU before those of the
 * task, in the order of opening. A group counts whole or not at all. After the first flexible group
 * that finds no counters, only groups without hardware events go on; a pinned one that finds none
 * is in error until it is enabled again.
 *
 * Paused throughout: the counters are written here, and start together in pmu_resume().
 */
#include "pmu/core.h"

/* The hardware events that were accepted so far, and where each goes. */
struct plan {
	unsigned n;
	struct pmu_event *event[PMU_COUNTERS];
	uint64_t masks[PMU_COUNTERS];
	uint8_t index[PMU_COUNTERS];
	bool blocked; /* a flexible group with hardware events did not fit */
};

static bool wants_to_run(const struct pmu_event *e)
{
	return e->state == PMU_STATE_INACTIVE;
}

static bool is_software(const struct pmu_event *leader)
{
	for (const struct pmu_event *e = leader; e; e = e->next_sibling)
		if (e->class->hardware && wants_to_run(e))
			return false;
	return true;
}

/* All of the group, or none of it: on failure the plan is as it was. */
static bool plan_group(struct plan *plan, struct pmu_event *leader)
{
	uint8_t index[PMU_COUNTERS];
	unsigned n = plan->n;

	pmu_for_each (e, leader) {
		if (!e->class->hardware || !wants_to_run(e))
			continue;
		if (n == PMU_COUNTERS)
			return false;
		plan->event[n] = e;
		plan->masks[n++] = e->counters;
	}
	if (!pmu_assign(plan->masks, n, index))
		return false;
	for (unsigned i = 0; i < n; i++)
		plan->index[i] = index[i];
	plan->n = n;
	return true;
}

static void activate(struct pmu_event *leader)
{
	pmu_for_each (e, leader)
		if (wants_to_run(e))
			e->state = PMU_STATE_ACTIVE;
}

static void try_group(struct plan *plan, struct pmu_event *leader)
{
	bool software = is_software(leader);

	if (plan->blocked && !software)
		return;
	if (plan_group(plan, leader))
		activate(leader);
	else if (leader->attr.pinned)
		leader->state = PMU_STATE_ERROR;
	else
		plan->blocked = true;
}

static void plan_context(struct plan *plan, struct pmu_context *context, bool pinned)
{
	if (!context->active)
		return;
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		if (wants_to_run(l) && l->attr.pinned == pinned)
			try_group(plan, l);
}

static void start_hardware(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->n; i++) {
		struct pmu_event *e = plan->event[i];

		if (e->place.index != plan->index[i] || !e->place.sign)
			pmu_place_init(&pmu.hw, plan->index[i], &e->place);
		e->class->start(e);
	}
}

static void start_software(struct pmu_context *context)
{
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			if (e->state == PMU_STATE_ACTIVE && !e->class->hardware)
				e->class->start(e);
}

static void stop_event(struct pmu_event *e)
{
	if (e->state != PMU_STATE_ACTIVE)
		return;
	e->class->stop(e);
	e->state = PMU_STATE_INACTIVE;
	if (e->limit_hit)
		e->state = PMU_STATE_OFF;
	e->limit_hit = 0;
}

void pmu_schedule_out(struct pmu_context *context)
{
	pmu_context_update_time(context, pmu.now);
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			stop_event(e);
}

void pmu_schedule(void)
{
	struct plan plan = {.n = 0};

	pmu_schedule_out(&pmu.cpu);
	pmu_schedule_out(&pmu.task);
	plan_context(&plan, &pmu.cpu, true);
	plan_context(&plan, &pmu.task, true);
	plan_context(&plan, &pmu.cpu, false);
	plan_context(&plan, &pmu.task, false);
	start_hardware(&plan);
	start_software(&pmu.cpu);
	start_software(&pmu.task);
}

bool pmu_group_fits(const struct pmu_event *leader, const struct pmu_event *added)
{
	uint64_t masks[PMU_COUNTERS];
	uint8_t index[PMU_COUNTERS];
	unsigned n = 0;

	for (const struct pmu_event *e = leader; e; e = e->next_sibling) {
		if (!e->class->hardware || (e != leader && e->state < PMU_STATE_INACTIVE))
			continue;
		if (n == PMU_COUNTERS)
			return false;
		masks[n++] = e->counters;
	}
	if (added && added->class->hardware) {
		if (n == PMU_COUNTERS)
			return false;
		masks[n++] = added->counters;
	}
	return pmu_assign(masks, n, index);
}
