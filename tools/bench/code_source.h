/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_source.h - turns the statements of an option's text into lines of an assembly file, one
 * statement in each line. An error in a line is then reported at the column of its statement.
 */
#ifndef TOOLS_BENCH_CODE_SOURCE_H
#define TOOLS_BENCH_CODE_SOURCE_H

#include <stddef.h>

#include "lib/reason.h"
#include "tools/bench/bench_options.h"
#include "tools/util/buf.h"

struct source_line {
	enum bench_part part;
	size_t column; /* from 1; 0: the line is not the user's */
};

struct source {
	struct buf text;
	struct buf lines;  /* a struct source_line for each line of `text` */
	const char *place; /* as in bench_options.h */
	size_t column;
};

/* source_make() - writes all parts of `options` between the symbols of bench/bench_code.h. -EINVAL
 * with the reason: `|n` is no NOP. The caller calls source_free() in both cases. */
int source_make(struct source *source, const struct bench_options *options, struct reason *why);
void source_free(struct source *source);

/* source_refuse() - reports the assembler's `message` about line `line` (from 1) at its option
 * and column. Returns -EINVAL. */
int source_refuse(const struct source *source, size_t line, const char *message,
		  struct reason *why);

/*
 * source_option() - returns the option, such as "--asm-init", that gives a part as text or as
 * machine code.
 */
const char *source_option(enum bench_part part, bool is_machine);

#endif
