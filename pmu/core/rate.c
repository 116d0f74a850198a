// SPDX-License-Identifier: BSD-2-Clause
/*
 * rate.c - the rate of samples: it follows attr.sample_freq, and is limited to what the machine can
 * sustain. Both use a timer, which runs only while an event needs it.
 *
 * Frequency. The period is adjusted: at each overflow by the time since the last one, and at each
 * tick by the time in which the event counted since the last tick. So it also gets shorter when it
 * has become so long that overflows do not come. Each adjustment makes an eighth of the difference,
 * as in Linux, because the rate of events changes from one moment to the next.
 *
 * Throttling. An event that reaches the limit of overflows per tick in less than a tick is held
 * until that tick ends: the end of its period moves out of reach. It continues to count, and its
 * values stay exact, but it does not interrupt. The first sample afterwards has the whole distance
 * in its PERIOD. The clock is read only when the number of overflows is reached. So an event that
 * had no overflows for a while may then have twice as many in one tick.
 */
#include "pmu/core/rate.h"

#include "arch/x86/insn.h"
#include "lib/math.h"
#include "lib/time.h"
#include "pmu/record/output.h"
#include "pmu/record/record_sample.h"
#include "lib/reason.h"
#include "pmu/core/control.h"
#include "pmu/core/counter.h"
#include "pmu/core/open.h"
#include "pmu/core/overflow.h"
#include "pmu/state/remote.h"
#include "pmu/state/event_times.h"

#include <linux/errno.h>

#define TICK_NS (NSEC_PER_SEC / PMU_HZ)

/* The longest period: the sum of a few such periods is still positive. */
#define LONGEST (1ull << 60)

/* The distance by which a period's end moves while its event is held. */
#define HOLD (1ull << 62)

static uint32_t per_tick(uint64_t per_second)
{
	return (uint32_t)((per_second + PMU_HZ - 1) / PMU_HZ);
}

void pmu_rate_init(void)
{
	pmu.rate = (struct pmu_rate){
		.max = PMU_MAX_SAMPLE_RATE,
		.per_tick = per_tick(PMU_MAX_SAMPLE_RATE),
		.tick = PMU_NEVER,
		.deadline = PMU_NEVER,
	};
}

uint64_t pmu_max_sample_rate(void)
{
	return pmu.rate.max;
}

static void set_max(void *arg)
{
	pmu.rate.max = *(const uint64_t *)arg;
	pmu.rate.per_tick = per_tick(pmu.rate.max);
}

int pmu_set_max_sample_rate(uint64_t per_second)
{
	if (!per_second || per_second > PMU_MAX_SAMPLE_RATE_MOST)
		return -EINVAL;
	pmu_operation_begin();
	pmu_on_each_cpu(set_max, &per_second);
	pmu_operation_end();
	return 0;
}

/* --- The cost of a sample --- */

/*
 * If a sample costs more than the time between two samples, no period gives the frequency: the
 * shortest one would leave time only for handlers. So the cost is measured when the first frequency
 * is set: code of ring 0 with overflows and without.
 */
#define COST_PERIOD  2000
#define COST_SAMPLES 8

static void count_overflow(struct pmu_event *e, const struct pmu_regs *regs)
{
	(void)regs;
	e->rate.burst++;
}

/* Measures the time of a loop. Its length does not matter, but must always be the same. */
static uint64_t spin_ns(void)
{
	uint64_t since = pmu_now();

	for (unsigned i = 0; i < COST_PERIOD * COST_SAMPLES / 4; i++)
		rdtsc();
	return pmu_now() - since;
}

/* Returns 0 if there is no counter for it. */
static uint64_t measure_cost(void)
{
	static PERCPU struct pmu_event probe;
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = COST_PERIOD,
		.exclude_user = 1,
		.disabled = 1,
	};
	uint64_t irq = irq_save(), busy, idle = spin_ns();

	if (pmu_open_within(&probe, &attr, -1, (int)pmu.number, NULL, 0, NULL)) {
		irq_restore(irq);
		return 0;
	}
	probe.out.on_overflow = count_overflow;
	pmu_enable_within(&probe);
	busy = spin_ns();
	pmu_close_within(&probe);
	irq_restore(irq);
	return probe.rate.burst && busy > idle ? (busy - idle) / probe.rate.burst : 0;
}

/* Samples may take at most half of the time. */
static uint64_t shortest_interval(void)
{
	if (!pmu.rate.measured) {
		pmu.rate.measured = true;
		pmu.rate.cost = pmu.driver ? measure_cost() : 0;
	}
	return 2 * pmu.rate.cost;
}

/* --- Frequency --- */

int pmu_rate_check(const struct perf_event_attr *attr, struct reason *why)
{
	if (!attr->freq)
		return 0;
	if (attr->sample_freq > pmu.rate.max)
		return refuse(why, EINVAL,
			      "a sample frequency of %llu is above "
			      "kernel.perf_event_max_sample_rate, which is %llu",
			      (unsigned long long)attr->sample_freq,
			      (unsigned long long)pmu.rate.max);
	return 0;
}

