/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suites.h - the harnesses of benchmarks, and programs with several benchmarks, which list their
 * names: Google Benchmark, criterion, libtest, Go, Catch2, PERF0_BENCH() of perf0_bench.h.
 * nanobench has no list.
 */
#ifndef TOOLS_GATE_SUITES_H
#define TOOLS_GATE_SUITES_H

#include "tools/gate/benchmarks.h"
#include "tools/options/tool_options.h"
#include "tools/profile/profile_run.h"

/*
 * suites_expand() - replaces each suite in `benchmarks` by its own benchmarks, named NAME/ITS-NAME.
 * Runs the programs on the standing machine to list them. The functions of `profile`, unless NULL,
 * get their roles in the suites' loops. Returns 0, or the status after a message.
 */
int suites_expand(struct benchmarks *benchmarks, const struct options *options,
		  struct profile_run *profile);

#endif
