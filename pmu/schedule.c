// SPDX-License-Identifier: BSD-2-Clause
/*
 * schedule.c - brings the events into the form that tick.h decides on, and the PMU into the state
 * that was decided. Who counts on the same counter as before is not touched.
 *
 * Paused throughout: counters are written here, and start together in pmu_resume(). One decision
 * takes one time, pmu.now, for all that stops and starts.
 */
#include "pmu/core.h"

#include "arch/x86/insn.h"
#include "pmu/bits.h"
#include "pmu/explain.h"

#include <linux/errno.h>
#include <stddef.h>

static struct pmu_event *leader_of(struct pmu_tick_group *g)
{
	return (struct pmu_event *)((uint8_t *)g - offsetof(struct pmu_event, group));
}

static bool is_enabled(const struct pmu_event *e)
{
	return e->state >= PMU_STATE_INACTIVE;
}

/* --- What tick.h looks at --- */

static void fill_slot(struct pmu_event *e, struct pmu_tick_event *slot)
{
	e->slot = slot;
	*slot = (struct pmu_tick_event){
		.name = e->name,
		.constraint = e->constraint,
		.hardware = e->class->hardware,
		.enabled = is_enabled(e),
		.corrupting = e->corrupting,
		.counter = e->counter,
	};
}

static struct pmu_tick_event *fill_group(struct pmu_event *leader, struct pmu_tick_event *slot)
{
	struct pmu_tick_group *g = &leader->group;

	g->events = slot;
	g->cpu = leader->context == &pmu.cpu;
	g->pinned = leader->attr.pinned;
	g->exclusive = leader->attr.exclusive;
	g->enabled = leader->state != PMU_STATE_OFF;
	g->error = leader->state == PMU_STATE_ERROR;
	pmu_for_each (e, leader)
		fill_slot(e, slot++);
	g->n = (uint8_t)(slot - g->events);
	return slot;
}

static void fill(void)
{
	struct pmu_scheduler *s = &pmu.scheduler;
	struct pmu_tick_event *slot = s->slots;

	for (unsigned i = 0; i < s->tick.ngroups; i++)
		slot = fill_group(leader_of(s->groups[i]), slot);
	s->stale = false;
}

/* Where hyper-threads share the general counters, how many there are tells. */
static bool hyper_threading(void)
{
	const struct uarch *u = pmu.uarch;

	if (u->gp_ht && u->gp_ht < u->gp)
		return bits_count(pmu.hw.counters & PMU_GENERAL_MASK) <= u->gp_ht;
	return pmu.caps->threads_per_core > 1;
}

void pmu_schedule_init(void)
{
	struct pmu_scheduler *s = &pmu.scheduler;
	const uint64_t general = pmu.hw.counters & PMU_GENERAL_MASK;

	s->interval = PMU_MUX_INTERVAL_US * 1000;
	s->tick = (struct pmu_tick){
		.counters = pmu.hw.counters,
		.limits = PMU_UNLIMITED,
		.assign = PMU_ASSIGN_DEFAULT,
		.groups = s->groups,
	};
	pmu.hyper_threading = hyper_threading();
	if (pmu.hyper_threading && uarch_erratum(pmu.uarch, UARCH_HT_LIMIT, 0, UARCH_NOW))
		s->tick.limits.general_corrupting = (uint8_t)(bits_count(general) / 2);
}

bool pmu_schedule_room(void)
{
	return pmu.scheduler.nevents < PMU_MAX_EVENTS;
}

static void add_group(struct pmu_event *leader)
{
	struct pmu_scheduler *s = &pmu.scheduler;

	leader->group = (struct pmu_tick_group){.n = 0};
	s->groups[s->tick.ngroups++] = &leader->group;
}

void pmu_schedule_link(struct pmu_event *e)
{
	e->counter = PMU_NO_COUNTER;
	if (e->leader == e)
		add_group(e);
	pmu.scheduler.nevents++;
	pmu.scheduler.stale = true;
}

void pmu_schedule_regroup(struct pmu_event *e)
{
	add_group(e);
}

void pmu_schedule_unlink(struct pmu_event *e)
{
	struct pmu_scheduler *s = &pmu.scheduler;
	unsigned kept = 0;

	for (unsigned i = 0; i < s->tick.ngroups; i++)
		if (s->groups[i] != &e->group)
			s->groups[kept++] = s->groups[i];
	s->tick.ngroups = kept;
	s->nevents--;
	s->stale = true;
}

/* --- What was decided --- */

static bool is_chosen(const struct pmu_event *e)
{
	return e->leader->group.wait == PMU_RUNS && is_enabled(e);
}

static bool stays(const struct pmu_event *e)
{
	return is_chosen(e) && (!e->class->hardware || e->place.index == e->counter);
}

void pmu_stop(struct pmu_event *e)
{
	if (e->state != PMU_STATE_ACTIVE)
		return;
	pmu_times_update(e, pmu.now);
	e->class->stop(e);
	pmu_slice_end(e);
	e->state = e->limit_hit ? PMU_STATE_OFF : PMU_STATE_INACTIVE;
	e->limit_hit = 0;
}

