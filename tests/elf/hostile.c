// SPDX-License-Identifier: BSD-2-Clause
/*
 * hostile.c - a program whose names all contain control sequences and lines that look like
 * perf0's. Then it ends by a fault, in trip().
 * See tests/e2e/tasks/elf.sh.
 */
#include "apps/workloads/sys.h"

#define NASTY "\033[2J\nperf0: complete: all is well\x9b"

static void start(const char *name, const char *argument)
{
	const char *const argv[] = {name, argument, NULL};
	int status;

	if (!linux_syscall3(__NR_fork, 0, 0, 0)) {
		linux_execve(name, argv);
		linux_exit_group(1);
	}
	linux_wait(ANY_CHILD, &status);
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

	linux_write(1, NASTY "\n", sizeof(NASTY));
	perf0_region_begin(NASTY); /* refused: it cannot be printed */
	perf0_region_begin("a,\"b");
	perf0_region_end("a,\"b");
	linux_set_name(name);
	linux_syscall3(__NR_quotactl, 0, 0, 0); /* is not there */
	start(NASTY, NASTY);
	start("/" NASTY, NASTY);
	start("/perf0/bin/loop", NASTY);
	trip(nowhere);
	for (;;)
		;
}

__asm__(".globl _start\n"
	"_start:\n\t"
	"xor %ebp, %ebp\n\t"
	"call begin\n\t"
	"ud2");
