// SPDX-License-Identifier: BSD-2-Clause
/* task_begin.c - the beginning of tasks and programs: clone, exec, and their first records. */
#include "linux/task/task_parts.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "lib/path.h"
#include "lib/string.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/task_host.h"

#include <linux/errno.h>
#include <linux/sched.h>

static void on_wakeup(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)frame;
	sched_wake((struct task *)((uint8_t *)timer - offsetof(struct task, timer)));
}

static void on_change(struct wait_set *set)
{
	sched_wake((struct task *)((uint8_t *)set - offsetof(struct task, waits)));
}

void task_clear(struct task *t)
{
	memset(&t->process, 0, sizeof(*t) - offsetof(struct task, process));
	t->timer.fn = on_wakeup;
	t->waits.wake = on_change;
	t->syscall = t->interrupted = -1;
	t->heeds = true; /* the process may already have pending signals */
	t->began = times_monotonic();
}

int task_start_at(struct task *t, const struct exec_start *start)
{
	return user_state_init(&t->user, start->rip, start->rsp, start->args);
}

static void add_thread(struct process *p, int n)
{
	p->threads += (unsigned)n;
	__atomic_add_fetch(&p->mm->threads, (unsigned)n, __ATOMIC_RELAXED);
}

void task_enter_tree(struct task *t)
{
	uint64_t flags = task_lock_tree();

	LIST_ADD(task_tree.first, t, next_task, task_link);
	LIST_ADD(t->process->first_thread, t, next_thread, thread_link);
	task_tree.live++;
	add_thread(t->process, 1);
	task_unlock_tree(flags);
}

/* --- New tasks --- */

