// SPDX-License-Identifier: BSD-2-Clause
/* misbehave.c - workloads that go wrong, to see that nothing else does. */
#include "apps/workloads/crt.h"

static void workload_spin(void)
{
	for (;;)
		__asm__ volatile("");
}

static const struct workload spin = {
	.name = "spin",
	.usage = "",
	.summary = "never ends: ^C or --timeout does it",
	.entry = workload_spin,
};
WORKLOAD_ENTRY(spin);

enum {
	CRASH_READ,
	CRASH_WRITE,
	CRASH_EXECUTE,
	CRASH_PRIVILEGED,
	CRASH_DIVIDE,
	CRASH_STACK,
	CRASH_LAST,
};

/* Pushes until the guard page stops it. */
static void overflow_stack(void)
{
	for (;;)
		__asm__ volatile("push %rax");
}

static void workload_crash(uint64_t how)
{
	switch (how) {
	case CRASH_READ:
		(void)*(volatile char *)0;
		break;
	case CRASH_WRITE:
		*(volatile char *)WORKLOAD_BASE = 1;
		break;
	case CRASH_EXECUTE:
		((void (*)(void))WORKLOAD_HEAP)();
		break;
	case CRASH_PRIVILEGED:
		__asm__ volatile("cli");
		break;
	case CRASH_DIVIDE:
		__asm__ volatile("xor %%ecx, %%ecx\n\tdiv %%ecx" : : : "rax", "rcx", "rdx");
		break;
	case CRASH_STACK:
		overflow_stack();
		break;
	}
	user_exit(1);
}

static const struct workload crash = {
	.name = "crash",
	.usage = "[HOW]",
	.summary = "faults: 0 null read, 1 write, 2 execution, 3 CLI, 4 division by 0, 5 stack "
		   "overflow",
	.entry = WORKLOAD_CODE(workload_crash),
	.params = {{"HOW", WORKLOAD_NUMBER, CRASH_READ, 0, CRASH_LAST - 1}},
};
WORKLOAD_ENTRY(crash);
