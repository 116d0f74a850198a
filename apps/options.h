/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - a command's options as rows, read the same way everywhere: -e X, -eX, --event X,
 * --event=X; `--` ends them, and so does the first word that is none.
 */
#ifndef APPS_OPTIONS_H
#define APPS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum option_kind {
	OPTION_FLAG,   /* bool *target = true */
	OPTION_NUMBER, /* uint64_t *target, min..max */
	OPTION_TEXT,   /* const char **target */
	OPTION_MAYBE, /* const char **target; "" when no value is given, which needs --name=VALUE */
	OPTION_LIST,  /* struct option_list *target; may be given again */
	OPTION_TABLE, /* no option: the rows at target belong here, too */
};

#define OPTION_LIST_MAX 16

struct option_list {
	const char *text[OPTION_LIST_MAX];
	const char
		*option[OPTION_LIST_MAX]; /* the name of the one that gave it, where several may */
	unsigned n;
};

struct option {
	char letter;      /* 0: none */
	const char *name; /* without the dashes; of a table: not NULL */
	enum option_kind kind;
	void *target;
	uint64_t min, max;
};

/*
 * options_read() - returns the index in argv of the first word after the options, or -EINVAL after
 * one line of complaint. `options` ends with a row that has no name.
 */
int options_read(int argc, char **argv, const struct option *options);

#endif
