/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * offline.h - parses command lines of commands that boot nothing and take no operands. Their
 * options may stand in any order.
 */
#ifndef TOOLS_OPTIONS_OFFLINE_H
#define TOOLS_OPTIONS_OFFLINE_H

#include "lib/words/option_words.h"

/*
 * offline_options_read() - reads all of `words`, NULL-terminated and changed, by the rows of
 * `taker`; each row has its place in `targets`. Sets the defaults first. -EINVAL with the reason.
 */
int offline_options_read(enum option_taker taker, const struct option_targets *targets,
			 const char **words, struct reason *why);

#endif
