/* SPDX-License-Identifier: BSD-2-Clause */
/* listed.h - the words of a list, NAME or NAME:N, separated by commas. Portable, any context. */
#ifndef LIB_WORDS_LISTED_H
#define LIB_WORDS_LISTED_H

#include <stdbool.h>

struct listed_word {
	char text[32];      /* the word as it was typed */
	unsigned name;      /* length of the name at the start of `text` */
	const char *number; /* the text after the colon, in `text`; NULL: no colon */
};

/*
 * listed_next() - copies the word at *list and moves *list to the next one, or to NULL after the
 * last. False: the word is too long, and *list stays.
 */
bool listed_next(const char **list, struct listed_word *word);

/* listed_is() - true where the word has that name. */
bool listed_is(const struct listed_word *word, const char *name);

#endif
