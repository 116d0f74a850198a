/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lineedit.h - reads lines from a person at a terminal with libedit: editing, completion by Tab,
 * and history. One editor at a time. It reads ~/.editrc, as all programs with libedit do.
 */
#ifndef TOOLS_CMD_LINEEDIT_H
#define TOOLS_CMD_LINEEDIT_H

#include "lib/reason.h"
#include "tools/events/guest_uarch.h"

/* lineedit_open() - opens the editor. Tab completes the events of `guest`. -E with the reason. */
int lineedit_open(const struct guest_uarch *guest, struct reason *why);
void lineedit_close(void);

/*
 * lineedit_read() - returns a line without its end, valid until the next call; NULL: ^D. ^C begins
 * a new line. lineedit_remember() - adds a line to the history, for the arrow keys and the next
 * shell.
 */
const char *lineedit_read(const char *prompt);
void lineedit_remember(const char *line);

#endif
