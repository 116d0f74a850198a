// SPDX-License-Identifier: BSD-2-Clause
/*
 * mux.c - time slices: a timer runs while a group waits for a counter, and a new decision follows
 * when it expires. Each context has its own slices, independent of the other's. Slices of a task
 * advance only while it runs: the rest of an interrupted slice is the first slice of its next turn.
 * Slices end at fixed steps of pmu_time(), so that delays of interrupts do not add up, and the time
 * of a decision does not shorten a slice.
 */
#include "pmu/state/state.h"
#include "pmu/state/mux_trace.h"

#include "lib/string.h"
#include "pmu/core/control.h"
#include "pmu/core/counter.h"
#include "pmu/core/mux.h"
#include "pmu/core/overflow.h"
#include "pmu/core/rate.h"
#include "pmu/core/schedule.h"
#include "pmu/sched/fair_solve.h"
#include "pmu/sched/turn.h"
#include "pmu/state/remote.h"
#include "pmu/state/slices.h"
#include "pmu/state/event_times.h"

#include <linux/errno.h>

static PERCPU struct pmu_fair fair;

static void arm_turn_timer(uint64_t deadline)
{
	struct pmu_scheduler *s = &pmu.scheduler;

	if (deadline == s->deadline)
		return;
	s->deadline = deadline;
	if (deadline == PMU_NEVER)
		pmu.host->mux_arm(0);
	else
		pmu.host->mux_arm(deadline > pmu.now ? deadline - pmu.now : 1);
}

/* The end of the context's slice; begins a slice if there is none. */
static uint64_t slice_of(struct pmu_context *context)
{
	if (!context->tick.multiplex) {
		context->slice_end = context->slice_left = 0;
		return PMU_NEVER;
	}
	if (!context->slice_end)
		context->slice_end = pmu.now + (context->slice_left ? context->slice_left
								    : pmu.scheduler.interval);
	return context->slice_end;
}

void pmu_mux_update(void)
{
	uint64_t first, task = PMU_NEVER;

	if (!pmu.host->mux_arm)
		return;
	first = slice_of(pmu.cpu);
	if (pmu.task)
		task = slice_of(&pmu.task->context);
	arm_turn_timer(task < first ? task : first);
}

void pmu_mux_suspend(struct pmu_context *task)
{
	if (!task->slice_end)
		return;
	task->slice_left = task->slice_end > pmu.now ? task->slice_end - pmu.now : 1;
	task->slice_end = 0;
}

static void end_slice(struct pmu_context *context)
{
	uint64_t next = context->slice_end + pmu.scheduler.interval;

	context->slice_end =
		next > pmu.now && next - pmu.now < 2 * pmu.scheduler.interval ? next : 0;
	context->slice_left = 0;
}

static inline void end_if_due(struct pmu_context *context, uint64_t due)
{
	if (!context->slice_end || context->slice_end > due)
		return;
	end_slice(context);
	pmu_tick_rotate(&context->tick);
}

/*
 * By policy perf each context rotates by itself. By policy fair, groups of both contexts compete,
 * and all slices end together.
 */
static void end_slices(uint64_t due)
{
	struct pmu_context *task = pmu.task ? &pmu.task->context : NULL;

	if (!pmu.scheduler.tick.fair) {
		end_if_due(pmu.cpu, due);
		if (task)
			end_if_due(task, due);
		return;
	}
	if (pmu.cpu->slice_end)
		end_slice(pmu.cpu);
	if (task && task->slice_end)
		end_slice(task);
	pmu_tick_next(&pmu.scheduler.tick);
}

/* An event without a counter that counts only in some slices is in a group with others. */
static void cut_soft_slice(struct pmu_event *e)
{
	if (e->class->hardware || e->state != PMU_STATE_ACTIVE ||
	    e->times.enabled == e->times.running)
		return;
	e->class->update(e);
	pmu_times_update(e, pmu.now);
	pmu_slice_end(e);
}

static void cut_soft_slices(const struct pmu_context *context)
{
	if (!context->nsoftware)
		return;
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			cut_soft_slice(e);
}

static void cut_slices(void)
{
	pmu_counters_cut();
	cut_soft_slices(pmu.cpu);
	if (pmu.task)
		cut_soft_slices(&pmu.task->context);
}

