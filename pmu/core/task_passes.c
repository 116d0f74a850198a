// SPDX-License-Identifier: BSD-2-Clause
/* task_passes.c - converts the task's groups to demands for passes.h. */
#include "pmu/state/state.h"
#include "pmu/sched/passes.h"
#include "pmu/state/remote.h"

/*
 * Size of the arrays that all demands point into: one place for each event of two contexts, two for
 * a pair.
 */
#define PLACES (4 * PMU_MAX_EVENTS)

static struct {
	unsigned n;
	uint64_t masks[PLACES];
	uint8_t previous[PLACES];
	struct pmu_extra extras[PMU_NEEDS * PLACES];
	struct pmu_demand groups[PMU_PASSES_GROUPS];
} all;

static struct pmu_demand demand_of(const struct pmu_event *leader)
{
	const struct pmu_demand d =
		pmu_tick_demand(&pmu.scheduler.tick, &leader->group, all.masks + all.n,
				all.previous + all.n, all.extras + PMU_NEEDS * all.n);

	all.n += d.n;
	return d;
}

static bool wants_to_run(const struct pmu_event *e)
{
	return e->state >= PMU_STATE_INACTIVE || e->attr.enable_on_exec;
}

/* Places the events that count in all passes. */
static bool place_always(struct pmu_match *start, const struct pmu_context *context)
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

struct job {
	struct pmu_task *task;
	struct pmu_event *const *leaders;
	unsigned n;
	struct pmu_match start;
	bool placed;
};

/* Runs where the task's context is active. */
static void gather_passes(void *arg)
{
	struct job *j = arg;

	all.n = 0;
	pmu_match_init(&j->start);
	j->start.extras = pmu.scheduler.tick.others;
	j->placed = place_always(&j->start, pmu.cpu) && place_always(&j->start, &j->task->context);
	for (unsigned i = 0; j->placed && i < j->n; i++)
		all.groups[i] = demand_of(j->leaders[i]);
}

int pmu_task_passes(struct pmu_task *task, struct pmu_event *const *leaders, unsigned n,
		    struct pmu_passes *passes)
{
	struct job j = {.task = task, .leaders = leaders, .n = n};
	int result = (int)n;

	pmu_operation_begin();
	pmu_in_context(&task->context, gather_passes, &j);
	if (j.placed)
		result = pmu_passes(all.groups, n, &j.start, &pmu.scheduler.tick.limits, passes);
	pmu_operation_end();
	return result;
}
