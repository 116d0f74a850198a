/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timerheap.h - timers by their expiry: a binary heap. Adding and removing one of n timers costs
 * O(log n); the first expiry is known at once. A single timer, the usual case, has short cuts.
 *
 * Invariant: timer[i], for i from 1 to n, does not expire before timer[i / 2], and its `at` is i;
 * `next` is the expiry of timer[1]. Pure; any context that no other user interrupts.
 */
#ifndef RT_PORTABLE_TIMERHEAP_H
#define RT_PORTABLE_TIMERHEAP_H

#include <stdint.h>

struct trap_frame;

/* The caller's storage, all zero at first except `fn`. */
struct hrtimer {
	uint64_t expires; /* TSC */
	void (*fn)(struct hrtimer *timer, struct trap_frame *frame);
	unsigned at; /* index in the heap; 0: not armed */
};

#define TIMER_HEAP_MAX 1023
#define TIMER_NEVER    UINT64_MAX

struct timer_heap {
	uint64_t next; /* TIMER_NEVER: there is none */
	unsigned n;
	struct hrtimer *timer[TIMER_HEAP_MAX + 1];
};

#define TIMER_HEAP_EMPTY            \
	{                           \
		.next = TIMER_NEVER \
	}

/* timer_heap_insert() - adds `timer`, which is in no heap. There must be room. */
void timer_heap_insert(struct timer_heap *heap, struct hrtimer *timer);

/* timer_heap_shift() - the TSC was set `ticks` forward: moves all expiries with it. */
void timer_heap_shift(struct timer_heap *heap, int64_t ticks);

/* timer_heap_remove() - removes `timer`, which is in this heap, and returns it. */
struct hrtimer *timer_heap_remove(struct timer_heap *heap, struct hrtimer *timer);

/* Likewise for the only timer of the heap. */
static inline void timer_heap_insert_only(struct timer_heap *heap, struct hrtimer *timer)
{
	heap->next = timer->expires;
	heap->n = timer->at = 1;
	heap->timer[1] = timer;
}

static inline struct hrtimer *timer_heap_remove_only(struct timer_heap *heap)
{
	struct hrtimer *timer = heap->timer[1];

	heap->n = timer->at = 0;
	heap->next = TIMER_NEVER;
	return timer;
}

/* timer_heap_pop() - removes and returns the first timer; there must be one. */
static inline struct hrtimer *timer_heap_pop(struct timer_heap *heap)
{
	if (heap->n > 1)
		return timer_heap_remove(heap, heap->timer[1]);
	return timer_heap_remove_only(heap);
}

#endif
