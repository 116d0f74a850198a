/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu_time.h - how long tasks and processes have had a CPU, in ns. Of one that another CPU runs
 * just now it may be a little off. */
#ifndef RT_TASK_CPU_TIME_H
#define RT_TASK_CPU_TIME_H

#include <stdint.h>

struct process;
struct task;

struct cpu_time {
	uint64_t user, sys; /* in ring 3, interrupts included; in ring 0 */
};

/* cpu_time_of_task() - up to now. cpu_time_of_process() - of all of its threads, with those that
 * have ended; with the lock of the tree. */
struct cpu_time cpu_time_of_task(const struct task *t);
struct cpu_time cpu_time_of_process(const struct process *p);

static inline uint64_t cpu_time_sum(struct cpu_time time)
{
	return time.user + time.sys;
}

#endif
