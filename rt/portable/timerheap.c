// SPDX-License-Identifier: BSD-2-Clause
/* timerheap.c - see timerheap.h. */
#include "rt/portable/timerheap.h"

#include "lib/panic.h"

static void put_timer(struct timer_heap *heap, struct hrtimer *timer, unsigned at)
{
	heap->timer[at] = timer;
	timer->at = at;
}

/* Puts `timer` at the free place `at`, or nearer to the top in place of timers that expire
 * later. */
static void rise_timer(struct timer_heap *heap, struct hrtimer *timer, unsigned at)
{
	for (; at > 1 && timer->expires < heap->timer[at / 2]->expires; at /= 2)
		put_timer(heap, heap->timer[at / 2], at);
	put_timer(heap, timer, at);
}

static unsigned earlier_child(const struct timer_heap *heap, unsigned at)
{
	unsigned left = 2 * at, right = left + 1;

	if (right <= heap->n && heap->timer[right]->expires < heap->timer[left]->expires)
		return right;
	return left;
}

/* Puts `timer` at the free place `at`, or further down in place of timers that expire earlier. */
static void sink_timer(struct timer_heap *heap, struct hrtimer *timer, unsigned at)
{
	while (2 * at <= heap->n) {
		unsigned child = earlier_child(heap, at);

		if (timer->expires <= heap->timer[child]->expires)
			break;
		put_timer(heap, heap->timer[child], at);
		at = child;
	}
	put_timer(heap, timer, at);
}

void timer_heap_shift(struct timer_heap *heap, int64_t ticks)
{
	for (unsigned at = 1; at <= heap->n; at++)
		heap->timer[at]->expires += (uint64_t)ticks;
	heap->next = heap->n ? heap->timer[1]->expires : TIMER_NEVER;
}

void timer_heap_insert(struct timer_heap *heap, struct hrtimer *timer)
{
	ASSERT(heap->n < TIMER_HEAP_MAX);
	rise_timer(heap, timer, ++heap->n);
	heap->next = heap->timer[1]->expires;
}

/* Fills the gap with the last timer. */
static void fill_gap(struct timer_heap *heap, struct hrtimer *last, unsigned at)
{
	if (at > 1 && last->expires < heap->timer[at / 2]->expires)
		rise_timer(heap, last, at);
	else
		sink_timer(heap, last, at);
}

struct hrtimer *timer_heap_remove(struct timer_heap *heap, struct hrtimer *timer)
{
	struct hrtimer *last = heap->timer[heap->n--];

	if (last != timer)
		fill_gap(heap, last, timer->at);
	timer->at = 0;
	heap->next = heap->n ? heap->timer[1]->expires : TIMER_NEVER;
	return timer;
}
