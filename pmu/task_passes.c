// SPDX-License-Identifier: BSD-2-Clause
/* task_passes.c - the task's groups as passes.h takes them. */
#include "pmu/core.h"
#include "pmu/passes.h"

/* What all demands point to: a place for each event that can be open, two for one that takes two
 * counters. */
#define PLACES (2 * PMU_MAX_EVENTS)

static struct {
	unsigned n;
	uint64_t masks[PLACES];
	uint8_t previous[PLACES];
	struct pmu_extra extras[PLACES];
	struct pmu_demand groups[PMU_PASSES_GROUPS];
} all;

static struct pmu_demand demand_of(const struct pmu_event *leader)
{
	const struct pmu_demand d =
		pmu_tick_demand(&pmu.scheduler.tick, &leader->group, all.masks + all.n,
				all.previous + all.n, all.extras + all.n);

	all.n += d.n;
	return d;
}

static bool wants_to_run(const struct pmu_event *e)
{
	return e->state >= PMU_STATE_INACTIVE || e->attr.enable_on_exec;
}

/* What counts in all passes. */
static bool place(struct pmu_match *start, const struct pmu_context *context)
{
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader) {
		struct pmu_demand d;

		if (!wants_to_run(l) || (context->task && !l->attr.pinned))
			continue;
		d = demand_of(l);
		if (d.n && !pmu_match_group(start, &d, &pmu.scheduler.tick.limits))
			return false;
	}
	return true;
}

int pmu_task_passes(const struct pmu_task *task, struct pmu_event *const *leaders, unsigned n,
		    struct pmu_passes *passes)
{
	struct pmu_match start;

	all.n = 0;
	pmu_match_init(&start);
	start.extras = pmu.scheduler.tick.others;
	if (!place(&start, pmu.cpu) || !place(&start, &task->context))
		return (int)n;
	for (unsigned i = 0; i < n; i++)
		all.groups[i] = demand_of(leaders[i]);
	return pmu_passes(all.groups, n, &start, &pmu.scheduler.tick.limits, passes);
}
