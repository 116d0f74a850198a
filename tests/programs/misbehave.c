// SPDX-License-Identifier: BSD-2-Clause
/* misbehave.c - workloads that fail, each in its way; the runtime must survive all of them. */
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
	linux_exit_group(1);
}

static const struct workload crash = {
	.name = "crash",
	.usage = "[HOW]",
	.summary =
		"faults: 0 null read, 1 write, 2 execution, 3 CLI, 4 division by 0, 5 stack overflow",
	.entry = WORKLOAD_CODE(workload_crash),
	.params = {{"HOW", WORKLOAD_NUMBER, CRASH_READ, 0, CRASH_LAST - 1}},
};
WORKLOAD_ENTRY(crash);

enum {
	FRAMES_UNMAPPED,
	FRAMES_RING_0,
	FRAMES_NONCANONICAL,
	FRAMES_LOOP,
	FRAMES_EDGE,
	FRAMES_MISALIGNED,
	FRAMES_LONG,
	FRAMES_LAST,
};

#define LONG_CHAIN 300

/* Spins with an invalid frame pointer. The loop is two instructions. */
static __attribute__((noinline)) void turn_with(uint64_t fp, uint64_t turns)
{
	__asm__ volatile("push %%rbp\n\t"
			 "mov %[fp], %%rbp\n"
			 "1: dec %[turns]\n\t"
			 "jnz 1b\n\t"
			 "pop %%rbp"
			 : [turns] "+r"(turns)
			 : [fp] "r"(fp)
			 : "memory", "cc");
}

/* A chain in the heap: each frame links to the next one up, and returns into workload_frames. */
static uint64_t make_chain(uint64_t where, uint64_t n, uint64_t stride, void *ip)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t *link = (uint64_t *)(where + i * stride);

		link[0] = where + (i + 1) * stride;
		link[1] = (uint64_t)ip;
	}
	return where;
}

static void workload_frames(uint64_t how, uint64_t turns)
{
	void *here;
	uint64_t fp = WORKLOAD_HEAP - 4096;

	__asm__("lea workload_frames(%%rip), %0" : "=r"(here));
	switch (how) {
	case FRAMES_RING_0:
		fp = 0x100000;
		break;
	case FRAMES_NONCANONICAL:
		fp = 1ull << 63;
		break;
	case FRAMES_LOOP:
		fp = make_chain(WORKLOAD_HEAP, 1, 0, here);
		break;
	case FRAMES_EDGE: /* of the link, only the first word is mapped */
		fp = WORKLOAD_HEAP + WORKLOAD_HEAP_BYTES - 8;
		break;
	case FRAMES_MISALIGNED:
		fp = make_chain(WORKLOAD_HEAP + 3, 4, 16, here);
		break;
	case FRAMES_LONG:
		fp = make_chain(WORKLOAD_HEAP, LONG_CHAIN, 16, here);
		break;
	}
	turn_with(fp, turns);
	linux_exit_group(0);
}

static const struct workload frames = {
	.name = "frames",
	.usage = "[HOW] [N]",
	.summary = "N turns (100000) with a bad frame pointer. HOW: 0 not mapped, 1 ring 0's, 2 no "
		   "address, 3 a loop, 4 half a link, 5 misaligned, 6 of a chain of 300",
	.entry = WORKLOAD_CODE(workload_frames),
	.params = {{"HOW", WORKLOAD_NUMBER, FRAMES_UNMAPPED, 0, FRAMES_LAST - 1},
		   {"N", WORKLOAD_NUMBER, 100000, 1, UINT64_MAX}},
};
WORKLOAD_ENTRY(frames);
