/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_parts.h - shared by the parts of task.h: the tree of tasks in task.c, the begin of tasks in
 * task_begin.c, their end in task_end.c, and the run of a command's workload in task_run.c. Only
 * these include it, and the system calls on tasks.
 */
#ifndef LINUX_TASK_TASK_PARTS_H
#define LINUX_TASK_TASK_PARTS_H

#include "lib/list.h"
#include "linux/task/task.h"

#define TASK_PAGES ((sizeof(struct task) + PAGE_SIZE - 1) / PAGE_SIZE)

struct task_tree {
	struct lock lock;
	struct task *first;        /* newest first; has the first task during a run */
	struct process *processes; /* newest first, with ended ones that no wait has collected */
	unsigned n;                /* number of tasks in the list, or about to enter it */
	unsigned live;             /* number of tasks that have not ended */
	unsigned dead;             /* number of ended processes that no wait has collected */
	uint32_t last_tid;
};
extern struct task_tree task_tree;

/* task_first: the first task, which the event core always knows. task_kept: the last memory that it
 * was in, which can be read until the next run, or the end of the command; NULL: none. */
extern struct task task_first;
extern struct mm *task_kept;

/* task_lock_tree() - takes the lock with interrupts off. task_unlock_tree() - gets the flags that
 * it returned. */
uint64_t task_lock_tree(void);
void task_unlock_tree(uint64_t flags);

/* task_name() - sets the name, cut to the maximum length; writes no record. */
void task_name(struct task *t, const char *name);

/* task_forget() - takes the task out of the tree and frees it. With the lock. */
void task_forget(struct task *t);

/*
 * task_clear() - resets `t`, except its part of the event core. task_start_at() - sets where ring 3
 * begins; -EFAULT. task_enter_tree() - adds the task to the tree; it can be given to the scheduler
 * then. task_announce() - writes the side-band records by which a viewer names code and data of
 * samples.
 */
void task_clear(struct task *t);
int task_start_at(struct task *t, const struct exec_start *start);
void task_enter_tree(struct task *t);
void task_announce(struct task *t);

/* task_enter_process() - adds a process to the list. task_unlink_process() - removes and frees it.
 * task_find_process() - the process with that id; NULL: none. With the lock. */
void task_enter_process(struct process *p);
void task_unlink_process(struct process *p);
struct process *task_find_process(uint32_t pid);

/* task_wake_waiting() - wakes threads of `p` (NULL: none) in wait4(2) and vfork(2), and in an
 * execve(2) that waits for other threads to end. With the lock. */
void task_wake_waiting(const struct process *p);

/* task_run_ends() - are all tasks of the run to end (time-out, ^C)? Any context. */
bool task_run_ends(void);

/* task_run_note_status() - the first process has ended; with the lock. task_run_note_gone() - a
 * task of the run ends now. task_run_add_times() - adds times to those of the run; with the
 * lock. */
void task_run_note_status(int status);
void task_run_note_gone(void);
void task_run_add_times(const struct task_usage *usage);

#endif
