// SPDX-License-Identifier: BSD-2-Clause
/*
 * schedule.c - applies the decisions of tick.h to the PMU. An event that counts on the same counter
 * as before is not touched.
 *
 * Always paused: counters are written here, and start together in pmu_resume(). All events that a
 * decision stops or starts get the same time, pmu.now.
 */
#include "pmu/state/state.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "lib/bits.h"
#include "pmu/sched/explain.h"
#include "pmu/core/rate.h"
#include "lib/reason.h"
#include "pmu/core/counter.h"
#include "pmu/core/mux.h"
#include "pmu/core/schedule.h"
#include "pmu/cpus/siblings.h"
#include "pmu/core/event_tasks.h"
#include "pmu/state/remote.h"
#include "pmu/state/slices.h"
#include "pmu/state/event_times.h"

#include <linux/errno.h>

static bool is_enabled(const struct pmu_event *e)
{
	return e->state >= PMU_STATE_INACTIVE;
}

/* --- Input of tick.h --- */

/*
 * If hyper-threads share the general counters, the number of counters shows whether hyper-threading
 * is on.
 */
static bool hyper_threading(void)
{
	const unsigned shared = uarch_general(pmu.uarch, true);

	if (shared && shared < uarch_general(pmu.uarch, false))
		return bits_count(pmu.hw.counters & PMU_GENERAL_MASK) <= shared;
	return pmu.caps->threads_per_core > 1;
}

void pmu_schedule_init(void)
{
	struct pmu_scheduler *s = &pmu.scheduler;
	const uint64_t general = pmu.hw.counters & PMU_GENERAL_MASK;

	s->interval = PMU_MUX_INTERVAL_US * 1000;
	s->deadline = PMU_NEVER;
	s->span = (struct pmu_span){.series = 1};
	s->tick = (struct pmu_tick){
		.counters = pmu.hw.counters,
		.limits = PMU_UNLIMITED,
		.assign = PMU_ASSIGN_DEFAULT,
		.contexts = {[PMU_TICK_CPU] = &pmu.cpu->tick},
	};
	pmu.sibling.hyper_threading = hyper_threading();
	if (pmu.sibling.hyper_threading && uarch_erratum(pmu.uarch, UARCH_HT_LIMIT, 0, UARCH_NOW))
		s->tick.limits.general_corrupting = (uint8_t)(bits_count(general) / 2);
}

void pmu_schedule_note(struct pmu_event *e)
{
	struct pmu_tick_group *g = &e->leader->group;

	e->tick.name = e->name;
	e->tick.enabled = is_enabled(e);
	g->enabled = e->leader->state != PMU_STATE_OFF;
	g->error = e->leader->state == PMU_STATE_ERROR;
	pmu_tick_group_update(g);
}

static void add_tick_group(struct pmu_event *leader)
{
	leader->group = (struct pmu_tick_group){
		.cpu = !leader->context->task,
		.pinned = leader->attr.pinned,
		.exclusive = leader->attr.exclusive,
		.asleep = pmu_is_asleep(leader),
	};
	pmu_for_each (e, leader)
		pmu_tick_append(&leader->group, &e->tick);
	pmu_tick_insert(&leader->context->tick, &leader->group);
}

void pmu_schedule_link(struct pmu_event *e)
{
	e->tick.counter = PMU_NO_COUNTER;
	e->tick.first_counter = 0;
	e->tick.hardware = e->class->hardware;
	if (e->leader == e)
		add_tick_group(e);
	else
		pmu_tick_append(&e->leader->group, &e->tick);
	pmu_schedule_note(e);
}

void pmu_schedule_unlink(struct pmu_event *e)
{
	if (e->context->active && !pmu.scheduler.renamed)
		pmu_tick_forget(&pmu.scheduler.tick, &e->tick);
	if (e->leader == e) {
		pmu_tick_remove(&e->context->tick, &e->group);
	} else {
		pmu_tick_unlink(&e->leader->group, &e->tick);
		pmu_tick_group_update(&e->leader->group);
	}
}

