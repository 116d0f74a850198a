// SPDX-License-Identifier: BSD-2-Clause
/*
 * event_tasks.c - tasks: switching, inheritance, and their end.
 *
 * When a task arrives, its context becomes active on this CPU, under the context's lock. When it
 * has left, one store makes the context inactive: see remote.c. In between this CPU changes it like
 * its own context.
 */
#include "pmu/record/output.h"
#include "pmu/core/rate.h"
#include "pmu/state/mux_trace.h"

#include "arch/x86/insn.h"
#include "lib/panic.h"
#include "pmu/core/branches.h"
#include "pmu/core/control.h"
#include "pmu/core/exchange.h"
#include "pmu/core/mux.h"
#include "pmu/core/open.h"
#include "pmu/core/overflow.h"
#include "pmu/core/schedule.h"
#include "pmu/cpus/siblings.h"
#include "pmu/core/event_tasks.h"
#include "pmu/state/control_page.h"
#include "pmu/state/read.h"
#include "pmu/state/remote.h"
#include "pmu/state/slices.h"
#include "pmu/state/event_times.h"

#include <linux/errno.h>

/* --- Events for some tasks, or some CPUs, only --- */

bool pmu_is_asleep(const struct pmu_event *leader)
{
	const struct pmu_context *context = leader->context;

	if (!context->task)
		return leader->set && !(pmu.task && pmu_in_set(pmu.task, leader->set));
	if (leader->cpu >= 0 && leader->cpu != context->cpu)
		return true;
	return leader->uarch && leader->uarch != pmu.uarch;
}

static void lull_group(struct pmu_event *leader, bool asleep)
{
	pmu_for_each (e, leader) {
		pmu_times_update(e, pmu.now);
		if (asleep)
			pmu_stop(e);
	}
	leader->group.asleep = asleep;
	pmu_tick_group_update(&leader->group);
}

/* Puts events to sleep that must not count now, and wakes the others. False: none changed. */
static bool wake_bound(struct pmu_context *context)
{
	bool any = false;

	if (!context->nbound)
		return false;
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader) {
		bool asleep = pmu_is_asleep(l);

		if (l->group.asleep == asleep)
			continue;
		lull_group(l, asleep);
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

uint32_t pmu_task_pid(int tid)
{
	const struct pmu_task *task;
	uint32_t pid;

	pmu_operation_begin();
	task = pmu_task_find(tid);
	pid = task ? task->pid : 0;
	pmu_operation_end();
	return pid;
}

/* From here on the context belongs to this CPU, and no other CPU changes it. Interrupts off. */
static void take_context(struct pmu_context *context)
{
	lock_take(&context->lock);
	if (context->cpu >= 0)
		panic("task %u runs on CPU %d and is to run on CPU %u", context->task->tid,
		      context->cpu, pmu.number);
	__atomic_store_n(&context->cpu, (int)pmu.number, __ATOMIC_RELAXED);
	lock_release(&context->lock);
}

/* The CPU that takes the context next sees all writes to it. */
static void release_context(struct pmu_context *context)
{
	context->away = pmu.away;
	context->last_cpu = (int)pmu.number;
	__atomic_store_n(&context->cpu, -1, __ATOMIC_RELEASE);
}

static void tell_leave(struct pmu_task *task, const struct pmu_task *next, bool preempted)
{
	trace(pmu_sched_out, task->pid, task->tid, pmu.counters.used);
	if (pmu.cpu->nswitch + task->context.nswitch)
		pmu_output_switch(task, next,
				  PERF_RECORD_MISC_SWITCH_OUT |
					  (preempted ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0));
}

static void leave_task(struct pmu_task *task)
{
	struct pmu_context *context = &task->context;

	pmu_schedule_out(context);
	pmu_mux_suspend(context);
	if (context->paged)
		pmu_pages_update(context);
	pmu.task = NULL;
}

/* Converts times of its events from the clock of the CPU that it comes from. */
static void translate_moments(struct pmu_context *context)
{
	const uint64_t shift = context->away - pmu.away;

	for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, l)
			pmu_rate_shift(e, shift);
}

