/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option_scan.h - getopt_long() over the rows of include/perf0/option_rows.h, with perf's
 * conventions: -oFILE, -gv, --output=FILE, and names that are cut short but unique.
 */
#ifndef TOOLS_OPTIONS_OPTION_SCAN_H
#define TOOLS_OPTIONS_OPTION_SCAN_H

#include "lib/words/option_words.h"

/* One option of a command line, with a valid value; "" if it has none. */
struct scanned {
	enum option_id id;
	const char *value;
	const char
		*word; /* the option's word as typed; the same pointer for all options of a word */
	bool is_long;
	bool is_apart; /* the value is the next word */
};

/*
 * scan_options() - calls `take` for each option in `words` (NULL-terminated, without a command's
 * name) that `takers` have. Ends at `--` or, unless options may stand `anywhere`, at the first word
 * that is none. Moves the remaining words to the start of `words`, without the `--`; `ended` tells
 * whether there was one. Returns what `take` returns, or -EINVAL with the reason: an option is
 * unknown, its value is missing, unwanted or wrong, or the options do not go together.
 */
int scan_options(uint64_t takers, bool anywhere, const char **words, bool *ended,
		 int (*take)(void *ctx, const struct scanned *option, struct reason *why),
		 void *ctx, struct reason *why);

#endif
