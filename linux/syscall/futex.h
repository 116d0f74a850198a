/* SPDX-License-Identifier: BSD-2-Clause */
/* futex.h - futex(2), for the ends of threads. */
#ifndef LINUX_SYSCALL_FUTEX_H
#define LINUX_SYSCALL_FUTEX_H

#include <stdint.h>

struct task;

/* futex_leave() - a thread ends, by itself or killed: it leaves the queue where it waits, gives up
 * the locks of set_robust_list(2), and clears the word of set_tid_address(2), whose waiters wake.
 * Its memory is entered; interrupts off. */
void futex_leave(struct task *t);

#endif
