/* SPDX-License-Identifier: BSD-2-Clause */
/* script.h - the first line of a script, as Linux reads it (execve(2), "Interpreter scripts").
 * Pure. */
#ifndef LIB_SCRIPT_H
#define LIB_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/reason.h"

#define SCRIPT_HEAD  256 /* bytes that may matter */
#define SCRIPT_DEPTH 5   /* an interpreter may be a script, four times */

struct script {
	char interpreter[SCRIPT_HEAD];
	char argument[SCRIPT_HEAD]; /* "": none */
};

/* script_is() - whether the `n` bytes at `head`, the first of a file, begin one. */
bool script_is(const char *head, size_t n);

/* script_read() - -EINVAL with the reason, without the file's name: its first line makes no sense.
 */
int script_read(struct script *script, const char *head, size_t n, struct reason *why);

/*
 * script_env_names() - what `env` is asked to start by the script's first line, `#!/usr/bin/env
 * NAME` or `-S NAME ...`, into `name`; false: the interpreter is not env.
 */
bool script_env_names(const struct script *script, char name[SCRIPT_HEAD]);

#endif
