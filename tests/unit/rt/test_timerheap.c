// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_timerheap.c - timers leave the heap in the order in which they expire, after any insertions
 * and removals. The heap is valid after each step.
 */
#include "rt/portable/timerheap.h"

#include <stdlib.h>

#include "tests/unit/test.h"

static struct hrtimer timers[TIMER_HEAP_MAX];

static void forget(void)
{
	for (unsigned i = 0; i < TIMER_HEAP_MAX; i++)
		timers[i] = (struct hrtimer){.at = 0};
}

static void check_timers(const struct timer_heap *heap)
{
	unsigned armed = 0;

	for (unsigned i = 1; i <= heap->n; i++) {
		assert_int_equal(heap->timer[i]->at, i);
		if (i > 1)
			assert_true(heap->timer[i / 2]->expires <= heap->timer[i]->expires);
	}
	for (unsigned i = 0; i < TIMER_HEAP_MAX; i++)
		armed += timers[i].at != 0;
	assert_int_equal(armed, heap->n);
	assert_true(heap->next == (heap->n ? heap->timer[1]->expires : TIMER_NEVER));
}

static void insert_timer(struct timer_heap *heap, struct hrtimer *timer, uint64_t expires)
{
	timer->expires = expires;
	timer_heap_insert(heap, timer);
	check_timers(heap);
}

TEST(test_empty)
{
	struct timer_heap heap = TIMER_HEAP_EMPTY;

	forget();
	check_timers(&heap);
	assert_true(heap.next == TIMER_NEVER);
}

TEST(test_only_one)
{
	struct timer_heap heap = TIMER_HEAP_EMPTY;

	forget();
	for (uint64_t expires = 5; expires; expires--) {
		timers[0].expires = expires;
		timer_heap_insert_only(&heap, &timers[0]);
		check_timers(&heap);
		assert_true(heap.next == expires);
		assert_ptr_equal(timer_heap_pop(&heap), &timers[0]);
		check_timers(&heap);
	}
	timers[0].expires = 7;
	timer_heap_insert_only(&heap, &timers[0]);
	assert_ptr_equal(timer_heap_remove(&heap, &timers[0]), &timers[0]);
	check_timers(&heap);
}

/* Six timers, started in every order; two of them expire together. */
TEST(test_every_order)
{
	static const uint64_t expiries[] = {10, 20, 30, 30, 40, TIMER_NEVER};
	unsigned order[6];

	for (unsigned code = 0; code < 6 * 6 * 6 * 6 * 6 * 6; code++) {
		struct timer_heap heap = TIMER_HEAP_EMPTY;
		unsigned used = 0, rest = code;

		for (unsigned i = 0; i < 6; i++, rest /= 6) {
			order[i] = rest % 6;
			used |= 1u << order[i];
		}
		if (used != 0x3f)
			continue;
		forget();
		for (unsigned i = 0; i < 6; i++)
			insert_timer(&heap, &timers[order[i]], expiries[order[i]]);
		for (unsigned i = 0; i < 6; i++) {
			assert_true(timer_heap_pop(&heap)->expires == expiries[i]);
			check_timers(&heap);
		}
	}
}

/* Removes each of n timers first, for every size of heap. */
TEST(test_any_can_be_removed)
{
	for (unsigned n = 1; n <= 40; n++)
		for (unsigned gone = 0; gone < n; gone++) {
			struct timer_heap heap = TIMER_HEAP_EMPTY;
			uint64_t last = 0;

			forget();
			for (unsigned i = 0; i < n; i++)
				insert_timer(&heap, &timers[i], i * 7919 % 101);
			assert_ptr_equal(timer_heap_remove(&heap, &timers[gone]), &timers[gone]);
			check_timers(&heap);
			for (unsigned i = 1; i < n; i++) {
				const struct hrtimer *t = timer_heap_pop(&heap);

				assert_ptr_not_equal(t, &timers[gone]);
				assert_true(t->expires >= last);
				last = t->expires;
			}
			check_timers(&heap);
		}
}

TEST(test_random_steps)
{
	struct timer_heap heap = TIMER_HEAP_EMPTY;
	uint64_t now = 0;

	forget();
	srand(1);
	for (unsigned step = 0; step < 100000; step++) {
		struct hrtimer *t = &timers[rand() % TIMER_HEAP_MAX];

		if (t->at && rand() % 2)
			timer_heap_remove(&heap, t);
		else if (!t->at)
			insert_timer(&heap, t, now + (uint64_t)(rand() % 1000));
		else if (heap.n) {
			now = heap.next;
			assert_true(timer_heap_pop(&heap)->expires == now);
		}
		if (step % 16 == 0)
			check_timers(&heap);
		for (unsigned i = 0; step % 1024 == 0 && i < TIMER_HEAP_MAX; i++)
			assert_true(!timers[i].at || timers[i].expires >= heap.next);
	}
}

TEST(test_full)
{
	struct timer_heap heap = TIMER_HEAP_EMPTY;

	forget();
	for (unsigned i = 0; i < TIMER_HEAP_MAX; i++)
		insert_timer(&heap, &timers[i], (uint64_t)TIMER_HEAP_MAX - i);
	for (unsigned i = TIMER_HEAP_MAX; i-- > 0;)
		assert_ptr_equal(timer_heap_pop(&heap), &timers[i]);
	check_timers(&heap);
}

/* The clock of all timers is set forward and back. */
TEST(test_shift)
{
	struct timer_heap heap = TIMER_HEAP_EMPTY;

	forget();
	timer_heap_shift(&heap, 5);
	check_timers(&heap);
	for (unsigned i = 0; i < 5; i++)
		insert_timer(&heap, &timers[i], 1000 + i * 7 % 5);
	timer_heap_shift(&heap, 30);
	check_timers(&heap);
	assert_true(heap.next == 1030);
	timer_heap_shift(&heap, -1000);
	for (uint64_t i = 0; i < 5; i++)
		assert_true(timer_heap_pop(&heap)->expires == 30 + i);
	check_timers(&heap);
}
