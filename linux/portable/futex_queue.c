// SPDX-License-Identifier: BSD-2-Clause
/* futex_queue.c - see futex_queue.h. */
#include "linux/portable/futex_queue.h"

#include "linux/portable/locked.h"

#include <stddef.h>

#define QUEUES_BITS 6

static struct {
	struct lock lock; /* guards all queues and waiters */
	struct futex_queue {
		struct futex_waiter *first, *last;
	} queue[1 << QUEUES_BITS];
} futexes;

/*
 * Fibonacci hashing: the highest bits of a product with 2^64 divided by the golden ratio. The
 * address of the memory is left out: it differs from run to run, and the cost of a run may not.
 */
static struct futex_queue *queue_of(const struct futex_key *key)
{
	return &futexes.queue[key->at * 0x9e3779b97f4a7c15ull >> (64 - QUEUES_BITS)];
}

static bool is_same_key(const struct futex_key *a, const struct futex_key *b)
{
	return a->memory == b->memory && a->at == b->at;
}

static void enqueue(struct futex_waiter *w)
{
	struct futex_queue *q = queue_of(&w->key);

	w->next = NULL;
	w->before = q->last;
	*(q->last ? &q->last->next : &q->first) = w;
	q->last = w;
	w->queued = true;
}

static void dequeue(struct futex_waiter *w)
{
	struct futex_queue *q = queue_of(&w->key);

	if (!w->queued)
		return;
	*(w->before ? &w->before->next : &q->first) = w->next;
	*(w->next ? &w->next->before : &q->last) = w->before;
	w->queued = false;
}

static void dequeue_all(const struct futex_waits *waits)
{
	for (unsigned i = 0; i < waits->n; i++)
		dequeue(&waits->waiter[i]);
}

/* The first waiter for the word, from `w` on, that accepts one of `bits`; NULL: none. */
static struct futex_waiter *find_waiter(struct futex_waiter *w, const struct futex_key *key,
					uint32_t bits)
{
	while (w && !(w->bits & bits && is_same_key(&w->key, key)))
		w = w->next;
	return w;
}

static long wake_some(const struct futex_key *key, uint32_t bits, long most)
{
	struct futex_waiter *w;
	long n = 0;

	/* A wake removes all waiters of a task, so possibly also the next one in the queue. */
	while (n < most && (w = find_waiter(queue_of(key)->first, key, bits))) {
		struct futex_waits *waits = w->waits;

		waits->woken = (int)(w - waits->waiter);
		dequeue_all(waits);
		waits->wake(waits);
		n++;
	}
	return n;
}

static long move_some(const struct futex_key *from, const struct futex_key *to, long most)
{
	struct futex_waiter *w = queue_of(from)->first, *next;
	long n = 0;

	if (is_same_key(from, to))
		return 0;
	for (; n < most && (w = find_waiter(w, from, UINT32_MAX)); w = next) {
		next = w->next;
		dequeue(w);
		w->key = *to;
		enqueue(w);
		n++;
	}
	return n;
}

void futex_queue_add(struct futex_waits *waits)
{
	const uint64_t flags = locked(&futexes.lock);

	waits->woken = -1;
	for (unsigned i = 0; i < waits->n; i++) {
		waits->waiter[i].waits = waits;
		enqueue(&waits->waiter[i]);
	}
	unlocked(&futexes.lock, flags);
}

int futex_queue_remove(struct futex_waits *waits)
{
	const uint64_t flags = locked(&futexes.lock);
	const int woken = waits->n ? waits->woken : -1;

	dequeue_all(waits);
	waits->n = 0;
	unlocked(&futexes.lock, flags);
	return woken;
}

long futex_queue_wake(const struct futex_key *key, uint32_t bits, long most)
{
	const uint64_t flags = locked(&futexes.lock);
	const long n = wake_some(key, bits, most);

	unlocked(&futexes.lock, flags);
	return n;
}

long futex_queue_requeue(const struct futex_key *from, long wakes, const struct futex_key *to,
			 long moves)
{
	const uint64_t flags = locked(&futexes.lock);
	long n = wake_some(from, UINT32_MAX, wakes);

	n += move_some(from, to, moves);
	unlocked(&futexes.lock, flags);
	return n;
}
