/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assemble.h - makes a program of code that is to be measured: binutils assemble it and link it to
 * the harness (bench/harness.c).
 */
#ifndef TOOLS_BENCH_ASSEMBLE_H
#define TOOLS_BENCH_ASSEMBLE_H

#include "lib/reason.h"
#include "tools/bench/bench_options.h"

/*
 * bench_assemble() - into the file `program`, with files of its own in the folder `folder`. -E with
 * the reason: of text that is no assembly, the option and the column.
 */
int bench_assemble(const struct bench_given *given, const char *folder, const char *program,
		   struct reason *why);

#endif
