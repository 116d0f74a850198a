/* SPDX-License-Identifier: BSD-2-Clause */
/* plan_page.h - writes a plan as a page: a picture of its schedule, a table of each event's
 * share, and a table of all configurations with the reasons why other events wait. */
#ifndef TOOLS_PICTURE_PLAN_PAGE_H
#define TOOLS_PICTURE_PLAN_PAGE_H

#include "tools/picture/schedule_chart.h"
#include "tools/util/buf.h"

/* plan_page() - adds the page. `words` is the command line, NULL-terminated. */
void plan_page(struct buf *out, const struct planner *p, const struct schedule *s,
	       const char *const *words);

/* plan_events_table() - adds the table of events to another page. */
void plan_events_table(struct buf *out, const struct planner *p);

#endif
