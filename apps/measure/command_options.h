/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command_options.h - a command's options, read by the rows of include/perf0/option_rows.h: -e X,
 * -eX,
 * --event X, --event=X, and flags together, -av; `--` ends them, and so does the first word that is
 * none.
 */
#ifndef APPS_MEASURE_COMMAND_OPTIONS_H
#define APPS_MEASURE_COMMAND_OPTIONS_H

#include "lib/words/option_words.h"
#include "lib/words/rules.h"

/*
 * options_read() - sets the defaults of the rows that `taker` (one bit of enum option_taker; 0:
 * takes none) has, then reads argv, whose options have to go together (option_rules.h); then checks
 * the operands (operands.h). Every row of `taker` has its place in one of the `nsets` sets of
 * targets. Returns the index of the first word after the options, or -EINVAL after one line of
 * complaint.
 */
int options_read(uint64_t taker, int argc, char **argv, const struct option_targets *sets,
		 unsigned nsets);

/* options_read_noting() - the same; `given` are those that were read. */
int options_read_noting(uint64_t taker, int argc, char **argv, const struct option_targets *sets,
			unsigned nsets, struct option_set *given);

#endif
