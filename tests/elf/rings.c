// SPDX-License-Identifier: BSD-2-Clause
/*
 * rings.c - a program that maps the rings of as many events as it may have, its first one before
 * all, and goes on: its code, constants and data are what they were, each ring is a place of its
 * own, and what is unmapped is there no more. Ends with 0, or says what is wrong.
 */
#include "include/perf0/task.h"
#include "include/perf0/user.h"

#include <linux/errno.h>
#include <linux/perf_event.h>
#include <stdint.h>

#define DATA_PAGES 8
#define PAGE       4096
#define FILLED     (5 * PAGE)

static const uint8_t constants[FILLED] = {[0 ... FILLED - 1] = 0x5a};
static uint8_t data[FILLED] = {[0 ... FILLED - 1] = 0xa5};
static uint8_t *ring[PERF_HANDLES_MAX];

static _Noreturn void end(int status, const char *why)
{
	perf_syscall(WORKLOAD_SYS_PRINT, (uint64_t)why, perf_name_length(why), 0);
	perf_syscall(WORKLOAD_SYS_EXIT, (uint64_t)status, 0, 0);
	__builtin_trap();
}

static long open_dummy(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};

	return perf_event_open(&attr, 0, -1, -1, 0);
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

/* Whether system calls find memory there. */
static int is_there(const uint8_t *address)
{
	return perf_syscall(WORKLOAD_SYS_WAIT_ON, (uint64_t)address, 1234567, 0) != -EFAULT;
}

static void fill(unsigned handle)
{
	for (unsigned i = PAGE; i < (1 + DATA_PAGES) * PAGE; i++)
		ring[handle][i] = (uint8_t)(handle + 1);
}

static void check_ring(unsigned handle)
{
	for (unsigned i = PAGE; i < (1 + DATA_PAGES) * PAGE; i++)
		if (ring[handle][i] != (uint8_t)(handle + 1))
			end(1, "rings: a ring has not what was written there\n");
}

static void map(unsigned handle)
{
	long at;

	if (open_dummy() != (long)handle)
		end(1, "rings: there is no event\n");
	at = perf_event_mmap(handle, DATA_PAGES, PERF_PROT_READ | PERF_PROT_WRITE);
	if (at < 0)
		end(1, "rings: there is no ring\n");
	ring[handle] = (uint8_t *)at;
	fill(handle);
	check_memory();
}

static void unmap(unsigned handle)
{
	if (handle % 2 ? perf_event_close(handle) : perf_event_munmap(handle))
		end(1, "rings: a ring cannot be given back\n");
	if (is_there(ring[handle]))
		end(1, "rings: what was given back is there\n");
	check_memory();
}

_Noreturn void begin(void);

_Noreturn void begin(void)
{
	for (unsigned i = 0; i < PERF_HANDLES_MAX; i++)
		map(i);
	for (unsigned i = 0; i < PERF_HANDLES_MAX; i++)
		check_ring(i);
	for (unsigned i = 0; i < PERF_HANDLES_MAX; i++)
		unmap(i);
	end(0, "rings: all is what it was\n");
}

__asm__(".globl _start\n"
	"_start:\n\t"
	"xor %ebp, %ebp\n\t"
	"call begin\n\t"
	"ud2");
