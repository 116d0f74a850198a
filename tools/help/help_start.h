/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * help_start.h - how the help of a command of the tool begins: with examples, and with the options
 * that people use most.
 */
#ifndef TOOLS_HELP_HELP_START_H
#define TOOLS_HELP_HELP_START_H

#include <stdbool.h>

#include "include/perf0/options.h"

#define HELP_EXAMPLES 3
#define HELP_COMMON   10

struct help_start {
	const char *name;                   /* of the command */
	const char *example[HELP_EXAMPLES]; /* command lines; NULL behind the last one */
	const enum option_id *common;       /* up to HELP_COMMON options, in this order */
	unsigned ncommon;
};

/* help_start() - that of the command `name`; NULL: there is no such command. */
const struct help_start *help_start(const char *name);

/*
 * help_hidden() - marks in `hidden` the options that the command's list leaves out: the common
 * ones, and those of the machine, which `perf0 help machine` lists. Returns whether it marked one
 * of the latter.
 */
bool help_hidden(const struct help_start *start, uint64_t takers, bool hidden[OPTIONS]);

#endif
