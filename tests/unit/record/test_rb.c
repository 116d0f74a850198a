// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_rb.c - the perf ring: wrap, room, nesting, loss, and the reader's side. A record has a
 * number and a pattern made of it, so that the test notices torn and repeated records.
 */
#include "rb/rb.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "tests/unit/test.h"

#define PAGES    4
#define TYPE     77
#define MAX_SIZE 256

static uint8_t storage[RB_PAGE_SIZE * (1 + PAGES)] __attribute__((aligned(RB_PAGE_SIZE)));
static struct rb rb;

static uint64_t pattern(uint64_t number, uint64_t i)
{
	return number * 0x9e3779b97f4a7c15 + i;
}

static void put_record(struct rb_writer *w, uint64_t number, size_t size)
{
	rb_put(w, TYPE | (uint64_t)size << 48);
	rb_put(w, number);
	for (size_t i = 16; i < size; i += 8)
		rb_put(w, pattern(number, i));
}

static bool write_record(uint64_t number, size_t size)
{
	struct rb_writer w;

	if (!rb_begin(&w, &rb, size)) {
		rb_lose(&rb, 1);
		return false;
	}
	put_record(&w, number, size);
	rb_end(&w);
	return true;
}

/* Checks one record and returns its number. */
static uint64_t check_record(const uint8_t *at, size_t *size)
{
	struct perf_event_header header;
	uint64_t number, word;

	memcpy(&header, at, sizeof(header));
	memcpy(&number, at + 8, sizeof(number));
	assert_int_equal(header.type, TYPE);
	for (size_t i = 16; i < header.size; i += 8) {
		memcpy(&word, at + i, sizeof(word));
		assert_true(word == pattern(number, i));
	}
	*size = header.size;
	return number;
}

/* Reads all records, whose numbers must increase. Returns how many there were. */
static uint64_t read_in_order(uint64_t *next, size_t buffer)
{
	uint8_t out[8192];
	uint64_t records = 0;
	size_t n, size;

	while ((n = rb_read(&rb, out, buffer)))
		for (size_t at = 0; at < n; at += size, records++)
			assert_true(check_record(out + at, &size) == (*next)++);
	return records;
}

FIXTURE(setup)
{
	memset(storage, 0xa5, sizeof(storage));
	return rb_init(&rb, storage, PAGES);
}

TEST_WITH(test_init, setup, NULL)
{
	struct rb other;

	assert_int_equal(rb_init(&other, storage, 0), -EINVAL);
	assert_int_equal(rb_init(&other, storage, 3), -EINVAL);
	assert_int_equal(rb_init(&other, storage + 8, 4), -EINVAL);
	assert_int_equal(rb_init(&other, storage, SIZE_MAX / 2 + 1), -EINVAL);
	assert_int_equal(rb.page->data_size, PAGES * RB_PAGE_SIZE);
	assert_int_equal(rb.page->data_offset, RB_PAGE_SIZE);
	assert_int_equal(rb.page->data_head, 0);
	assert_int_equal(rb_used(&rb), 0);
	assert_int_equal(rb_init(&other, storage, 1), 0);
	assert_int_equal(other.page->data_size, RB_PAGE_SIZE);
}

TEST_WITH(test_wrap, setup, NULL)
{
	uint64_t next = 0;

	for (uint64_t i = 0; i < 5000; i++) {
		size_t size = 16 + i % 30 * 8;

		assert_true(write_record(i, size));
		assert_int_equal(rb_used(&rb), size);
		assert_int_equal(read_in_order(&next, MAX_SIZE), 1);
	}
	assert_int_equal(rb.lost_total, 0);
}

