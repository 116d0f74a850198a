/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_parts.h - what the parts of task.h share: the tree of tasks in task.c, beginnings in
 * task_begin.c, ends in task_end.c, and the run of a command's workload in task_run.c. Only these,
 * and the system calls on tasks, include it.
 */
#ifndef LINUX_TASK_TASK_PARTS_H
#define LINUX_TASK_TASK_PARTS_H

#include "lib/list.h"
#include "linux/task/task.h"

#define TASK_PAGES ((sizeof(struct task) + PAGE_SIZE - 1) / PAGE_SIZE)

struct task_tree {
	struct lock lock;
	struct task *first; /* newest first; the first task is in it while there is a run */
	struct process
		*processes; /* newest first, including ended ones that no wait has collected */
	unsigned n;         /* in the list, or on their way there */
	unsigned live;      /* tasks that have not ended */
	unsigned dead;      /* ended processes that no wait has collected */
	uint32_t last_tid;
};
extern struct task_tree task_tree;

/* The first task, which the event core always knows, and the last memory that it was in: that can
 * be looked at until the next run, or the end of the command. NULL: there is none. */
extern struct task task_first;
extern struct mm *task_kept;

/* task_lock_tree() - interrupts are off until task_unlock_tree(), which gets what it returned. */
uint64_t task_lock_tree(void);
void task_unlock_tree(uint64_t flags);

/* task_name() - sets the name, cut to the maximum length; writes no record. */
void task_name(struct task *t, const char *name);

/* task_forget() - takes the task out of the tree and frees it. With the lock. */
void task_forget(struct task *t);

/*
 * task_clear() - all of `t` but what the event core has in it. task_start_at() - where ring 3
 * begins; -EFAULT. task_enter_tree() - in the list of all tasks, and ready to be given to the
 * scheduler. task_announce() - the side-band records that let a viewer name code and data of the
 * samples.
 */
void task_clear(struct task *t);
int task_start_at(struct task *t, const struct exec_start *start);
void task_enter_tree(struct task *t);
void task_announce(struct task *t);

/* task_join_process() - one thread more. task_enter_process(), task_leave_tree(): of a process.
 * With the lock. */
void task_enter_process(struct process *p);
void task_unlink_process(struct process *p);
struct process *task_find_process(uint32_t pid);

/* task_wake_waiting() - threads of `p` (NULL: nothing) in wait4(2), in vfork(2), or in an execve(2)
 * that waits until it is the only thread. With the lock. */
void task_wake_waiting(const struct process *p);

/* task_run_ends() - are all tasks of the run to end (time-out, ^C)? Any context. */
bool task_run_ends(void);

/* task_run_note_gone() - a task of the run ends now. task_run_add_times() - its times are part of
 * the run's; with the lock. task_run_note_status() - the first process has ended; with the lock. */
void task_run_note_status(int status);
void task_run_note_gone(void);
void task_run_add_times(const struct task_usage *usage);

#endif
