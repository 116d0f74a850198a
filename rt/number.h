/* SPDX-License-Identifier: BSD-2-Clause */
/* number.h - numbers that people type. Portable, any context. */
#ifndef RT_NUMBER_H
#define RT_NUMBER_H

#include <stdint.h>

/*
 * number_parse() - a whole number: decimal or 0x hexadecimal, with an optional k, M or G (10^3,
 * 10^6, 10^9). Returns 0, -EINVAL for anything else, -ERANGE above 2^64 - 1.
 */
int number_parse(const char *text, uint64_t *value);

/* number_seconds() - decimal seconds, up to nine digits after the point, as ns. Same errors. */
int number_seconds(const char *text, uint64_t *ns);

#endif