uint64_t pmu_rate_interval(uint64_t frequency)
{
	uint64_t wanted = NSEC_PER_SEC / frequency, shortest = shortest_interval();

	return wanted > shortest ? wanted : shortest;
}

/*
 * The nearest period from `period` on that the counter can be set to. A precise event is the one
 * after the overflow.
 */
static uint64_t fit_period(const struct pmu_event *e, uint64_t period)
{
	const uint64_t behind = e->pebs;

	if (!e->setting || !period || period > pmu.hw.max_period)
		return period;
	return uarch_fit_setting(e->setting, period > behind ? period - behind : 1) + behind;
}

/* A clock event counts time, so its period follows from the frequency. */
void pmu_rate_open(struct pmu_event *e)
{
	e->period = fit_period(e, e->attr.sample_period);
	e->rate.burst_since = pmu_time();
	if (e->attr.freq && e->class->clock) {
		e->period = NSEC_PER_SEC / e->attr.sample_freq;
	} else if (e->attr.freq) {
		e->period = fit_period(e, 1);
		e->rate.interval = pmu_rate_interval(e->attr.sample_freq);
	}
	e->this_period = e->period;
	e->left = (int64_t)(e->period ? e->period : pmu.hw.max_period);
}

/* Adjusts to `count` occurrences in `ns`. One division. */
static void adjust_period(struct pmu_event *e, uint64_t count, uint64_t ns)
{
	const unsigned __int128 product = (unsigned __int128)count * e->rate.interval;
	const uint64_t high = (uint64_t)(product >> 64);
	uint64_t wanted = high < ns ? div_128(high, (uint64_t)product, ns) : LONGEST;
	int64_t way;

	if (wanted > LONGEST)
		wanted = LONGEST;
	way = (int64_t)(wanted - e->period);
	e->period += (uint64_t)((way + (way < 0 ? -7 : 7)) / 8);
	e->period = fit_period(e, e->period ? e->period : 1);
}

/*
 * The cost was measured in ring 0. A sample of ring 3 may be cheaper: where two come one soon after
 * the other, none of them takes more than the time between them.
 */
static void allow_more(struct pmu_event *e, uint64_t ns)
{
	const uint64_t least = 2 * ns;
	uint64_t wanted;

	if (least >= e->rate.interval)
		return;
	wanted = NSEC_PER_SEC / e->attr.sample_freq;
	e->rate.interval = least > wanted ? least : wanted;
}

/*
 * The period is adjusted only if the event counted all the time since its last overflow. Stopping
 * the event sets times.stamp. Reading its times does so, too; then this overflow is skipped as
 * well.
 */
void pmu_rate_overflow(struct pmu_event *e)
{
	uint64_t now = pmu_time(), since = e->rate.overflowed;
	uint64_t ns = now - since + (pmu.away - e->rate.overflow_away);

	e->rate.overflowed = now;
	e->rate.overflow_away = pmu.away;
	if (since < e->times.stamp || !ns || ns >= 2 * TICK_NS)
		return;
	allow_more(e, ns);
	adjust_period(e, e->last_period - (uint64_t)e->left, ns);
}

/* Begins a new period. Its sample includes the elapsed part of the old one. Paused. */
static void begin_period(struct pmu_event *e)
{
	bool active = e->state == PMU_STATE_ACTIVE;

	if (active)
		e->class->stop(e);
	e->this_period += e->period - (uint64_t)e->left;
	e->left = (int64_t)e->period;
	if (active)
		e->class->start(e);
}

static void adjust_by_tick(struct pmu_event *e)
{
	uint64_t count, ns;

	e->class->update(e);
	pmu_times_update(e, pmu.now);
	count = e->count - e->rate.tick_count;
	ns = e->times.running - e->rate.tick_running + (pmu.away - e->rate.tick_away);
	e->rate.tick_count = e->count;
	e->rate.tick_running = e->times.running;
	e->rate.tick_away = pmu.away;
	if (count && ns >= TICK_NS / 2)
		adjust_period(e, count, ns);
	if (e->left > 0 && (uint64_t)e->left / 8 > e->period)
		begin_period(e);
}

/* --- Throttling --- */

static void hold_event(struct pmu_event *e, uint64_t until)
{
	e->rate.throttled = true;
	e->rate.unthrottle_at = until;
	e->this_period += HOLD;
	e->left += (int64_t)HOLD;
	e->context->shape = 0;
	local_add(&e->context->throttled, 1);
	local_add(&pmu.stats.throttles, 1);
	pmu_output_throttle(e, true);
}

/*
 * Precise events are exempt: one interrupt serves many of their samples, so they do not block the
 * interrupted code.
 */
