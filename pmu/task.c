// SPDX-License-Identifier: BSD-2-Clause
/*
 * task.c - tasks: which one runs, what they inherit, and what they leave behind. Lists change with
 * interrupts off and counting paused, as everywhere.
 */
#include "pmu/output.h"
#include "pmu/rate.h"
#include "pmu/trace.h"

#include <linux/errno.h>

bool pmu_set_runs(uint32_t set)
{
	return !set || (pmu.task && pmu.task->set == set);
}

/* Events of the CPU that are for some tasks only fall asleep and wake up with them. Returns whether
 * any did. */
static bool wake_sets(void)
{
	bool any = false;

	for (struct pmu_event *l = pmu.cpu->leaders; l; l = l->next_leader) {
		bool asleep = !pmu_set_runs(l->set);

		if (l->group.asleep == asleep)
			continue;
		pmu_for_each (e, l) {
			pmu_times_update(e, pmu.now);
			if (asleep)
				pmu_stop(e);
		}
		l->group.asleep = asleep;
		pmu_tick_group_update(&l->group);
		any = true;
	}
	return any;
}

/* --- Running --- */

struct pmu_task *pmu_task_find(int tid)
{
	struct pmu_task *task = pmu_shared.tasks;

	if (tid <= 0)
		return tid ? NULL : pmu.task;
	while (task && task->tid != (uint32_t)tid)
		task = task->next;
	return task;
}

void pmu_task_sched_in(struct pmu_task *task)
{
	uint64_t irq = pmu_begin_change();

	pmu.task = task;
	pmu_schedule_in(&task->context);
	wake_sets();
	pmu_schedule();
	pmu_output_switch(task, true);
	trace(pmu_sched_in, task->pid, task->tid, pmu.used);
	pmu_end_change(irq);
}

/* Who waited for the counters of a set has them as soon as it sleeps. */
void pmu_task_sched_out(void)
{
	struct pmu_context *context;
	uint64_t irq;

	if (!pmu.task)
		return;
	irq = pmu_begin_change();
	trace(pmu_sched_out, pmu.task->pid, pmu.task->tid, pmu.used);
	context = &pmu.task->context;
	pmu_output_switch(pmu.task, false);
	pmu_schedule_out(context);
	pmu_mux_suspend(context);
	pmu.task = NULL;
	if (wake_sets())
		pmu_schedule();
	else
		pmu_mux_update();
	pmu_rate_update();
	pmu_end_change(irq);
}

void pmu_task_move(struct pmu_task *task, uint32_t set)
{
	uint64_t irq = pmu_begin_change();

	task->set = set;
	if (task == pmu.task) {
		wake_sets();
		pmu_schedule();
	}
	pmu_end_change(irq);
}

void pmu_task_exec(struct pmu_task *task)
{
	uint64_t irq = pmu_begin_change();
	bool any = false;

	for (struct pmu_event *l = task->context.leaders; l; l = l->next_leader) {
		pmu_group_times_update(l);
		pmu_for_each (e, l)
			if (e->attr.enable_on_exec) {
				e->attr.enable_on_exec = 0;
				any |= e->state < PMU_STATE_INACTIVE;
				pmu_set_enabled(e);
			}
	}
	if (any)
		pmu_schedule();
	pmu_end_change(irq);
}

/* --- Inheritance --- */

static struct pmu_event *ancestor_of(struct pmu_event *e)
{
	return e->ancestor ? e->ancestor : e;
}

/* As it would be had it been opened for the child: counts nothing yet. */
static void make_child(struct pmu_event *child, struct pmu_event *parent, struct pmu_context *to)
{
	struct pmu_event *ancestor = ancestor_of(parent);

	*child = (struct pmu_event){
		.attr = parent->attr,
		.name = parent->name,
		.class = parent->class,
		.context = to,
		.cpu = parent->cpu,
		.id = parent->id,
		.stream_id = ++pmu_shared.next_id,
		.state = parent->state < PMU_STATE_INACTIVE ? PMU_STATE_OFF : PMU_STATE_INACTIVE,
		.ancestor = ancestor,
		.next_child = ancestor->children,
		.config = parent->config,
		.pebs = parent->pebs,
		.meter = parent->meter,
		.tracepoint = parent->tracepoint,
		.filter = parent->filter,
		.tick = parent->tick,
		.period = parent->period,
		.this_period = parent->period,
		.interval = parent->interval,
		.burst_since = pmu.now,
		.left = (int64_t)(parent->period ? parent->period : pmu.hw.max_period),
		.stamp = pmu.now,
		.rb = parent->rb,
		.fields = parent->fields,
		.wakeup_events = parent->wakeup_events,
		.sample_header = parent->sample_header,
		.sample_size = parent->sample_size,
		.parts = parent->parts,
		.trailer_size = parent->trailer_size,
	};
	ancestor->children = child;
}

static void bequeath(const struct pmu_event *e)
{
	struct pmu_totals *to = &e->ancestor->gone;

	to->count += e->count;
	to->enabled += e->enabled;
	to->running += e->running;
	pmu_slices_add(&to->slices, &e->slices);
}

void pmu_event_disown(struct pmu_event *e)
{
	struct pmu_event **at = &e->ancestor->children;

	while (*at != e)
		at = &(*at)->next_child;
	*at = e->next_child;
	pmu_event_unlink(e);
	bequeath(e);
	pmu.host->event_free(e);
}

static void disown_group(struct pmu_event *leader)
{
	while (leader->next_sibling)
		pmu_event_disown(leader->next_sibling);
	pmu_event_disown(leader);
}

static int inherit_group(struct pmu_event *leader, struct pmu_context *to)
{
	struct pmu_event *head = NULL;

	pmu_for_each (e, leader) {
		struct pmu_event *child = pmu_schedule_room() ? pmu.host->event_alloc() : NULL;

		if (!child)
			return -EMFILE;
		make_child(child, e, to);
		pmu_event_link(child, head);
		head = head ? head : child;
	}
	return 0;
}

/* All or nothing. */
static int inherit(struct pmu_context *from, struct pmu_context *to)
{
	int err = 0;

	for (struct pmu_event *l = from->leaders; l && !err; l = l->next_leader)
		if (l->attr.inherit)
			err = inherit_group(l, to);
	while (err && to->leaders)
		disown_group(to->leaders);
	return err;
}

int pmu_task_init(struct pmu_task *task, uint32_t pid, uint32_t tid, struct pmu_task *parent)
{
	uint64_t irq = pmu_begin_change();
	int err = 0;

	*task = (struct pmu_task){.context = {.task = task, .cpu = -1},
				  .pid = pid,
				  .tid = tid,
				  .next = pmu_shared.tasks};
	pmu_shared.tasks = task;
	if (parent) {
		task->parent_pid = parent->pid;
		task->parent_tid = parent->tid;
		pmu_output_fork(task, parent);
		task->set = parent->set;
		if (pmu.host->event_alloc)
			err = inherit(&parent->context, &task->context);
	}
	pmu_end_change(irq);
	return err;
}

static void end_group(struct pmu_event *leader)
{
	if (leader->ancestor)
		disown_group(leader);
	else
		pmu_group_move(leader, &pmu_shared.gone);
}

void pmu_task_exit(struct pmu_task *task)
{
	uint64_t irq = pmu_begin_change();
	struct pmu_task **at = &pmu_shared.tasks;

	pmu_output_exit(task);
	while (task->context.leaders)
		end_group(task->context.leaders);
	while (*at != task)
		at = &(*at)->next;
	*at = task->next;
	pmu_end_change(irq);
}
