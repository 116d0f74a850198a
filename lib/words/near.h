/* SPDX-License-Identifier: BSD-2-Clause */
/* near.h - words that are one typing mistake apart. Any context. */
#ifndef LIB_WORDS_NEAR_H
#define LIB_WORDS_NEAR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * near_word() - true where one edit turns the `n` characters at `typed` into the word `known`: one
 * character inserted, deleted or replaced, or two neighbours swapped. False for equal words, and
 * for a single character, which is near to any other.
 */
bool near_word(const char *typed, size_t n, const char *known);

#endif
