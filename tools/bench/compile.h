/* SPDX-License-Identifier: BSD-2-Clause */
/* compile.h - builds a program from a C or C++ source whose functions are to be measured
 * (bench/perf0_bench.h), with the host's compiler. */
#ifndef TOOLS_BENCH_COMPILE_H
#define TOOLS_BENCH_COMPILE_H

#include "lib/reason.h"
#include "tools/bench/bench_options.h"

/* bench_compile() - writes the file `program`. The compiler's messages are printed unchanged. -E
 * with the reason. */
int bench_compile(const struct bench_options *options, const char *program, struct reason *why);

#endif
