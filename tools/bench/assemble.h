/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assemble.h - builds a program from the assembly that is to be measured. Binutils assemble it and
 * link it to the harness (bench/harness.c).
 */
#ifndef TOOLS_BENCH_ASSEMBLE_H
#define TOOLS_BENCH_ASSEMBLE_H

#include "lib/reason.h"
#include "tools/bench/bench_options.h"
#include "tools/util/buf.h"

/*
 * bench_assemble() - writes the file `program`, with temporary files in the folder `folder`. -E
 * with the reason. A mistake in the assembly is reported with its option and column.
 */
int bench_assemble(const struct bench_options *options, const char *folder, const char *program,
		   struct reason *why);

/* bench_assemble_code() - appends the bytes of the measured code to `code`. `folder` as above.
 * Returns 0, or -E with the reason. */
int bench_assemble_code(const struct bench_options *options, const char *folder, struct buf *code,
			struct reason *why);

#endif
