/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * results_page.h - what `stat` or `bench` measured, as a page: tables with the figures of -j, how
 * often each value came or how counts went over time, the schedule that the events had, the noise
 * certificate, and the machine.
 */
#ifndef TOOLS_PICTURE_RESULTS_PAGE_H
#define TOOLS_PICTURE_RESULTS_PAGE_H

#include "tools/picture/reported.h"
#include "tools/picture/schedule_chart.h"
#include "tools/util/buf.h"

/* A part of the schedule: all of it, or a pass. */
struct results_plan {
	const struct planner *planner; /* NULL: there is none */
	const struct schedule *schedule;
	unsigned pass;       /* from 1; 0: it is all of it */
	const char *no_plan; /* why there is none */
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
	const char *trouble; /* how the run ended, when not well; NULL: it did */
};

void results_page(struct buf *out, const struct results_source *source);

#endif
