/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall_wait.h - how a system call of the current task waits. System call context. */
#ifndef LINUX_TASK_SYSCALL_WAIT_H
#define LINUX_TASK_SYSCALL_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * syscall_may_sleep() - prepares the task to sleep in a call that signals interrupt; false: a
 * signal waits, and the task stays awake. It looks for signals once the task is prepared, so a
 * signal that another CPU sends meanwhile is seen here or wakes the task.
 *
 * syscall_sleep() - the task sleeps, as sched_prepare_sleep() has prepared; returns what the row
 * returns. syscall_deadline() - the time `ns` after the first try of this call; ns 0: no deadline,
 * 0. syscall_is_late() - has the deadline passed? syscall_sleep_until() - sleeps until the task is
 * woken, or until the deadline (0: none).
 */
bool syscall_may_sleep(void);
long syscall_sleep(void);
uint64_t syscall_deadline(uint64_t ns);
bool syscall_is_late(void);
long syscall_sleep_until(uint64_t deadline);

/* syscall_wait_end() - cancels sched_prepare_sleep() and the wait for files; returns `result`. */
long syscall_wait_end(long result);

#endif
