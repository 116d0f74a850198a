/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wait.h - waiting for what changes: a queue lies in each thing that can change (a pipe, a counter,
 * a timer), and what is on it is called when that has happened. Nothing here knows of tasks.
 *
 * A queue that is all zero is empty. Any context but NMI; no lock of the thing itself may be held
 * where a waiter takes it.
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
 * `fn` is called with the lock of the queue held and interrupts off, for changes of any kind: what
 * is ready then is to be asked of the thing again. It does not add to or remove from that queue.
 */
struct waiter {
	void (*fn)(struct waiter *waiter);
	struct wait_queue *queue; /* NULL: on none */
	struct waiter *next, *before;
};

/* wait_add() - behind those that are there. wait_remove() - if it is on a queue; from then on `fn`
 * neither runs nor will run. */
void wait_add(struct wait_queue *queue, struct waiter *waiter);
void wait_remove(struct waiter *waiter);

/* wait_wake() - calls each waiter, first come, first called. */
void wait_wake(struct wait_queue *queue);

/* wait_is_empty() - does nothing wait? */
bool wait_is_empty(struct wait_queue *queue);

#endif
