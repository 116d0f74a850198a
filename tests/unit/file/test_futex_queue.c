// SPDX-License-Identifier: BSD-2-Clause
/* test_futex_queue.c - tasks that wait for words: the waiters that a wake, a requeue or an end
 * reaches. */
#include "linux/portable/futex_queue.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define TASKS 8
#define WORDS 3

struct task {
	struct futex_waits waits;
	struct futex_waiter waiter[WORDS];
	unsigned wakes;
};

static struct task tasks[TASKS];
static const int memory[2];

static void count_wake(struct futex_waits *waits)
{
	((struct task *)waits)->wakes++;
}

static struct futex_key word_key(unsigned n)
{
	return (struct futex_key){&memory[n & 1], n * 4};
}

/* Task `i` waits for `n` words from `first` on. */
static void wait_for(unsigned i, unsigned first, unsigned n, uint32_t bits)
{
	struct task *t = &tasks[i];

	*t = (struct task){.waits = {.waiter = t->waiter, .n = n, .wake = count_wake}};
	for (unsigned w = 0; w < n; w++) {
		t->waiter[w].key = word_key(first + w);
		t->waiter[w].bits = bits;
	}
	futex_queue_add(&t->waits);
}

static long wake(unsigned n, uint32_t bits, long most)
{
	const struct futex_key key = word_key(n);

	return futex_queue_wake(&key, bits, most);
}

TEST(test_first_come_first_woken)
{
	for (unsigned i = 0; i < 4; i++)
		wait_for(i, 1, 1, UINT32_MAX);
	wait_for(4, 2, 1, UINT32_MAX);
	assert_int_equal(wake(1, UINT32_MAX, 2), 2);
	assert_int_equal(tasks[0].wakes + tasks[1].wakes, 2);
	assert_int_equal(tasks[2].wakes + tasks[3].wakes + tasks[4].wakes, 0);
	assert_int_equal(futex_queue_remove(&tasks[0].waits), 0);
	assert_int_equal(futex_queue_remove(&tasks[2].waits), -1);
	assert_int_equal(wake(1, UINT32_MAX, 9), 1);
	assert_int_equal(tasks[3].wakes, 1);
	assert_int_equal(futex_queue_remove(&tasks[4].waits), -1);
	assert_int_equal(wake(2, UINT32_MAX, 9), 0);
}

TEST(test_bits)
{
	wait_for(0, 1, 1, 1);
	wait_for(1, 1, 1, 2);
	assert_int_equal(wake(1, 2, 9), 1);
	assert_int_equal(tasks[1].wakes, 1);
	assert_int_equal(wake(1, 4, 9), 0);
	assert_int_equal(wake(1, 5, 9), 1);
}

/* One wake for any of several words, and its index. */
TEST(test_several_words)
{
	wait_for(0, 1, 3, UINT32_MAX);
	wait_for(1, 2, 1, UINT32_MAX);
	assert_int_equal(wake(2, UINT32_MAX, 9), 2);
	assert_int_equal(wake(1, UINT32_MAX, 9) + wake(3, UINT32_MAX, 9), 0);
	assert_int_equal(tasks[0].wakes, 1);
	assert_int_equal(futex_queue_remove(&tasks[0].waits), 1);
	/* The same word twice. */
	wait_for(0, 1, 2, UINT32_MAX);
	tasks[0].waiter[1].key = word_key(2);
	assert_int_equal(futex_queue_remove(&tasks[0].waits), -1);
	assert_int_equal(futex_queue_remove(&tasks[0].waits), -1);
}

TEST(test_requeue)
{
	const struct futex_key from = word_key(1), to = word_key(2);

	for (unsigned i = 0; i < 5; i++)
		wait_for(i, 1, 1, UINT32_MAX);
	assert_int_equal(futex_queue_requeue(&from, 1, &to, 2), 3);
	assert_int_equal(tasks[0].wakes, 1);
	assert_int_equal(wake(2, UINT32_MAX, 9), 2);
	assert_int_equal(tasks[1].wakes + tasks[2].wakes, 2);
	assert_int_equal(futex_queue_requeue(&from, 0, &from, 9), 0);
	assert_int_equal(wake(1, UINT32_MAX, 9), 2);
}

/* Random steps, compared with an array of the words that each task waits for. */
TEST(test_at_random)
{
	unsigned first[TASKS] = {0}, n[TASKS] = {0};

	srandom(7);
	for (int step = 0; step < 200000; step++) {
		const unsigned i = (unsigned)random() % TASKS, w = (unsigned)random() % 5;
		long waiting = 0;

		for (unsigned t = 0; t < TASKS; t++)
			waiting += n[t] && w >= first[t] && w < first[t] + n[t];
		if (!n[i]) {
			first[i] = w;
			n[i] = 1 + (unsigned)random() % WORDS;
			wait_for(i, first[i], n[i], UINT32_MAX);
		} else if (random() % 2) {
			assert_int_equal(futex_queue_remove(&tasks[i].waits), -1);
			n[i] = 0;
		} else {
			assert_int_equal(wake(w, UINT32_MAX, TASKS), waiting);
			for (unsigned t = 0; t < TASKS; t++)
				if (n[t] && w >= first[t] && w < first[t] + n[t]) {
					assert_int_equal(futex_queue_remove(&tasks[t].waits),
							 w - first[t]);
					n[t] = 0;
				}
		}
	}
	for (unsigned t = 0; t < TASKS; t++)
		futex_queue_remove(&tasks[t].waits);
}