static void start(struct pmu_event *e)
{
	pmu_times_update(e, pmu.now);
	pmu_slice_begin(e);
	if (e->class->hardware && (e->place.index != e->counter || !e->place.sign))
		pmu_place_init(&pmu.hw, e->counter, &e->place);
	e->class->start(e);
	e->state = PMU_STATE_ACTIVE;
}

/* A pinned group that found no counters: out, until somebody enables it again. */
static void fail(struct pmu_event *leader)
{
	pmu_for_each (e, leader) {
		pmu_stop(e);
		pmu_times_update(e, pmu.now);
	}
	leader->state = PMU_STATE_ERROR;
}

/* Everything that leaves its counter, before anything that comes there. */
static void move_out(void)
{
	for (unsigned i = 0; i < pmu.scheduler.tick.ngroups; i++) {
		struct pmu_event *leader = leader_of(pmu.scheduler.groups[i]);

		pmu_for_each (e, leader) {
			e->counter = e->slot->counter;
			if (e->state == PMU_STATE_ACTIVE && !stays(e))
				pmu_stop(e);
		}
		if (leader->group.error && leader->state != PMU_STATE_ERROR)
			fail(leader);
	}
}

static void move_in(void)
{
	for (unsigned i = 0; i < pmu.scheduler.tick.ngroups; i++) {
		struct pmu_event *leader = leader_of(pmu.scheduler.groups[i]);

		if (leader->group.wait != PMU_RUNS)
			continue;
		pmu_for_each (e, leader)
			if (e->state == PMU_STATE_INACTIVE && is_chosen(e))
				start(e);
	}
}

void pmu_schedule(void)
{
	struct pmu_scheduler *s = &pmu.scheduler;

	if (s->stale)
		fill();
	s->tick.task_runs = pmu.task.active;
	pmu_tick(&s->tick);
	pmu.reused = s->tick.used;
	move_out();
	pmu.reused = 0;
	move_in();
	pmu_mux_update();
	pmu.stats.schedules++;
}

void pmu_schedule_out(struct pmu_context *context)
{
	pmu_context_update_time(context, pmu.now);
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			pmu_stop(e);
}

void pmu_settle(void)
{
	struct pmu_scheduler *s = &pmu.scheduler;

	if (!pmu.hung)
		return;
	pmu.hung = false;
	for (unsigned i = 0; i < s->tick.ngroups; i++) {
		struct pmu_event *leader = leader_of(s->groups[i]);
		bool all = leader->limit_hit;

		/* While the leader still counts as enabled. */
		pmu_for_each (e, leader)
			pmu_times_update(e, pmu.now);
		pmu_for_each (e, leader)
			if (all || e->limit_hit)
				pmu_stop(e);
	}
	s->stale = true;
}

/* --- Checks --- */

bool pmu_group_fits(const struct pmu_event *leader, const struct pmu_event *added)
{
	struct pmu_tick_event events[PMU_COUNTERS];
	struct pmu_tick_group g = {.events = events};

	for (const struct pmu_event *e = leader; e; e = e->next_sibling) {
		if (!e->class->hardware || (e != leader && !is_enabled(e)))
			continue;
		if (g.n == PMU_COUNTERS)
			return false;
		events[g.n++] = (struct pmu_tick_event){
			.constraint = e->constraint, .hardware = true, .enabled = true};
	}
	if (added && added->class->hardware && !added->attr.disabled) {
		if (g.n == PMU_COUNTERS)
			return false;
		events[g.n++] = (struct pmu_tick_event){
			.constraint = added->constraint, .hardware = true, .enabled = true};
	}
	return pmu_tick_fits(&pmu.scheduler.tick, &g);
}

/* All that the task will want once it executes a program. */
static void suppose_exec(void)
{
	for (struct pmu_event *l = pmu.task.leaders; l; l = l->next_leader)
		pmu_for_each (e, l) {
			e->slot->enabled |= e->attr.enable_on_exec;
			l->group.enabled |= e == l && e->attr.enable_on_exec;
		}
	pmu.scheduler.tick.task_runs = true;
}

int pmu_task_fits(struct pmu_reason *why)
{
	struct pmu_tick *t = &pmu.scheduler.tick;
	uint64_t irq = irq_save();
	const bool multiplex[] = {t->multiplex[PMU_TICK_TASK], t->multiplex[PMU_TICK_CPU]};
	int err = 0;

	fill();
	suppose_exec();
	pmu_tick(t);
	for (struct pmu_event *l = pmu.task.leaders; l && !err; l = l->next_leader) {
		if (l->group.wait < PMU_WAIT_ROOM)
			continue;
		err = -EBUSY;
		if (why)
			pmu_tick_explain(t, &l->group, why);
	}
	t->multiplex[PMU_TICK_TASK] = multiplex[PMU_TICK_TASK];
	t->multiplex[PMU_TICK_CPU] = multiplex[PMU_TICK_CPU];
	pmu.scheduler.stale = true;
	irq_restore(irq);
	return err;
}
