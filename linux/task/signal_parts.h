/* SPDX-License-Identifier: BSD-2-Clause */
/* signal_parts.h - interfaces between signal.c, signal_frame.c and ptimer.c. Only these include
 * it. */
#ifndef LINUX_TASK_SIGNAL_PARTS_H
#define LINUX_TASK_SIGNAL_PARTS_H

#include "linux/task/task_parts.h"

/*
 * signal_send_own() - queues the entry's signal for the process, or for one task (`to` not NULL),
 * unless it is already queued. False: the signal is ignored.
 * signal_take_back() - removes the entry from its queue.
 * With the lock.
 */
bool signal_send_own(struct process *p, struct task *to, struct signal_entry *own);
void signal_take_back(struct signal_entry *own);

/* signal_is_blocked() - true where all threads of the process, or that task (`to` not NULL), block
 * the signal. With the lock. */
bool signal_is_blocked(struct process *p, const struct task *to, int number);

/* signal_next() - takes the next deliverable signal of the task; 0: none. */
int signal_next(struct task *t, siginfo_t *info);

#endif
