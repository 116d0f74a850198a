/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - the options of the host tool's and the image's commands: the type of the rows of
 * option_rows.h. lib/words/option_words.h parses command lines by these rows, in both programs.
 */
#ifndef PERF0_OPTIONS_H
#define PERF0_OPTIONS_H

#include "include/perf0/bench.h"
#include "include/perf0/doctor_checks.h"
#include "include/perf0/personalities.h"

#include <stdint.h>

/* Commands that take an option, as bits: first those of the host tool, then those of the image. */
enum option_taker {
	TAKER_RUN = 1 << 0,
	TAKER_STAT = 1 << 1,
	TAKER_RECORD = 1 << 2,
	TAKER_CAPS = 1 << 3,
	TAKER_LIST = 1 << 4,
	TAKER_DECODE = 1 << 5,
	TAKER_TOP = 1 << 6,
	TAKER_ATTACH = 1 << 7,
	TAKER_PLAN = 1 << 8,
	TAKER_NAMES = 1 << 9, /* list --json and --no-boot, which boot no machine */
	TAKER_CACHE = 1 << 10,
	TAKER_SHELL = 1 << 11,
	TAKER_USB = 1 << 12,
	TAKER_RESULTS = 1 << 13,
	TAKER_BENCH = 1 << 14,
	TAKER_GATE = 1 << 15,

	IMAGE_STAT = 1 << 16,
	IMAGE_RECORD = 1 << 17,
	IMAGE_TRACE = 1 << 18,
	IMAGE_CAPS = 1 << 19,
	IMAGE_PLAN = 1 << 20,
	IMAGE_WATCHDOG = 1 << 21,
	IMAGE_LIST = 1 << 22, /* no row names it */
	IMAGE_SELFTEST = 1 << 23,
	IMAGE_MACHINE = 1 << 24,
	IMAGE_COSTS = 1 << 25,
	IMAGE_BENCH = 1 << 26,

	/* More commands of the host tool. */
	TAKER_MERGE = 1 << 27, /* gate merge */
	TAKER_DIFF = 1 << 28,
	TAKER_LATENCY = 1 << 29,
	/* Commands that start guests of vpmu other than the image. */
	TAKER_BOOT = 1 << 30,
	TAKER_LINUX = 1ll << 31,
	TAKER_QEMU_ARGS = 1ll << 32,
	TAKER_PROFILE = 1ll << 33,
	TAKER_AS_CALLGRIND = 1ll << 34,
	TAKER_PGO = 1ll << 35,
	TAKER_EXPLAIN = 1ll << 36,
	TAKER_DOCTOR = 1ll << 37,
	IMAGE_DOCTOR = 1ll << 38,
	TAKER_REPORT = 1ll << 39,
	TAKER_THERE = 1ll << 40,

	/* Commands that pass their other words to the image. */
	TAKERS_IMAGE = TAKER_STAT | TAKER_RECORD | TAKER_CAPS | TAKER_LIST | TAKER_TOP |
		       TAKER_BENCH | TAKER_LATENCY | TAKER_DOCTOR,
	/* Commands that one machine can run one after the other. */
	TAKERS_LINE = TAKER_RUN | TAKER_STAT | TAKER_RECORD | TAKER_CAPS | TAKER_LIST |
		      TAKER_BENCH | TAKER_LATENCY | TAKER_DOCTOR,
	/* Commands that start programs of the user. */
	TAKERS_PROGRAMS = TAKER_RUN | TAKER_STAT | TAKER_RECORD | TAKER_TOP | TAKER_ATTACH |
			  TAKER_BENCH | TAKER_GATE | TAKER_PROFILE | TAKER_AS_CALLGRIND |
			  TAKER_PGO | TAKER_EXPLAIN | TAKER_THERE,
	TAKERS_RECORDS = TAKER_RUN | TAKER_STAT | TAKER_RECORD | TAKER_DECODE | TAKER_ATTACH,
	TAKERS_PROFILE = TAKER_STAT | TAKER_PROFILE,
	TAKERS_MACHINE = TAKER_RUN | TAKERS_IMAGE | TAKER_CACHE | TAKER_SHELL | TAKER_GATE |
			 TAKER_PROFILE | TAKER_AS_CALLGRIND | TAKER_PGO | TAKER_EXPLAIN,
	TAKERS_GUEST = TAKER_BOOT | TAKER_LINUX | TAKER_QEMU_ARGS,
	/* Commands with options for vpmu's personality and for its machine. */
	TAKERS_VPMU = TAKERS_MACHINE | TAKERS_GUEST,
	TAKERS_GATE = TAKER_GATE | TAKER_MERGE,
	TAKERS_EVENT_FILE = TAKER_RUN | TAKER_SHELL | TAKER_STAT | TAKER_RECORD | TAKER_TOP |
			    TAKER_BENCH | TAKER_GATE | TAKER_PLAN | TAKER_NAMES,
	TAKERS_FORMS = TAKER_RECORD | TAKER_DECODE | TAKER_ATTACH,
	TAKERS_PLAN = TAKER_PLAN | IMAGE_PLAN,
	IMAGE_MEASURES = IMAGE_STAT | IMAGE_RECORD | IMAGE_TRACE,
	IMAGE_QUIETS = IMAGE_STAT | IMAGE_RECORD | IMAGE_COSTS | IMAGE_BENCH,
};

