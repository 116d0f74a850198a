/* SPDX-License-Identifier: BSD-2-Clause */
/* signal_parts.h - what signal.c, signal_frame.c and ptimer.c want of each other. Only these
 * include it. */
#ifndef LINUX_TASK_SIGNAL_PARTS_H
#define LINUX_TASK_SIGNAL_PARTS_H

#include "linux/task/task_parts.h"

/*
 * signal_send_own() - sends what the entry says, to the process or (not NULL) to the task, where it
 * is not on its way already; false: it is ignored. signal_take_back() - the entry waits no more.
 * With the lock.
 */
bool signal_send_own(struct process *p, struct task *to, struct signal_entry *own);
void signal_take_back(struct signal_entry *own);

/* signal_is_blocked() - by all threads of the process, or by that task (not NULL). With the lock.
 */
bool signal_is_blocked(struct process *p, const struct task *to, int number);

/* signal_next() - takes the next one that the task is to get; 0: none. */
int signal_next(struct task *t, siginfo_t *info);

#endif
