/* SPDX-License-Identifier: BSD-2-Clause */
/* operands.h - whether a command of the image takes the words behind its options. Any context. */
#ifndef LIB_WORDS_OPERANDS_H
#define LIB_WORDS_OPERANDS_H

#include "include/perf0/registered.h"
#include "lib/reason.h"

/*
 * operands_check() - `words`, terminated by NULL, for `c`. -EINVAL with the reason, and with what
 * there is in the place of a wrong one. Workloads and what stands behind them are not looked at.
 */
int operands_check(const struct command *c, const char *const *words, struct reason *why);

#endif
