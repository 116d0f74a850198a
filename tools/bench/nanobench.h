/* SPDX-License-Identifier: BSD-2-Clause */
/* nanobench.h - options as nanoBench's users type them: -asm_init, -n_measurements, -unroll. */
#ifndef TOOLS_BENCH_NANOBENCH_H
#define TOOLS_BENCH_NANOBENCH_H

#include <stdint.h>

#include "lib/reason.h"

/*
 * habits_options() - of `words` (NULL-terminated, without a command's name), each that is an option
 * of `takers` by its long name, or the start of one, with one dash or two and underscores for
 * dashes, becomes that name with two. A start is taken as nanoBench's scripts take it, and for
 * other options where it is the only one. -EINVAL with the reason: several begin so. Words up to
 * `--` or the first that is none; new ones are allocated and never freed: they live as long as the
 * command line.
 */
int habits_options(const char **words, uint64_t takers, struct reason *why);

#endif
