/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command_options.h - reads a command's options by the rows of include/perf0/option_rows.h: -e X,
 * -eX,
 * --event X, --event=X, and flags together, -av. `--` ends them, and so does the first word that is
 * no option.
 */
#ifndef APPS_MEASURE_COMMAND_OPTIONS_H
#define APPS_MEASURE_COMMAND_OPTIONS_H

#include "lib/words/option_words.h"
#include "lib/words/rules.h"

/*
 * options_read() - sets the defaults of the rows of `taker` (one bit of enum option_taker; 0: it
 * takes none); then reads argv, and checks that its options go together (option_rules.h) and that
 * its operands are valid (operands.h). Every row of `taker` has its place in one of the `nsets`
 * sets of targets. Returns the index of the first word after the options, or -EINVAL after one line
 * of complaint.
 */
int options_read(uint64_t taker, int argc, char **argv, const struct option_targets *sets,
		 unsigned nsets);

/* options_read_noting() - the same; `given` becomes the set of options in argv. */
int options_read_noting(uint64_t taker, int argc, char **argv, const struct option_targets *sets,
			unsigned nsets, struct option_set *given);

#endif
