/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option_scan.h - getopt_long() over the rows of include/perf0/option_rows.h, with perf's
 * conventions: -oFILE, -gv, --output=FILE, and unique starts of names.
 */
#ifndef TOOLS_OPTIONS_OPTION_SCAN_H
#define TOOLS_OPTIONS_OPTION_SCAN_H

#include "lib/words/option_words.h"

/* One option of a command line. Its value is valid; "" if it takes none. */
struct scanned {
	enum option_id id;
	const char *value;
	const char
		*word; /* the option's word as typed; the same pointer for all options of a word */
	bool is_long;
	bool is_apart; /* the value is the next word */
};

/*
 * scan_options() - calls `take` for each option of `takers` in `words` (NULL-terminated, without a
 * command's name). It ends at `--` or, unless options may stand `anywhere`, at the first word that
 * is no option. The remaining words move to the start of `words`, without the `--`; `ended` tells
 * whether there was one. Returns the result of `take`, or -EINVAL with the reason: an unknown
 * option, a missing, unwanted or wrong value, or options that do not go together.
 */
int scan_options(uint64_t takers, bool anywhere, const char **words, bool *ended,
		 int (*take)(void *ctx, const struct scanned *option, struct reason *why),
		 void *ctx, struct reason *why);

#endif
