/* SPDX-License-Identifier: BSD-2-Clause */
/* explain_bench.h - `bench --explain`: what limits the measured code in a model of the core. */
#ifndef TOOLS_EXPLAIN_EXPLAIN_BENCH_H
#define TOOLS_EXPLAIN_EXPLAIN_BENCH_H

#include "tools/bench/bench_options.h"
#include "tools/explain/explain_options.h"

/* explain_bench() - in the core of the personality `uarch`; nothing runs. `words`: the command
 * line. Returns the exit status, after a message. */
int explain_bench(const struct bench_options *bench, const char *uarch,
		  const struct explain_options *options, const char *const *words);

#endif
