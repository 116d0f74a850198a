// SPDX-License-Identifier: BSD-2-Clause
/* proc_seen.c - snapshots of processes and threads, from which files of /proc are written
 * without a lock. */
#include "linux/proc/proc_parts.h"

#include "lib/path.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "linux/file/fd_table.h"
#include "linux/task/limits.h"
#include "linux/task/task_parts.h"

#include <linux/resource.h>

/* --- Lists --- */

bool proc_next_process(const uint64_t *id, uint64_t *at)
{
	const uint64_t flags = task_lock_tree();
	uint64_t next = UINT64_MAX;

	(void)id;
	for (const struct process *p = task_tree.processes; p; p = p->next)
		if (p->pid >= *at && p->pid < next)
			next = p->pid;
	task_unlock_tree(flags);
	*at = next;
	return next != UINT64_MAX;
}

bool proc_next_thread(const uint64_t *id, uint64_t *at)
{
	const uint64_t flags = task_lock_tree();
	uint64_t next = UINT64_MAX;

	for (const struct task *t = task_tree.first; t; t = t->next_task)
		if (t->process && t->process->pid == id[0] && t->tid >= *at && t->tid < next)
			next = t->tid;
	task_unlock_tree(flags);
	*at = next;
	return next != UINT64_MAX;
}

/* --- Snapshots: with the lock of the tree of tasks --- */

static const struct task *find_thread(const struct process *p, uint64_t tid)
{
	const struct task *t = p->first_thread;

	while (t && t->tid != tid)
		t = t->next_thread;
	return t;
}

/* Picks a thread for the process: the first, if it still exists. */
static const struct task *any_thread(const struct process *p)
{
	const struct task *t = find_thread(p, p->pid);

	return t ? t : p->first_thread;
}

static void see_actions(const struct process *p, struct proc_seen *s)
{
	for (int number = 1; number <= SIGNALS; number++) {
		const uint64_t handler = p->signals.action[number - 1].handler;

		if (handler == (uint64_t)SIG_IGN)
			s->ignored |= signal_bit(number);
		else if (handler != (uint64_t)SIG_DFL)
			s->caught |= signal_bit(number);
	}
}

static void see_limits(const struct process *p, struct proc_seen *s)
{
	for (unsigned i = 0; i < RLIM_NLIMITS; i++) {
		const struct rlimit64 limit = limit_of(p, i);

		s->soft[i] = limit.rlim_cur;
		s->hard[i] = limit.rlim_max;
	}
}

static void see_view(const struct process *p, struct proc_seen *s)
{
	const uint64_t flags = tree_lock();

	s->view = p->view;
	if (s->view.root)
		inode_get(s->view.root);
	if (s->view.cwd)
		inode_get(s->view.cwd);
	tree_unlock(flags);
}

static void see_process(const struct process *p, struct proc_seen *s)
{
	s->pid = s->tid = p->pid;
	s->parent = p->parent ? p->parent->pid : RUNTIME_PID;
	s->group = p->group;
	s->session = p->session;
	s->threads = p->threads;
	s->exit_signal = p->exit_signal;
	s->status = p->threads ? 0 : p->status;
	s->usage = usage_of_process(p);
	s->children = p->children;
	s->io = p->io;
	s->credentials = p->credentials;
	s->began = p->began;
	s->shared_pending = p->signals.queue.pending;
	s->call = p->call && p->call->workload ? p->call : NULL;
	s->state = 'Z';
	fmt_print(s->comm, sizeof(s->comm), "%s", path_name(p->path));
	s->mm = p->mm ? mm_get(p->mm) : NULL;
	s->files = p->files ? fd_table_get(p->files) : NULL;
	see_actions(p, s);
	see_limits(p, s);
	see_view(p, s);
}

/* The letter of the state, as in ps(1). */
static char state_letter(const struct task *t)
{
	if (t->trace.stop)
		return t->trace.stop == PTRACE_IN_JOB_STOP ? 'T' : 't';
	return t->state == TASK_SLEEPING ? 'S' : t->state == TASK_ENDED ? 'X' : 'R';
}

static void see_thread(const struct task *t, struct proc_seen *s)
{
	s->state = state_letter(t);
	s->tracer = t->trace.by ? t->trace.by->pid : 0;
	s->cpu = t->cpu;
	s->affinity = t->affinity;
	s->pending = t->signals.queue.pending;
	s->blocked = t->signals.blocked;
	memcpy(s->comm, t->comm, sizeof(s->comm));
}

int proc_see(const uint64_t *id, bool thread, struct proc_seen *s)
{
	const uint64_t flags = task_lock_tree();
	const struct process *p = task_find_process((uint32_t)id[0]);
	const struct task *t = p && thread ? find_thread(p, id[1]) : p ? any_thread(p) : NULL;
	const bool found = p && (t || !thread);

	memset(s, 0, sizeof(*s));
	if (found)
		see_process(p, s);
	if (t)
		see_thread(t, s);
	if (thread && t) {
		s->tid = t->tid;
		s->usage = usage_of_task(t);
		s->began = t->began;
	}
	task_unlock_tree(flags);
	return found ? 0 : -ENOENT;
}

void proc_unsee(struct proc_seen *s)
{
	if (s->mm)
		mm_put(s->mm);
	fd_table_put(s->files);
	inode_put(s->view.cwd);
	inode_put(s->view.root);
}
