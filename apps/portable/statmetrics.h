/* SPDX-License-Identifier: BSD-2-Clause */
/* statmetrics.h - values of metrics, from the lines of a table of `stat`. A metric is printed
 * beside the first event of its group. Contexts as stat_print(). */
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

/* stat_metric_label() - the label of the metric: "%  tma_retiring", "IPC". */
#define STAT_METRIC_LABEL (2 * METRICS_NAME_MAX + 4)
void stat_metric_label(char text[STAT_METRIC_LABEL], const struct metric_chosen *metric);

struct stat_metric {
	char value[REAL_TEXT]; /* with as many digits as in the table */
	char fine[REAL_TEXT];  /* with six digits, for JSON */
	bool is_number;
	char label[STAT_METRIC_LABEL];
	bool has_error;
	char error[REAL_TEXT]; /* of scaled counts, 95 %, in percent of the value */
};

/* stat_metric_next() - finds the first metric from number `*i` on that is printed beside `line`,
 * writes it to `to`, and moves `*i` behind it. False: there are no more. */
bool stat_metric_next(const struct stat_table *table, const struct stat_line *line, unsigned *i,
		      struct stat_metric *to);

/* stat_metric_owns() - whether the command counts the line's event for metrics: then it has no
 * other figure. */
bool stat_metric_owns(const struct stat_table *table, const struct stat_line *line);

#endif
