/* SPDX-License-Identifier: BSD-2-Clause */
/* number.h - numbers that people type. Portable, any context. */
#ifndef LIB_WORDS_NUMBER_H
#define LIB_WORDS_NUMBER_H

#include <stdint.h>

/*
 * number_parse() - reads a whole number: decimal or 0x hexadecimal, with an optional k, M or G
 * (10^3, 10^6, 10^9). Returns 0, -EINVAL for anything else, -ERANGE above 2^64 - 1.
 */
int number_parse(const char *text, uint64_t *value);

/*
 * number_seconds() - reads decimal seconds, with up to nine digits after the point, as ns. Same
 * errors.
 */
int number_seconds(const char *text, uint64_t *ns);

/*
 * number_pages() - reads a number of 4 KiB pages, or of bytes with B, K, M or G (1, 2^10, 2^20,
 * 2^30). The result is pages, rounded up to a power of two. Same errors; -ERANGE also for 0.
 */
int number_pages(const char *text, uint64_t *pages);

/*
 * number_range() - reads "FROM-TO", both as number_parse() does. Returns 0, -EINVAL for anything
 * else, -ERANGE where TO is less than FROM.
 */
int number_range(const char *text, uint64_t *from, uint64_t *to);

#endif
