// SPDX-License-Identifier: BSD-2-Clause
/* test_shared_ring.c - a ring in shared memory, from both ends. */
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/format/shared_ring.h"

#define SIZE 4096
#define AREA (SHARED_PAGE + SIZE)

static uint8_t area[AREA] __attribute__((aligned(4096)));
static struct shared_ring_writer writer;
static struct shared_ring_reader reader;

FIXTURE(start)
{
	memset(area, 0, sizeof(area));
	assert_true(shared_ring_writer_init(&writer, area, sizeof(area)));
	assert_true(shared_ring_reader_init(&reader, area, sizeof(area)));
	return 0;
}

/* Puts bytes from number `first` on. The number of a byte determines its value. */
static void put_numbered_bytes(uint64_t first, size_t n)
{
	uint8_t bytes[SIZE];

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)((first + i) * 31 >> 3);
	shared_ring_put(&writer, bytes, n);
}

/* Takes all bytes, piece by piece, and returns their number. */
static size_t take_and_compare(uint64_t first)
{
	const uint8_t *at;
	size_t n, sum = 0;

	while ((n = shared_ring_peek(&reader, &at))) {
		for (size_t i = 0; i < n; i++)
			if (at[i] != (uint8_t)((first + sum + i) * 31 >> 3))
				fail_msg("byte %zu is another", sum + i);
		shared_ring_take(&reader, n);
		sum += n;
	}
	return sum;
}

TEST_WITH(bytes_come_out_as_they_went_in, start, NULL)
{
	uint64_t at = 0;

	for (size_t n = 1; n < 4000; n += 37) {
		put_numbered_bytes(at, n);
		assert_int_equal(take_and_compare(at), n);
		shared_ring_ask(&writer);
		assert_true(shared_ring_is_wanted(&reader));
		shared_ring_told(&writer);
		at += n;
	}
	assert_true(at > 4 * SIZE);
}

TEST_WITH(room_is_what_was_told, start, NULL)
{
	put_numbered_bytes(0, 3000);
	assert_int_equal(shared_ring_room(&writer), SIZE - 3000);
	take_and_compare(0);
	assert_int_equal(shared_ring_room(&writer), SIZE - 3000);
	shared_ring_look(&writer);
	assert_int_equal(shared_ring_room(&writer), SIZE);
}

/* Bytes that are put between the question and the answer do not count as free. */
TEST_WITH(an_answer_is_for_what_was_there_when_it_was_asked_for, start, NULL)
{
	put_numbered_bytes(0, 3000);
	shared_ring_ask(&writer);
	take_and_compare(0);
	assert_true(shared_ring_is_wanted(&reader));
	put_numbered_bytes(3000, 1000);
	shared_ring_told(&writer);
	assert_int_equal(shared_ring_room(&writer), SIZE - 1000);
	assert_int_equal(take_and_compare(3000), 1000);
}

TEST_WITH(an_answer_comes_once_and_when_all_is_taken, start, NULL)
{
	const uint8_t *at;

	assert_false(shared_ring_is_wanted(&reader));
	put_numbered_bytes(0, 10);
	shared_ring_ask(&writer);
	assert_true(writer.asked);
	assert_false(shared_ring_is_wanted(&reader));
	assert_int_equal(shared_ring_peek(&reader, &at), 10);
	shared_ring_take(&reader, 9);
	assert_false(shared_ring_is_wanted(&reader));
	shared_ring_take(&reader, 1);
	assert_true(shared_ring_is_wanted(&reader));
	assert_false(shared_ring_is_wanted(&reader));
	shared_ring_told(&writer);
	assert_false(writer.asked);
}

TEST_WITH(a_reader_goes_on_where_one_before_it_ended, start, NULL)
{
	put_numbered_bytes(0, 100);
	take_and_compare(0);
	put_numbered_bytes(100, 50);
	assert_true(shared_ring_reader_init(&reader, area, sizeof(area)));
	assert_int_equal(take_and_compare(100), 50);
}

/* The other end is another machine, which may write any values. */
TEST_WITH(nonsense_of_the_other_end_does_no_harm, start, NULL)
{
	struct shared_ring *ring = (void *)area;
	const uint8_t *at;

	put_numbered_bytes(0, 100);
	ring->head = SIZE + 1;
	assert_int_equal(shared_ring_peek(&reader, &at), 0);
	ring->head = UINT64_MAX;
	assert_int_equal(shared_ring_peek(&reader, &at), 0);
	ring->tail = 101;
	shared_ring_look(&writer);
	assert_int_equal(shared_ring_room(&writer), SIZE - 100);
}

TEST_WITH(areas_that_hold_no_ring_are_refused, start, NULL)
{
	static const uint32_t bytes[] = {0, 1, SHARED_PAGE, SHARED_PAGE + 3,
					 SHARED_PAGE + 3 * 4096};

	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		assert_false(shared_ring_writer_init(&writer, area, bytes[i]));
		assert_null(writer.ring);
		assert_false(shared_ring_reader_init(&reader, area, bytes[i]));
	}
}

#define MUCH (8u << 20)

static void *write_much(void *arg)
{
	(void)arg;
	for (uint64_t at = 0; at < MUCH;) {
		const size_t n = at % 1000 + 1;

		while (shared_ring_room(&writer) < n) {
			shared_ring_look(&writer);
			sched_yield();
		}
		put_numbered_bytes(at, n);
		at += n;
	}
	return NULL;
}

TEST_WITH(two_threads_agree, start, NULL)
{
	pthread_t thread;
	uint64_t at = 0;

	assert_int_equal(pthread_create(&thread, NULL, write_much, NULL), 0);
	while (at < MUCH) {
		const size_t taken = take_and_compare(at);

		if (!taken)
			sched_yield();
		at += taken;
	}
	pthread_join(thread, NULL);
	assert_int_equal(at + take_and_compare(at), writer.head);
}
