// SPDX-License-Identifier: BSD-2-Clause
/*
 * ring.c - a thread writes to a ring for a long time. Signals interrupt it and write, too, as NMIs
 * would. Another thread reads, and checks every word of every record.
 *
 *	stress-ring [--jump | --relaxed] [RECORDS]
 *
 * Status 0: all of RECORDS (10^8) came, whole, once, in order. 1: they did not. Two readers have
 * mistakes on purpose: --jump frees room up to a head beyond the records that it read; --relaxed
 * loads the head without ordering, which only a race detector can notice on x86.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "rb/rb.h"

#define PAGES     16
#define TASK      9  /* type of the thread's records, of 24 to 128 bytes */
#define INTERRUPT 10 /* of the signals', of 40 bytes */

static uint8_t storage[(1 + PAGES) * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));
static struct rb ring;
static uint64_t records = 100000000, interrupts;
static bool writer_done;

static uint64_t pattern(uint64_t number, uint64_t i)
{
	return number * 0x9e3779b97f4a7c15 + i;
}

static bool write_record(uint64_t type, uint64_t number, uint64_t size)
{
	struct rb_writer w;

	if (!rb_begin(&w, &ring, size))
		return false;
	rb_put(&w, type | size << 48);
	rb_put(&w, number);
	for (uint64_t i = 16; i < size; i += 8)
		rb_put(&w, pattern(number, i));
	rb_end(&w);
	return true;
}

static void write_in_signal(int sig)
{
	(void)sig;
	interrupts += write_record(INTERRUPT, interrupts, 40);
}

static void *writer(void *arg)
{
	const struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = write_in_signal};
	sigset_t alarms;

	(void)arg;
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (uint64_t n = 0; n < records;)
		if (write_record(TASK, n, 24 + n % 14 * 8))
			n++;
		else
			sched_yield();
	setitimer(ITIMER_REAL, &never, NULL);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	__atomic_store_n(&writer_done, true, __ATOMIC_RELEASE);
	return NULL;
}

static struct {
	uint64_t task, interrupt; /* numbers that come next */
} next;

static int complain(const char *what, uint64_t number)
{
	printf("stress-ring: %s: %llu, after %llu and %llu\n", what, (unsigned long long)number,
	       (unsigned long long)next.task, (unsigned long long)next.interrupt);
	return 1;
}

/* Checks a record, word by word. */
static int check_ring_record(const uint64_t *words, uint64_t size)
{
	uint64_t type = words[0] & UINT32_MAX, number = words[1];
	uint64_t *expected = type == TASK ? &next.task : &next.interrupt;

	if (type != TASK && type != INTERRUPT)
		return complain("a record of another type", type);
	if (number != *expected)
		return complain(type == TASK ? "number" : "number of an interrupt", number);
	if (size != (type == TASK ? 24 + number % 14 * 8 : 40))
		return complain("size", size);
	for (uint64_t i = 16; i < size; i += 8)
		if (words[i / 8] != pattern(number, i))
			return complain("torn record", number);
	++*expected;
	return 0;
}

static int check_ring_bytes(const uint8_t *bytes, uint64_t n)
{
	uint64_t words[RB_PAGE_SIZE / 8], size;

	for (uint64_t at = 0; at < n; at += size) {
		memcpy(words, bytes + at, 16);
		size = words[0] >> 48;
		if (size < 16 || size > 128 || size % 8 || at + size > n)
			return complain("a header that is none: size", size);
		memcpy(words, bytes + at, size);
		if (check_ring_record(words, size))
			return 1;
	}
	return 0;
}

/* Reads some records, and then jumps to the head, as if it had read all. */
static uint64_t read_and_jump(uint8_t *out)
{
	uint64_t n = rb_read(&ring, out, 256);

	ring.page->data_tail = order_c_load_head(&ring.page->data_head);
	return n;
}

/* Loads the head without barrier C. */
static uint64_t read_relaxed(uint8_t *out)
{
	uint64_t tail = ring.page->data_tail, n = 0;
	uint64_t head = __atomic_load_n(&ring.page->data_head, __ATOMIC_RELAXED);

	for (; tail + n != head; n += 8)
		memcpy(out + n, ring.data + ((tail + n) & ring.mask), 8);
	order_d_store_tail(&ring.page->data_tail, head);
	return n;
}

int main(int argc, char **argv)
{
	static uint8_t out[PAGES * RB_PAGE_SIZE];
	bool jump = argc > 1 && !strcmp(argv[1], "--jump");
	bool relaxed = argc > 1 && !strcmp(argv[1], "--relaxed"), done = false;
	pthread_t thread;
	sigset_t alarms;

	if (argc > 1 + (jump || relaxed))
		records = strtoull(argv[argc - 1], NULL, 10);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL);
	rb_init(&ring, storage, PAGES);
	if (pthread_create(&thread, NULL, writer, NULL))
		return 2;
	while (!done) {
		uint64_t n;

		done = __atomic_load_n(&writer_done, __ATOMIC_ACQUIRE) && !rb_used(&ring);
		n = jump      ? read_and_jump(out)
		    : relaxed ? read_relaxed(out)
			      : rb_read(&ring, out, sizeof(out));
		if (check_ring_bytes(out, n))
			return 1;
		if (!n)
			sched_yield();
	}
	pthread_join(thread, NULL);
	if (next.task != records || next.interrupt != interrupts || ring.busy)
		return complain("records are missing at the end", records);
	printf("%llu records, and %llu that interrupted them\n", (unsigned long long)next.task,
	       (unsigned long long)next.interrupt);
	return 0;
}