void pmu_schedule_regroup(struct pmu_event *e)
{
	add_tick_group(e);
	e->group.wait = e->state == PMU_STATE_ACTIVE ? PMU_RUNS : PMU_WAIT_ROOM;
	pmu_schedule_note(e);
}

/* --- Applying a decision --- */

void pmu_stop(struct pmu_event *e)
{
	if (e->state != PMU_STATE_ACTIVE)
		return;
	pmu_times_update(e, pmu.now);
	e->class->stop(e);
	e->state = PMU_STATE_INACTIVE;
	if (!e->limit_hit)
		return;
	e->limit_hit = 0;
	e->state = PMU_STATE_OFF;
	e->context->shape = 0;
	pmu_schedule_note(e);
}

static void start_counting(struct pmu_event *e)
{
	pmu_times_update(e, pmu.now);
	pmu_slice_begin(e);
	e->class->start(e);
	e->state = PMU_STATE_ACTIVE;
}

/* Calls `fn` for each event of the contexts that run. */
static void for_each_running(void (*fn)(struct pmu_event *leader))
{
	for (struct pmu_event *l = pmu.cpu->leaders; l; l = l->next_leader)
		fn(l);
	if (!pmu.task)
		return;
	for (struct pmu_event *l = pmu.task->context.leaders; l; l = l->next_leader)
		fn(l);
}

/* A pinned group without counters is in error until it is enabled again. */
static void fail_pinned(struct pmu_event *leader)
{
	if (!leader->group.error || leader->state == PMU_STATE_ERROR)
		return;
	pmu_for_each (e, leader) {
		pmu_stop(e);
		pmu_times_update(e, pmu.now);
	}
	leader->state = PMU_STATE_ERROR;
	leader->context->shape = 0;
}

static bool is_counting(const struct pmu_event *e)
{
	return e->leader->group.wait == PMU_RUNS && is_enabled(e);
}

static void stop_software(struct pmu_event *leader)
{
	pmu_for_each (e, leader)
		if (!e->class->hardware && !is_counting(e))
			pmu_stop(e);
}

static void start_software(struct pmu_event *leader)
{
	pmu_for_each (e, leader)
		if (!e->class->hardware && e->state == PMU_STATE_INACTIVE && is_counting(e))
			start_counting(e);
}

static bool any_software(void)
{
	return pmu.cpu->nsoftware || (pmu.task && pmu.task->context.nsoftware);
}

/* After pmu_exchange() the last decision is still valid, but other events are on the counters. */
static void rename_running(struct pmu_scheduler *s)
{
	s->renamed = false;
	s->tick.n = 0;
	for (uint64_t used = pmu.counters.used; used; used &= used - 1)
		s->tick.running[s->tick.n++] = &pmu.counters.on[bits_first(used)]->tick;
}

/* All events that leave a counter are taken off before any event is put on one. */
static void apply_decision(const struct pmu_tick *t)
{
	const bool software = any_software();

	pmu_span_break(&pmu.scheduler.span);
	/*
	 * The upper counter of a pair is always cleared: the pair writes no event select there that
	 * would replace the old one.
	 */
	pmu_counters_out(t->used & ~t->upper);
	if (t->failed)
		for_each_running(fail_pinned);
	if (software)
		for_each_running(stop_software);
	pmu_counters_in(t);
	if (software)
		for_each_running(start_software);
}

void pmu_schedule(void)
{
	struct pmu_tick *t = &pmu.scheduler.tick;

	if (pmu.scheduler.renamed)
		rename_running(&pmu.scheduler);
	if (pmu.sibling.shares)
		pmu_siblings_tick(t);
	else
		pmu_tick(t);
	if (t->came)
		pmu_counters_turn();
	else
		apply_decision(t);
	pmu_mux_update();
	pmu_rate_update();
	pmu.stats.schedules++;
}

