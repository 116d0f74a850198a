/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign.h - the machine's text on its way to a terminal, or to a file that the tool's own lines
 * go to as well. Lines and tabs stay, and so does a backspace where the machine echoes what is
 * typed; every other character is plain (lib/plain.h). Text comes in pieces, which may end within a
 * character.
 *
 * The tool's own lines begin with `perf0:` or `[ perf0:`. A line of the machine that would begin so
 * gets a `>` in front: what could be the beginning of such a line waits for the next piece. Where a
 * keyboard's echo is shown nothing waits, and lines can change by backspaces: there the `>` stands
 * before the colon.
 */
#ifndef TOOLS_UTIL_FOREIGN_H
#define TOOLS_UTIL_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/util/buf.h"

#define FOREIGN_BEGIN 8 /* columns of a line whose content matters: those of `[ perf0:` */

/* Zeroed: at the begin of a line. */
struct foreign {
	bool echoes;              /* backspaces stay */
	char held[FOREIGN_BEGIN]; /* of a character, or of a line like the tool's, that is not whole
				   */
	size_t nheld;             /* bytes */
	char begin[FOREIGN_BEGIN]; /* of the line, as it stands on the terminal */
	size_t column;             /* where the next character goes */
};

/* foreign_add() - appends to `out` what is to be shown of the next `n` bytes. */
void foreign_add(struct foreign *foreign, struct buf *out, const char *text, size_t n);

/* foreign_end() - the text ends, or other text comes between: a character that is not whole yet
 * never will be. */
void foreign_end(struct foreign *foreign, struct buf *out);

/* foreign_new_line() - the tool has ended the line. */
void foreign_new_line(struct foreign *foreign);

#endif
