// SPDX-License-Identifier: BSD-2-Clause
/*
 * soft_clock.c - cpu-clock and task-clock: the time for which the event is active, in ns. Both
 * count the same on the same target. As in Linux, excluding a ring does not change the count: it
 * drops the samples of that ring. One timer makes the samples of all clocks; it is armed for the
 * clock that is due first.
 *
 * An interrupt may take longer than a period. The next one is then due before the interrupted code
 * has executed anything, and the code would never make progress. So it gets a respite of at least
 * `pmu.soft.pace.respite` ns, which doubles each time the code is found where it was. Periods that
 * end meanwhile are one sample, and its PERIOD says so.
 */

#include "lib/string.h"
#include "pmu/core/overflow.h"
#include "pmu/core/rate.h"
#include "pmu/soft/soft_clock.h"

static uint64_t event_clock(const struct pmu_event *e)
{
	uint64_t now = pmu_now(), limit_hit = pmu_limit_hit(e);

	return limit_hit && limit_hit < now ? limit_hit : now;
}

static void update_clock(struct pmu_event *e)
{
	uint64_t now = event_clock(e), delta = now > e->prev ? now - e->prev : 0;

	e->prev += delta;
	e->count += delta;
	e->left -= (int64_t)delta;
}

static uint64_t clock_count(const struct pmu_event *e)
{
	uint64_t now = event_clock(e);

	return e->count + (now > e->prev ? now - e->prev : 0);
}

/* --- The pace --- */

#define LEAST_RESPITE 1000 /* ns */

/*
 * Code that ran at least this many times as long as the interrupt took has made progress, wherever
 * its instruction pointer is.
 */
#define ENOUGH 4

/*
 * True: the timer interrupted ring 3 with the same registers as the last time. Never true for ring
 * 0: the timer interrupts it only where it waits, so there is no progress to make.
 */
static bool stands_still(const struct pmu_regs *regs)
{
	struct pmu_pace *p = &pmu.soft.pace;
	bool same = regs->user && regs->ip == p->ip;

	p->ip = regs->ip;
	if (!regs->frame)
		return same;
	same = regs->user && !memcmp(&p->frame, regs->frame, sizeof(p->frame));
	p->frame = *regs->frame;
	return same;
}

/*
 * Runs at the beginning of an interrupt at `now`. `took` is the time of the last interrupt from its
 * first instruction to its last. The time before and after these shows in how late this interrupt
 * is.
 */
static void watch_progress(const struct pmu_regs *regs, uint64_t now)
{
	struct pmu_pace *p = &pmu.soft.pace;
	const uint64_t late = now > p->due ? now - p->due : 0;
	const bool still = stands_still(regs);

	if (!p->ended || !still || now - p->ended >= ENOUGH * (p->took + late))
		return;
	p->respite = p->respite ? 2 * p->respite : LEAST_RESPITE;
	pmu.stats.respites++;
}

static void arm_clock_timer(void)
{
	int64_t first = INT64_MAX;
	uint64_t ns;

	for (const struct pmu_event *e = pmu.soft.clocks; e; e = e->next_timed)
		if (!pmu_limit_hit(e) && e->left < first)
			first = e->left;
	if (first == INT64_MAX) {
		pmu.host->timer_arm(0);
		return;
	}
	ns = first > 0 ? (uint64_t)first : 1;
	if (ns < pmu.soft.pace.respite)
		ns = pmu.soft.pace.respite;
	pmu.soft.pace.due = pmu_now() + ns;
	pmu.host->timer_arm(ns);
}

static void start_clock(struct pmu_event *e)
{
	e->prev = pmu_now();
	if (!e->period)
		return;
	e->next_timed = pmu.soft.clocks;
	pmu.soft.clocks = e;
	arm_clock_timer();
}

static void stop_clock(struct pmu_event *e)
{
	struct pmu_event **at = &pmu.soft.clocks;

	update_clock(e);
	if (!e->period)
		return;
	while (*at != e)
		at = &(*at)->next_timed;
	*at = e->next_timed;
	if (!pmu.soft.clocks)
		pmu.soft.pace = (struct pmu_pace){.ended = 0};
	arm_clock_timer();
}

static bool clock_excludes(const struct pmu_event *e, const struct pmu_regs *regs)
{
	return regs->user ? e->attr.exclude_user : e->attr.exclude_kernel;
}

/* As with counters, periods that passed together are one overflow. */
static void check_clock_period(struct pmu_event *e, const struct pmu_regs *regs)
{
	update_clock(e);
	if (e->left > 0 || pmu_limit_hit(e))
		return;
	pmu_next_period(e);
	if (!clock_excludes(e, regs))
		pmu_overflow(e, regs, NULL);
}

void pmu_timer(const struct pmu_regs *regs)
{
	const uint64_t began = pmu_now();

	watch_progress(regs, began);
	for (struct pmu_event *e = pmu.soft.clocks; e; e = e->next_timed)
		check_clock_period(e, regs);
	arm_clock_timer();
	pmu.soft.pace.ended = pmu_now();
	pmu.soft.pace.took = pmu.soft.pace.ended - began;
}

const struct pmu_class pmu_clock_class = {
	.clock = true,
	.start = start_clock,
	.stop = stop_clock,
	.update = update_clock,
	.count = clock_count,
};