void pmu_schedule_in(struct pmu_context *context)
{
	pmu_context_start_time(context, pmu.now);
	context->active = true;
	pmu.scheduler.tick.contexts[PMU_TICK_TASK] = &context->tick;
	pmu_tick_reconsider(&pmu.scheduler.tick);
}

/*
 * Removes the events that have stopped from `t`. Their task may run on another CPU at the next
 * decision: that CPU schedules them then.
 */
static void forget_stopped(struct pmu_tick *t)
{
	unsigned kept = 0;

	if (pmu.scheduler.renamed)
		rename_running(&pmu.scheduler);
	for (unsigned i = 0; i < t->n; i++) {
		struct pmu_tick_event *e = t->running[i];

		if (pmu_event_of(e)->state == PMU_STATE_ACTIVE)
			t->running[kept++] = e;
		else
			e->counter = PMU_NO_COUNTER;
	}
	t->n = kept;
}

void pmu_schedule_out(struct pmu_context *context)
{
	pmu_context_update_time(context, pmu.now);
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			pmu_stop(e);
	context->active = false;
	pmu.scheduler.tick.contexts[PMU_TICK_TASK] = NULL;
	pmu_tick_reconsider(&pmu.scheduler.tick);
	forget_stopped(&pmu.scheduler.tick);
}

/* Stops an event at its limit; a leader stops with its whole group. */
static void settle_limit(struct pmu_event *leader)
{
	bool all = leader->limit_hit;

	/* The times are updated while the leader still counts as enabled. */
	pmu_for_each (e, leader)
		pmu_times_update(e, pmu.now);
	/*
	 * The leader stops last: until then its limit_hit is the time at which the siblings
	 * stopped.
	 */
	pmu_for_each (e, leader->next_sibling)
		if (all || e->limit_hit)
			pmu_stop(e);
	if (all)
		pmu_stop(leader);
}

void pmu_settle(void)
{
	pmu.hung = false;
	for_each_running(settle_limit);
}

/* --- Checks --- */

/* A copy of the hardware events of a group, which have to count together. */
struct trial {
	struct pmu_tick_group group;
	struct pmu_tick_event events[PMU_COUNTERS];
	bool full;
};

static void try_event(struct trial *t, const struct pmu_event *e)
{
	struct pmu_tick_event *slot = &t->events[t->group.n];

	if (t->group.n == PMU_COUNTERS) {
		t->full = true;
		return;
	}
	*slot = e->tick;
	slot->hardware = slot->enabled = true;
	pmu_tick_append(&t->group, slot);
}

static int check_whole_group(const struct pmu_event *leader, const struct pmu_event *added,
			     struct reason *why)
{
	struct trial t = {.full = false};

	for (const struct pmu_event *e = leader; e; e = e->next_sibling)
		if (e->class->hardware && (e == leader || is_enabled(e)))
			try_event(&t, e);
	if (added && added->class->hardware && !added->attr.disabled)
		try_event(&t, added);
	if (t.full)
		return refuse(why, EINVAL, "no PMU has counters for more than %d events",
			      PMU_COUNTERS);
	if (pmu_tick_fits(&pmu.scheduler.tick, &t.group))
		return 0;
	if (why)
		pmu_explain_misfit(&pmu.scheduler.tick, &t.group, why);
	return -EINVAL;
}

/* True where the leader is alone and needs only one of its counters, which is there. */
static bool fits_alone(const struct pmu_event *leader)
{
	return leader->class->hardware && !leader->next_sibling &&
	       pmu_tick_fits_alone(&pmu.scheduler.tick, &leader->tick);
}

int pmu_group_check(const struct pmu_event *leader, const struct pmu_event *added,
		    struct reason *why)
{
	return !added && fits_alone(leader) ? 0 : check_whole_group(leader, added, why);
}