/* The ring can be filled to the last byte, but not beyond. */
TEST_WITH(test_full, setup, NULL)
{
	uint64_t next = 0;
	const uint64_t fit = PAGES * RB_PAGE_SIZE / 64;

	for (uint64_t i = 0; i < fit; i++)
		assert_true(write_record(i, 64));
	assert_int_equal(rb_used(&rb), PAGES * RB_PAGE_SIZE);
	assert_false(write_record(fit, 16));
	assert_false(write_record(fit, 64));
	assert_int_equal(rb.lost_total, 2);
	assert_int_equal(rb_take_lost(&rb), 2);
	assert_int_equal(rb_take_lost(&rb), 0);
	rb_return_lost(&rb, 2);
	assert_int_equal(rb_take_lost(&rb), 2);
	assert_int_equal(read_in_order(&next, 8192), fit);
	assert_true(write_record(fit, 64));
}

/* A record that does not fit into the reader's buffer stays in the ring. */
TEST_WITH(test_reader_takes_whole_records, setup, NULL)
{
	uint8_t out[128];
	uint64_t tail;
	size_t size;

	write_record(0, 48);
	write_record(1, 48);
	write_record(2, 48);
	tail = rb.page->data_tail;
	assert_int_equal(rb_read(&rb, out, 100), 96);
	assert_int_equal(rb.page->data_tail - tail, 96);
	assert_int_equal(rb_read(&rb, out, 100), 48);
	assert_int_equal(check_record(out, &size), 2);
	assert_int_equal(rb_read(&rb, out, 100), 0);
}

/* A reader does not see bytes of a reservation beyond the published head. */
TEST_WITH(test_head_waits_for_outermost, setup, NULL)
{
	struct rb_writer outer, inner;
	uint8_t out[512];
	size_t size;

	assert_true(rb_begin(&outer, &rb, 64));
	assert_true(rb_begin(&inner, &rb, 32));
	put_record(&inner, 2, 32);
	rb_end(&inner);
	assert_int_equal(rb_used(&rb), 0);
	assert_int_equal(rb_read(&rb, out, sizeof(out)), 0);
	put_record(&outer, 1, 64);
	rb_end(&outer);
	assert_int_equal(rb_read(&rb, out, sizeof(out)), 96);
	assert_int_equal(check_record(out, &size), 1);
	assert_int_equal(check_record(out + 64, &size), 2);
}

/* A nested writer without room must neither publish for the outer writer nor stay counted as
 * nested. */
TEST_WITH(test_nested_without_room, setup, NULL)
{
	struct rb_writer outer, inner;
	uint64_t next = 9;

	for (unsigned i = 0; i < PAGES * RB_PAGE_SIZE / 64 - 1; i++)
		assert_true(write_record(next + i, 64));
	assert_true(rb_begin(&outer, &rb, 64));
	assert_false(rb_begin(&inner, &rb, 64));
	assert_int_equal(rb_used(&rb), PAGES * RB_PAGE_SIZE - 64);
	put_record(&outer, next + PAGES * RB_PAGE_SIZE / 64 - 1, 64);
	rb_end(&outer);
	assert_int_equal(rb.busy, 0);
	assert_int_equal(read_in_order(&next, 8192), PAGES * RB_PAGE_SIZE / 64);
}

TEST_WITH(test_put_bytes_pads, setup, NULL)
{
	struct rb_writer w;
	uint8_t out[64];

	assert_true(rb_begin(&w, &rb, 24));
	rb_put(&w, TYPE | 24ull << 48);
	rb_put_bytes(&w, "hello, world", 12);
	rb_end(&w);
	assert_int_equal(rb_read(&rb, out, sizeof(out)), 24);
	assert_memory_equal(out + 8, "hello, world\0\0\0\0", 16);
}

/* --- Overwritable and backward rings --- */

static size_t size_of(uint64_t number)
{
	return 16 + number % 30 * 8;
}

/* Returns how many of the records up to `last` are whole in an overwritten ring, and their bytes.
 */
static uint64_t newest(uint64_t last, uint64_t *bytes)
{
	uint64_t n = 0;

	for (*bytes = 0; n <= last && *bytes + size_of(last - n) <= sizeof(storage) - RB_PAGE_SIZE;
	     n++)
		*bytes += size_of(last - n);
	return n;
}