static void arrive_task(struct pmu_task *task)
{
	struct pmu_context *context = &task->context;

	if (context->last_cpu != (int)pmu.number && context->last_cpu >= 0)
		translate_moments(context);
	pmu.task = task;
	pmu_schedule_in(context);
	wake_bound(context);
}

static __attribute__((noinline)) void tell_migration(void)
{
	const struct pmu_regs here = {.ip = (uintptr_t)__builtin_return_address(0), .user = false};

	pmu_software(PERF_COUNT_SW_CPU_MIGRATIONS, &here, 0);
}

/* Called when the task's events are on their counters and count everything from now on. */
static void tell_arrival(struct pmu_task *task, const struct pmu_task *prev)
{
	const struct pmu_context *context = &task->context;

	if (pmu.cpu->nswitch + context->nswitch)
		pmu_output_switch(task, prev, 0);
	if (context->last_cpu != (int)pmu.number && context->last_cpu >= 0)
		tell_migration();
	trace(pmu_sched_in, task->pid, task->tid, pmu.counters.used);
}

/*
 * No task follows, so events for sets of tasks go to sleep. Events that waited for their counters
 * get them at once.
 */
static void go_on_without(void)
{
	if (wake_bound(pmu.cpu))
		pmu_schedule();
	else
		pmu_mux_update();
	if (pmu.sibling.shares)
		pmu_siblings_stopped();
	pmu_rate_update();
}

/* Makes one decision for the task that leaves and the task that arrives. */
static void change_over(struct pmu_task *prev, struct pmu_task *next)
{
	if (prev)
		leave_task(prev);
	if (next) {
		arrive_task(next);
		wake_bound(pmu.cpu);
		pmu_schedule();
	} else {
		go_on_without();
	}
	pmu.paged = pmu.cpu->paged || (next && next->context.paged);
}

static unsigned count_task_events(const struct pmu_task *task)
{
	return task ? task->context.nevents : 0;
}

/* The tasks have equal events, none of which records switches. */
static inline void exchange_tasks(struct pmu_task *prev, struct pmu_task *next)
{
	trace(pmu_sched_out, prev->pid, prev->tid, pmu.counters.used);
	pmu_exchange(&prev->context, &next->context);
	pmu.task = next;
	if (__builtin_expect(next->context.last_cpu != (int)pmu.number, 0) &&
	    next->context.last_cpu >= 0)
		tell_migration();
	trace(pmu_sched_in, next->pid, next->tid, pmu.counters.used);
}

static __attribute__((noinline)) void change_tasks(struct pmu_task *prev, struct pmu_task *next,
						   bool preempted)
{
	if (prev)
		tell_leave(prev, next, preempted);
	change_over(prev, next);
	if (next)
		tell_arrival(next, prev);
}

static inline void exchange_or_change(struct pmu_task *prev, struct pmu_task *next, bool preempted)
{
	pmu_pause();
	pmu_branches_switch(prev);
	if (prev && next && pmu_may_exchange(&prev->context, &next->context))
		exchange_tasks(prev, next);
	else
		change_tasks(prev, next, preempted);
	pmu_resume();
}

/* No event counts, neither before the switch nor after it. */
static void change_quietly(struct pmu_task *prev, struct pmu_task *next)
{
	if (prev)
		prev->context.active = false;
	if (next)
		next->context.active = true;
	pmu.task = next;
	pmu.scheduler.tick.contexts[PMU_TICK_TASK] = next ? &next->context.tick : NULL;
}

void pmu_task_switch(struct pmu_task *next, bool preempted)
{
	struct pmu_task *prev = pmu.task;
	uint64_t irq;

	if (prev == next)
		return;
	irq = irq_save();
	if (next)
		take_context(&next->context);
	if (__builtin_expect(pmu.cpu->nevents + count_task_events(prev) + count_task_events(next),
			     1))
		exchange_or_change(prev, next, preempted);
	else
		change_quietly(prev, next);
	if (prev)
		release_context(&prev->context);
	irq_restore(irq);
}

/* The CPU writes precise samples to a buffer, and does not know the task. */
void pmu_task_leaves(void)
{
	if (pmu.counters.precise)
		pmu_end_change(pmu_begin_change());
}

void pmu_task_sched_in(struct pmu_task *task)
{
	pmu_task_switch(task, false);
}

