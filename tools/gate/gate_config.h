/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gate_config.h - perf0.toml: lists the benchmarks, and how they are judged.
 *
 *   [gate]
 *   baseline = "perf0.baseline"     file of the committed numbers, beside perf0.toml
 *   uarch = "skx"
 *   cpu-features = "x86-64-v2"      the CPU that programs find
 *   events = "instructions:u,loads" or an array of events
 *   tolerance = "0.5%"              or a number of events; "cycles:u=1%,5" or an array of such
 *
 *   [[benchmark]]
 *   name = "parse"                  default: program and arguments
 *   program = "build/bench"         without a slash: a workload of perf0, or in PATH;
 *                                   with a *: the newest file of that name
 *   args = ["parse", "1000"]
 *   events = ..., tolerance = ...   for this benchmark alone
 *   measure = "function:parse_*"    only what is executed in these functions and what they call;
 *                                   or "process"; or "regions", which the program marks
 *   same-clock = true               it may depend on the time, which is the same in each run
 *   same-seed = true                it may depend on random numbers, which are the same in each run
 */
#ifndef TOOLS_GATE_GATE_CONFIG_H
#define TOOLS_GATE_GATE_CONFIG_H

#include "lib/reason.h"
#include "tools/gate/benchmarks.h"
#include "tools/util/index.h"

/* Name of the baseline if none is given. */
#define GATE_BASELINE "perf0.baseline"

/* The settings of a gate. A zeroed struct has none. */
struct gate_config {
	char *baseline;           /* path of the baseline; NULL: no file was read */
	char *events, *tolerance; /* NULL: not set */
	const char *uarch;
	unsigned program_level; /* of x86-64; 0: not set */
	struct benchmarks benchmarks;
	struct index names; /* names of the benchmarks in the file */
};

/*
 * gate_config_read() - reads the file at `path` into the empty `config`. Paths in it are relative
 * to its own folder, where the baseline is by default. -E with the file's name and, for a mistake,
 * its line and column.
 */
int gate_config_read(struct gate_config *config, const char *path, struct reason *why);

/*
 * gate_config_add() - adds a benchmark of NULL-terminated words; `name` NULL: the name is made from
 * the words.
 */
struct benchmark *gate_config_add(struct benchmarks *benchmarks, const char *name,
				  const char *const *words);

void gate_config_free(struct gate_config *config);
void benchmarks_free(struct benchmarks *benchmarks);

#endif
