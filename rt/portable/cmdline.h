/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmdline.h - splits a command line as a shell does. Blanks separate words. '...' keeps everything;
 * "..." keeps everything except \" and \\. Outside of quotes a backslash keeps the next quote,
 * blank, semicolon or backslash; otherwise it stands for itself, so a UEFI path needs no doubling.
 * A lone `;` separates commands.
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
 * cmdline_split() - splits the first command of `line`, which is changed in place and has to stay.
 * 0; -EINVAL: a quote is not closed; -E2BIG: too many words.
 */
int cmdline_split(char *line, struct cmdline *out, struct cmdline_error *error);

#endif
