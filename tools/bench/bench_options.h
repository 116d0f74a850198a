/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_options.h - what options of `bench` say about the code that is measured. */
#ifndef TOOLS_BENCH_BENCH_OPTIONS_H
#define TOOLS_BENCH_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* In the order in which they run; bench/bench_code.h has them by the same names. */
enum bench_part { BENCH_ONCE, BENCH_INIT, BENCH_LATE_INIT, BENCH_CODE, BENCH_SIBLING, BENCH_PARTS };

struct bench_given {
	const char *assembly[BENCH_PARTS]; /* text; NULL: not given */
	const char *machine[BENCH_PARTS];  /* a file of machine code; NULL: not given */
	bool att;                          /* the text is in AT&T's syntax */
	const char *config;                /* a file of events, as nanoBench has them; NULL: none */
	bool fixed;                        /* the events of fixed counters, too */
	const char *source;                /* in C or C++; NULL: none */
	bool is_cxx;
	const char *cflags; /* NULL: none */
	const char *set;    /* of `latency`; NULL: none was named */
	const char **lists; /* files of `latency` */
	size_t nlists;
};

#endif
