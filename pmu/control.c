// SPDX-License-Identifier: BSD-2-Clause
/*
 * control.c - operations on open events: one and what was inherited from it, a group, or all of a
 * task. What adds to the events that want to run pauses, schedules anew and resumes; disabling only
 * stops.
 */
#include "pmu/output.h"
#include "pmu/rate.h"

#include "arch/x86/insn.h"

#include <linux/errno.h>

/*
 * Whatever is enabled, disabled or scheduled meanwhile takes pmu.now for its time, so that events
 * which run all the time that they are enabled have two equal times.
 */
uint64_t pmu_begin_change(void)
{
	uint64_t irq = irq_save();

	pmu_pause();
	return irq;
}

void pmu_end_change(uint64_t irq)
{
	pmu_resume();
	irq_restore(irq);
}

static void family(struct pmu_event *e, void (*fn)(struct pmu_event *e))
{
	fn(e);
	for (struct pmu_event *child = e->children; child; child = child->next_child)
		fn(child);
}

static void change(struct pmu_event *e, void (*fn)(struct pmu_event *e))
{
	uint64_t irq = pmu_begin_change();

	family(e, fn);
	pmu_end_change(irq);
}

static void change_group(struct pmu_event *e, void (*fn)(struct pmu_event *e))
{
	uint64_t irq = pmu_begin_change();

	pmu_for_each (m, e->leader)
		family(m, fn);
	pmu_end_change(irq);
}

static void change_task(struct pmu_task *task, void (*fn)(struct pmu_event *e))
{
	for (struct pmu_event *l = task->context.leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			family(e, fn);
}

/* With the leader the time of the whole group begins. */
void pmu_set_enabled(struct pmu_event *e)
{
	e->hung_up = false;
	if (e->state >= PMU_STATE_INACTIVE)
		return;
	pmu_group_times_update(e->leader);
	e->state = PMU_STATE_INACTIVE;
	pmu_schedule_note(e);
}

void pmu_event_enable(struct pmu_event *e)
{
	uint64_t irq = pmu_begin_change();

	family(e, pmu_set_enabled);
	pmu_schedule();
	pmu_end_change(irq);
}

/* Siblings cannot count without their leader. Who is in error stays there. */
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

void pmu_event_disable(struct pmu_event *e)
{
	change(e, set_disabled);
}

static void set_zero(struct pmu_event *e)
{
	if (e->state == PMU_STATE_ACTIVE)
		e->class->update(e);
	pmu_times_update(e, pmu.now);
	e->count = 0;
	e->gone.count = 0;
	e->gone.slices = (struct pmu_slices){.n = 0};
	e->slices = (struct pmu_slices){.n = 0};
	pmu_slice_begin(e);
}

void pmu_event_reset(struct pmu_event *e)
{
	change(e, set_zero);
}

void pmu_group_enable(struct pmu_event *e)
{
	uint64_t irq = pmu_begin_change();

	pmu_for_each (m, e->leader)
		family(m, pmu_set_enabled);
	pmu_schedule();
	pmu_end_change(irq);
}

void pmu_group_disable(struct pmu_event *e)
{
	change_group(e, set_disabled);
}

void pmu_group_reset(struct pmu_event *e)
{
	change_group(e, set_zero);
}

void pmu_task_enable_all(struct pmu_task *task)
{
	uint64_t irq = pmu_begin_change();

	change_task(task, pmu_set_enabled);
	pmu_schedule();
	pmu_end_change(irq);
}

void pmu_task_disable_all(struct pmu_task *task)
{
	uint64_t irq = pmu_begin_change();

	change_task(task, set_disabled);
	pmu_end_change(irq);
}

/* As in Linux, not for events that others inherit: who of them would come to the limit? */
int pmu_event_refresh(struct pmu_event *e, uint64_t n)
{
	uint64_t irq;

	if (!e->period || e->attr.inherit)
		return -EINVAL;
	irq = pmu_begin_change();
	e->limit += n;
	pmu_output_plan(e);
	pmu_set_enabled(e);
	pmu_schedule();
	pmu_end_change(irq);
	return 0;
}

int pmu_event_set_period(struct pmu_event *e, uint64_t period)
{
	uint64_t irq;

	if (!period || period >> 63 || !e->period)
		return -EINVAL;
	if (e->attr.freq && period > pmu.rate.max)
		return -EINVAL;
	irq = pmu_begin_change();
	pmu_rate_set(e, period);
	for (struct pmu_event *child = e->children; child; child = child->next_child)
		pmu_rate_set(child, period);
	pmu_end_change(irq);
	return 0;
}

void pmu_event_set_name(struct pmu_event *e, const char *name)
{
	e->name = e->tick.name = name;
	for (struct pmu_event *child = e->children; child; child = child->next_child)
		child->name = child->tick.name = name;
}

uint64_t pmu_event_counters(const struct pmu_event *e)
{
	return e->tick.constraint.counters;
}
