/* SPDX-License-Identifier: BSD-2-Clause */
/* ascii.h - kinds and case of characters without a locale. Pure functions, any context. */
#ifndef LIB_ASCII_H
#define LIB_ASCII_H

#include <stdbool.h>

/*
 * ascii_lower() - converts a capital letter to a small one and returns any other character
 * unchanged.
 */
static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* ascii_is_blank() - returns whether `c` is a space or a tab. */
static inline bool ascii_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* ascii_is_digit() - returns whether `c` is one of 0 to 9. */
static inline bool ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

#endif
