/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_source.h - statements of an option's text as lines of a file for the assembler, one in each,
 * so that what it says of a line is told of the column where that statement was typed.
 */
#ifndef TOOLS_BENCH_CODE_SOURCE_H
#define TOOLS_BENCH_CODE_SOURCE_H

#include <stddef.h>

#include "lib/reason.h"
#include "tools/bench/bench_options.h"
#include "tools/util/buf.h"

struct source_line {
	enum bench_part part;
	size_t column; /* from 1; 0: no statement of the user's */
};

struct source {
	struct buf text;
	struct buf lines; /* struct source_line of each line of it */
};

/* source_make() - all parts of `given`, between the symbols that bench/bench_code.h names. -EINVAL
 * with the reason: `|n` is no NOP. source_free() - in both cases. */
int source_make(struct source *source, const struct bench_given *given, struct reason *why);
void source_free(struct source *source);

/* source_refuse() - `message` is what the assembler said of line `line` (from 1). Returns -EINVAL,
 * with the option and the column. */
int source_refuse(const struct source *source, size_t line, const char *message,
		  struct reason *why);

/* source_option() - "--asm-init": what gives a part as text, or as machine code. */
const char *source_option(enum bench_part part, bool is_machine);

#endif
