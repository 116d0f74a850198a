/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmdline.h - splits a command line as a shell does: blanks separate words; '...' keeps everything;
 * "..." keeps everything but \" and \\; a backslash outside of quotes keeps the next quote, blank,
 * semicolon or backslash and is itself otherwise (a UEFI path needs no doubling); a lone `;`
 * separates commands.
 *
 * Portable: no machine, no state. Any context.
 */
#ifndef RT_PORTABLE_CMDLINE_H
#define RT_PORTABLE_CMDLINE_H

#include <stddef.h>

#define CMDLINE_MAX_ARGS 64

struct cmdline {
	int argc;
	char *argv[CMDLINE_MAX_ARGS + 1]; /* NULL-terminated */
	char *rest; /* after the separating `;`, NULL at the end of the line */
};

struct cmdline_error {
	size_t column; /* from 1 */
	const char *reason;
};

/*
 * cmdline_split() - the first command of `line`, which is changed in place and must stay alive.
 * Returns 0, -EINVAL for a quote that is not closed, -E2BIG for too many words.
 */
int cmdline_split(char *line, struct cmdline *out, struct cmdline_error *error);

#endif
