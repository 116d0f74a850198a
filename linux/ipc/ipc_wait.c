// SPDX-License-Identifier: BSD-2-Clause
/* ipc_wait.c - see ipc_wait.h. */
#include "linux/ipc/ipc_wait.h"

#include "linux/task/syscall_wait.h"
#include "linux/task/sched.h"

#include <linux/errno.h>

long ipc_wait(struct wait_queue *queue, bool now, long (*try)(void *arg), void *arg)
{
	struct task *t = sched_current();
	long result = try(arg);

	if (result != -EAGAIN || now || syscall_is_late())
		return result;
	if (!syscall_may_sleep())
		return -EINTR;
	result = wait_set_add(&t->waits, NULL, queue);
	/* Tries again: a change before the task was queued has woken nothing. */
	if (!result)
		result = try(arg);
	return result == -EAGAIN ? syscall_sleep_until(t->deadline) : syscall_wait_end(result);
}
