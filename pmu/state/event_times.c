// SPDX-License-Identifier: BSD-2-Clause
/*
 * event_times.c - time_enabled and time_running. They advance while the event's context is active,
 * and its set of tasks runs: enabled while the event and its leader are enabled, running while it
 * counts.
 */
#include "pmu/state/state.h"
#include "pmu/state/event_times.h"

/* A sibling of a disabled leader cannot run, whatever its own state is. */
bool pmu_time_goes_on(const struct pmu_event *e)
{
	return e->state >= PMU_STATE_INACTIVE && e->leader->state >= PMU_STATE_INACTIVE &&
	       e->context->active && !e->leader->group.asleep;
}

/* The ns since the last update; an event's time ends at its limit. */
static uint64_t elapsed_since_start(const struct pmu_event *e, uint64_t now)
{
	uint64_t limit_hit = pmu_limit_hit(e);

	if (limit_hit && limit_hit - pmu.away < now)
		now = limit_hit - pmu.away;
	return now > e->times.stamp ? now - e->times.stamp : 0;
}

struct pmu_times pmu_times_at(const struct pmu_event *e, uint64_t now)
{
	struct pmu_times t = {e->times.enabled, e->times.running};
	uint64_t delta;

	if (!e->context || !pmu_time_goes_on(e))
		return t;
	delta = elapsed_since_start(e, now);
	t.enabled += delta;
	t.running += e->state == PMU_STATE_ACTIVE ? delta : 0;
	return t;
}

void pmu_times_update(struct pmu_event *e, uint64_t now)
{
	uint64_t delta = elapsed_since_start(e, now);

	e->times.stamp += delta;
	if (!pmu_time_goes_on(e))
		return;
	e->times.enabled += delta;
	if (e->state == PMU_STATE_ACTIVE)
		e->times.running += delta;
}

void pmu_group_times_update(struct pmu_event *leader)
{
	pmu_for_each (e, leader)
		pmu_times_update(e, pmu.now);
}

void pmu_context_update_time(struct pmu_context *context, uint64_t now)
{
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			pmu_times_update(e, now);
}

void pmu_context_start_time(struct pmu_context *context, uint64_t now)
{
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			e->times.stamp = now;
}
