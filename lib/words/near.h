/* SPDX-License-Identifier: BSD-2-Clause */
/* near.h - words that are one typing mistake apart. Any context. */
#ifndef LIB_WORDS_NEAR_H
#define LIB_WORDS_NEAR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * near_word() - one character put in, left out or replaced, or two neighbours swapped, make the `n`
 * characters at `typed` the word `known`. False for words that are equal, and for a single
 * character, which is near to any other.
 */
bool near_word(const char *typed, size_t n, const char *known);

#endif