/* Reads all records, whose numbers must decrease from `last` on. Returns how many there were. */
static uint64_t read_backward(uint64_t last, size_t buffer)
{
	uint8_t out[8192];
	uint64_t records = 0;
	size_t n, size;

	while ((n = rb_read(&rb, out, buffer)))
		for (size_t at = 0; at < n; at += size, records++)
			assert_true(check_record(out + at, &size) == last - records);
	return records;
}

/* For each number of records the ring has exactly the newest ones that fit whole, once each, newest
 * first. */
TEST_WITH(test_overwritable, setup, NULL)
{
	for (uint64_t n = 1; n < 700; n++) {
		uint64_t bytes, total = 0;

		rb_init(&rb, storage, PAGES);
		rb_set_mode(&rb, RB_BACKWARD | RB_OVERWRITE);
		for (uint64_t i = 0; i < n; i++, total += size_of(i - 1))
			assert_true(write_record(i, size_of(i)));
		rb_pause(&rb, true);
		assert_int_equal(rb_used(&rb), total < rb.mask + 1 ? total : rb.mask + 1);
		assert_int_equal(read_backward(n - 1, MAX_SIZE + n), newest(n - 1, &bytes));
		assert_int_equal(rb_missed(&rb), total - bytes);
		assert_int_equal(rb_used(&rb), 0);
		assert_int_equal(rb.lost_total, 0);
	}
}

/* A reader outside has data_head alone: it sees whole records, then zeros. */
TEST_WITH(test_overwritable_from_outside, setup, NULL)
{
	uint64_t at, header;

	rb_set_mode(&rb, RB_BACKWARD | RB_OVERWRITE);
	write_record(0, 48);
	write_record(1, 64);
	at = rb.page->data_head;
	assert_true(at == (uint64_t)-112);
	for (uint64_t number = 2; number-- > 0; at += header >> 48) {
		memcpy(&header, rb.data + (at & rb.mask), sizeof(header));
		assert_int_equal(header >> 48, number ? 64 : 48);
	}
	memcpy(&header, rb.data + (at & rb.mask), sizeof(header));
	assert_int_equal(header, 0);
	assert_int_equal(rb.page->data_tail, 0);
}

/* No record is read twice. */
TEST_WITH(test_overwritable_goes_on, setup, NULL)
{
	uint64_t next = 0, bytes;

	rb_set_mode(&rb, RB_BACKWARD | RB_OVERWRITE);
	for (unsigned round = 0; round < 200; round++) {
		uint64_t more = 1 + round * 7 % 150, whole;

		for (uint64_t i = 0; i < more; i++, next++)
			assert_true(write_record(next, size_of(next)));
		rb_pause(&rb, true);
		whole = newest(next - 1, &bytes);
		assert_int_equal(read_backward(next - 1, 8192), whole < more ? whole : more);
		rb_pause(&rb, false);
	}
	assert_true(rb_missed(&rb) > 0);
}

/* A backward ring with a tail can be full. A whole pass of the reader frees its room. */
TEST_WITH(test_backward, setup, NULL)
{
	const uint64_t fit = PAGES * RB_PAGE_SIZE / 64;
	uint8_t out[4096];

	rb_set_mode(&rb, RB_BACKWARD);
	for (uint64_t round = 0; round < 3; round++) {
		for (uint64_t i = 0; i < fit; i++)
			assert_true(write_record(i, 64));
		assert_false(write_record(fit, 64));
		assert_int_equal(rb_read(&rb, out, sizeof(out)), sizeof(out));
		assert_false(write_record(fit, 64));
		assert_int_equal(read_backward(fit - 1 - 64, 4096), fit - 64);
		assert_int_equal(rb_used(&rb), 0);
	}
	assert_int_equal(rb.lost_total, 6);
	assert_int_equal(rb_missed(&rb), 0);
}

