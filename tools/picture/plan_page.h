/* SPDX-License-Identifier: BSD-2-Clause */
/* plan_page.h - a plan as a page: its schedule as a picture, and tables of what each event gets,
 * and of all configurations with what the others wait for. */
#ifndef TOOLS_PICTURE_PLAN_PAGE_H
#define TOOLS_PICTURE_PLAN_PAGE_H

#include "tools/picture/schedule_chart.h"
#include "tools/util/buf.h"

/* plan_page() - of the command line `words`, NULL-terminated. */
void plan_page(struct buf *out, const struct planner *p, const struct schedule *s,
	       const char *const *words);

/* plan_events_table() - its part for a page about something else. */
void plan_events_table(struct buf *out, const struct planner *p);

#endif
