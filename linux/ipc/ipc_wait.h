/* SPDX-License-Identifier: BSD-2-Clause */
/* ipc_wait.h - waiting for an object of System V IPC to change. System call context. */
#ifndef LINUX_IPC_IPC_WAIT_H
#define LINUX_IPC_IPC_WAIT_H

#include "linux/file/wait.h"

#include <stdbool.h>

/*
 * ipc_wait() - calls `try` until it returns anything but -EAGAIN, and sleeps in between. A sleep
 * ends when `queue` is woken, at the deadline of the call (-EAGAIN), or by a signal (-EINTR:
 * handlers never restart these calls). `now`: does not sleep. After a sleep the system call starts
 * again, so `try` looks up its object each time. The task's `again` tells it that it is not the
 * first try.
 */
long ipc_wait(struct wait_queue *queue, bool now, long (*try)(void *arg), void *arg);

#endif
