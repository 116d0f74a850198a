/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout.h - what lies where in the part of the address space that ring 3 can have. All of its
 * addresses come from here; RING3_RANGES is the list of them, from below upwards;
 * arch/x86/space/space.c does not compile where two of them have a page in common.
 */
#ifndef PERF0_LAYOUT_H
#define PERF0_LAYOUT_H

#define RING3_PAGE 4096ull

/* Ring 3 can have what lies from here to RING3_LIMIT: the lower half of the address space without
 * its first 64 KiB, so that no null pointer ever points to memory, and without its last page,
 * behind which SYSCALL would return to an address that is none. */
#define RING3_START 0x10000ull
#define RING3_LIMIT 0x7ffffffff000ull

/*
 * Programs for Linux: where those that can lie anywhere do, below what mmap(2) maps, and the stack.
 * Those are the addresses that Linux has where nothing is random.
 */
#define USER_START     RING3_START
#define USER_END       RING3_LIMIT
#define USER_PIE       0x555555554000ull
#define USER_MAP_TOP   0x7ffff7fff000ull
#define USER_STACK_TOP RING3_LIMIT

/* Where ring 3 sees the image's own user sections: their address in the image plus this. */
#define WORKLOAD_BASE        0x400000000000
#define WORKLOAD_IMAGE_BYTES (1ull << 30)

/*
 * Memory that is all zero when a process starts, readable and writable, nothing mapped around it. A
 * page of it comes into being with the first access, a minor page fault.
 */
#define WORKLOAD_HEAP       0x401000000000
#define WORKLOAD_HEAP_BYTES (4u << 20)

/* The stack of the first thread grows down from here; the page below its end faults. */
#define WORKLOAD_STACK_TOP   0x402000000000
#define WORKLOAD_STACK_BYTES (64u << 10)

/*
 * Control pages (struct perf_event_mmap_page, see selfread.h) of events that the runtime shares
 * with the workload, read only. A page that is not in use has neither `index` nor capabilities.
 */
#define WORKLOAD_EVENTS     0x403000000000
#define WORKLOAD_EVENTS_MAX 16

/* Never a workload's: for the image's own tests. */
#define RING3_TESTS       0x407000000000
#define RING3_TESTS_BYTES (1ull << 30)

/* RANGE(name, first byte, bytes) */
#define RING3_RANGES(RANGE)                                                           \
	RANGE(IMAGE, WORKLOAD_BASE, WORKLOAD_IMAGE_BYTES)                             \
	RANGE(HEAP, WORKLOAD_HEAP, WORKLOAD_HEAP_BYTES)                               \
	RANGE(STACK, WORKLOAD_STACK_TOP - WORKLOAD_STACK_BYTES, WORKLOAD_STACK_BYTES) \
	RANGE(EVENTS, WORKLOAD_EVENTS, (WORKLOAD_EVENTS_MAX * RING3_PAGE))            \
	RANGE(TESTS, RING3_TESTS, RING3_TESTS_BYTES)

#endif
