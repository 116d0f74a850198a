/* SPDX-License-Identifier: BSD-2-Clause */
/* signal_parts.h - what signal.c, signal_frame.c and ptimer.c want of each other. Only these
 * include it. */
#ifndef RT_TASK_SIGNAL_PARTS_H
#define RT_TASK_SIGNAL_PARTS_H

#include "rt/task/task_parts.h"

/* signal_add_overruns() - where a signal of that number and of that timer is pending, the timer
 * went off `times` more: false, there is none. With the lock. */
bool signal_add_overruns(const struct signal_queue *q, int number, int timer, int times);

/* signal_next() - takes the next one that the task is to get; 0: none. */
int signal_next(struct task *t, siginfo_t *info);

#endif
