/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shellwords.h - splits a line into commands and their words as a shell does: blanks separate
 * words,
 * `;` separates commands; '...' keeps everything; "..." keeps everything but what a backslash
 * precedes ("\""); a backslash elsewhere keeps the next character; `#` at the start of a word
 * begins a comment; ~/ at the start of a word is $HOME/. What a shell would do beyond that
 * (variables, pipes, redirections) is refused, not taken for letters.
 */
#ifndef TOOLS_UTIL_SHELLWORDS_H
#define TOOLS_UTIL_SHELLWORDS_H

#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

struct shellwords {
	const char **word; /* NULL behind the last word of each command */
	size_t nwords;     /* with the NULLs */
	size_t ncommands;  /* none is empty */
	struct buf text;
};

/*
 * shellwords_split() - splits `line`. Returns 0; -EINVAL with the column, from 1, and the reason;
 * -EAGAIN with the reason: it ends in a backslash, so another line continues it. After 0 the caller
 * frees `out`.
 */
int shellwords_split(struct shellwords *out, const char *line, struct reason *why);
void shellwords_free(struct shellwords *words);

/*
 * shellwords_begin() - the start of the last, unfinished word of `line`. The text before it splits
 * into commands; the last of them is the word's, or is empty.
 */
size_t shellwords_begin(const char *line);

#endif
