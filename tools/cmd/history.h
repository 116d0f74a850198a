/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * history.h - lines that were typed, from one shell to the next: a file of one line each,
 * $XDG_STATE_HOME/perf0/history (~/.local/state/perf0/history without). Each line is appended as it
 * is typed, so that shells beside each other lose none; where there are more than twice
 * HISTORY_LINES, the older ones go when a shell starts.
 */
#ifndef TOOLS_CMD_HISTORY_H
#define TOOLS_CMD_HISTORY_H

#include <limits.h>

#include "lib/reason.h"

#define HISTORY_LINES 1000

/* history_path() - where the file is, or is to be; its folders are made. -E with the reason. */
int history_path(char path[PATH_MAX], struct reason *why);

/*
 * history_read() - calls `visit` for each of its last HISTORY_LINES lines, the oldest first. A file
 * that is not there has none. history_add() - one more. Both -E with the reason.
 */
int history_read(const char *path, void (*visit)(void *ctx, const char *line), void *ctx,
		 struct reason *why);
int history_add(const char *path, const char *line, struct reason *why);

#endif
