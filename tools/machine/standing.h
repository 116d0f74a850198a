/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * standing.h - the machine that the commands of a shell share. It starts with the first command
 * that needs it, and again after it has ended.
 */
#ifndef TOOLS_MACHINE_STANDING_H
#define TOOLS_MACHINE_STANDING_H

#include <stdbool.h>

#include "tools/machine/session.h"

/*
 * standing_begin() - from now on commands share a machine with these options, which stay the
 * caller's.
 */
void standing_begin(const struct options *options);

/* standing_is_shared() - returns whether commands share a machine. */
bool standing_is_shared(void);

/*
 * standing_end() - ends the machine, which commands no longer share. standing_forget() - to call in
 * a child process, which does not own the machine.
 */
void standing_end(void);
void standing_forget(void);

/*
 * standing_start() - starts the machine now, if commands share one. Returns 0, or the status after
 * a message.
 */
int standing_start(void);

/*
 * standing_takes() - returns whether the machine can run a command with these options. If not, it
 * prints the reason: the command needs another machine, or its programs need a larger one. Returns
 * false without a message if commands share no machine.
 */
bool standing_takes(const struct options *options);

/* standing_run() - starts the machine if needed, then works as session_line(). */
int standing_run(const struct options *options, const char *line, const struct session_files *files,
		 struct stream *stream);

#endif
