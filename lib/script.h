/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * script.h - the first line of a script, parsed as Linux does (execve(2), "Interpreter scripts").
 * Pure functions.
 */
#ifndef LIB_SCRIPT_H
#define LIB_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/reason.h"

#define SCRIPT_HEAD  256 /* bytes of the file that can belong to the line */
#define SCRIPT_DEPTH 5   /* an interpreter may itself be a script, up to four times */

struct script {
	char interpreter[SCRIPT_HEAD];
	char argument[SCRIPT_HEAD]; /* "": no argument */
};

/* script_is() - true where the first `n` bytes of a file, at `head`, begin a script. */
bool script_is(const char *head, size_t n);

/*
 * script_read() - parses the line. -EINVAL with the reason, without the file's name: the line is
 * malformed.
 */
int script_read(struct script *script, const char *head, size_t n, struct reason *why);

/*
 * script_env_names() - for `#!/usr/bin/env NAME` or `-S NAME ...`, copies the NAME that env starts
 * into `name`. False: the interpreter is not env, or its argument names no program.
 */
bool script_env_names(const struct script *script, char name[SCRIPT_HEAD]);

#endif
