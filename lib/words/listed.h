/* SPDX-License-Identifier: BSD-2-Clause */
/* listed.h - the words of a list, NAME or NAME:N, separated by commas. Portable, any context. */
#ifndef LIB_WORDS_LISTED_H
#define LIB_WORDS_LISTED_H

#include <stdbool.h>

struct listed_word {
	char text[32];      /* as it stands there */
	unsigned name;      /* so many characters of it are its name */
	const char *number; /* what stands behind the colon, in `text`; NULL: there is none */
};

/*
 * listed_next() - the word at *list, which moves to the next one; behind the last one it is NULL.
 * False: the word is too long, and nothing has moved.
 */
bool listed_next(const char **list, struct listed_word *word);

/* listed_is() - that is the word's name. */
bool listed_is(const struct listed_word *word, const char *name);

#endif
