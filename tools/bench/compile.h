/* SPDX-License-Identifier: BSD-2-Clause */
/* compile.h - makes a program of a source in C or C++ with functions that are to be measured
 * (bench/perf0_bench.h), by the host's compiler. */
#ifndef TOOLS_BENCH_COMPILE_H
#define TOOLS_BENCH_COMPILE_H

#include "lib/reason.h"
#include "tools/bench/bench_options.h"

/* bench_compile() - into the file `program`. What the compiler says is printed as it is; -E with
 * the reason. */
int bench_compile(const struct bench_given *given, const char *program, struct reason *why);

#endif
