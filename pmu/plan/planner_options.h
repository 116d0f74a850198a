/* SPDX-License-Identifier: BSD-2-Clause */
/* planner_options.h - where the options of `plan` go, for the image's command and the tool's. */
#ifndef PMU_PLAN_PLANNER_OPTIONS_H
#define PMU_PLAN_PLANNER_OPTIONS_H

#include "lib/words/options.h"
#include "pmu/plan/planner.h"

/* PLANNER_TARGETS() - rows of struct option_target: all that is a member of `request`. */
#define PLANNER_TARGETS(request)                                                                \
	{OPT_PLAN_UARCH, &(request).uarch}, {OPT_NO_HT, &(request).no_ht},                      \
		{OPT_SIBLING, &(request).sibling},                                              \
		{OPT_SIBLING_COUNTER, &(request).sibling_counter}, {OPT_NODE, &(request).node}, \
		{OPT_TFA, &(request).tfa}, {OPT_PLAN_WATCHDOG, &(request).watchdog},            \
		{OPT_WATCHDOG_COUNTER, &(request).watchdog_counter},                            \
		{OPT_PLAN_POLICY, &(request).policy}, {OPT_KERNEL, &(request).kernel},          \
		{OPT_TICKS, &(request).ticks},                                                  \
	{                                                                                       \
		OPT_SLEEP_AFTER, &(request).sleep_ms                                            \
	}

#endif