/* Returns a free id, and reserves room in the tree for its task. */
static long new_tid(void)
{
	uint64_t flags = task_lock_tree();
	long tid = -EAGAIN;

	if (task_tree.n + task_tree.dead < TASK_MAX) {
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

/* Resets handlers; ignored signals stay ignored. */
static void clear_handlers(struct process *p)
{
	for (unsigned i = 0; i < SIGNALS; i++)
		if (p->signals.action[i].handler != (uint64_t)SIG_IGN)
			memset(&p->signals.action[i], 0, sizeof(p->signals.action[i]));
}

static void copy_process(struct process *to, const struct process *from,
			 const struct task_clone *how)
{
	memcpy(to->signals.action, from->signals.action, sizeof(to->signals.action));
	memcpy(to->path, from->path, sizeof(to->path));
	to->call = from->call;
	to->group = from->group;
	to->session = from->session;
	memcpy(to->limits, from->limits, sizeof(to->limits));
	to->ways = from->ways;
	to->ways.death_signal = 0;
	to->ways.reaps = false;
	to->exit_signal = how->flags & CLONE_PARENT ? from->exit_signal : how->exit_signal;
	if (how->flags & CLONE_CLEAR_SIGHAND)
		clear_handlers(to);
	to->vfork = how->flags & CLONE_VFORK;
	to->credentials = from->credentials;
}

static struct process *new_process(struct task *t, struct process *parent,
				   const struct task_clone *how)
{
	struct process *p = process_create(t->tid);
	struct mm *mm;
	uint64_t flags;

	if (!p)
		return NULL;
	mm = how->flags & CLONE_VM ? mm_get(parent->mm) : mm_copy(parent->mm);
	if (!mm) {
		process_forget(p);
		return NULL;
	}
	process_set_memory(p, mm);
	if (process_copy_files(p, parent, how->flags & CLONE_FILES)) {
		mm_put(mm);
		process_forget(p);
		return NULL;
	}
	copy_process(p, parent, how);
	flags = task_lock_tree();
	p->parent = how->flags & CLONE_PARENT ? parent->parent : parent;
	if (p->parent)
		LIST_ADD(p->parent->first_child, p, next_sibling, sibling_link);
	task_enter_process(p);
	task_unlock_tree(flags);
	return p;
}

/* Sets up the task except its registers, which copy_registers() takes from the system call. */
static int make_task(struct task *t, struct task *parent, const struct task_clone *how)
{
	const bool thread = how->flags & CLONE_THREAD;

	t->process = thread ? parent->process : new_process(t, parent->process, how);
	if (!t->process)
		return -ENOMEM;
	t->pid = t->process->pid;
	t->affinity = parent->affinity;
	t->wishes = parent->wishes;
	t->signals.blocked = parent->signals.blocked;
	if (!(how->flags & CLONE_VM) || how->flags & CLONE_VFORK)
		t->signals.stack = parent->signals.stack;
	t->clear_tid = how->flags & CLONE_CHILD_CLEARTID ? how->child_tid : 0;
	memcpy(t->comm, parent->comm, sizeof(t->comm));
	t->announced = thread;
	return 0;
}

/* The trap flag of a single-stepping tracer is not inherited. A task without a stack of its own
 * goes on in the functions of its parent. */
static void copy_registers(struct task *t, const struct task_clone *how)
{
	user_save(&t->user);
	t->user.regs.rflags &= ~(uint64_t)RFLAGS_TF;
	t->user.regs.rax = 0;
	if (how->stack)
		t->user.regs.rsp = how->stack;
	else
		sched_mark_copy(t);
	if (how->flags & CLONE_SETTLS)
		t->user.fs_base = how->tls;
}

/* Writes into the child's memory, which is the parent's, or a copy. A failed write is ignored,
 * as on Linux. */
static void tell_tid(const struct task *t, const struct task_clone *how)
{
	if (how->flags & CLONE_PARENT_SETTID)
		copy_to_user(how->parent_tid, &t->tid, sizeof(t->tid));
	if (how->flags & CLONE_CHILD_SETTID)
		mm_store(t->process->mm, how->child_tid, &t->tid, sizeof(t->tid));
}

static void trace_child(struct task *parent, struct task *t, const struct task_clone *how)
{
	const uint64_t flags = task_lock_tree();

	if (parent->trace.by)
		ptrace_clone(parent, t, how);
	task_unlock_tree(flags);
}

long task_clone(struct task *parent, const struct task_clone *how)
{
	const long tid = new_tid();
	struct task *t;
	int err = -ENOMEM;

	if (tid < 0)
		return tid;
	t = page_alloc_raw(TASK_PAGES);
	if (t) {
		user_state_clear(&t->user);
		t->events.set = 0; /* others look at it before pmu_task_init() */
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
	copy_registers(t, how);
	tell_tid(t, how);
	task_enter_tree(t);
	pmu_task_init(&t->events, t->pid, t->tid, &parent->events);
	trace(sched_process_fork, parent->comm, parent->tid, t->comm, t->tid);
	if (parent->trace.by)
		trace_child(parent, t, how);
	sched_new(t);
	return tid;
}

/* --- Programs --- */

/* The only remaining thread becomes the first of its process. The first task keeps its place in
 * the event core, by a number that is free now. */
static void become_first(struct task *t)
{
	t->old_tid = t->tid;
	if (t->tid == t->pid)
		return;
	if (t->pid == TASK_PID)
		pmu_task_set_tid(&task_first.events, t->tid);
	pmu_task_set_tid(&t->events, t->pid);
	t->tid = t->pid;
}

void task_exec(struct task *t, const struct exec_start *start, const char *path)
{
	struct process *p = t->process;
	const uint64_t flags = task_lock_tree();

	become_first(t);
	p->stays = NULL;
	task_unlock_tree(flags);
	memset(p->path, 0, sizeof(p->path));
	memcpy(p->path, path, strnlen(path, sizeof(p->path) - 1));
	p->call = NULL;
	signal_exec(&p->signals);
	t->signals.stack = (stack_t){0};
	t->clear_tid = t->robust_list = 0;
	t->start = *start;
	task_name(t, path_name(path));
	t->announced = false;
	ptrace_exec(t);
}

void task_announce(struct task *t)
{
	pmu_output_comm(&t->events, t->comm, true);
	process_announce(t->process, &t->events);
	t->announced = true;
}

void task_begin(struct task *t)
{
	const struct process *p = t->process;

	t->begins = false;
	task_host.end_watch(t);
	if (!t->announced) {
		task_announce(t);
		trace(sched_process_exec, p->call ? p->call->title : p->path, t->tid,
		      t->old_tid ? t->old_tid : t->tid);
	}
	pmu_task_exec(&t->events);
}
