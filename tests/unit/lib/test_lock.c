// SPDX-License-Identifier: BSD-2-Clause
/* test_lock.c - one CPU holds the lock at a time; a CPU that has waited long enough comes first. */
#include <pthread.h>

#include "tests/unit/test.h"

#include "lib/lock.h"

#define THREADS 4
#define TURNS   20000

static struct lock lock;
static unsigned long sum;

static void *add_turns(void *unused)
{
	for (unsigned i = 0; i < TURNS; i++) {
		lock_take(&lock);
		sum++;
		lock_release(&lock);
	}
	return unused;
}

TEST(one_at_a_time)
{
	pthread_t thread[THREADS];

	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, add_turns, NULL), 0);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(sum, THREADS * TURNS);
	assert_int_equal(lock.next, lock.serving);
}

static unsigned waited;

static void note_wait(void)
{
	waited++;
	if (waited == 100)
		lock.serving++; /* the CPU that has the ticket before took the lock, and is done */
}

/* The lock is free, but another CPU has a ticket. */
TEST(comes_behind_tickets)
{
	lock = (struct lock){.next = 1};
	waited = 0;
	lock_take_relaxed(&lock, note_wait);
	assert_int_equal(waited, 100);
	assert_int_equal(lock.held, 1);
	lock_release(&lock);
}

static void release_late(void)
{
	waited++;
	if (lock_has_queue(&lock))
		lock_release(&lock);
}

/* The test holds the lock until the waiter takes a ticket. */
TEST(takes_a_ticket)
{
	lock = (struct lock){.held = 1};
	waited = 0;
	lock_take_relaxed(&lock, release_late);
	assert_true(waited > 1000);
	assert_int_equal(lock.next, 1);
	assert_int_equal(lock.serving, 1);
	assert_int_equal(lock.held, 1);
}
