/* SPDX-License-Identifier: BSD-2-Clause */
/* completion_shells.h - the shells that complete command lines of perf0, and how each writes
 * tables. */
#ifndef TOOLS_HELP_COMPLETION_SHELLS_H
#define TOOLS_HELP_COMPLETION_SHELLS_H

struct completion_shell {
	const char *name;
	const char *head;                    /* the first lines of the script */
	const char *list;                    /* format of a variable: its name, its words */
	const char *row, * or, *words, *end; /* around the keys and the words of a row of a table */
	const char *table;                   /* format of a table: its name, its rows */
	const char *script;                  /* the functions that use the tables */
};

/* completion_shell() - returns the shell with this name; NULL: none has it. */
const struct completion_shell *completion_shell(const char *name);

#endif
