/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nanobench.h - accepts options as nanoBench's users type them: -asm_init, -n_measurements,
 * -unroll.
 */
#ifndef TOOLS_BENCH_NANOBENCH_H
#define TOOLS_BENCH_NANOBENCH_H

#include <stdint.h>

#include "lib/reason.h"

/*
 * habits_options() - rewrites `words` (NULL-terminated, without a command's name): each option that
 * nanoBench's users write with one dash or two, and with underscores, becomes its long name with
 * two dashes. `takers` selects the options.
 *
 * A word may also be the start of a name. nanoBench's scripts decide which starts of its options
 * count; any other start has to be unique. -EINVAL with the reason: the start is ambiguous.
 *
 * Rewriting ends at `--` or at the first word that is no option. New words are allocated and never
 * freed: they live as long as the command line.
 */
int habits_options(const char **words, uint64_t takers, struct reason *why);

#endif
