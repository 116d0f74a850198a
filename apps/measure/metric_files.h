/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metric_files.h - metrics of a command: definitions for this machine from the image, from files in
 * \perf0\metrics of the volume that the image came from, and from the command line. Task context;
 * one command at a time.
 */
#ifndef APPS_MEASURE_METRIC_FILES_H
#define APPS_MEASURE_METRIC_FILES_H

#include "apps/measure/evset.h"
#include "apps/portable/statmetrics.h"

/* The values of -M, --topdown and --td-level. */
struct metrics_options {
	struct option_list names;
	bool topdown, no_group;
	uint64_t level;
};

#define METRICS_TARGETS(options)                                            \
	{OPT_METRICS, &(options).names}, {OPT_TOPDOWN, &(options).topdown}, \
		{OPT_TD_LEVEL, &(options).level},                           \
	{                                                                   \
		OPT_METRIC_NO_GROUP, &(options).no_group                    \
	}

/* metrics_wanted() - whether the command has metrics. */
bool metrics_wanted(const struct metrics_options *options);

/* metrics_add() - adds the metrics' events to `set`; `out` says which they are, and stays until the
 * next call. 0, or -EINVAL after one line of complaint that starts with `command`. */
int metrics_add(struct evset *set, const char *command, const struct metrics_options *options,
		struct stat_metrics *out);

/* metrics_known() - all metrics of this machine; a file with a mistake is left out, after a line.
 * NULL after a line: there is no memory. */
const struct metrics *metrics_known(const char *command);

#endif
