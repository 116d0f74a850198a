/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * schedule_svg.h - a schedule that can be seen: counters as rows and slices as columns, with each
 * event in its colour and with its number; below, the same by event, where those that wait tell why
 * when they are pointed at. No script is needed.
 */
#ifndef TOOLS_PICTURE_SCHEDULE_SVG_H
#define TOOLS_PICTURE_SCHEDULE_SVG_H

#include <stdbool.h>

#include "tools/picture/schedule_chart.h"
#include "tools/util/buf.h"

/* schedule_svg() - `alone`: see svg_begin(). */
void schedule_svg(struct buf *out, const struct planner *p, const struct schedule *s, bool alone);

/* schedule_sentence() - what it repeats after, and how much of it there is: one plain sentence. */
void schedule_sentence(struct buf *out, const struct planner *p, const struct schedule *s);

#endif
