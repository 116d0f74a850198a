/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_list.h - reads a file of pieces of code, one in each line: a name without blanks, a colon, a
 * blank, and statements as `bench --asm` takes them. Blank lines and comments (# up to the line's
 * end, outside of quotes) are skipped.
 *
 * A wrong line is a piece, too, with the reason in place of its code. So the number of a piece
 * depends on the file alone, and no line is lost.
 */
#ifndef TOOLS_BENCH_CODE_LIST_H
#define TOOLS_BENCH_CODE_LIST_H

#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/index.h"

struct listed_code {
	char *name;    /* "line 7" where the line has none */
	char *code;    /* NULL: the line is wrong */
	char *problem; /* NULL: none; begins with the place */
	char *place;   /* FILE:LINE */
	size_t column; /* of the code, from 1 */
};

struct code_list {
	struct listed_code *one;
	size_t n;
	struct index names;
};

/* code_list_read() - reads `path`. -E with the reason: it cannot be read, or it has no piece. The
 * caller calls code_list_free() in both cases. */
int code_list_read(struct code_list *list, const char *path, struct reason *why);
void code_list_free(struct code_list *list);

#endif
