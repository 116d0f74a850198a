/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_options.h - the values of the options of `bench` that describe the measured code. */
#ifndef TOOLS_BENCH_BENCH_OPTIONS_H
#define TOOLS_BENCH_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* The parts of the code, in the order in which they run. bench/bench_code.h has the same names. */
enum bench_part { BENCH_ONCE, BENCH_INIT, BENCH_LATE_INIT, BENCH_CODE, BENCH_SIBLING, BENCH_PARTS };

struct bench_options {
	const char *assembly[BENCH_PARTS]; /* text; NULL: not given */
	const char *machine[BENCH_PARTS];  /* a file of machine code; NULL: not given */
	bool att;                          /* the text is in AT&T's syntax */
	const char *config;                /* a file of events in nanoBench's format; NULL: none */
	bool fixed;                        /* count the fixed counters' events, too */
	const char *source;                /* a source file in C or C++; NULL: none */
	bool is_cxx;
	const char *cflags;     /* NULL: none */
	bool explain;           /* tell what limits the code, and do not run it */
	const char *list;       /* a file of named code (code_list.h); NULL: none */
	unsigned shard, shards; /* of that file; 0: all */
	bool json;              /* -j; kept for the image, too */
	const char *separator;  /* -x; kept for the image, too; NULL: not given */
	const char *title;      /* name of the results; NULL: the code */
	const char *place;      /* FILE:LINE of the code, for messages; NULL: it is in an option */
	size_t column;          /* of the code in that line, from 1 */
	const char *set;        /* a set of `latency`; NULL: none was named */
	const char **lists;     /* files of instructions for `latency` */
	size_t nlists;
};

#endif
