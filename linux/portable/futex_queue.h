/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * futex_queue.h - tasks that wait for words of memory to change: futex(2). A waiter stands in a
 * queue under the key of its word. A task has one waiter for each word. The queues know neither
 * tasks nor the values of the words.
 *
 * One lock guards all queues. Any context but NMI; interrupts off or on.
 */
#ifndef LINUX_PORTABLE_FUTEX_QUEUE_H
#define LINUX_PORTABLE_FUTEX_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

/* Two keys name the same word if both members are equal. */
struct futex_key {
	const void *memory; /* an address space, a file, memory that processes share */
	uint64_t at;        /* bytes */
};

struct futex_waiter {
	struct futex_key key;
	uint32_t bits; /* a wake with one of these bits reaches it */
	struct futex_waits *waits;
	struct futex_waiter *next, *before;
	bool queued;
};

/* All words that a task waits for: the first wake for any of them takes all from the queues. */
struct futex_waits {
	struct futex_waiter *waiter;
	unsigned n;
	int woken; /* the index of the waiter that was woken; -1: none */
	/* Called with the lock held, once. */
	void (*wake)(struct futex_waits *waits);
};

/* futex_queue_add() - adds the `n` waiters, whose key and bits are set, behind earlier waiters for
 * the same words. */
void futex_queue_add(struct futex_waits *waits);

/* futex_queue_remove() - ends the wait in any state, and returns `woken`. No wake comes
 * afterwards. Zeroed waits have no waiters. */
int futex_queue_remove(struct futex_waits *waits);

/* futex_queue_wake() - wakes up to `most` waiters of the word, in order of arrival. Returns how
 * many it woke. */
long futex_queue_wake(const struct futex_key *key, uint32_t bits, long most);

/* futex_queue_requeue() - wakes up to `wakes` waiters of `from`. Up to `moves` others wait for `to`
 * from now on. Returns the sum of both numbers. */
long futex_queue_requeue(const struct futex_key *from, long wakes, const struct futex_key *to,
			 long moves);

#endif
