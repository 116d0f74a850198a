/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * statmetrics.h - values of metrics, from the lines of a table of `stat`. A metric is told beside
 * the first event of its group. Contexts as stat_print().
 */
#ifndef APPS_PORTABLE_STATMETRICS_H
#define APPS_PORTABLE_STATMETRICS_H

#include "apps/portable/statfmt.h"
#include "lib/real.h"
#include "pmu/metrics/choose.h"

#include <stdbool.h>

/* The chosen metrics; `first`: the entry of the set with which the events of each group begin. */
struct stat_metrics {
	struct metric_choice *choice;
	uint16_t first[METRICS_CHOSEN];
};

/* stat_metric_label() - how it is told: "%  tma_retiring", "IPC". */
#define STAT_METRIC_LABEL (2 * METRICS_NAME_MAX + 4)
void stat_metric_label(char text[STAT_METRIC_LABEL], const struct metric_chosen *metric);

struct stat_metric {
	char value[REAL_TEXT]; /* with as many digits as the table has */
	char fine[REAL_TEXT];  /* with six, as JSON has */
	bool is_number;
	char label[STAT_METRIC_LABEL];
	bool has_error;
	char error[REAL_TEXT]; /* of scaled counts, 95 %, in percent of the value */
};

/*
 * stat_metric_next() - of the metrics that are told beside `line` the first from number `*i` on,
 * into `to`; then `*i` is behind it. False: there are no more.
 */
bool stat_metric_next(const struct stat_table *table, const struct stat_line *line, unsigned *i,
		      struct stat_metric *to);

/* stat_metric_owns() - does the command count the line's event for metrics? Then no other figure is
 * told of it. */
bool stat_metric_owns(const struct stat_table *table, const struct stat_line *line);

#endif
