/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_results.h - the results of `bench`, and the forms in which they are printed. */
#ifndef APPS_BENCH_RESULTS_H
#define APPS_BENCH_RESULTS_H

#include "apps/measure/evset.h"
#include "apps/measure/metric_files.h"
#include "apps/portable/figures.h"
#include "include/perf0/bench.h"
#include "pmu/sched/passes.h"

#define BENCH_RESULTS_MOST     64 /* of one program */
#define BENCH_VALUES_MOST      12 /* that are printed one by one */
#define BENCH_BINS             24 /* for more values than that */
#define BENCH_PERCENTILES_MOST 8

/* Percentiles of the measurements, in thousandths: 999 is 99.9 %. */
struct bench_percentiles {
	unsigned n;
	uint16_t at[BENCH_PERCENTILES_MOST];
};

/* The results of one event: sums over all copies; the mean is a sum over the measurements. */
struct bench_summary {
	int64_t figure[FIGURES];
	int64_t percentile[BENCH_PERCENTILES_MOST];
	bool is_there;
	/* How often each value came, the least first; `others` counts those without room. */
	struct {
		int64_t value;
		uint64_t times;
	} seen[BENCH_VALUES_MOST];
	unsigned nseen;
	uint64_t others;
	/* Where there are others: how often values came in equal parts of their range, of `step`
	 * each from the least on. */
	uint64_t step;
	uint32_t bin[BENCH_BINS];
};

struct bench_row {
	char name[BENCH_NAME_MAX + 1];
	uint64_t times, measurements;
	struct bench_summary event[EVSET_MAX];
};

/* The results of a program. */
struct bench_results {
	struct evset set;
	struct pmu_passes passes;
	unsigned n, lost; /* rows; rows beyond BENCH_RESULTS_MOST */
	struct bench_row row[BENCH_RESULTS_MOST];
	struct stat_metrics metrics; /* of events of the set */
	unsigned nmetrics;
};

struct bench_form {
	const char *separator; /* columns instead of a table; NULL: none */
	bool json, also_json, histogram, no_norm, kernel, range, no_empty;
	bool only[FIGURES];
	uint64_t copies, turns;
	struct bench_percentiles percentiles;
};

/* bench_form_print() - one row of the results. Task context. */
void bench_form_print(const struct bench_results *all, const struct bench_row *row,
		      const struct bench_form *form);

/* bench_form_percentiles() - reads "5,95,99.9"; false: a line told the mistake. */
bool bench_form_percentiles(struct bench_percentiles *p, const char *text);

/* For bench_form.c: the metrics of a row, by the medians and by the means of their events, as lines
 * of figure `f`, rows of the table, objects of JSON, rows of columns. */
void bench_metrics_lines(const struct bench_results *all, const struct bench_row *row,
			 enum figure f);
void bench_metrics_table(const struct bench_results *all, const struct bench_row *row);
void bench_metrics_json(const struct bench_results *all, const struct bench_row *row);
void bench_metrics_csv(const struct bench_results *all, const struct bench_row *row,
		       const char *separator);

#endif
