/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_parts.h - shared by the files that implement task.h: the tree of tasks in task.c, the
 * beginning of tasks in task_begin.c, their end in task_end.c, and the run of a command's workload
 * in task_run.c. Only these and the system calls on tasks include it.
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

/*
 * task_first - the first task, which the event core always knows.
 * task_kept - the memory that it used last, which can be read until the next run, or until the end
 * of the command; NULL: none.
 */
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
 * task_clear() - resets `t`, except the event core's part of it and the registers of ring 3, which
 * are set by task_start_at() or user_save().
 * task_start_at() - sets the address at which ring 3 begins; -EFAULT.
 * task_enter_tree() - adds the task to the tree. Then the scheduler can have it.
 * task_announce() - writes the side-band records by which a viewer names code and data of samples.
 */
void task_clear(struct task *t);
int task_start_at(struct task *t, const struct exec_start *start);
void task_enter_tree(struct task *t);
void task_announce(struct task *t);

/*
 * task_enter_process() - adds a process to the list.
 * task_unlink_process() - removes it from the list, and frees it.
 * task_find_process() - returns the process with that id; NULL: none.
 * With the lock.
 */
void task_enter_process(struct process *p);
void task_unlink_process(struct process *p);
struct process *task_find_process(uint32_t pid);

/* task_wake_waiting() - wakes threads of `p` (NULL: none) in wait4(2) and vfork(2), and in an
 * execve(2) that waits for other threads to end. With the lock. */
void task_wake_waiting(const struct process *p);

/* task_run_ends() - true where all tasks of the run have to end (time-out, ^C). Any context. */
bool task_run_ends(void);

/*
 * task_run_note_status() - called when the first process has ended; with the lock.
 * task_run_note_gone() - called when a task of the run ends.
 * task_run_add_times() - adds times to those of the run; with the lock.
 */
void task_run_note_status(int status);
void task_run_note_gone(void);
void task_run_add_times(const struct task_usage *usage);

#endif
