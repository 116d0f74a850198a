// SPDX-License-Identifier: BSD-2-Clause
/* task_begin.c - how tasks and programs begin: spawn, exec, and the first records of them. */
#include "rt/task/task_parts.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "lib/string.h"
#include "rt/task/sched.h"

#include <linux/errno.h>

static void on_wakeup(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)frame;
	sched_wake((struct task *)((uint8_t *)timer - offsetof(struct task, timer)));
}

void task_clear(struct task *t)
{
	const struct pmu_task events = t->events;

	memset(t, 0, sizeof(*t));
	t->events = events;
	t->timer.fn = on_wakeup;
	t->syscall = -1;
}

int task_start_at(struct task *t, const struct process_start *start)
{
	return user_state_init(&t->user, start->rip, start->rsp, start->args);
}

void task_enter_tree(struct task *t)
{
	uint64_t flags = task_lock_tree();

	t->next_task = task_tree.first;
	task_tree.first = t;
	task_tree.live++;
	t->process->threads++;
	task_unlock_tree(flags);
}

/* With room in the tree for the task that gets it. */
static long new_tid(void)
{
	uint64_t flags = task_lock_tree();
	long tid = -EAGAIN;

	if (task_tree.n < TASK_MAX) {
		task_tree.n++;
		tid = (long)++task_tree.last_tid;
	}
	task_unlock_tree(flags);
	return tid;
}

static void give_up_tid(void)
{
	uint64_t flags = task_lock_tree();

	task_tree.n--;
	task_unlock_tree(flags);
}

static int make_thread(struct task *t, struct task *parent, const struct task_spawn *how)
{
	struct process_start start = {.rip = how->entry};
	int err;

	t->process = parent->process;
	t->pid = parent->pid;
	start.rsp = process_stack(t->process, &t->stack);
	if (!start.rsp)
		return -EAGAIN;
	start.rsp -= 8;
	memcpy(start.args, how->args, sizeof(start.args));
	err = task_start_at(t, &start);
	if (err)
		process_free_stack(t->process, t->stack);
	t->announced = true; /* its parent's memory, and its parent's name */
	return err;
}

static int make_process(struct task *t, const struct task_spawn *how)
{
	struct process_start start;
	int err;

	t->pid = t->tid;
	t->begins = true;
	err = process_create(&t->process, t->pid, how->call, &start);
	if (err)
		return err;
	if (how->entry) {
		start.rip = how->entry;
		memcpy(start.args, how->args, sizeof(start.args));
	}
	err = task_start_at(t, &start);
	if (err)
		process_destroy(t->process);
	return err;
}

static int make_task(struct task *t, struct task *parent, const struct task_spawn *how)
{
	int err = how->call ? make_process(t, how) : make_thread(t, parent, how);

	if (err)
		return err;
	t->parent = parent;
	t->affinity = parent->affinity;
	task_name(t, how->call ? how->call->workload->name : parent->comm);
	return 0;
}

long task_spawn(struct task *parent, const struct task_spawn *how)
{
	const long tid = new_tid();
	struct task *t;
	int err = -ENOMEM;

	if (tid < 0)
		return tid;
	t = page_alloc_user(TASK_PAGES);
	if (t) {
		task_clear(t);
		t->tid = (uint32_t)tid;
		err = make_task(t, parent, how);
	}
	if (err) {
		if (t)
			page_free(t, TASK_PAGES);
		give_up_tid();
		return err;
	}
	task_enter_tree(t);
	pmu_task_init(&t->events, t->pid, t->tid, &parent->events);
	trace(sched_process_fork, parent->comm, parent->tid, t->comm, t->tid);
	sched_new(t);
	return tid;
}

long task_exec(struct task *t, const struct workload_call *call)
{
	struct process *p;
	uint64_t flags = task_lock_tree();
	const bool alone = t->process->threads == 1;
	int err;

	task_unlock_tree(flags);
	if (!alone)
		return -EBUSY;
	err = process_create(&p, t->pid, call, &t->start);
	if (err)
		return err;
	p->threads = 1;
	t->stack = 0;
	task_name(t, call->workload->name);
	t->announced = false;
	t->onfault = (struct onfault){0};
	sched_restart(p);
}

void task_announce(struct task *t)
{
	pmu_output_comm(&t->events, t->comm, true);
	process_announce(t->process, &t->events);
	t->announced = true;
}

void task_begin(struct task *t)
{
	t->begins = false;
	if (!t->announced) {
		task_announce(t);
		trace(sched_process_exec, t->process->call.title, t->tid, t->tid);
	}
	pmu_task_exec(&t->events);
}
