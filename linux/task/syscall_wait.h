/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall_wait.h - waiting in a system call of the current task. System call context. */
#ifndef LINUX_TASK_SYSCALL_WAIT_H
#define LINUX_TASK_SYSCALL_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * syscall_may_sleep() - prepares the task to sleep in a call that signals interrupt. False: a
 * signal waits, and the task stays awake. It looks for signals after preparing the task. So a
 * signal that another CPU sends meanwhile is seen here, or wakes the task.
 *
 * syscall_sleep() - the value that the function of a system call returns, so that the task sleeps
 * as sched_prepare_sleep() has prepared.
 * syscall_deadline() - the time `ns` after the first try of this call; 0 for `ns` 0: no deadline.
 * syscall_is_late() - true where the deadline has passed.
 * syscall_sleep_until() - likewise, until the task is woken, or until the deadline (0: none).
 */
bool syscall_may_sleep(void);
long syscall_sleep(void);
uint64_t syscall_deadline(uint64_t ns);
bool syscall_is_late(void);
long syscall_sleep_until(uint64_t deadline);

/* syscall_wait_end() - cancels sched_prepare_sleep() and the wait for files; returns `result`. */
long syscall_wait_end(long result);

#endif