enum option_kind {
	OPTION_FLAG,      /* no operand */
	OPTION_TIMES,     /* no operand; counts how often it is given */
	OPTION_NUMBER,    /* as lib/words/number.h reads it, min to max */
	OPTION_RATE,      /* the same, or "max" */
	OPTION_SIZE,      /* bytes: decimal, with an optional K, M, G or T (2^10...); not 0 */
	OPTION_PAGES,     /* N or N,M as number_pages() reads them */
	OPTION_CPUS,      /* 0-2,4 */
	OPTION_NODES,     /* the same for memory nodes */
	OPTION_WORD,      /* one of the words of the operand: "on|off" */
	OPTION_MOST,      /* the same as OPTION_NUMBER, or nothing: needs --name=N */
	OPTION_TEXT,      /* any text; not empty if `what` is set */
	OPTION_UNWIND,    /* a way of finding callers: fp, dwarf[,BYTES], lbr, none */
	OPTION_CLOCK,     /* a clock of clock_gettime(2): mono, CLOCK_TAI, 4 */
	OPTION_BRANCHES,  /* kinds of branches to record: any,u,call,... */
	OPTION_REGISTERS, /* AX,BX,... or nothing: needs --name=LIST, or -xLIST */
	OPTION_RANGE,     /* FROM-TO, min to max, or nothing: needs --name=FROM-TO */
	OPTION_LIST,      /* any text; may be given several times */
};

/* The headline of the help under which an option stands. */
enum option_group {
	GROUP_MEASURE,
	GROUP_BENCH,
	GROUP_GATE,
	GROUP_TARGET,
	GROUP_FIELDS,
	GROUP_PLAN,
	GROUP_OUTPUT,
	GROUP_PROGRAMS,
	GROUP_MACHINE,
	OPTION_GROUPS,
};

struct option_row {
	uint64_t takers;  /* enum option_taker */
	char letter;      /* 0: none */
	const char *name; /* without dashes; NULL: none */
	enum option_kind kind;
	const char *operand; /* as shown in help; NULL: none */
	enum option_group group;
	const char *help; /* one sentence */
	uint64_t min, max;
	const char *fallback; /* default value; NULL: none */
	const char *what; /* names a valid operand, in "... is not ..."; NULL: the kind names it */
	const char
		*words; /* OPTION_WORD: the words if they are too many to show; NULL: `operand` */
};

#define OPTION_MUX_LEAST_US    100
#define OPTION_MUX_MOST_US     1000000
#define OPTION_ROWS_MOST       1000000
#define OPTION_RUNS_MOST       100000
#define OPTION_INTERVAL_LEAST  10 /* ms */
#define OPTION_TIMEOUT_MOST_MS 3600000
#define OPTION_PERIOD_MOST     (1ull << 60)
#define OPTION_FRAMES_MOST     127
#define OPTION_PAGES_MOST      16384
#define OPTION_LOCKUP_MOST     60 /* seconds */
#define OPTION_SLEEP_MOST_MS   86400000
#define OPTION_TICKS_MOST      1000000
#define OPTION_SECONDS_MOST    86400
#define OPTION_DELAY_MOST      3600
#define OPTION_BAUD_MOST       115200
#define OPTION_CPU_LAST        1023
#define OPTION_COMMAND_MOST    0xfffffffeu

/* OPT_UARCH, ... */
enum option_id {
#define OPTION(id, ...) OPT_##id,
#include "include/perf0/option_rows.h"
	OPTIONS,
};

/* Further facts of a command line for the rules of option_rules.h. */
enum option_fact {
	FACT_TRACES = OPTIONS, /* one of its events traces into an AUX area */
	FACT_AUX_PAGES,        /* OPT_MMAP_PAGES has a second number */
	OPTION_FACTS_END,
};

#endif
