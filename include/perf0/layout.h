/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout.h - the layout of ring 3's part of the address space. All of its addresses come from here.
 * RING3_RANGES lists the ranges in ascending order; arch/x86/space/space.c does not compile if two
 * of them share a page.
 */
#ifndef PERF0_LAYOUT_H
#define PERF0_LAYOUT_H

#define RING3_PAGE 4096ull

/*
 * Ring 3 may use RING3_START to RING3_LIMIT: the lower half of the address space without its first
 * 64 KiB and its last page. So a null pointer never points to memory, and SYSCALL in the last page
 * cannot return to a non-canonical address.
 */
#define RING3_START 0x10000ull
#define RING3_LIMIT 0x7ffffffff000ull

/*
 * Programs for Linux: where position-independent ones are loaded, the top of mmap(2)'s area, and
 * the stack. These are Linux's addresses with randomization off.
 */
#define USER_START     RING3_START
#define USER_END       RING3_LIMIT
#define USER_PIE       0x555555554000ull
#define USER_MAP_TOP   0x7ffff7fff000ull
#define USER_STACK_TOP RING3_LIMIT

/* Ring 3 sees the image's user sections at their address in the image plus this. */
#define WORKLOAD_BASE        0x400000000000
#define WORKLOAD_IMAGE_BYTES (1ull << 30)

/*
 * Memory of zeros for each process, readable and writable, with nothing mapped around it. The first
 * access to a page allocates it, by a minor page fault.
 */
#define WORKLOAD_HEAP       0x401000000000
#define WORKLOAD_HEAP_BYTES (4u << 20)

/* The stack of the first thread grows down from here; the page below it faults. */
#define WORKLOAD_STACK_TOP   0x402000000000
#define WORKLOAD_STACK_BYTES (64u << 10)

/*
 * Control pages (struct perf_event_mmap_page, see selfread.h) of events that the runtime shares
 * with the workload, read-only. An unused page has neither `index` nor capabilities.
 */
#define WORKLOAD_EVENTS     0x403000000000
#define WORKLOAD_EVENTS_MAX 16

/* Memory for the image's own tests, which no workload uses. */
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
