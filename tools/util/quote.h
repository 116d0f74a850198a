/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quote.h - words to a command line that the image splits back into the same words: '...' keeps
 * everything, "..." keeps everything but \" and \\. Commands are separated by the word
 * command_separator, which is told by its address: any other `;` is a word of a command.
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
 * split_at_semicolons() - splits the words of a command line, which ends in NULL: each `;` becomes
 * the separator, and a word of backslashes and a `;` loses the first backslash.
 */
void split_at_semicolons(const char **words);

/*
 * quote_words() - appends `n` words, separated by blanks, to `line`. -EINVAL: a word has a byte
 * that firmware does not carry unchanged (load options are printable ASCII). -E2BIG: the line is
 * longer than the image takes.
 */
int quote_words(struct buf *line, const char *const *words, size_t n, struct reason *why);

/* count_words() - the number of words of a command line that ends in NULL. */
size_t count_words(const char *const *words);

/*
 * The commands of such a command line. command_end() - the separator or the NULL behind the command
 * at `words`. command_next() - the start of the next one. count_commands() - the number of commands
 * that have a word.
 */
const char **command_end(const char **words);
const char **command_next(const char **words);
size_t count_commands(const char *const *words);

#endif