void pmu_task_sched_out(void)
{
	pmu_task_switch(NULL, false);
}

struct moving {
	struct pmu_task *task;
	uint32_t set;
};

static void move_to_set(void *arg)
{
	const struct moving *m = arg;
	uint64_t irq = pmu_begin_change();

	m->task->set = m->set;
	if (m->task == pmu.task) {
		wake_bound(pmu.cpu);
		pmu_schedule();
	}
	pmu_end_change(irq);
}

void pmu_task_move(struct pmu_task *task, uint32_t set)
{
	struct moving m = {task, set};

	pmu_in_context(&task->context, move_to_set, &m);
}

int pmu_task_move_id(int tid, uint32_t set)
{
	struct pmu_task *task;

	pmu_operation_begin();
	task = pmu_task_find(tid);
	if (task)
		pmu_task_move(task, set);
	pmu_operation_end();
	return task ? 0 : -ESRCH;
}

static void exec_in_context(void *arg)
{
	struct pmu_task *task = arg;
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
	return e->family.ancestor ? e->family.ancestor : e;
}

/* A reader without the turn checks whether there are children: see pmu_reads_alone(). */
static void set_children(struct pmu_event *ancestor, struct pmu_event *first)
{
	__atomic_store_n(&ancestor->family.children, first, __ATOMIC_RELEASE);
}

/* Makes an event for the child as if it had been opened for it: it has counted nothing. */
static void make_child(struct pmu_event *child, struct pmu_event *parent, struct pmu_context *to)
{
	struct pmu_event *ancestor = ancestor_of(parent);

	*child = (struct pmu_event){
		.attr = parent->attr,
		.name = parent->name,
		.class = parent->class,
		.uarch = parent->uarch,
		.context = to,
		.cpu = parent->cpu,
		.id = parent->id,
		.stream_id = ++pmu_shared.next_id,
		.state = parent->state < PMU_STATE_INACTIVE ? PMU_STATE_OFF : PMU_STATE_INACTIVE,
		.family.ancestor = ancestor,
		.family.next_child = ancestor->family.children,
		.config = parent->config,
		.extra = parent->extra,
		.other_extra = parent->other_extra,
		.setting = parent->setting,
		.branches = parent->branches,
		.pebs = parent->pebs,
		.meter = parent->meter,
		.tracepoint = parent->tracepoint,
		.filter = parent->filter,
		.tick = parent->tick,
		.period = parent->period,
		.this_period = parent->period,
		.rate.interval = parent->rate.interval,
		.rate.burst_since = pmu.now,
		.left = (int64_t)(parent->period ? parent->period : pmu.hw.max_period),
		.times.stamp = pmu.now,
		.slices.log = parent->slices.log,
		.out.rb = parent->out.rb,
		.out.notify = parent->out.notify,
		.out.fields = parent->out.fields,
		.out.wakeup_events = parent->out.wakeup_events,
		.out.sample_header = parent->out.sample_header,
		.out.sample_size = parent->out.sample_size,
		.out.parts = parent->out.parts,
		.out.trailer_size = parent->out.trailer_size,
	};
	set_children(ancestor, child);
}

static void bequeath_counts(struct pmu_event *e)
{
	struct pmu_totals *to = &e->family.ancestor->family.gone;

	to->count += e->count;
	to->enabled += e->times.enabled;
	to->running += e->times.running;
	pmu_slice_end(e);
	pmu_slices_close(&to->slices, e);
	pmu_books_add(&to->books, &e->books);
}

static void unlist_child(struct pmu_event *e)
{
	struct pmu_event *before = e->family.ancestor->family.children;

	if (before == e) {
		set_children(e->family.ancestor, e->family.next_child);
		return;
	}
	while (before->family.next_child != e)
		before = before->family.next_child;
	before->family.next_child = e->family.next_child;
}

/* Its count is added to the ancestor's before it leaves the list. */
void pmu_event_disown(struct pmu_event *e)
{
	pmu_change(e, pmu_event_unlink, false);
	bequeath_counts(e);
	unlist_child(e);
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
		struct pmu_event *child = pmu_context_has_room(to) ? pmu.host->event_alloc() : NULL;

		if (!child)
			return -EMFILE;
		make_child(child, e, to);
		pmu_event_link(child, head);
		head = head ? head : child;
	}
	return 0;
}

