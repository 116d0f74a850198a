// SPDX-License-Identifier: BSD-2-Clause
/* task_passes.c - the task's groups as passes.h takes them. */
#include "pmu/core.h"
#include "pmu/passes.h"

/* Masks for all demands, as many as events can be open. */
struct demands {
	unsigned nmasks;
	uint64_t masks[PMU_MAX_EVENTS];
	struct pmu_demand groups[PMU_PASSES_GROUPS];
};

static bool wants_to_run(const struct pmu_event *e)
{
	return e->state >= PMU_STATE_INACTIVE || e->attr.enable_on_exec;
}

static struct pmu_demand demand_of(struct demands *all, struct pmu_event *leader)
{
	struct pmu_demand d = {.masks = all->masks + all->nmasks,
			       .exclusive = leader->attr.exclusive};

	pmu_for_each (e, leader) {
		if (!e->class->hardware || (e != leader && !wants_to_run(e)))
			continue;
		all->masks[all->nmasks++] = pmu_tick_counters(&pmu.scheduler.tick, &e->tick);
		d.corrupting |= e->tick.corrupting;
		d.n++;
	}
	return d;
}

/* What counts in all passes. */
static bool place(struct pmu_match *start, struct demands *all, const struct pmu_context *context)
{
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader) {
		struct pmu_demand d;

		if (!wants_to_run(l) || (context->task && !l->attr.pinned))
			continue;
		d = demand_of(all, l);
		if (d.n && !pmu_match_group(start, &d, &pmu.scheduler.tick.limits))
			return false;
	}
	return true;
}

int pmu_task_passes(const struct pmu_task *task, struct pmu_event *const *leaders, unsigned n,
		    struct pmu_passes *passes)
{
	struct demands all = {.nmasks = 0};
	struct pmu_match start;

	pmu_match_init(&start);
	if (!place(&start, &all, &pmu.cpu) || !place(&start, &all, &task->context))
		return (int)n;
	for (unsigned i = 0; i < n; i++)
		all.groups[i] = demand_of(&all, leaders[i]);
	return pmu_passes(all.groups, n, &start, &pmu.scheduler.tick.limits, passes);
}
