/* SPDX-License-Identifier: BSD-2-Clause */
/* ascii.h - letters without a locale. Pure, any context. */
#ifndef LIB_ASCII_H
#define LIB_ASCII_H

/* ascii_lower() - a capital as the small letter; any other character as it is. */
static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif
