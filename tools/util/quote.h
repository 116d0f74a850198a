/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quote.h - joins words to a command line that the image splits into the same words: '...' keeps
 * everything, "..." keeps everything but \" and \\. The word command_separator, recognised by its
 * address, separates commands; any other `;` is a word of a command.
 */
#ifndef TOOLS_UTIL_QUOTE_H
#define TOOLS_UTIL_QUOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/util/buf.h"
#include "lib/reason.h"

extern const char command_separator[];

static inline bool is_separator(const char *word)
{
	return word == command_separator;
}

/*
 * split_at_semicolons() - splits a NULL-terminated command line into commands. Each `;` becomes the
 * separator. A word of backslashes and a `;` loses its first backslash.
 */
void split_at_semicolons(const char **words);

/*
 * quote_words() - appends `n` words, separated by blanks, to `line`. -EINVAL with the reason: a
 * word has a byte that firmware does not pass unchanged (load options are printable ASCII). -E2BIG
 * with the reason: the line is too long for the image.
 */
int quote_words(struct buf *line, const char *const *words, size_t n, struct reason *why);

/* count_words() - returns the number of words of a NULL-terminated command line. */
size_t count_words(const char *const *words);

/*
 * Functions for the commands of such a command line. command_end() - returns the separator or the
 * NULL behind the command at `words`. command_next() - returns the start of the next command.
 * count_commands() - returns the number of commands that have a word.
 */
const char **command_end(const char **words);
const char **command_next(const char **words);
size_t count_commands(const char *const *words);

#endif
