/* SPDX-License-Identifier: BSD-2-Clause */
/* shape.h - reads `counters=...` of vpmu's options (include/perf0/shape.h). Portable, any context.
 */
#ifndef LIB_WORDS_SHAPE_H
#define LIB_WORDS_SHAPE_H

#include "include/perf0/shape.h"
#include "lib/reason.h"

/*
 * shape_parse() - adds what `text`, NAME:N separated by commas, says. -EINVAL with the reason: a
 * name that there is not, or a number that is missing or cannot be.
 */
int shape_parse(const char *text, struct vpmu_shape *shape, struct reason *why);

/*
 * shape_check() - that its parts go together, and with the personality of that name, whose CPUID
 * must be able to tell them. -EINVAL with the reason.
 */
int shape_check(const struct vpmu_shape *shape, const char *personality, struct reason *why);

#endif
