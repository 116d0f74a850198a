/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lineedit.h - lines of a person at a terminal: edited, completed by Tab and remembered, by
 * libedit. One at a time; ~/.editrc is read, as all programs with libedit do.
 */
#ifndef TOOLS_CMD_LINEEDIT_H
#define TOOLS_CMD_LINEEDIT_H

#include "lib/reason.h"
#include "tools/events/guest_uarch.h"

/* lineedit_open() - Tab knows the events of `guest`. -E with the reason. */
int lineedit_open(const struct guest_uarch *guest, struct reason *why);
void lineedit_close(void);

/*
 * lineedit_read() - a line without its end, which stays until the next one is read; NULL: ^D. ^C
 * begins another one. lineedit_remember(): for the arrow keys, and the next shell.
 */
const char *lineedit_read(const char *prompt);
void lineedit_remember(const char *line);

#endif