struct inheritance {
	struct pmu_context *from, *to;
	int err;
};

/* With inherit_thread, only tasks of the same process inherit. */
static bool is_inherited(const struct pmu_event *leader, const struct pmu_task *child)
{
	return leader->attr.inherit &&
	       (!leader->attr.inherit_thread || leader->context->task->pid == child->pid);
}

static void inherit_groups(void *arg)
{
	struct inheritance *i = arg;
	uint64_t irq = pmu_begin_change();

	for (struct pmu_event *l = i->from->leaders; l && !i->err; l = l->next_leader)
		if (is_inherited(l, i->to->task))
			i->err = inherit_group(l, i->to);
	pmu_end_change(irq);
}

/* Inherits all events or none. */
static int inherit_context(struct pmu_context *from, struct pmu_context *to)
{
	struct inheritance i = {from, to, 0};

	if (!pmu.host->event_alloc || !from->nevents)
		return 0;
	pmu_in_context(from, inherit_groups, &i);
	while (i.err && to->leaders)
		disown_group(to->leaders);
	return i.err;
}

int pmu_task_init(struct pmu_task *task, uint32_t pid, uint32_t tid, struct pmu_task *parent)
{
	int err = 0;

	*task = (struct pmu_task){
		.context = {.task = task, .cpu = -1, .last_cpu = -1}, .pid = pid, .tid = tid};
	pmu_operation_begin();
	task->next = pmu_shared.tasks;
	pmu_shared.tasks = task;
	if (parent) {
		task->parent_pid = parent->pid;
		task->parent_tid = parent->tid;
		pmu_output_fork(task, parent);
		task->set = parent->set;
		err = inherit_context(&parent->context, &task->context);
	}
	pmu_operation_end();
	return err;
}

static void move_to_gone(void *leader)
{
	uint64_t irq = pmu_begin_change();

	pmu_group_move(leader, &pmu_shared.gone);
	pmu_end_change(irq);
}

bool pmu_event_is_orphan(const struct pmu_event *e)
{
	return __atomic_load_n(&e->context, __ATOMIC_RELAXED) == &pmu_shared.gone;
}

static void end_group(struct pmu_event *leader)
{
	if (leader->family.ancestor)
		disown_group(leader);
	else
		pmu_in_context(leader->context, move_to_gone, leader);
}

static void stop_and_move(void *arg)
{
	struct pmu_event *leader = arg;
	uint64_t irq = pmu_begin_change();

	pmu_group_times_update(leader);
	pmu_for_each (e, leader)
		if (e->state == PMU_STATE_ACTIVE)
			pmu_stop(e);
	pmu_group_move(leader, &pmu_shared.gone);
	pmu_end_change(irq);
}

static struct pmu_event *to_be_removed(const struct pmu_context *context)
{
	struct pmu_event *l = context->leaders;

	while (l && !l->attr.remove_on_exec)
		l = l->next_leader;
	return l;
}

/* attr.remove_on_exec: ends these events as if the task had ended. */
static void remove_on_exec(struct pmu_context *context)
{
	struct pmu_event *l;

	pmu_operation_begin();
	while ((l = to_be_removed(context)))
		if (l->family.ancestor)
			disown_group(l);
		else
			pmu_in_context(context, stop_and_move, l);
	pmu_operation_end();
}

void pmu_task_exec(struct pmu_task *task)
{
	if (to_be_removed(&task->context))
		remove_on_exec(&task->context);
	pmu_in_context(&task->context, exec_in_context, task);
}

void pmu_task_set_tid(struct pmu_task *task, uint32_t tid)
{
	__atomic_store_n(&task->tid, tid, __ATOMIC_RELAXED);
}

void pmu_task_anew(struct pmu_task *task)
{
	task->context.last_cpu = -1;
	task->context.slice_left = task->context.away = 0;
}

void pmu_task_exit(struct pmu_task *task)
{
	struct pmu_task **at = &pmu_shared.tasks;

	pmu_operation_begin();
	pmu_output_exit_within(task);
	while (task->context.leaders)
		end_group(task->context.leaders);
	while (*at != task)
		at = &(*at)->next;
	*at = task->next;
	pmu_operation_end();
}
