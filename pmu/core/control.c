// SPDX-License-Identifier: BSD-2-Clause
/*
 * control.c - operations on open events: on an event and its inherited ones, on a group, or on all
 * events of a task. An operation that may need counters pauses, schedules and resumes. Disabling
 * only stops the events.
 */
#include "pmu/core/control.h"

#include "arch/x86/insn.h"
#include "pmu/core/mux.h"
#include "pmu/core/overflow.h"
#include "pmu/core/rate.h"
#include "pmu/core/schedule.h"
#include "pmu/cpus/siblings.h"
#include "pmu/record/record_sample.h"
#include "pmu/state/control_page.h"
#include "pmu/state/remote.h"
#include "pmu/state/slices.h"
#include "pmu/state/event_times.h"

#include <linux/errno.h>

/*
 * Everything that is enabled, disabled or scheduled until pmu_end_change() has the time pmu.now. So
 * events that always run while enabled have two equal times.
 */
uint64_t pmu_begin_change(void)
{
	uint64_t irq = irq_save();

	pmu_pause();
	return irq;
}

void pmu_end_change(uint64_t irq)
{
	if (pmu.sibling.shares)
		pmu_siblings_stopped();
	pmu_resume();
	irq_restore(irq);
}

struct change {
	void (*fn)(struct pmu_event *e);
	struct pmu_event *e;
	bool schedules;
};

static void run_change(void *arg)
{
	const struct change *c = arg;
	uint64_t irq = pmu_begin_change();

	c->fn(c->e);
	if (c->schedules)
		pmu_schedule();
	pmu_end_change(irq);
}

void pmu_change(struct pmu_event *e, void (*fn)(struct pmu_event *e), bool schedules)
{
	struct change change = {fn, e, schedules};

	pmu_in_context(e->context, run_change, &change);
}

/* Changes each event where it is active. */
static void change_family(struct pmu_event *e, void (*fn)(struct pmu_event *e), bool schedules)
{
	pmu_change(e, fn, schedules);
	for (struct pmu_event *child = e->family.children; child; child = child->family.next_child)
		pmu_change(child, fn, schedules);
}

static void change_in_operation(struct pmu_event *e, void (*fn)(struct pmu_event *e),
				bool schedules)
{
	pmu_operation_begin();
	change_family(e, fn, schedules);
	pmu_operation_end();
}

/* Enabling the leader starts the time of the whole group. */
void pmu_set_enabled(struct pmu_event *e)
{
	__atomic_store_n(&e->hung_up, false, __ATOMIC_RELAXED);
	if (e->state >= PMU_STATE_INACTIVE || (e->class->follows && e->leader == e))
		return;
	pmu_group_times_update(e->leader);
	e->state = PMU_STATE_INACTIVE;
	pmu_schedule_note(e);
}

void pmu_enable_within(struct pmu_event *e)
{
	change_family(e, pmu_set_enabled, true);
}

void pmu_event_enable(struct pmu_event *e)
{
	change_in_operation(e, pmu_set_enabled, true);
}

/*
 * Siblings cannot count without their leader, so they stop with it. An event in error remains in
 * error.
 */
static void set_disabled(struct pmu_event *e)
{
	if (e->state < PMU_STATE_INACTIVE)
		return;
	pmu_group_times_update(e->leader);
	pmu_for_each (m, e->leader)
		if (m == e || e->leader == e)
			pmu_stop(m);
	e->state = PMU_STATE_OFF;
	pmu_schedule_note(e);
}

void pmu_disable_within(struct pmu_event *e)
{
	change_family(e, set_disabled, false);
}

void pmu_event_disable(struct pmu_event *e)
{
	change_in_operation(e, set_disabled, false);
}

static void set_zero(struct pmu_event *e)
{
	if (e->state == PMU_STATE_ACTIVE)
		e->class->update(e);
	pmu_times_update(e, pmu.now);
	e->count = 0;
	__atomic_store_n(&e->family.gone.count, 0, __ATOMIC_RELAXED);
	pmu_slices_forget(e);
}

void pmu_event_reset(struct pmu_event *e)
{
	change_in_operation(e, set_zero, false);
}

/* --- Groups: inherited events have groups like the original ones --- */

static void operate_group(struct pmu_event *e, void (*fn)(struct pmu_event *leader), bool schedules)
{
	pmu_operation_begin();
	change_family(e->leader, fn, schedules);
	pmu_operation_end();
}

