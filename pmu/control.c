// SPDX-License-Identifier: BSD-2-Clause
/*
 * control.c - operations on open events, and the task's switches. What changes the set of events
 * that want to run pauses, schedules anew and resumes; disabling only stops.
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
	if (e->state >= PMU_STATE_INACTIVE && !e->limit_hit)
		return;
	pmu_times_update(e, pmu.now);
	e->state = PMU_STATE_INACTIVE;
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

	pmu_schedule_out(e->context);
	start_group_time(e);
	set_enabled(e);
	pmu_schedule();
	end_change(irq);
}

void pmu_event_disable(struct pmu_event *e)
{
	uint64_t irq = begin_change();

	pmu_for_each (m, e->leader) {
		pmu_times_update(m, pmu.now);
		if (m->state == PMU_STATE_ACTIVE && (m == e || e->leader == e)) {
			m->class->stop(m);
			m->state = PMU_STATE_INACTIVE;
		}
	}
	e->limit_hit = 0;
	e->state = PMU_STATE_OFF;
	end_change(irq);
}

void pmu_event_reset(struct pmu_event *e)
{
	uint64_t irq = begin_change();

	if (e->state == PMU_STATE_ACTIVE)
		e->class->update(e);
	e->count = 0;
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

	if (!period || period >> 63 || !e->period)
		return -EINVAL;
	irq = begin_change();
	pmu_schedule_out(e->context);
	e->period = period;
	e->attr.sample_period = period;
	e->left = (int64_t)period;
	pmu_schedule();
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

int pmu_event_read(struct pmu_event *e, struct pmu_value *value)
{
	uint64_t irq = irq_save();
	int err = e->state == PMU_STATE_ERROR ? -ENODATA : 0;

	if (e->state == PMU_STATE_ACTIVE)
		e->class->update(e);
	if (e->context)
		pmu_times_update(e, pmu_now());
	*value = (struct pmu_value){
		.value = local_load(&e->count),
		.time_enabled = e->enabled,
		.time_running = e->running,
		.id = e->id,
		.lost = local_load(&e->books.lost),
	};
	irq_restore(irq);
	return err;
}

uint64_t pmu_event_counters(const struct pmu_event *e)
{
	return e->counters;
}

void pmu_task_exec(void)
{
	uint64_t irq = begin_change();

	pmu_schedule_out(&pmu.task);
	for (struct pmu_event *l = pmu.task.leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			if (e->attr.enable_on_exec) {
				e->attr.enable_on_exec = 0;
				set_enabled(e);
			}
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
	end_change(irq);
}
