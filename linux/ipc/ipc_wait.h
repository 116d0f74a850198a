/* SPDX-License-Identifier: BSD-2-Clause */
/* ipc_wait.h - waiting for an object of System V IPC to change. System call context. */
#ifndef LINUX_IPC_IPC_WAIT_H
#define LINUX_IPC_IPC_WAIT_H

#include "linux/file/wait.h"

#include <stdbool.h>

/*
 * ipc_wait() - calls `try` until it returns anything but -EAGAIN, and sleeps in between: until
 * `queue` is woken, the deadline of the call has passed (-EAGAIN), or a signal comes (-EINTR; no
 * handler restarts these calls). `now`: does not sleep. The call is made again from its start, so
 * `try` looks for its object each time, and knows by the task's `again` that it was there before.
 */
long ipc_wait(struct wait_queue *queue, bool now, long (*try)(void *arg), void *arg);

#endif
