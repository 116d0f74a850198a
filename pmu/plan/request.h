/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * request.h - the targets of the options of `plan`: for the image's command, the tool's command,
 * and the tool's check of a command line for the image.
 */
#ifndef PMU_PLAN_REQUEST_H
#define PMU_PLAN_REQUEST_H

#include "lib/words/option_words.h"
#include "pmu/plan/planner.h"

struct planner_options {
	struct planner_request request;
	struct option_list events; /* see planner_events() */
	bool json;
};

/* Rows of a table of struct option_target for the struct planner_options `o`. */
#define PLANNER_TARGETS(o)                                                                 \
	{OPT_EVENT, &(o).events}, {OPT_PLAN_UARCH, &(o).request.uarch},                    \
		{OPT_NO_HT, &(o).request.no_ht}, {OPT_SIBLING, &(o).request.sibling},      \
		{OPT_SIBLING_COUNTER, &(o).request.sibling_counter},                       \
		{OPT_NODE, &(o).request.node}, {OPT_TFA, &(o).request.tfa},                \
		{OPT_PLAN_WATCHDOG, &(o).request.watchdog},                                \
		{OPT_WATCHDOG_COUNTER, &(o).request.watchdog_counter},                     \
		{OPT_PLAN_POLICY, &(o).request.policy}, {OPT_KERNEL, &(o).request.kernel}, \
		{OPT_TICKS, &(o).request.ticks}, {OPT_SLEEP_AFTER, &(o).request.sleep_ms}, \
	{                                                                                  \
		OPT_PLAN_JSON, &(o).json                                                   \
	}

/* planner_events() - copies the lists of events to the request. */
static inline void planner_events(struct planner_options *o)
{
	o->request.events = o->events.text;
	o->request.nevents = o->events.n;
}

#endif
