/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * offline.h - options of the commands that boot nothing: rows, of which each sets a flag, a text or
 * a number, or adds to a list. They may stand in any order, as --name VALUE or --name=VALUE;
 * nothing else may stand there.
 */
#ifndef TOOLS_EVENTS_OFFLINE_H
#define TOOLS_EVENTS_OFFLINE_H

#include "lib/reason.h"

#include <stdbool.h>
#include <stdint.h>

#define OFFLINE_LIST_MAX 16

struct offline_list {
	const char *text[OFFLINE_LIST_MAX];
	unsigned n;
};

/* One of `flag`, `text`, `list` and `number` is set. */
struct offline_option {
	const char *name;    /* "--uarch"; NULL ends the rows */
	const char *operand; /* NULL: takes none */
	bool *flag;
	const char **text; /* the last one counts */
	struct offline_list *list;
	uint64_t *number, min, max;
	const char *help;
};

/*
 * offline_options_read() - all of `words`, NULL-terminated. -EINVAL with the reason: a word that is
 * no option, a value that is missing, not wanted or
 * no number in its range.
 */
int offline_options_read(const struct offline_option *rows, const char **words, struct reason *why);

/* offline_options_help() - prints them, a line each. */
void offline_options_help(const struct offline_option *rows);

#endif
