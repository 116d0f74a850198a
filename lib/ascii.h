/* SPDX-License-Identifier: BSD-2-Clause */
/* ascii.h - letter case without a locale. Pure functions, any context. */
#ifndef LIB_ASCII_H
#define LIB_ASCII_H

/*
 * ascii_lower() - converts a capital letter to a small one and returns any other character
 * unchanged.
 */
static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif
