/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shape_words.h - parses `counters=...` of vpmu's options (include/perf0/shape.h). Portable, any
 * context.
 */
#ifndef LIB_WORDS_SHAPE_WORDS_H
#define LIB_WORDS_SHAPE_WORDS_H

#include "include/perf0/shape.h"
#include "lib/reason.h"

/*
 * shape_parse() - adds the NAME:N words of `text`, separated by commas. -EINVAL with the reason: an
 * unknown name, or a missing or impossible number.
 */
int shape_parse(const char *text, struct vpmu_shape *shape, struct reason *why);

/*
 * shape_check() - checks that the parts agree with each other and with the personality of that
 * name, whose CPUID must be able to report them. -EINVAL with the reason.
 */
int shape_check(const struct vpmu_shape *shape, const char *personality, struct reason *why);

#endif
