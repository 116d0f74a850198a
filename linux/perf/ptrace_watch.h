/* SPDX-License-Identifier: BSD-2-Clause */
/* ptrace_watch.h - hits of the debug registers of a traced task, for linux/perf/perf_trap.c. */
#ifndef LINUX_PERF_PTRACE_WATCH_H
#define LINUX_PERF_PTRACE_WATCH_H

#include <linux/perf_event.h>
#include <stdbool.h>

struct task;

/* ptrace_watch_hit() - does `attr`, of an event that has overflowed, belong to a debug register of
 * task `t`, which runs here? Then it sets the register's bit in DR6. NMI context. */
bool ptrace_watch_hit(struct task *t, const struct perf_event_attr *attr);

/* ptrace_end_watch() - frees the debug registers of the task. Without the lock of the tree. Task
 * context. */
void ptrace_end_watch(struct task *t);

#endif
