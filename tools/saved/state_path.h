/* SPDX-License-Identifier: BSD-2-Clause */
/* state_path.h - finds files that outlive a run: XDG Base Directory Specification, "State". */
#ifndef TOOLS_SAVED_STATE_PATH_H
#define TOOLS_SAVED_STATE_PATH_H

#include <limits.h>

#include "lib/reason.h"

/*
 * state_path() - writes the path of the file `name`: $XDG_STATE_HOME/perf0/NAME, or
 * ~/.local/state/perf0/NAME. Makes the folders of that path, with mode 0700. -ENOENT with the
 * reason: neither variable holds an absolute path. -E with the reason: a folder cannot be made.
 */
int state_path(char path[PATH_MAX], const char *name, struct reason *why);

#endif