/* In a forward, overwritable ring a reader that keeps up sees all records. A slow reader goes on
 * with the next record that is written. */
TEST_WITH(test_followed, setup, NULL)
{
	uint64_t next = 0, i = 0;

	rb_set_mode(&rb, RB_OVERWRITE);
	for (unsigned round = 0; round < 100; round++) {
		for (unsigned n = 0; n < 60; n++, i++)
			assert_true(write_record(i, size_of(i)));
		assert_int_equal(read_in_order(&next, 8192), 60);
	}
	for (uint64_t n = 0; n < PAGES * RB_PAGE_SIZE / 64 + 1; n++, i++)
		assert_true(write_record(i, 64));
	assert_int_equal(read_in_order(&next, 8192), 0);
	assert_int_equal(rb_missed(&rb), PAGES * RB_PAGE_SIZE + 64);
	write_record(i, 64);
	next = i;
	assert_int_equal(read_in_order(&next, 8192), 1);
	assert_int_equal(rb.lost_total, 0);
}

/* A paused ring accepts no record, not even a nested writer's. All of them are counted. */
TEST_WITH(test_pause, setup, NULL)
{
	static const unsigned modes[] = {0, RB_BACKWARD, RB_OVERWRITE, RB_BACKWARD | RB_OVERWRITE};

	for (unsigned i = 0; i < 4; i++) {
		struct rb_writer w;
		uint8_t out[256];

		rb_init(&rb, storage, PAGES);
		rb_set_mode(&rb, modes[i]);
		assert_true(write_record(1, 64));
		rb_pause(&rb, true);
		assert_false(write_record(2, 64));
		assert_false(rb_begin(&w, &rb, 16));
		assert_int_equal(rb.busy, 0);
		assert_int_equal(rb_used(&rb), 64);
		rb_pause(&rb, false);
		assert_int_equal(rb_take_lost(&rb), 1);
		assert_true(write_record(3, 48));
		assert_int_equal(rb_read(&rb, out, sizeof(out)), 112);
	}
}

TEST_WITH(test_samples_are_counted, setup, NULL)
{
	uint8_t out[256];
	struct rb_writer w;

	write_record(0, 64);
	for (unsigned i = 0; i < 3; i++) {
		assert_true(rb_begin(&w, &rb, 16));
		rb_put(&w, PERF_RECORD_SAMPLE | 16ull << 48);
		rb_put(&w, i);
		rb_end(&w);
	}
	assert_int_equal(rb_read(&rb, out, 96), 96);
	assert_int_equal(rb.samples, 2);
	assert_int_equal(rb_read(&rb, out, 96), 16);
	assert_int_equal(rb.samples, 3);
}

