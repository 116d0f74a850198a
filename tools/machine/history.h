/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * history.h - remembers typed lines from one shell to the next. The file is
 * $XDG_STATE_HOME/perf0/history, or ~/.local/state/perf0/history, with one line for each entry.
 * Each line is appended when it is typed, so that concurrent shells lose none. When a shell starts
 * with more than twice HISTORY_LINES, it drops the oldest lines.
 */
#ifndef TOOLS_MACHINE_HISTORY_H
#define TOOLS_MACHINE_HISTORY_H

#include <limits.h>

#include "lib/reason.h"

#define HISTORY_LINES 1000

/* history_path() - makes the folders of the file and writes its path. -E with the reason. */
int history_path(char path[PATH_MAX], struct reason *why);

/*
 * history_read() - calls `visit` for each of the last HISTORY_LINES lines, the oldest first. A
 * missing file has no lines. history_add() - appends one line. Both return -E with the reason.
 */
int history_read(const char *path, void (*visit)(void *ctx, const char *line), void *ctx,
		 struct reason *why);
int history_add(const char *path, const char *line, struct reason *why);

#endif
