/* SPDX-License-Identifier: BSD-2-Clause */
/* recall.h - the lines that were typed before; the oldest give way. Portable, no machine. */
#ifndef RT_PORTABLE_RECALL_H
#define RT_PORTABLE_RECALL_H

#include "rt/portable/line_edit.h"

/* recall_add() - `text` is the newest, unless it is empty, the same as the one before, or too long
 * to be kept at all. */
void recall_add(struct line_history *history, const char *text);

/* recall_line() - the line of `back` lines ago, 1: the newest; NULL: there are not so many. */
const char *recall_line(const struct line_history *history, size_t back);

#endif
