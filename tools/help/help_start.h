/* SPDX-License-Identifier: BSD-2-Clause */
/* help_start.h - the first part of a tool command's help: examples, and the most used options. */
#ifndef TOOLS_HELP_HELP_START_H
#define TOOLS_HELP_HELP_START_H

#include <stdbool.h>

#include "include/perf0/options.h"

#define HELP_EXAMPLES 3
#define HELP_COMMON   10

/* The name of the first part of `perf0 help` itself. Its options are those of stat. */
#define HELP_OF_ALL ""

struct help_start {
	const char *name;                   /* the command */
	const char *example[HELP_EXAMPLES]; /* command lines; unused entries are NULL */
	const enum option_id *common;       /* up to HELP_COMMON options, in this order */
	unsigned ncommon;
};

/* help_start() - returns the first part of the help of command `name`; NULL: no such command. */
const struct help_start *help_start(const char *name);

/*
 * help_hidden() - marks in `hidden` the options that the command's list omits: the common ones, and
 * the machine's, which `perf0 help machine` lists. Returns whether it marked one of the machine's.
 */
bool help_hidden(const struct help_start *start, uint64_t takers, bool hidden[OPTIONS]);

#endif
