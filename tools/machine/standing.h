/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * standing.h - the machine that commands share inside of a shell: started when the first of them
 * needs it, and again when it has ended.
 */
#ifndef TOOLS_MACHINE_STANDING_H
#define TOOLS_MACHINE_STANDING_H

#include <stdbool.h>

#include "tools/machine/session.h"

/* standing_begin() - from now on there is one, of these options, which stay the caller's. */
void standing_begin(const struct options *options);

/* standing_end() - it is ended, and there is none any longer. standing_forget(): in a child, whose
 * machine it is not. */
void standing_end(void);
void standing_forget(void);

/* standing_start() - at once, if there is to be one. Returns 0, or the status after a line about
 * it. */
int standing_start(void);

/*
 * standing_takes() - whether that is the machine for a command with these options, or why not in
 * one line: it wants another one, or has programs for which that one is too small. False without a
 * line where there is none at all.
 */
bool standing_takes(const struct options *options);

/* standing_run() - as session_line(), after starting it. */
int standing_run(const struct options *options, const char *line, const struct session_files *files,
		 struct stream *stream);

#endif
