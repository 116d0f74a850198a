/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option_scan.h - getopt_long() over the rows of include/perf0/option_rows.h: perf's habits
 * (-oFILE, -gv,
 * --output=FILE, names cut short where they stay one option's).
 */
#ifndef TOOLS_OPTIONS_OPTION_SCAN_H
#define TOOLS_OPTIONS_OPTION_SCAN_H

#include "lib/words/option_words.h"

/* One option of a command line, whose value its row takes; "" where there is none. */
struct scanned {
	enum option_id id;
	const char *value;
	const char *word; /* it stands in, as it was typed; the same pointer for all of the word */
	bool is_long;
	bool is_apart; /* the value is the word behind that */
};

/*
 * scan_options() - calls `take` for the options in `words` (NULL-terminated, without a command's
 * name) that `takers` have, up to `--` or, unless they may stand `anywhere`, the first word that is
 * none. What is left is moved to the start of `words`, without the `--`, which `ended` then tells.
 * -EINVAL with the reason: an option is unknown, or its value is missing, not wanted or wrong, or
 * the options do not go together; or what `take` returns.
 */
int scan_options(uint64_t takers, bool anywhere, const char **words, bool *ended,
		 int (*take)(void *ctx, const struct scanned *option, struct reason *why),
		 void *ctx, struct reason *why);

#endif
