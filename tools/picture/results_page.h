/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * results_page.h - writes the results of `stat` or `bench` as a page. It has tables with the
 * figures of -j, charts of values or of counts over time, the schedule of the events, the noise
 * certificate, and the machine.
 */
#ifndef TOOLS_PICTURE_RESULTS_PAGE_H
#define TOOLS_PICTURE_RESULTS_PAGE_H

#include "tools/picture/reported.h"
#include "tools/picture/schedule_chart.h"
#include "tools/util/buf.h"

/* The whole schedule, or one of its passes. */
struct results_plan {
	const struct planner *planner; /* NULL: there is no plan */
	const struct schedule *schedule;
	unsigned pass;       /* from 1; 0: the whole schedule */
	const char *no_plan; /* reason why there is no plan */
};

struct machine_fact {
	const char *name, *value;
};

struct results_source {
	const char *const *typed; /* the command line, NULL-terminated */
	const char *title;
	const struct reported *results;
	const struct charts *charts;
	const struct results_plan *plan;
	size_t nplans;
	const struct machine_fact *fact;
	size_t nfacts;
	const struct buf *first; /* sections in HTML, before the tables; NULL: none */
	const struct buf *more;  /* likewise, behind the charts */
	const char *trouble;     /* how a failed run ended; NULL: it succeeded */
};

void results_page(struct buf *out, const struct results_source *source);

#endif
