// SPDX-License-Identifier: BSD-2-Clause
/*
 * control.c - operations on open events, one, a group or all of the task, and the task's switches.
 * What adds to the events that want to run pauses, schedules anew and resumes; disabling only
 * stops.
 */
#include "pmu/core.h"

#include "arch/x86/insn.h"

#include <linux/errno.h>

/*
 * Between these two nothing counts and nothing interrupts but NMIs that find nothing. Whatever is
 * enabled, disabled or scheduled meanwhile takes pmu.now for its time, so that events which run all
 * the time that they are enabled have two equal times.
 */
static uint64_t begin_change(void)
{
	uint64_t irq = irq_save();

	pmu_pause();
	return irq;
}

static void end_change(uint64_t irq)
{
	pmu_resume();
	irq_restore(irq);
}

static void set_enabled(struct pmu_event *e)
{
	if (e->state >= PMU_STATE_INACTIVE)
		return;
	pmu_times_update(e, pmu.now);
	e->state = PMU_STATE_INACTIVE;
	pmu.scheduler.stale = true;
}

/* With the leader the time of the whole group begins. */
static void start_group_time(struct pmu_event *e)
{
	pmu_for_each (m, e->leader)
		pmu_times_update(m, pmu.now);
}

void pmu_event_enable(struct pmu_event *e)
{
	uint64_t irq = begin_change();

	start_group_time(e);
	set_enabled(e);
	pmu_schedule();
	end_change(irq);
}

/* Siblings cannot count without their leader. */
static void set_disabled(struct pmu_event *e)
{
	start_group_time(e);
	pmu_for_each (m, e->leader)
		if (m == e || e->leader == e)
			pmu_stop(m);
	e->state = PMU_STATE_OFF;
	pmu.scheduler.stale = true;
}

void pmu_event_disable(struct pmu_event *e)
{
	uint64_t irq = begin_change();

	set_disabled(e);
	end_change(irq);
}

static void set_zero(struct pmu_event *e)
{
	if (e->state == PMU_STATE_ACTIVE)
		e->class->update(e);
	pmu_times_update(e, pmu.now);
	e->count = 0;
	e->slices = (struct pmu_slices){.n = 0};
	pmu_slice_begin(e);
}

void pmu_event_reset(struct pmu_event *e)
{
	uint64_t irq = begin_change();

	set_zero(e);
	end_change(irq);
}

void pmu_group_enable(struct pmu_event *e)
{
	uint64_t irq = begin_change();

	start_group_time(e);
	pmu_for_each (m, e->leader)
		set_enabled(m);
	pmu_schedule();
	end_change(irq);
}

void pmu_group_disable(struct pmu_event *e)
{
	uint64_t irq = begin_change();

	pmu_for_each (m, e->leader)
		set_disabled(m);
	end_change(irq);
}

void pmu_group_reset(struct pmu_event *e)
{
	uint64_t irq = begin_change();

	pmu_for_each (m, e->leader)
		set_zero(m);
	end_change(irq);
}

void pmu_task_enable_all(void)
{
	uint64_t irq = begin_change();

	for (struct pmu_event *l = pmu.task.leaders; l; l = l->next_leader) {
		start_group_time(l);
		pmu_for_each (e, l)
			set_enabled(e);
	}
	pmu_schedule();
	end_change(irq);
}

void pmu_task_disable_all(void)
{
	uint64_t irq = begin_change();

	for (struct pmu_event *l = pmu.task.leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			set_disabled(e);
	end_change(irq);
}

int pmu_event_refresh(struct pmu_event *e, uint64_t n)
{
	uint64_t irq;

	if (!e->period)
		return -EINVAL;
	irq = begin_change();
	e->limit += n;
	end_change(irq);
	pmu_event_enable(e);
	return 0;
}

int pmu_event_set_period(struct pmu_event *e, uint64_t period)
{
	uint64_t irq;
	bool active;

	if (!period || period >> 63 || !e->period)
		return -EINVAL;
	irq = begin_change();
	active = e->state == PMU_STATE_ACTIVE;
	if (active)
		e->class->stop(e);
	e->period = period;
	e->attr.sample_period = period;
	e->left = (int64_t)period;
	if (active)
		e->class->start(e);
	end_change(irq);
	return 0;
}

int pmu_event_set_output(struct pmu_event *e, struct rb *rb)
{
	uint64_t irq;

	if (rb && e->sample_size > rb->mask + 1)
		return -EINVAL;
	irq = begin_change();
	e->rb = rb;
	end_change(irq);
	return 0;
}

void pmu_event_set_name(struct pmu_event *e, const char *name)
{
	e->name = name;
	pmu.scheduler.stale = true;
}

uint64_t pmu_event_counters(const struct pmu_event *e)
{
	return e->constraint.counters;
}

void pmu_task_exec(void)
{
	uint64_t irq = begin_change();
	bool any = false;

	for (struct pmu_event *l = pmu.task.leaders; l; l = l->next_leader) {
		start_group_time(l);
		pmu_for_each (e, l)
			if (e->attr.enable_on_exec) {
				e->attr.enable_on_exec = 0;
				set_enabled(e);
				any = true;
			}
	}
	if (any)
		pmu_schedule();
	end_change(irq);
}

void pmu_task_sched_in(void)
{
	uint64_t irq = begin_change();

	pmu_context_start_time(&pmu.task, pmu.now);
	pmu.task.active = true;
	pmu_schedule();
	end_change(irq);
}

void pmu_task_sched_out(void)
{
	uint64_t irq = begin_change();

	pmu_schedule_out(&pmu.task);
	pmu.task.active = false;
	pmu_mux_suspend();
	end_change(irq);
}
