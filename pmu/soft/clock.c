// SPDX-License-Identifier: BSD-2-Clause
/*
 * clock.c - cpu-clock and task-clock: the time for which they are scheduled, in ns, which is the
 * same for both as long as one CPU runs one task. As in Linux, what excludes a ring does not change
 * the count, but drops the samples of that ring. Samples come from one timer for all clocks, armed
 * for the one that is due first.
 */
#include "pmu/soft/soft.h"

static uint64_t clock_of(const struct pmu_event *e)
{
	uint64_t now = pmu_now(), limit_hit = pmu_limit_hit(e);

	return limit_hit && limit_hit < now ? limit_hit : now;
}

static void update(struct pmu_event *e)
{
	uint64_t now = clock_of(e), delta = now > e->prev ? now - e->prev : 0;

	e->prev += delta;
	e->count += delta;
	e->left -= (int64_t)delta;
}

static uint64_t count(const struct pmu_event *e)
{
	uint64_t now = clock_of(e);

	return e->count + (now > e->prev ? now - e->prev : 0);
}

static void arm(void)
{
	int64_t first = INT64_MAX;

	for (const struct pmu_event *e = pmu.clocks; e; e = e->next_timed)
		if (!pmu_limit_hit(e) && e->left < first)
			first = e->left;
	if (first == INT64_MAX)
		pmu.host->timer_arm(0);
	else
		pmu.host->timer_arm(first > 0 ? (uint64_t)first : 1);
}

static void start(struct pmu_event *e)
{
	e->prev = pmu_now();
	if (!e->period)
		return;
	e->next_timed = pmu.clocks;
	pmu.clocks = e;
	arm();
}

static void stop(struct pmu_event *e)
{
	struct pmu_event **at = &pmu.clocks;

	update(e);
	if (!e->period)
		return;
	while (*at != e)
		at = &(*at)->next_timed;
	*at = e->next_timed;
	arm();
}

static bool excludes(const struct pmu_event *e, const struct pmu_regs *regs)
{
	return regs->user ? e->attr.exclude_user : e->attr.exclude_kernel;
}

/* As with counters: periods that went by together are one overflow. */
static void check(struct pmu_event *e, const struct pmu_regs *regs)
{
	update(e);
	if (e->left > 0 || pmu_limit_hit(e))
		return;
	pmu_next_period(e);
	if (!excludes(e, regs))
		pmu_overflow(e, regs, NULL);
}

void pmu_timer(const struct pmu_regs *regs)
{
	for (struct pmu_event *e = pmu.clocks; e; e = e->next_timed)
		check(e, regs);
	arm();
}

const struct pmu_class pmu_clock_class = {
	.start = start,
	.stop = stop,
	.update = update,
	.count = count,
};
