// SPDX-License-Identifier: BSD-2-Clause
/* carrier.c - see carrier.h. */
#include "rt/wire/carrier.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/dev/shared_areas.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/portable/serial.h"
#include "include/perf0/wire_frames.h"
#include "lib/format/shared_ring.h"
#include "rt/clock/restart.h"

#include <linux/errno.h>

#define RFLAGS_IF (1u << 9)

/* Number of polls, some seconds, before a frame is given up. */
#define MAX_LOOKS 1000000000u

static struct {
	struct shared_ring_writer ring; /* .ring NULL: frames go over the UART */
	void *queue;                    /* queue of the UART; NULL: none yet */
	bool is_live;
	uint64_t waited; /* TSC ticks, see line_waited() */
} line;

void line_init(void)
{
	uint32_t bytes;
	void *area = shared_area(SHARED_OUT, &bytes);

	if (area && serial_count())
		shared_ring_writer_init(&line.ring, area, bytes);
}

static void send_bell(void)
{
	const uint8_t bell = WIRE_BELL;

	serial_frame(&bell, sizeof(bell));
}

/* Asks once for each answer. */
static void ask_for_room(void)
{
	if (line.ring.asked)
		return;
	shared_ring_ask(&line.ring);
	send_bell();
}

/* Interrupts are off from the question until the halt, so that a quick answer is not missed. */
static void sleep_until_emptied(void)
{
	uint64_t began;

	irq_disable();
	began = rdtsc();
	ask_for_room();
	while (line.ring.asked) {
		apic_idle();
		irq_disable();
	}
	if (!line.is_live)
		line.waited += rdtsc() - began;
	irq_enable();
}

/* Polls the tail, where no answer can come in: for text of another CPU or of a panic, or if the
 * line does not interrupt. */
static void look_until_room(size_t n)
{
	for (unsigned looks = MAX_LOOKS; looks && shared_ring_room(&line.ring) < n; looks--) {
		cpu_pause();
		shared_ring_look(&line.ring);
	}
}

static void make_room(size_t n)
{
	const uint64_t flags = irq_save();

	irq_restore(flags);
	if (flags & RFLAGS_IF && serial_host_interrupts())
		sleep_until_emptied();
	else
		look_until_room(n);
}

static void write_to_ring(const void *frame, size_t n)
{
	if (shared_ring_room(&line.ring) < n)
		make_room(n);
	/* Drops the frame if the host takes no more; the next frame's number shows the gap. */
	if (shared_ring_room(&line.ring) < n)
		return;
	shared_ring_put(&line.ring, frame, n);
	send_bell();
}

void line_write(const void *frame, size_t n)
{
	if (line.ring.ring)
		write_to_ring(frame, n);
	else
		serial_frame(frame, n);
}

static int begin_queue(void)
{
	if (!line.queue)
		line.queue = page_alloc(LINE_QUEUE_BYTES / PAGE_SIZE);
	if (!line.queue)
		return -ENOMEM;
	serial_set_queue(line.queue, LINE_QUEUE_BYTES);
	return 0;
}

int line_begin_live(void)
{
	const int err = line.ring.ring ? 0 : begin_queue();

	line.is_live = !err;
	return err;
}

void line_end_live(void)
{
	line.is_live = false;
	if (!line.ring.ring)
		serial_set_queue(NULL, 0);
}

size_t line_room(void)
{
	return line.ring.ring ? shared_ring_room(&line.ring) : serial_queue_room();
}

/* The UART interrupts when it has room. */
void line_want_room(void)
{
	if (line.ring.ring)
		ask_for_room();
}

uint64_t line_waited(void)
{
	return line.waited;
}

void line_forget_waits(void)
{
	if (line.waited)
		restart_clocks(clock_age() - line.waited);
	line.waited = 0;
}

bool line_emptied(void)
{
	if (!line.ring.asked)
		return false;
	shared_ring_told(&line.ring);
	return true;
}
