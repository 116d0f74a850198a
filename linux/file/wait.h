/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wait.h - waiting for changes. Each object that can change (a pipe, a counter, a timer) has a
 * queue, whose waiters are called after a change. This room knows nothing of tasks. A queue that
 * is all zero is empty. Any context but NMI; no lock of the object itself may be held where a
 * waiter takes it.
 */
#ifndef LINUX_FILE_WAIT_H
#define LINUX_FILE_WAIT_H

#include "lib/lock.h"

#include <stdbool.h>
#include <stddef.h>

struct wait_queue {
	struct lock lock;
	struct waiter *first, *last;
};

/*
 * `fn` is called with the lock of the queue held and interrupts off, for changes of any kind:
 * the waiter then reads the state of the object. `fn` must not add to or remove from that queue.
 */
struct waiter {
	void (*fn)(struct waiter *waiter);
	struct wait_queue *queue; /* NULL: on none */
	struct waiter *next, *before;
};

/* wait_add() - appends the waiter. wait_remove() - removes it if it is on a queue; afterwards
 * `fn` neither runs nor will run. */
void wait_add(struct wait_queue *queue, struct waiter *waiter);
void wait_remove(struct waiter *waiter);

/* wait_wake() - calls each waiter, first come, first called. */
void wait_wake(struct wait_queue *queue);

/* wait_is_empty() - true where the queue has no waiter. */
bool wait_is_empty(struct wait_queue *queue);

#endif
