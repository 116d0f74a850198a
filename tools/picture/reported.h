/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reported.h - what -j of `stat` and `bench` prints, taken apart: the lines that the image has
 * sent. Numbers stay texts, as they came, beside what they are worth: a page shows no other figure
 * than -j does. Lines that are none of these are left out.
 */
#ifndef TOOLS_PICTURE_REPORTED_H
#define TOOLS_PICTURE_REPORTED_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/picture/chart.h"

/* A figure: its text without zeros at its end, "" where there is none. */
#define FIGURE_TEXT 48
struct figure {
	char text[FIGURE_TEXT];
	double value;
	bool is_number; /* else "<not counted>" and its like, or nothing */
};

enum bench_figure { BENCH_MIN, BENCH_MEDIAN, BENCH_MEAN, BENCH_MAX, BENCH_FIGURES };

/* An event: in one run or several of a workload (stat), or of a benchmark (bench). */
struct result_row {
	char *event, *unit, *truth, *cgroup; /* "" where there is none */
	char *scope;                         /* "CPU0", "S0-D0-C0"; "": all */
	char *section;                       /* the benchmark, or the region; "": the workload */
	struct figure calls;                 /* of a region */
	struct figure interval;              /* s, when it ended; of stat -I */

	struct figure count, share; /* %, of the time */
	struct figure variance;     /* %, of the mean of several runs */
	struct figure error;        /* %, of what was scaled */
	struct figure
		pass; /* in which it was counted, from 1; nothing: in each, or in the only one */
	struct figure metric;
	char *metric_unit;

	struct figure cycle; /* of a trace: at which the counters stopped */
	bool is_bench;
	struct figure figure[BENCH_FIGURES], measurements, times;
	struct chart_point *histogram; /* x, to, mid */
	size_t nhistogram;
};

/* A member of a certificate. */
struct noise_fact {
	char *name, *value;
};

struct reported {
	struct result_row *row;
	size_t n;
	bool has_noise;
	struct noise_fact *noise; /* in order; "verdict" is the first */
	size_t nnoise;
};

/* reported_read() - of `size` bytes of lines; reported_free() - in any case. */
void reported_read(struct reported *results, const void *bytes, size_t size);
void reported_free(struct reported *results);

/* reported_charts() - what of it is drawn: histograms of benchmarks, counts cycle by cycle,
 * intervals over time. */
void reported_charts(const struct reported *results, struct charts *charts);

#endif
