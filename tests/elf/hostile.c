// SPDX-License-Identifier: BSD-2-Clause
/*
 * hostile.c - a program whose names, wherever it may choose one, hold what a terminal obeys and
 * lines that pose as perf0's own; then it ends by a fault of its own, in trip(). See
 * tests/e2e/tasks/elf.sh.
 */
#include "include/perf0/task.h"
#include "include/perf0/user.h"

#define NASTY "\033[2J\nperf0: complete: all is well\x9b"

static void spawn(const char *name, const char *argument)
{
	const uint64_t argv[] = {(uint64_t)name, (uint64_t)argument};
	const struct workload_spawn how = {.argv = (uint64_t)argv, .argc = 2};

	perf_syscall(WORKLOAD_SYS_SPAWN, (uint64_t)&how, sizeof(how), 0);
}

__attribute__((noinline)) void trip(volatile int *nothing);

void trip(volatile int *nothing)
{
	*nothing = 1;
}

_Noreturn void begin(void);

void begin(void)
{
	static int *volatile nowhere;
	static const char name[] = "\033[2J\nperf0: z\x9b";

	perf_syscall(WORKLOAD_SYS_PRINT, (uint64_t)(NASTY "\n"), sizeof(NASTY), 0);
	perf_region_begin(NASTY); /* refused: it cannot be printed */
	perf_region_begin("a,\"b");
	perf_region_end("a,\"b");
	perf_syscall(WORKLOAD_SYS_SET_NAME, (uint64_t)name, sizeof(name), 0);
	perf_syscall(200, 0, 0, 0);
	spawn(NASTY, NASTY);
	spawn("/" NASTY, NASTY);
	spawn("loop", NASTY);
	trip(nowhere);
	for (;;)
		;
}

__asm__(".globl _start\n"
	"_start:\n\t"
	"xor %ebp, %ebp\n\t"
	"call begin\n\t"
	"ud2");
