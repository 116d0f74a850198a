// SPDX-License-Identifier: BSD-2-Clause
/*
 * step_stress.c - interrupts writers after each instruction of the code of rb/rb.h. RFLAGS.TF
 * single-steps the writer, and the trap's handler writes, too, as an NMI would; it is interrupted
 * in the same way. The program has no sanitizers, so it steps the code that really runs. Status 0:
 * in all cases every written record is in the ring, once and whole.
 */
#include "rb/rb.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                                          \
	do {                                                                                 \
		if (!(what)) {                                                               \
			printf("stress-step: not so: %s; interrupted at %u and %u\n", #what, \
			       run.interrupt_at[0], run.interrupt_at[1]);                    \
			exit(1);                                                             \
		}                                                                            \
	} while (0)

#define PAGES  1
#define LEVELS 2 /* that are single-stepped; each can be interrupted once */

static uint8_t storage[RB_PAGE_SIZE * (1 + PAGES)] __attribute__((aligned(RB_PAGE_SIZE)));
static struct rb rb;

static struct {
	unsigned level; /* of the writer that is stepped now */
	unsigned steps[LEVELS], interrupt_at[LEVELS];
	bool interrupted[LEVELS];
	unsigned tried, written;
	bool was_written[LEVELS + 1];
} run;

/* Skips the red zone: the interrupted code may use the stack below its stack pointer. */
static inline __attribute__((always_inline)) void set_tf(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\t"
			 "lea 128(%%rsp), %%rsp"
			 :
			 :
			 : "cc", "memory");
}

static inline __attribute__((always_inline)) void clear_tf(void)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq\n\t"
			 "lea 128(%%rsp), %%rsp"
			 :
			 :
			 : "cc", "memory");
}

static bool write_padded(uint64_t number)
{
	const uint64_t size = 24 + 8 * number;
	struct rb_writer w;

	if (!rb_begin(&w, &rb, size)) {
		rb_lose(&rb, 1);
		return false;
	}
	rb_put(&w, 77 | size << 48);
	rb_put(&w, number);
	for (uint64_t i = 16; i < size; i += 8)
		rb_put(&w, number * 1000 + i);
	rb_end(&w);
	return true;
}

/* Level n writes record n, and is stepped as long as another writer may interrupt it. */
static void write_at(unsigned level)
{
	bool done;

	run.level = level;
	if (level < LEVELS)
		set_tf();
	done = write_padded(level);
	clear_tf();
	run.was_written[level] = done;
	run.written += done;
	run.tried++;
}

static void on_trap(int sig)
{
	const unsigned level = run.level;

	(void)sig;
	if (run.interrupted[level] || run.steps[level]++ != run.interrupt_at[level])
		return;
	run.interrupted[level] = true;
	write_at(level + 1);
	run.level = level;
}

/* Checks that the ring has every written record, once and whole. */
static void check_each_once(void)
{
	uint64_t out[64];
	unsigned found = 0;
	size_t n;

	CHECK(rb.busy == 0);
	CHECK(rb.page->data_head == rb.head);
	while ((n = rb_read(&rb, out, sizeof(out))))
		for (size_t at = 0; at < n / 8; at += (out[at] >> 48) / 8) {
			const uint64_t number = out[at + 1], size = out[at] >> 48;

			CHECK(number <= LEVELS && run.was_written[number]);
			run.was_written[number] = false;
			CHECK(size == 24 + 8 * number);
			for (uint64_t i = 16; i < size; i += 8)
				CHECK(out[at + i / 8] == number * 1000 + i);
			found++;
		}
	CHECK(found == run.written);
	CHECK(run.written + rb.lost_total == run.tried);
}

/* Makes a ring whose next record is at `start`, with exactly `room` bytes free. */
static void prepare_ring(unsigned mode, uint64_t start, uint64_t room)
{
	const uint64_t at = mode & RB_BACKWARD ? -start : start;
	const uint64_t tail = at - (mode & RB_BACKWARD ? room - RB_PAGE_SIZE : RB_PAGE_SIZE - room);

	memset(&run, 0, sizeof(run));
	CHECK(rb_init(&rb, storage, PAGES) == 0);
	if (mode)
		rb_set_mode(&rb, mode);
	rb.head = rb.page->data_head = at;
	rb.tail = at;
	rb.page->data_tail = mode & RB_OVERWRITE ? 0 : tail;
}

/* Tries one case. False: the outer writer has no instruction `first`, or the nested one no
 * `second`. */
static bool interrupt(unsigned mode, uint64_t room, unsigned first, unsigned second)
{
	const uint64_t start = 2 * RB_PAGE_SIZE - 40;

	prepare_ring(mode, start, room);
	run.interrupt_at[0] = first;
	run.interrupt_at[1] = second;
	write_at(0);
	/* The reader begins at `start`: the bytes before it are no records. */
	if (!(mode & RB_OVERWRITE))
		rb.page->data_tail = mode & RB_BACKWARD ? -start : start;
	check_each_once();
	return run.interrupted[0];
}

/*
 * The same for rb_pause(): a record that interrupts it is written or lost, and no record is written
 * after it. False: rb_pause() has no instruction `at`.
 */
static bool interrupt_pause(unsigned mode, unsigned at)
{
	prepare_ring(mode, 0, mode & RB_OVERWRITE ? 0 : RB_PAGE_SIZE);
	run.interrupt_at[0] = at;
	run.interrupt_at[1] = UINT32_MAX;
	set_tf();
	rb_pause(&rb, true);
	clear_tf();
	CHECK(!write_padded(0));
	run.tried++;
	check_each_once();
	return run.interrupted[0];
}

static unsigned try_pause(unsigned mode)
{
	unsigned at = 0;

	while (interrupt_pause(mode, at))
		at++;
	CHECK(at > 5);
	return at;
}

static const struct {
	unsigned mode;
	uint64_t room;
} rings[] = {
	{0, RB_PAGE_SIZE},
	{0, 56}, /* for the outer one and the first nested one: 24 and 32 */
	{0, 32}, /* for one of them */
	{0, 16}, /* for none */
	{RB_BACKWARD, RB_PAGE_SIZE},
	{RB_BACKWARD, 32},
	{RB_OVERWRITE, 0},
	{RB_BACKWARD | RB_OVERWRITE, 0},
};

/*
 * First each instruction of the outer writer; then pairs of instructions of outer and nested
 * writer. Of these, only every STRIDE-th is tried, with another offset in each ring, because a trap
 * takes microseconds.
 */
#define STRIDE 9
static unsigned try_all(unsigned mode, uint64_t room, unsigned from)
{
	unsigned cases = 0, first = 0;

	while (interrupt(mode, room, first, UINT32_MAX))
		first++;
	CHECK(first > 20);
	cases += first;
	for (unsigned second = from, reached = 1; reached; second += STRIDE) {
		reached = 0;
		for (first = from; interrupt(mode, room, first, second); first += STRIDE, cases++)
			reached += run.interrupted[1];
	}
	return cases;
}

int main(void)
{
	const struct sigaction action = {.sa_handler = on_trap, .sa_flags = SA_NODEFER};
	unsigned cases = 0;

	sigaction(SIGTRAP, &action, NULL);
	for (size_t i = 0; i < sizeof(rings) / sizeof(rings[0]); i++)
		cases += try_all(rings[i].mode, rings[i].room, (unsigned)i % STRIDE);
	for (unsigned mode = 0; mode <= (RB_BACKWARD | RB_OVERWRITE); mode++)
		cases += try_pause(mode);
	printf("%u cases\n", cases);
	return 0;
}
