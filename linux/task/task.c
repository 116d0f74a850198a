// SPDX-License-Identifier: BSD-2-Clause
/*
 * task.c - the tree of tasks, and operations on a task by its id. The lock of the tree guards the
 * list and each task's members of it; it is taken before the scheduler's locks. The CPU that takes
 * a task out of the list, with the lock, frees it: no other CPU can find it then.
 */
#include "linux/task/task_parts.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/string.h"
#include "linux/task/sched.h"
#include "linux/task/task_host.h"

#include <linux/errno.h>

struct task_tree task_tree;
struct task task_first;
struct task_host task_host;

uint64_t task_lock_tree(void)
{
	uint64_t flags = irq_save();

	lock_take(&task_tree.lock);
	return flags;
}

void task_unlock_tree(uint64_t flags)
{
	lock_release(&task_tree.lock);
	irq_restore(flags);
}

/* --- Names --- */

struct pmu_task *task_events(void)
{
	return &task_first.events;
}

const char *task_comm(void)
{
	const struct task *t = sched_current();

	return t ? t->comm : task_first.comm;
}

static struct task *find_by_tid(uint32_t tid)
{
	struct task *t = task_tree.first;

	while (t && t->tid != tid)
		t = t->next_task;
	return t;
}

void task_name(struct task *t, const char *name)
{
	size_t n = strnlen(name, TASK_COMM - 1);

	memset(t->comm, 0, sizeof(t->comm));
	memcpy(t->comm, name, n);
}

void task_set_comm(struct task *t, const char *name)
{
	task_name(t, name);
	pmu_output_comm(&t->events, t->comm, false);
}

void task_forget(struct task *t)
{
	LIST_DROP(t, next_task, task_link);
	task_tree.n--;
	if (t != &task_first)
		page_free(t, TASK_PAGES);
}

/* --- Tasks by their ids --- */

int task_with(int tid, int (*fn)(struct task *t, void *arg), void *arg)
{
	uint64_t flags = task_lock_tree();
	struct task *other = find_by_tid((uint32_t)tid);
	int result = other && !other->gone ? fn(other, arg) : -ESRCH;

	task_unlock_tree(flags);
	return result;
}

void task_each(void (*fn)(struct task *t, void *arg), void *arg)
{
	uint64_t flags = task_lock_tree();

	for (struct task *t = task_tree.first, *next; t; t = next) {
		next = t->next_task;
		if (!t->gone)
			fn(t, arg);
	}
	task_unlock_tree(flags);
}

/* --- Processes --- */

void task_enter_process(struct process *p)
{
	LIST_ADD(task_tree.processes, p, next, link);
}

void task_unlink_process(struct process *p)
{
	LIST_DROP(p, next, link);
	if (p->parent)
		LIST_DROP(p, next_sibling, sibling_link);
	task_tree.dead -= p->dead;
	process_forget(p);
}

struct process *task_find_process(uint32_t pid)
{
	struct process *p = task_tree.processes;

	while (p && p->pid != pid)
		p = p->next;
	return p;
}
