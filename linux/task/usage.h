/* SPDX-License-Identifier: BSD-2-Clause */
/* usage.h - resources that tasks have used: for getrusage(2), wait4(2), /proc. */
#ifndef LINUX_TASK_USAGE_H
#define LINUX_TASK_USAGE_H

#include <stdint.h>

struct task;
struct process;

struct task_usage {
	uint64_t user_ns, sys_ns;
	uint64_t minor_faults, major_faults;
	uint64_t sleeps, preemptions; /* switches to another task: voluntary; involuntary */
};

void usage_add(struct task_usage *sum, const struct task_usage *more);

/*
 * usage_of_task() - the usage so far. If another CPU runs the task, its current turn is missing.
 * usage_of_process() - the sum of all threads of the process, including those that have ended.
 * Interrupts off; with the lock of the tree, except for the current task.
 */
struct task_usage usage_of_task(const struct task *t);
struct task_usage usage_of_process(const struct process *p);

/* usage_write() - writes a struct rusage to ring 3; `pages_most` is ru_maxrss in pages. -EFAULT.
 * Task context. */
int usage_write(uint64_t to, const struct task_usage *usage, uint64_t pages_most);

/* usage_ns() - the sum of its times. */
static inline uint64_t usage_ns(struct task_usage usage)
{
	return usage.user_ns + usage.sys_ns;
}

#endif
