/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench.h - between the image's command `bench` and the program that it runs, which has the code
 * that is measured, and takes the measurements by itself: ring 0 opens the events, and shares their
 * control pages with it (WORKLOAD_EVENTS of layout.h); how often what is to run it asks for, and
 * hands its results in, by system calls (syscall.h).
 *
 * A trace stops all counters at each cycle of a range (pmu/core/freeze.h). Before each of its runs
 * the program asks for that (PERF0_SYS_BENCH_STOP). Code of ring 3 runs between two UD2, which ring
 * 0 takes for the start and the end of counting: neither changes a register, and neither is
 * counted. Code of ring 0 has the master switch for that.
 */
#ifndef PERF0_BENCH_H
#define PERF0_BENCH_H

#include <stdint.h>

#define BENCH_VERSION     3
#define BENCH_EVENTS_MAX  16
#define BENCH_NAME_MAX    127
#define BENCH_DETAIL_MAX  31
#define BENCH_RESULTS_MAX 100000u

#define BENCH_MEASUREMENTS_MOST 1000000ull
#define BENCH_COPIES_MOST       1000000ull
#define BENCH_TURNS_MOST        1000000000ull
#define BENCH_OFFSET_MOST       4095ull
#define BENCH_CYCLE_LAST        1000000000ull /* at which one may end */
#define BENCH_CYCLES_MOST       100000ull     /* of a trace */
#define BENCH_CODE_BYTES_MOST   (16ull << 20) /* of all copies together */

/* Registers of the code that is measured point into the middle of memory of its own each. */
#define BENCH_AREA_BYTES (1ull << 20)

enum bench_flag {
	BENCH_RING0 = 1 << 0,  /* it runs in ring 0, with interrupts off */
	BENCH_BASIC = 1 << 1,  /* no copy against some, and not some against twice as many */
	BENCH_NO_MEM = 1 << 2, /* counters are kept in registers */
	BENCH_DRAIN = 1 << 3,  /* the front end is drained before the code */
	BENCH_TRACE = 1 << 4,  /* cycle by cycle */
	BENCH_PINNED = 1 << 6, /* on one CPU */
	BENCH_WHOLE = 1 << 5,  /* likewise, with all that the harness does beside the code */
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
	uint32_t cpu;              /* that the code runs on, if BENCH_PINNED */
	uint32_t sibling;          /* the other thread of its core, plus 1; 0: there is none */

	/* Of a trace. */
	uint32_t clock, instructions; /* which of the events count cycles, and these */
	uint64_t from, to;            /* cycles, from the code's first one, which is 1; 0: all */
	uint64_t begin;               /* cycles before it, once `known` */
	uint64_t known;               /* 1: by another pass, and so are from and to */
	uint32_t master, unused;      /* the MSR that starts all counters, and stops them */
	uint64_t master_on, master_off;
};

/* What PERF0_SYS_BENCH_STOP takes: of the next run. */
struct bench_stop {
	uint64_t after;       /* cycles; 0: they are not stopped */
	uint64_t start, stop; /* of code in ring 3: where its UD2 are */
};

enum bench_stopped_by { BENCH_NOT_STOPPED, BENCH_STOPPED_BY_CPU, BENCH_STOPPED_BY_NMI };

/* What PERF0_SYS_BENCH_STOPPED tells: of the run behind it. */
struct bench_stopped {
	uint64_t by; /* enum bench_stopped_by */
	uint64_t value[BENCH_EVENTS_MAX];
};

/* What PERF0_SYS_BENCH_TRACE takes, before the first result of a trace. */
struct bench_trace {
	uint64_t from, to;     /* cycles of which there will be results */
	uint64_t begin, end;   /* cycles before the code, and up to where its last one retires */
	uint64_t before;       /* instructions of the harness before the code */
	uint64_t instructions; /* of the code */
	char name[BENCH_NAME_MAX + 1];
};

/* What code raised that PERF0_SYS_BENCH_CALL called. */
struct bench_fault {
	uint64_t vector, rip;
	uint64_t address; /* of a page fault: what was accessed */
};

/* What a result is of its name, for a table that has a row for each name. */
enum bench_role {
	BENCH_PLAIN,
	BENCH_CHAIN,       /* each waits for the one before: its cycles are a latency */
	BENCH_CHAIN_WITH,  /* likewise, with other instructions in the chain: the latency is less */
	BENCH_STREAM,      /* none waits for another */
	BENCH_STREAM_WITH, /* likewise, as other instructions see to it: its cycles alone count */
	BENCH_BYTES,       /* moves `bytes` each time */
	BENCH_ROLES,
};

/* What PERF0_SYS_BENCH_RESULT takes. */
struct bench_result {
	uint32_t version;
	uint32_t nevents;
	uint64_t measurements;
	uint64_t times;  /* the code ran so often in what a value is of */
	uint64_t values; /* address of an int64_t for each event of each measurement */
	uint64_t cycle;  /* of a trace: counters were stopped there; 0: it is none */
	uint64_t by_nmi; /* likewise: measurements that were read by the NMI */
	uint32_t role;   /* enum bench_role */
	uint32_t total;  /* results that the program hands in, if all goes well; 0: it does not tell
			  */
	uint32_t raised; /* the code ended by this exception, plus 1, and there are no values; 0:
			    none */
	uint32_t bytes;
	char name[BENCH_NAME_MAX + 1];
	char detail[BENCH_DETAIL_MAX + 1]; /* of a chain: from where to where */
};

#endif
