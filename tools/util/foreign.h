/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign.h - filters the machine's text for a terminal, or for a file that the tool's own lines go
 * to as well. Lines and tabs stay, and so does a backspace in the echo of typed keys. Every other
 * character becomes plain (lib/plain.h). Text comes in pieces, which may end inside of a character.
 *
 * The tool's own lines begin with `perf0:` or `[ perf0:`. A line of the machine with such a
 * beginning gets a `>` in front. Text that may become such a beginning waits for the next piece. In
 * the echo of a keyboard no text waits, and backspaces change lines: there the `>` stands before
 * the colon.
 */
#ifndef TOOLS_UTIL_FOREIGN_H
#define TOOLS_UTIL_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/util/buf.h"

#define FOREIGN_BEGIN 8 /* columns to compare: the length of `[ perf0:` */

/* The state of the filter. Zeroes mean the start of a line. */
struct foreign {
	bool echoes;               /* echo of a keyboard: backspaces stay */
	char held[FOREIGN_BEGIN];  /* an incomplete character, or a possible beginning */
	size_t nheld;              /* bytes */
	char begin[FOREIGN_BEGIN]; /* first columns of the line, as the terminal shows them */
	size_t column;             /* column of the next character */
};

/* foreign_add() - appends the visible form of the next `n` bytes to `out`. */
void foreign_add(struct foreign *foreign, struct buf *out, const char *text, size_t n);

/*
 * foreign_end() - ends the text, or a part that other text follows. An incomplete character stays
 * incomplete.
 */
void foreign_end(struct foreign *foreign, struct buf *out);

/* foreign_new_line() - starts a new line, after the tool has ended the line. */
void foreign_new_line(struct foreign *foreign);

#endif
