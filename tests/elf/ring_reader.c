// SPDX-License-Identifier: BSD-2-Clause
/*
 * ring_reader.c - a program that maps rings for as many events as it may open. It checks that its
 * code, constants and data are unchanged, that the rings are separate memory, and that unmapped
 * memory is inaccessible. Ends with 0, or prints what is wrong.
 */
#include "apps/workloads/sys.h"

#include <linux/errno.h>

#define RINGS      64
#define DATA_PAGES 8
#define PAGE       4096
#define FILLED     (5 * PAGE)

static const uint8_t constants[FILLED] = {[0 ... FILLED - 1] = 0x5a};
static uint8_t data[FILLED] = {[0 ... FILLED - 1] = 0xa5};
static uint8_t *ring[RINGS];
static long event[RINGS];

static _Noreturn void end(int status, const char *why)
{
	linux_write(1, why, text_length(why));
	linux_exit_group(status);
}

static long open_dummy(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};

	return linux_perf_event_open(&attr, 0, -1, -1, 0);
}

static int is_filled(const volatile uint8_t *from, uint8_t with)
{
	for (unsigned i = 0; i < FILLED; i++)
		if (from[i] != with)
			return 0;
	return 1;
}

static void check_memory(void)
{
	if (!is_filled(constants, 0x5a))
		end(1, "rings: the constants are not what they were\n");
	if (!is_filled(data, 0xa5))
		end(1, "rings: the data is not what it was\n");
}

/* Returns whether system calls find memory there. */
static int is_there(const uint8_t *address)
{
	return linux_futex_wait((const uint32_t *)address, 1234567, 0) != -EFAULT;
}

static void mark_ring(unsigned i)
{
	for (unsigned at = PAGE; at < (1 + DATA_PAGES) * PAGE; at++)
		ring[i][at] = (uint8_t)(i + 1);
}

static void check_marked(unsigned i)
{
	for (unsigned at = PAGE; at < (1 + DATA_PAGES) * PAGE; at++)
		if (ring[i][at] != (uint8_t)(i + 1))
			end(1, "rings: a ring has not what was written there\n");
}

static void open_and_map(unsigned i)
{
	long at;

	event[i] = open_dummy();
	if (event[i] < 0)
		end(1, "rings: there is no event\n");
	at = ring_map(event[i], DATA_PAGES, PROT_READ | PROT_WRITE);
	if (at < 0)
		end(1, "rings: there is no ring\n");
	ring[i] = (uint8_t *)at;
	mark_ring(i);
	check_memory();
}

/* Event and ring go in either order. */
static void close_and_unmap(unsigned i)
{
	if (i % 2 && linux_close(event[i]))
		end(1, "rings: an event cannot be closed\n");
	if (ring_unmap(ring[i], DATA_PAGES))
		end(1, "rings: a ring cannot be given back\n");
	if (is_there(ring[i]))
		end(1, "rings: what was given back is there\n");
	if (!(i % 2) && linux_close(event[i]))
		end(1, "rings: an event cannot be closed\n");
	check_memory();
}

_Noreturn void begin(void);

_Noreturn void begin(void)
{
	for (unsigned i = 0; i < RINGS; i++)
		open_and_map(i);
	for (unsigned i = 0; i < RINGS; i++)
		check_marked(i);
	for (unsigned i = 0; i < RINGS; i++)
		close_and_unmap(i);
	end(0, "rings: all is what it was\n");
}

__asm__(".globl _start\n"
	"_start:\n\t"
	"xor %ebp, %ebp\n\t"
	"call begin\n\t"
	"ud2");
