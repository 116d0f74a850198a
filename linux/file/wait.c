// SPDX-License-Identifier: BSD-2-Clause
/* wait.c - see wait.h. */
#include "linux/file/wait.h"

#include "lib/panic.h"
#include "linux/portable/locked.h"

void wait_add(struct wait_queue *queue, struct waiter *waiter)
{
	const uint64_t flags = locked(&queue->lock);

	ASSERT(!waiter->queue);
	waiter->queue = queue;
	waiter->next = NULL;
	waiter->before = queue->last;
	if (queue->last)
		queue->last->next = waiter;
	else
		queue->first = waiter;
	queue->last = waiter;
	unlocked(&queue->lock, flags);
}

void wait_remove(struct waiter *waiter)
{
	struct wait_queue *queue = waiter->queue;
	uint64_t flags;

	if (!queue)
		return;
	flags = locked(&queue->lock);
	if (waiter->before)
		waiter->before->next = waiter->next;
	else
		queue->first = waiter->next;
	if (waiter->next)
		waiter->next->before = waiter->before;
	else
		queue->last = waiter->before;
	waiter->queue = NULL;
	unlocked(&queue->lock, flags);
}

void wait_wake(struct wait_queue *queue)
{
	const uint64_t flags = locked(&queue->lock);

	for (struct waiter *waiter = queue->first; waiter; waiter = waiter->next)
		waiter->fn(waiter);
	unlocked(&queue->lock, flags);
}

bool wait_is_empty(struct wait_queue *queue)
{
	return !__atomic_load_n(&queue->first, __ATOMIC_RELAXED);
}
