/* SPDX-License-Identifier: BSD-2-Clause */
/* explain_bench.h - `bench --explain`: what limits the measured code in a model of the core. */
#ifndef TOOLS_EXPLAIN_EXPLAIN_BENCH_H
#define TOOLS_EXPLAIN_EXPLAIN_BENCH_H

#include "tools/bench/bench_options.h"
#include "tools/explain/explain_options.h"
#include "tools/util/buf.h"

/* explain_bench() - in the core of the personality `uarch`; nothing runs. `words`: the command
 * line. Returns the exit status, after a message. */
int explain_bench(const struct bench_options *bench, const char *uarch,
		  const struct explain_options *options, const char *const *words);

/* explain_bench_section() - adds a section for the page of a trace: the code, and when each of its
 * micro-operations executes in the core of `uarch`; nothing where there is no model of it. */
void explain_bench_section(struct buf *out, const struct bench_options *bench, const char *uarch);

#endif
