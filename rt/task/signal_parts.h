/* SPDX-License-Identifier: BSD-2-Clause */
/* signal_parts.h - what signal.c, signal_frame.c and ptimer.c want of each other. Only these
 * include it. */
#ifndef RT_TASK_SIGNAL_PARTS_H
#define RT_TASK_SIGNAL_PARTS_H

#include "rt/task/task_parts.h"

/* signal_has_timer() - a signal of that number and of that timer is pending. With the lock. */
bool signal_has_timer(const struct signal_queue *q, int number, int timer);

/* signal_next() - takes the next one that the task is to get; 0: none. */
int signal_next(struct task *t, siginfo_t *info);

#endif
