/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * schedule_svg.h - draws a schedule: counters as rows, slices as columns, and each event by its
 * colour and number. Below, each event has a row of its own; a waiting event shows the reason under
 * the pointer. No script is needed.
 */
#ifndef TOOLS_PICTURE_SCHEDULE_SVG_H
#define TOOLS_PICTURE_SCHEDULE_SVG_H

#include <stdbool.h>

#include "tools/picture/schedule_chart.h"
#include "tools/util/buf.h"

/* schedule_svg() - adds the picture; for `alone` see svg_begin(). */
void schedule_svg(struct buf *out, const struct planner *p, const struct schedule *s, bool alone);

/*
 * schedule_sentence() - adds one plain sentence: when the schedule repeats, and how much of it the
 * picture shows.
 */
void schedule_sentence(struct buf *out, const struct planner *p, const struct schedule *s);

#endif
