/* SPDX-License-Identifier: BSD-2-Clause */
/* futex.h - the part of futex(2) that runs when a thread ends. */
#ifndef LINUX_SYSCALL_FUTEX_H
#define LINUX_SYSCALL_FUTEX_H

#include <stdint.h>

struct task;

/* futex_leave() - a thread ends, by itself or killed. It leaves the queues in which it waits, and
 * gives up the locks of set_robust_list(2). The word of set_tid_address(2) is cleared, and its
 * waiters wake. The thread's memory is entered; interrupts off. */
void futex_leave(struct task *t);

#endif
