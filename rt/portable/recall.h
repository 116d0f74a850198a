/* SPDX-License-Identifier: BSD-2-Clause */
/* recall.h - the history of typed lines; the oldest are dropped for new ones. Portable, no
 * machine. */
#ifndef RT_PORTABLE_RECALL_H
#define RT_PORTABLE_RECALL_H

#include "rt/portable/line_edit.h"

/* recall_add() - adds `text` as the newest line, unless it is empty, equals the previous one, or is
 * too long for the history. */
void recall_add(struct line_history *history, const char *text);

/* recall_line() - the line `back` lines ago, 1: the newest; NULL: the history has fewer lines. */
const char *recall_line(const struct line_history *history, size_t back);

#endif
