/* SPDX-License-Identifier: BSD-2-Clause */
/* workload_words.h - parses the arguments of a built-in workload. Any context. */
#ifndef LIB_WORDS_WORKLOAD_WORDS_H
#define LIB_WORDS_WORKLOAD_WORDS_H

#include "include/perf0/registered.h"
#include "lib/reason.h"

/*
 * workload_args() - reads the `argc` words after the workload's name as the values of its
 * parameters; missing ones get their defaults. -EINVAL with the reason, which begins with the
 * workload's name.
 */
int workload_args(const struct workload *w, int argc, const char *const *argv,
		  uint64_t args[WORKLOAD_MAX_PARAMS], struct reason *why);

#endif