static uint64_t draw_31_bits(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

struct random_run {
	uint64_t seed, written, tried, bytes;
	uint8_t seen[40000];
};

/* Writers interrupt a writer, up to three deep, between begin, put and end. */
static void random_writer(struct random_run *run, unsigned depth)
{
	size_t size = 16 + draw_31_bits(&run->seed) % 28 * 8;
	uint64_t number = run->tried++;
	struct rb_writer w;
	bool room = rb_begin(&w, &rb, size);

	if (depth < 3 && draw_31_bits(&run->seed) % 2)
		random_writer(run, depth + 1);
	if (!room) {
		rb_lose(&rb, 1);
		return;
	}
	put_record(&w, number, size);
	if (depth < 3 && draw_31_bits(&run->seed) % 3 == 0)
		random_writer(run, depth + 1);
	rb_end(&w);
	run->written++;
	run->bytes += size;
}

static uint64_t random_read(struct random_run *run)
{
	uint8_t out[4096];
	size_t n = rb_read(&rb, out, MAX_SIZE + draw_31_bits(&run->seed) % 3000), size;
	uint64_t records = 0;

	for (size_t at = 0; at < n; at += size, records++)
		assert_int_equal(run->seen[check_record(out + at, &size)]++, 0);
	return records;
}

/* In each mode the ring has every written record that was neither read nor overwritten. */
static void random_nesting(unsigned mode)
{
	static struct random_run run;
	uint64_t read = 0, part;

	memset(&run, 0, sizeof(run));
	run.seed = 42 + mode;
	rb_init(&rb, storage, PAGES);
	rb_set_mode(&rb, mode);
	while (run.tried < 30000) {
		random_writer(&run, 0);
		rb_pause(&rb, true);
		for (unsigned n = draw_31_bits(&run.seed) % 32; n > 28; n--)
			read += random_read(&run);
		rb_pause(&rb, false);
		assert_true(rb_used(&rb) <= PAGES * RB_PAGE_SIZE);
	}
	while ((part = random_read(&run)))
		read += part;
	assert_int_equal(rb.busy, 0);
	assert_int_equal(run.written + rb.lost_total, run.tried);
	if (mode & RB_OVERWRITE) {
		assert_int_equal(rb.lost_total, 0);
		assert_true(read < run.written && read > 1000 && rb_missed(&rb) < run.bytes);
	} else {
		assert_int_equal(read, run.written);
		assert_int_equal(rb_missed(&rb), 0);
		assert_true(rb.lost_total > 0 && run.written > 1000);
	}
}

TEST_WITH(test_random_nesting, setup, NULL)
{
	random_nesting(0);
	random_nesting(RB_BACKWARD);
	random_nesting(RB_OVERWRITE);
	random_nesting(RB_BACKWARD | RB_OVERWRITE);
}

/* Signals play NMIs: they interrupt the writer between any two instructions. */
#define SIGNAL_BIT (1ull << 40)
static uint64_t signal_number;

static void write_in_handler(int sig)
{
	(void)sig;
	if (write_record(SIGNAL_BIT + signal_number, 40))
		signal_number++;
}

TEST_WITH(test_signals, setup, NULL)
{
	const struct itimerval often = {{0, 20}, {0, 20}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = write_in_handler}, before;
	uint64_t next = 0, next_signal = SIGNAL_BIT, i = 0;
	uint8_t out[4096];
	size_t n, size;

	signal_number = 0;
	sigaction(SIGALRM, &action, &before);
	setitimer(ITIMER_REAL, &often, NULL);
	while (i < 2000000 && signal_number < 500) {
		i += write_record(i, 48);
		n = i % 64 ? 0 : rb_read(&rb, out, sizeof(out));
		for (size_t at = 0; at < n; at += size) {
			uint64_t number = check_record(out + at, &size);

			assert_true(number == (number & SIGNAL_BIT ? next_signal++ : next++));
		}
	}
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &before, NULL);
	while ((n = rb_read(&rb, out, sizeof(out))))
		for (size_t at = 0; at < n; at += size) {
			uint64_t number = check_record(out + at, &size);

			assert_true(number == (number & SIGNAL_BIT ? next_signal++ : next++));
		}
	assert_true(next == i);
	assert_true(next_signal == SIGNAL_BIT + signal_number);
	assert_int_equal(rb.busy, 0);
}

#define THREAD_RECORDS 300000

static void *writer_thread(void *arg)
{
	(void)arg;
	for (uint64_t i = 0; i < THREAD_RECORDS;) {
		if (write_record(i, 16 + i % 16 * 8))
			i++;
		else
			sched_yield();
	}
	return NULL;
}

TEST_WITH(test_two_threads, setup, NULL)
{
	pthread_t writer;
	uint64_t next = 0;

	assert_int_equal(pthread_create(&writer, NULL, writer_thread, NULL), 0);
	while (next < THREAD_RECORDS) {
		const uint64_t before = next;

		read_in_order(&next, 4096);
		if (next == before)
			sched_yield();
	}
	pthread_join(writer, NULL);
	assert_int_equal(rb_used(&rb), 0);
}