static void enable_group(struct pmu_event *leader)
{
	pmu_for_each (m, leader)
		pmu_set_enabled(m);
}

static void disable_group(struct pmu_event *leader)
{
	pmu_for_each (m, leader)
		set_disabled(m);
}

static void zero_group(struct pmu_event *leader)
{
	pmu_for_each (m, leader)
		set_zero(m);
}

void pmu_group_enable(struct pmu_event *e)
{
	operate_group(e, enable_group, true);
}

void pmu_group_disable(struct pmu_event *e)
{
	operate_group(e, disable_group, false);
}

void pmu_group_reset(struct pmu_event *e)
{
	operate_group(e, zero_group, false);
}

/* --- All events of a task --- */

struct sweep {
	struct pmu_context *context;
	void (*fn)(struct pmu_event *e);
	bool schedules;
};

static void sweep_context(void *arg)
{
	const struct sweep *s = arg;
	uint64_t irq = pmu_begin_change();

	for (struct pmu_event *l = s->context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			s->fn(e);
	if (s->schedules)
		pmu_schedule();
	pmu_end_change(irq);
}

/* Changes the task's own events at one moment, then the children of each, one by one. */
static void change_task_events(struct pmu_task *task, void (*fn)(struct pmu_event *e),
			       bool schedules)
{
	struct sweep s = {&task->context, fn, schedules};

	pmu_operation_begin();
	pmu_in_context(s.context, sweep_context, &s);
	for (struct pmu_event *l = s.context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			for (struct pmu_event *child = e->family.children; child;
			     child = child->family.next_child)
				pmu_change(child, fn, schedules);
	pmu_operation_end();
}

void pmu_task_enable_all(struct pmu_task *task)
{
	change_task_events(task, pmu_set_enabled, true);
}

void pmu_task_disable_all(struct pmu_task *task)
{
	change_task_events(task, set_disabled, false);
}

/* --- Periods --- */

struct setting {
	struct pmu_event *e;
	uint64_t value;
	uint64_t interval; /* interval for the value as a frequency */
};

static void add_to_limit(void *arg)
{
	const struct setting *s = arg;
	struct pmu_event *e = s->e;
	uint64_t irq = pmu_begin_change();

	e->limit += s->value;
	pmu_output_plan(e);
	pmu_set_enabled(e);
	pmu_schedule();
	pmu_end_change(irq);
}

/*
 * As in Linux, this is refused for inheritable events: it is undefined which copy would reach the
 * limit.
 */
int pmu_event_refresh(struct pmu_event *e, uint64_t n)
{
	struct setting s = {.e = e, .value = n};
	int err = 0;

	pmu_operation_begin();
	if (!e->attr.sample_period || e->attr.inherit)
		err = -EINVAL;
	else
		pmu_in_context(e->context, add_to_limit, &s);
	pmu_operation_end();
	return err;
}

static void apply_period(void *arg)
{
	const struct setting *s = arg;
	uint64_t irq = pmu_begin_change();

	pmu_rate_set(s->e, s->value, s->interval);
	pmu_end_change(irq);
}

static int set_period_within(struct pmu_event *e, uint64_t period)
{
	struct setting s = {.e = e, .value = period};

	if (!period || period >> 63 || !e->attr.sample_period)
		return -EINVAL;
	if (e->attr.freq && period > pmu.rate.max)
		return -EINVAL;
	s.interval = e->rate.interval ? pmu_rate_interval(period) : 0;
	pmu_in_context(e->context, apply_period, &s);
	for (s.e = e->family.children; s.e; s.e = s.e->family.next_child)
		pmu_in_context(s.e->context, apply_period, &s);
	return 0;
}

int pmu_event_set_period(struct pmu_event *e, uint64_t period)
{
	int err;

	pmu_operation_begin();
	err = set_period_within(e, period);
	pmu_operation_end();
	return err;
}

struct naming {
	struct pmu_event *e;
	const char *name;
};

static void set_task_name(void *arg)
{
	const struct naming *n = arg;

	n->e->name = n->e->tick.name = n->name;
}

void pmu_event_set_name(struct pmu_event *e, const char *name)
{
	struct naming n = {e, name};

	pmu_operation_begin();
	pmu_in_context(e->context, set_task_name, &n);
	for (n.e = e->family.children; n.e; n.e = n.e->family.next_child)
		pmu_in_context(n.e->context, set_task_name, &n);
	pmu_operation_end();
}

uint64_t pmu_event_counters(const struct pmu_event *e)
{
	return e->tick.constraint.counters;
}