void pmu_rate_burst(struct pmu_event *e)
{
	uint64_t now = pmu_time(), since = e->rate.burst_since;

	e->rate.burst = 0;
	e->rate.burst_since = now;
	if (now - since >= TICK_NS || e->rate.throttled || e->attr.precise_ip ||
	    !pmu.host->irq_work)
		return;
	hold_event(e, since + TICK_NS);
	if (e->class->hardware)
		pmu_hardware_reload(e);
	pmu.host->irq_work();
}

static void release_event(struct pmu_event *e)
{
	if (!e->rate.throttled)
		return;
	e->rate.throttled = false;
	e->rate.burst = 0;
	e->rate.burst_since = pmu.now;
	local_add(&e->context->throttled, (uint64_t)-1);
	pmu_output_throttle(e, false);
}

static void unthrottle_event(struct pmu_event *e)
{
	begin_period(e);
	release_event(e);
}

/* --- Changes from outside --- */

/* A new period begins at once, as in Linux; a new frequency continues from the present period. */
void pmu_rate_set(struct pmu_event *e, uint64_t value, uint64_t interval)
{
	bool active = e->state == PMU_STATE_ACTIVE;

	e->attr.sample_period = value; /* or sample_freq, which shares the storage */
	if (e->rate.interval) {
		e->rate.interval = interval;
		return;
	}
	if (active)
		e->class->stop(e);
	e->period = e->attr.freq ? NSEC_PER_SEC / value : fit_period(e, value);
	e->this_period = e->period;
	e->left = (int64_t)e->period;
	pmu_output_plan(e);
	if (active)
		e->class->start(e);
	release_event(e);
}

void pmu_rate_forget(struct pmu_event *e)
{
	if (!e->rate.throttled)
		return;
	e->rate.throttled = false;
	local_add(&e->context->throttled, (uint64_t)-1);
}

/* 0 stands for never. */
static void shift_moment(uint64_t *moment, uint64_t ns)
{
	if (*moment)
		*moment += ns;
}

void pmu_rate_shift(struct pmu_event *e, uint64_t ns)
{
	shift_moment(&e->rate.overflowed, ns);
	shift_moment(&e->rate.burst_since, ns);
	shift_moment(&e->rate.unthrottle_at, ns);
	e->rate.overflow_away -= ns;
	e->rate.tick_away -= ns;
}

/* --- The common timer --- */

/* Calls `fn` for each event that counts now. */
static void for_each_active(void (*fn)(struct pmu_event *e))
{
	struct pmu_event *const lists[] = {pmu.cpu->leaders,
					   pmu.task ? pmu.task->context.leaders : NULL};

	for (unsigned i = 0; i < 2; i++)
		for (struct pmu_event *l = lists[i]; l; l = l->next_leader)
			pmu_for_each (e, l)
				if (e->state == PMU_STATE_ACTIVE)
					fn(e);
}

static void note_deadline(struct pmu_event *e)
{
	struct pmu_rate *r = &pmu.rate;

	if (e->rate.throttled && e->rate.unthrottle_at < r->first)
		r->first = e->rate.unthrottle_at;
	r->ticking |= e->rate.interval != 0;
}

void pmu_rate_update_timer(uint64_t now)
{
	struct pmu_rate *r = &pmu.rate;

	if (!pmu.host->rate_arm)
		return;
	r->ticking = false;
	r->first = PMU_NEVER;
	for_each_active(note_deadline);
	if (!r->ticking)
		r->tick = PMU_NEVER;
	else if (r->tick == PMU_NEVER)
		r->tick = now + TICK_NS;
	if (r->tick < r->first)
		r->first = r->tick;
	if (r->first == r->deadline)
		return;
	r->deadline = r->first;
	if (r->first == PMU_NEVER)
		pmu.host->rate_arm(0);
	else
		pmu.host->rate_arm(r->first > now ? r->first - now : 1);
}

static void tick_event(struct pmu_event *e)
{
	if (e->rate.throttled && e->rate.unthrottle_at <= pmu.rate.due)
		unthrottle_event(e);
	else if (e->rate.interval && !e->rate.throttled && pmu.rate.tick <= pmu.rate.due)
		adjust_by_tick(e);
}

/*
 * When the timer was armed in a pause, in which pmu_time() stands still, it is early by pmu_time():
 * hence `due`.
 */
void pmu_rate_timer(const struct pmu_regs *regs)
{
	struct pmu_rate *r = &pmu.rate;

	if (r->deadline == PMU_NEVER)
		return;
	pmu_pause_at(regs);
	r->due = r->deadline > pmu.now ? r->deadline : pmu.now;
	r->deadline = PMU_NEVER;
	for_each_active(tick_event);
	if (r->tick <= r->due)
		r->tick = PMU_NEVER;
	pmu_rate_update_timer(pmu.now);
	pmu.stats.ticks++;
	pmu_resume();
}

void pmu_irq_work(void)
{
	pmu_rate_update_timer(pmu_time());
}
