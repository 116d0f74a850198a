/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reported.h - parses the -j output of `stat` and `bench`: lines that the image has sent. Numbers
 * keep their text beside their value, so that a page shows the same figures as -j. Other lines are
 * ignored.
 */
#ifndef TOOLS_PICTURE_REPORTED_H
#define TOOLS_PICTURE_REPORTED_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/picture/chart.h"

/* A figure: its text without trailing zeros; "" if it is missing. */
#define FIGURE_TEXT 48
struct figure {
	char text[FIGURE_TEXT];
	double value;
	bool is_number; /* false: "<not counted>" or a similar text, or nothing */
};

enum bench_figure { BENCH_MIN, BENCH_MEDIAN, BENCH_MEAN, BENCH_MAX, BENCH_FIGURES };

/* An event of `stat`, in one run or several, or of a benchmark of `bench`. */
struct result_row {
	char *event, *unit, *truth, *cgroup; /* "" if missing */
	char *scope;                         /* "CPU0", "S0-D0-C0"; "": all CPUs */
	char *section;                       /* benchmark or region; "": the workload */
	struct figure calls;                 /* calls of a region */
	struct figure interval;              /* end of an interval of stat -I, in s */

	struct figure count, share; /* share of the time in % */
	struct figure variance;     /* of the mean of several runs, in % */
	struct figure error;        /* of a scaled count, in % */
	struct figure
		pass; /* in which it was counted, from 1; nothing: in each, or in the only one */
	struct figure metric;
	char *metric_unit;

	struct figure cycle; /* cycle of a trace at which the counters stopped */
	bool is_bench;
	struct figure figure[BENCH_FIGURES], measurements, times;
	struct chart_point *histogram; /* uses x, to, mid */
	size_t nhistogram;
};

/* A member of a noise certificate. */
struct noise_fact {
	char *name, *value;
};

struct reported {
	struct result_row *row;
	size_t n;
	bool has_noise;
	struct noise_fact *noise; /* in the image's order; "verdict" is the first */
	size_t nnoise;
};

/* reported_read() - parses `size` bytes of lines. The caller calls reported_free() in any case. */
void reported_read(struct reported *results, const void *bytes, size_t size);
void reported_free(struct reported *results);

/* reported_charts() - adds the charts of the results: histograms of benchmarks, counts cycle by
 * cycle, intervals over time. */
void reported_charts(const struct reported *results, struct charts *charts);

#endif