/* The begin of the next slice is the end of this one, unless interrupts came too late for it. */
static inline uint64_t begin_next_slice(struct pmu_scheduler *s, struct pmu_context *context)
{
	uint64_t ns = context->slice_end + s->interval - pmu.now;

	if (__builtin_expect(ns - 1 >= 2 * s->interval - 1, 0))
		ns = s->interval;
	context->slice_end = s->deadline = pmu.now + ns;
	return ns;
}

/*
 * The usual end of a slice: equal groups of one context take turns, and no other context has any
 * groups. The last group of the list becomes the first one. False: a decision is needed.
 */
static inline bool rotate_by_turn(struct pmu_scheduler *s, struct pmu_context *context)
{
	struct pmu_tick_group *comes = context->tick.flexible->prev;

	if (!pmu_turn_next(&s->tick, comes))
		return false;
	context->tick.flexible = comes;
	pmu_counters_turn();
	pmu.host->mux_arm(begin_next_slice(s, context));
	if (__builtin_expect(pmu.rate.deadline != PMU_NEVER || pmu_rate_concerns(context), 0))
		pmu_rate_update_timer(pmu.now);
	pmu.stats.schedules++;
	return true;
}

/* While one context alone has groups, its slice is the one that ends. */
static inline bool is_turn_due(const struct pmu_scheduler *s, uint64_t due)
{
	return pmu_turn_is_on(&s->tick) && !(s->renamed | pmu.sibling.shares) &&
	       pmu_context_of(s->tick.turning)->slice_end == due;
}

static __attribute__((noinline)) void decide_and_cut(uint64_t due)
{
	pmu.scheduler.deadline = PMU_NEVER;
	end_slices(due > pmu.now ? due : pmu.now);
	pmu_schedule();
	cut_slices();
}

void pmu_mux_timer(const struct pmu_regs *regs)
{
	struct pmu_scheduler *s = &pmu.scheduler;
	const uint64_t due = s->deadline;

	if (due == PMU_NEVER)
		return;
	pmu_pause_at(regs);
	if (!__builtin_expect(is_turn_due(s, due), 1) ||
	    !rotate_by_turn(s, pmu_context_of(s->tick.turning)))
		decide_and_cut(due);
	pmu.stats.rotations++;
	trace(pmu_rotate, pmu.counters.used, pmu.now > due ? pmu.now - due : 0);
	pmu_resume();
}

static void set_interval(void *ns)
{
	pmu.scheduler.interval = *(const uint64_t *)ns;
}

int pmu_set_mux_interval_us(uint64_t us)
{
	uint64_t ns = us * 1000;

	if (us < PMU_MUX_LEAST_US || us > PMU_MUX_MOST_US)
		return -EINVAL;
	pmu_operation_begin();
	pmu_on_each_cpu(set_interval, &ns);
	pmu_operation_end();
	return 0;
}

uint64_t pmu_mux_interval_us(void)
{
	return pmu.scheduler.interval / 1000;
}

static void forget_service(void *arg)
{
	struct pmu_context *context = arg;

	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		l->group.served = 0;
}

/* Changes the policy of this CPU and its active contexts at one moment. */
static void set_cpu_policy(void *arg)
{
	const enum pmu_policy policy = *(const enum pmu_policy *)arg;
	struct pmu_scheduler *s = &pmu.scheduler;
	uint64_t irq = pmu_begin_change();

	memset(&fair, 0, sizeof(fair));
	s->tick.fair = policy == PMU_POLICY_FAIR ? &fair : NULL;
	pmu_tick_reconsider(&s->tick);
	forget_service(pmu.cpu);
	if (pmu.task)
		forget_service(&pmu.task->context);
	pmu_schedule();
	pmu_end_change(irq);
}

void pmu_set_policy(enum pmu_policy policy)
{
	pmu_operation_begin();
	for (struct pmu_task *task = pmu_shared.tasks; task; task = task->next)
		pmu_in_context(&task->context, forget_service, &task->context);
	pmu_on_each_cpu(set_cpu_policy, &policy);
	pmu_operation_end();
}

static void know_shares(void *solution)
{
	const uint64_t irq = pmu_begin_change();

	pmu_fair_know(&fair, solution);
	pmu_end_change(irq);
}

bool pmu_shares_know(const struct fair_problem *problem, const struct fair_solution *solution)
{
	static struct pmu_fair scratch;
	struct fair_solution checked = *solution;

	memset(&scratch, 0, sizeof(scratch));
	if (!pmu_fair_check(&scratch, problem, &checked))
		return false;
	pmu_operation_begin();
	pmu_on_each_cpu(know_shares, &checked);
	pmu_operation_end();
	return true;
}
