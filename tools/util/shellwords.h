/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shellwords.h - splits a line into commands and their words like a shell. Blanks separate words,
 * and `;` separates commands. '...' keeps everything; "..." keeps everything except what a
 * backslash precedes ("\""); a backslash elsewhere keeps the next character. `#` at the start of a
 * word begins a comment, and ~/ there is $HOME/. Other syntax of shells (variables, pipes,
 * redirections) is refused.
 */
#ifndef TOOLS_UTIL_SHELLWORDS_H
#define TOOLS_UTIL_SHELLWORDS_H

#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

struct shellwords {
	const char **word; /* NULL behind the last word of each command */
	size_t nwords;     /* number of entries, with the NULLs */
	size_t ncommands;  /* none is empty */
	struct buf text;
};

/*
 * shellwords_split() - splits `line`. Returns 0, and the caller frees `out`; -EINVAL with the
 * column, from 1, and the reason; -EAGAIN with the reason: the line ends in a backslash, so the
 * next line continues it.
 */
int shellwords_split(struct shellwords *out, const char *line, struct reason *why);
void shellwords_free(struct shellwords *words);

/*
 * shellwords_begin() - returns the offset of the last, unfinished word of `line`. The text before
 * it can be split into commands. The word belongs to the last of these, or to a new command.
 */
size_t shellwords_begin(const char *line);

#endif
