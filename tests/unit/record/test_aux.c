// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_aux.c - the AUX area: every sequence of puts, ends and reads up to a length, on an area of 8
 * bytes, compared with a model that keeps all written bytes; and both sides at once.
 */
#include "rb/aux.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "tests/unit/test.h"

#define TINY  8 /* bytes of the area of the exhaustive tests */
#define DEPTH 8

static uint8_t ring_storage[2 * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));
static uint8_t storage[4 * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));
static struct rb rb;
static struct rb_aux aux;
static struct rb_aux_output output;

/* The byte number n, ever. */
static uint8_t trace_byte(uint64_t n)
{
	return (uint8_t)(n * 37 + 11);
}

static void make(size_t pages, uint64_t watermark, bool overwrite)
{
	assert_int_equal(rb_init(&rb, ring_storage, 1), 0);
	assert_int_equal(rb_aux_init(&aux, &rb, storage, pages, watermark, overwrite), 0);
}

static void put_in_area(size_t n)
{
	uint8_t bytes[64];

	for (size_t i = 0; i < n; i++)
		bytes[i] = trace_byte(output.at + i);
	rb_aux_put(&output, bytes, n);
}

static void check_bytes(const uint8_t *bytes, uint64_t first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(bytes[i], trace_byte(first + i));
}

TEST(test_control_page)
{
	make(4, 0, false);
	assert_true(rb.aux == &aux);
	assert_true(rb.page->aux_offset == 2 * RB_PAGE_SIZE);
	assert_true(rb.page->aux_size == 4 * RB_PAGE_SIZE);
	assert_true(aux.watermark == 2 * RB_PAGE_SIZE);
	assert_int_equal(rb_aux_init(&aux, &rb, storage, 3, 0, false), -EINVAL);
	assert_int_equal(rb_aux_init(&aux, &rb, storage, 0, 0, false), -EINVAL);
	assert_int_equal(rb_aux_init(&aux, &rb, storage + 8, 1, 0, false), -EINVAL);
	assert_int_equal(rb_aux_init(&aux, &rb, storage, 1, RB_PAGE_SIZE + 1, false), -EINVAL);
}

TEST(test_one_at_a_time)
{
	struct rb_aux_output other;

	make(1, 0, false);
	assert_true(rb_aux_begin(&output, &aux));
	assert_false(rb_aux_begin(&other, &aux));
	put_in_area(5);
	assert_true(rb.page->aux_head == 0); /* not yet */
	rb_aux_skip(&output, 3);
	rb_aux_end(&output);
	assert_true(rb.page->aux_head == 8);
	assert_true(rb_aux_begin(&other, &aux));
	assert_true(rb_aux_end(&other).size == 0);
}

TEST(test_watermark)
{
	struct rb_aux_part part;

	make(1, 16, false);
	rb_aux_begin(&output, &aux);
	put_in_area(10);
	assert_false(rb_aux_long(&output));
	part = rb_aux_end(&output);
	assert_false(part.wakeup);
	rb_aux_begin(&output, &aux);
	put_in_area(6); /* together with what was before */
	assert_false(rb_aux_long(&output));
	part = rb_aux_end(&output);
	assert_true(part.wakeup && part.offset == 10 && part.size == 6 && !part.flags);
	rb_aux_begin(&output, &aux);
	put_in_area(16);
	assert_true(rb_aux_long(&output));
	assert_true(rb_aux_end(&output).wakeup);
}

/* --- Every sequence --- */

static uint64_t tail; /* the model's: all before was read */

static void make_tiny(bool overwrite)
{
	make(1, 0, overwrite);
	aux.mask = TINY - 1;
	aux.watermark = TINY / 2;
	tail = 0;
	assert_true(rb_aux_begin(&output, &aux));
}

static void try_put(size_t n)
{
	const uint64_t held = output.at - tail;
	const bool room = aux.overwrite || held + n <= TINY;

	assert_int_equal(rb_aux_room(&output, n), room);
	if (room)
		put_in_area(n);
}

static void end_and_begin(void)
{
	const uint64_t start = output.start, end = output.at;
	const uint64_t oldest = end > TINY ? end - TINY : 0;
	const struct rb_aux_part part = rb_aux_end(&output);

	assert_true(rb.page->aux_head == end);
	assert_true(part.offset + part.size == end);
	assert_true(part.offset == (aux.overwrite ? oldest : start));
	assert_true(part.flags == (aux.overwrite ? PERF_AUX_FLAG_OVERWRITE : 0));
	assert_true(rb_aux_begin(&output, &aux));
}

static void read_some(size_t n)
{
	const uint64_t head = rb.page->aux_head;
	uint64_t offset, there = head - tail;
	uint8_t out[TINY];
	size_t got;

	if (aux.overwrite) {
		offset = rb_aux_oldest(&aux);
		assert_true(offset == (head > TINY ? head - TINY : 0));
		if (output.at != head)
			return; /* a writer is at work */
		got = rb_aux_peek(&aux, offset, out, n);
		there = head - offset;
	} else {
		got = rb_aux_read(&aux, out, n, &offset);
		assert_true(offset == tail);
		tail += got;
		assert_true(rb.page->aux_tail == tail);
	}
	assert_true(got == (there < n ? there : n));
	check_bytes(out, offset, got);
}

static void change_area(unsigned what)
{
	switch (what) {
	case 0:
		try_put(1);
		break;
	case 1:
		try_put(3);
		break;
	case 2:
		try_put(5);
		break;
	case 3:
		end_and_begin();
		break;
	case 4:
		read_some(2);
		break;
	case 5:
		read_some(TINY);
		break;
	}
}

static void every_sequence(bool overwrite)
{
	unsigned sequences = 1;

	for (unsigned i = 0; i < DEPTH; i++)
		sequences *= 6;
	for (unsigned s = 0; s < sequences; s++) {
		make_tiny(overwrite);
		for (unsigned rest = s, i = 0; i < DEPTH; i++, rest /= 6)
			change_area(rest % 6);
		end_and_begin();
		read_some(TINY);
	}
}

TEST(test_every_sequence_forward)
{
	every_sequence(false);
}

TEST(test_every_sequence_overwriting)
{
	every_sequence(true);
}

/* --- Both at once --- */

#define STREAM_BYTES 20000000ull

static void *reader(void *arg)
{
	uint64_t at = 0;
	uint8_t out[1000];
	bool *bad = arg;

	while (at < STREAM_BYTES) {
		uint64_t offset;
		size_t n = rb_aux_read(&aux, out, sizeof(out), &offset);

		*bad |= offset != at;
		for (size_t i = 0; i < n; i++)
			*bad |= out[i] != trace_byte(at + i);
		at += n;
		if (!n)
			sched_yield();
	}
	return NULL;
}

TEST(test_reader_beside_writer)
{
	bool bad = false;
	uint64_t written = 0;
	pthread_t thread;

	make(1, 0, false);
	assert_int_equal(pthread_create(&thread, NULL, reader, &bad), 0);
	while (written < STREAM_BYTES) {
		rb_aux_begin(&output, &aux);
		for (unsigned i = 0; i < 20 && written < STREAM_BYTES; i++) {
			size_t n = 1 + (written * 7 + i) % 61;

			n = n < STREAM_BYTES - written ? n : STREAM_BYTES - written;
			if (!rb_aux_room(&output, n))
				break;
			put_in_area(n);
			written += n;
		}
		if (!rb_aux_end(&output).size)
			sched_yield();
	}
	pthread_join(thread, NULL);
	assert_false(bad);
}