/* Assumes the state after an exec: events with enable_on_exec are enabled. */
static void suppose_exec(const struct pmu_task *task)
{
	for (struct pmu_event *l = task->context.leaders; l; l = l->next_leader) {
		pmu_for_each (e, l)
			e->tick.enabled |= e->attr.enable_on_exec;
		l->group.enabled |= l->attr.enable_on_exec;
		pmu_tick_group_update(&l->group);
	}
}

static int first_that_waits(const struct pmu_tick *t, const struct pmu_tick_context *context,
			    struct reason *why)
{
	const struct pmu_tick_group *lists[] = {context->pinned, context->flexible};

	for (unsigned i = 0; i < 2; i++)
		for (const struct pmu_tick_group *g = lists[i]; g;
		     g = g->next == lists[i] ? NULL : g->next) {
			if (g->wait < PMU_WAIT_ROOM)
				continue;
			if (why)
				pmu_tick_explain(t, g, why);
			return -EBUSY;
		}
	return 0;
}

/* The state of two contexts' groups and events that a decision changes. */
struct snapshot {
	unsigned ngroups, nevents;
	struct pmu_tick_group groups[2 * PMU_MAX_EVENTS];
	struct pmu_tick_event events[2 * PMU_MAX_EVENTS];
};

static void take_snapshot(struct snapshot *s, const struct pmu_context *context)
{
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader) {
		s->groups[s->ngroups++] = l->group;
		pmu_for_each (e, l)
			s->events[s->nevents++] = e->tick;
	}
}

/* Restores the state, in the order in which it was taken. */
static void put_back(struct snapshot *s, struct pmu_context *context)
{
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader) {
		l->group = s->groups[s->ngroups++];
		pmu_for_each (e, l)
			e->tick = s->events[s->nevents++];
	}
}

struct trial_run {
	struct pmu_task *task;
	struct fair_problem *problem; /* policy fair: describes the groups, and decides nothing */
	struct reason *why;
	int err;
};

/* Makes a trial decision and undoes its changes. Runs where the task's context is active. */
static void try_task(void *arg)
{
	static struct snapshot before;
	static struct pmu_fair fair;
	struct trial_run *r = arg;
	struct pmu_context *task = &r->task->context;
	struct pmu_tick t = pmu.scheduler.tick;
	struct pmu_tick_context contexts[] = {pmu.cpu->tick, task->tick};

	before.ngroups = before.nevents = 0;
	take_snapshot(&before, pmu.cpu);
	take_snapshot(&before, task);
	if (t.fair) {
		memset(&fair, 0, sizeof(fair));
		fair.describes = r->problem;
		t.fair = &fair;
	}
	suppose_exec(r->task);
	t.contexts[PMU_TICK_TASK] = &task->tick;
	pmu_tick(&t);
	r->err = first_that_waits(&t, &task->tick, r->why);
	before.ngroups = before.nevents = 0;
	put_back(&before, pmu.cpu);
	put_back(&before, task);
	pmu.cpu->tick = contexts[0];
	task->tick = contexts[1];
}

int pmu_task_fits(struct pmu_task *task, struct reason *why)
{
	struct trial_run r = {.task = task, .why = why};

	pmu_operation_begin();
	pmu_in_context(&task->context, try_task, &r);
	pmu_operation_end();
	return r.err;
}

bool pmu_shares_problem(struct pmu_task *task, struct fair_problem *problem)
{
	struct trial_run r = {.task = task, .problem = problem};

	problem->groups = 0;
	if (!pmu.scheduler.tick.fair)
		return false;
	pmu_operation_begin();
	pmu_in_context(&task->context, try_task, &r);
	pmu_operation_end();
	return problem->groups > PMU_FAIR_FEW &&
	       !pmu_fair_knows(pmu.scheduler.tick.fair, problem->key, problem->groups);
}
