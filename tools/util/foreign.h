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

#define FOREIGN_BEGIN 8 /* columns of a line that matter: the length of `[ perf0:` */

/* Zeroed: at the start of a line. */
struct foreign {
	bool echoes;               /* backspaces stay */
	char held[FOREIGN_BEGIN];  /* an incomplete character, or an incomplete beginning like the
				      tool's */
	size_t nheld;              /* bytes */
	char begin[FOREIGN_BEGIN]; /* the line's first columns, as the terminal shows them */
	size_t column;             /* of the next character */
};

/* foreign_add() - appends the visible form of the next `n` bytes to `out`. */
void foreign_add(struct foreign *foreign, struct buf *out, const char *text, size_t n);

/*
 * foreign_end() - ends the text, or lets other text come between: an incomplete character stays
 * incomplete.
 */
void foreign_end(struct foreign *foreign, struct buf *out);

/* foreign_new_line() - the tool has ended the line. */
void foreign_new_line(struct foreign *foreign);

#endif
