/* SPDX-License-Identifier: BSD-2-Clause */
/* glob.h - patterns of the shell: * ? [a-z] [!a-z] [^a-z]. Any context. */
#ifndef LIB_GLOB_H
#define LIB_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/*
 * glob_match() - true where `pattern` matches all of `text`. Takes at most ntext * npattern steps,
 * without recursion. A bracket that is not closed matches itself.
 */
bool glob_match(const char *text, size_t ntext, const char *pattern, size_t npattern);

/*
 * glob_set() - the length of the [...] that begins at `at`; the text has `n` more characters there.
 * 0: the bracket is not closed.
 */
size_t glob_set(const char *at, size_t n);

/* glob_is_pattern() - true where the text contains any of * ? [. */
bool glob_is_pattern(const char *text, size_t n);

#endif
