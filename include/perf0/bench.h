/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench.h - between the image's command `bench` and the program that it runs, which has the code
 * that is measured, and takes the measurements by itself: ring 0 opens the events, and shares their
 * control pages with it (WORKLOAD_EVENTS of layout.h); how often what is to run it asks for, and
 * hands its results in, by system calls (syscall.h).
 */
#ifndef PERF0_BENCH_H
#define PERF0_BENCH_H

#include <stdint.h>

#define BENCH_VERSION    1
#define BENCH_EVENTS_MAX 16
#define BENCH_NAME_MAX   127

#define BENCH_MEASUREMENTS_MOST 1000000ull
#define BENCH_COPIES_MOST       1000000ull
#define BENCH_TURNS_MOST        1000000000ull
#define BENCH_OFFSET_MOST       4095ull
#define BENCH_CODE_BYTES_MOST   (16ull << 20) /* of all copies together */

/* Registers of the code that is measured point into the middle of memory of its own each. */
#define BENCH_AREA_BYTES (1ull << 20)

enum bench_flag {
	BENCH_RING0 = 1 << 0,  /* it runs in ring 0, with interrupts off */
	BENCH_BASIC = 1 << 1,  /* no copy against some, and not some against twice as many */
	BENCH_NO_MEM = 1 << 2, /* counters are kept in registers */
	BENCH_DRAIN = 1 << 3,  /* the front end is drained before the code */
};

/* What PERF0_SYS_BENCH_SETTINGS tells. */
struct bench_settings {
	uint32_t version;
	uint32_t flags;   /* enum bench_flag */
	uint32_t nevents; /* control pages from the first one on */
	uint32_t reserved;
	uint64_t measurements;
	uint64_t warm_ups;         /* runs before the first measurement of each kind */
	uint64_t initial_warm_ups; /* runs before anything else */
	uint64_t copies, turns;    /* of the code; turns of a loop around them, 0: no loop */
	uint64_t offset;           /* of the code from a multiple of 64 */
};

/* What code raised that PERF0_SYS_BENCH_CALL called. */
struct bench_fault {
	uint64_t vector, rip;
	uint64_t address; /* of a page fault: what was accessed */
};

/* What PERF0_SYS_BENCH_RESULT takes. */
struct bench_result {
	uint32_t version;
	uint32_t nevents;
	uint64_t measurements;
	uint64_t times;  /* the code ran so often in what a value is of */
	uint64_t values; /* address of an int64_t for each event of each measurement */
	char name[BENCH_NAME_MAX + 1];
};

#endif
