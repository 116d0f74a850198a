/* SPDX-License-Identifier: BSD-2-Clause */
/* benchmarks.h - what the gate measures: programs with arguments, by name. */
#ifndef TOOLS_GATE_BENCHMARKS_H
#define TOOLS_GATE_BENCHMARKS_H

#include <stdbool.h>
#include <stddef.h>

#define MEASURE_PROCESS "process"
#define MEASURE_REGIONS "regions"

struct benchmark {
	char *name;
	const char **word;     /* program and arguments, ended by NULL */
	const char *events;    /* NULL: those of all benchmarks */
	bool same_clock;       /* the second run has the same clocks: the work depends on them */
	bool same_seed;        /* the second run has the same random numbers */
	const char *tolerance; /* see tolerance.h; NULL: that of all benchmarks */
	/* Patterns of the functions that are measured, alternatives behind a `|`; MEASURE_PROCESS;
	 * MEASURE_REGIONS; NULL: that of the suite, else the process. */
	char *measure;
	const struct harness_loop *loop; /* of the suite; NULL: none */
};

/* The benchmarks of a gate. A zeroed struct has none. */
struct benchmarks {
	struct benchmark *one;
	size_t n;
};

#endif
