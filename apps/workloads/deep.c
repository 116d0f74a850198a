// SPDX-License-Identifier: BSD-2-Clause
/*
 * deep.c - a chain of calls that is known: workload_deep calls deep2, which calls deep3, and so on
 * down to deep8, where all the time is spent.
 */
#include "apps/workloads/crt.h"

/* The leaf: the chain stands while it runs. gcc gives leaves a frame only where they use the stack.
 */
static __attribute__((noinline, used)) void deep8(uint64_t turns)
{
	uint64_t on_stack;

	__asm__ volatile("" : "=m"(on_stack));
	while (turns--)
		__asm__ volatile("");
}

/* Behind the call there is something to do: so it is a call, not a jump. */
#define DEEP(name, callee)                                           \
	static __attribute__((noinline, used)) void name(uint64_t n) \
	{                                                            \
		callee(n);                                           \
		__asm__ volatile("");                                \
	}
DEEP(deep7, deep8)
DEEP(deep6, deep7)
DEEP(deep5, deep6)
DEEP(deep4, deep5)
DEEP(deep3, deep4)
DEEP(deep2, deep3)

static void workload_deep(uint64_t n)
{
	deep2(n);
	linux_exit_group(0);
}

static const struct workload deep = {
	.name = "deep",
	.usage = "[N]",
	.summary =
		"a chain of eight calls, workload_deep to deep8, and N turns (1000000) at its end",
	.entry = WORKLOAD_CODE(workload_deep),
	.params = {{"N", WORKLOAD_NUMBER, 1000000, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(deep);
