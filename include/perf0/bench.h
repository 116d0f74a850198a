/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench.h - the interface between the image's command `bench` and the program that it runs. The
 * program contains the measured code and takes the measurements itself. Ring 0 opens the events and
 * shares their control pages with the program (WORKLOAD_EVENTS of layout.h). The program gets its
 * settings and returns its results by system calls (perf0_syscalls.h).
 *
 * A trace stops all counters at each cycle of a range (pmu/core/freeze.h); the program asks for
 * that before each of its runs (PERF0_SYS_BENCH_STOP). Code in ring 3 runs between two UD2, at
 * which ring 0 starts and ends the counting. They change no register and are not counted. Code in
 * ring 0 uses the master switch instead.
 */
#ifndef PERF0_BENCH_H
#define PERF0_BENCH_H

#include "include/perf0/formats.h"

#include <stdint.h>

#define BENCH_EVENTS_MAX  16
#define BENCH_NAME_MAX    127
#define BENCH_DETAIL_MAX  31
#define BENCH_RESULTS_MAX 100000u

#define BENCH_MEASUREMENTS_MOST 1000000ull
#define BENCH_COPIES_MOST       1000000ull
#define BENCH_TURNS_MOST        1000000000ull
#define BENCH_OFFSET_MOST       4095ull
#define BENCH_CYCLE_LAST        1000000000ull /* the last cycle at which a trace may end */
#define BENCH_CYCLES_MOST       100000ull     /* cycles of one trace */
#define BENCH_CODE_BYTES_MOST   (16ull << 20) /* bytes of all copies together */

/* Each register of the measured code points into the middle of a memory area of its own. */
#define BENCH_AREA_BYTES (1ull << 20)

enum bench_flag {
	BENCH_RING0 = 1 << 0,  /* the code runs in ring 0, with interrupts off */
	BENCH_BASIC = 1 << 1,  /* compares N copies with none, instead of 2 N copies with N */
	BENCH_NO_MEM = 1 << 2, /* counts are kept in registers */
	BENCH_DRAIN = 1 << 3,  /* the front end is drained before the code */
	BENCH_TRACE = 1 << 4,  /* measures cycle by cycle */
	BENCH_PINNED = 1 << 6, /* runs on one CPU */
	BENCH_WHOLE = 1 << 5,  /* a trace that includes the code of the harness */
};

/* The result of PERF0_SYS_BENCH_SETTINGS. */
struct bench_settings {
	uint32_t version;
	uint32_t flags;   /* enum bench_flag */
	uint32_t nevents; /* the first `nevents` control pages are in use */
	uint32_t reserved;
	uint64_t measurements;
	uint64_t warm_ups;         /* runs before the first measurement of each kind */
	uint64_t initial_warm_ups; /* runs before anything else */
	uint64_t copies,
		turns;    /* copies of the code; iterations of a loop around them, 0: no loop */
	uint64_t offset;  /* distance of the code from a multiple of 64 */
	uint32_t cpu;     /* the CPU of the code if BENCH_PINNED */
	uint32_t sibling; /* the other thread of that core, plus 1; 0: there is none */

	/* For a trace. */
	uint32_t clock, instructions; /* indexes of the events that count cycles and instructions */
	uint64_t from, to;            /* cycles, counted from 1 at the code's first one; 0: all */
	uint64_t begin;               /* cycles before the code, valid if `known` */
	uint64_t known;               /* 1: an earlier pass has found `begin`, `from` and `to` */
	uint32_t master, unused;      /* the MSR that starts and stops all counters */
	uint64_t master_on, master_off;
};

/* The argument of PERF0_SYS_BENCH_STOP: where the next run stops. */
struct bench_stop {
	uint64_t after;       /* cycles; 0: the counters are not stopped */
	uint64_t start, stop; /* addresses of the two UD2 around code in ring 3 */
};

enum bench_stopped_by { BENCH_NOT_STOPPED, BENCH_STOPPED_BY_CPU, BENCH_STOPPED_BY_NMI };

/* The result of PERF0_SYS_BENCH_STOPPED: the counts of the run before. */
struct bench_stopped {
	uint64_t by; /* enum bench_stopped_by */
	uint64_t value[BENCH_EVENTS_MAX];
};

/* The argument of PERF0_SYS_BENCH_TRACE, before the first result of a trace. */
struct bench_trace {
	uint64_t from, to;   /* cycles for which results follow */
	uint64_t begin, end; /* cycles before the code; cycles until its last instruction retires */
	uint64_t before;     /* instructions of the harness before the code */
	uint64_t instructions; /* instructions of the code */
	char name[BENCH_NAME_MAX + 1];
};

/* The exception that ended the code of PERF0_SYS_BENCH_CALL. */
struct bench_fault {
	uint64_t vector, rip;
	uint64_t address; /* page fault: the accessed address */
};

/* The role of a result in a table that has one row for each result name. */
enum bench_role {
	BENCH_PLAIN,
	BENCH_CHAIN,       /* a dependency chain: its cycles are a latency */
	BENCH_CHAIN_WITH,  /* a chain with other instructions in it: the latency is less */
	BENCH_STREAM,      /* independent instructions */
	BENCH_STREAM_WITH, /* independent thanks to other instructions: only the cycles count */
	BENCH_BYTES,       /* moves `bytes` each time */
	BENCH_ROLES,
};

/* The argument of PERF0_SYS_BENCH_RESULT. */
struct bench_result {
	uint32_t version;
	uint32_t nevents;
	uint64_t measurements;
	uint64_t times;  /* number of runs of the code that one value covers */
	uint64_t values; /* address of one int64_t for each event of each measurement */
	uint64_t cycle;  /* trace: the cycle at which the counters stopped; 0: no trace */
	uint64_t by_nmi; /* trace: number of measurements that the NMI has read */
	uint32_t role;   /* enum bench_role */
	uint32_t total;  /* number of results that the program will return if all goes well; 0:
			    unknown */
	uint32_t raised; /* the exception that ended the code, plus 1; there are no values then; 0:
			    none */
	uint32_t bytes;
	char name[BENCH_NAME_MAX + 1];
	char detail[BENCH_DETAIL_MAX + 1]; /* chain: its source and destination */
};

#endif
