/* SPDX-License-Identifier: BSD-2-Clause */
/* operands.h - checks the operands of the image's commands. Any context. */
#ifndef LIB_WORDS_OPERANDS_H
#define LIB_WORDS_OPERANDS_H

#include "include/perf0/registered.h"
#include "lib/reason.h"

/*
 * operands_check() - checks `words`, the operands of `c`, terminated by NULL. -EINVAL with the
 * reason, which lists the valid operands. A workload and its arguments are not checked.
 */
int operands_check(const struct command *c, const char *const *words, struct reason *why);

#endif
