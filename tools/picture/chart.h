/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chart.h - the data of charts. chart_svg.h draws charts for pages, and plot.h writes them to
 * files. There are three kinds: frequencies of values (bars), a value for each interval of time
 * (steps), and lines, which may have a band around them (minimum, median and maximum at each
 * point).
 */
#ifndef TOOLS_PICTURE_CHART_H
#define TOOLS_PICTURE_CHART_H

#include <stdbool.h>
#include <stddef.h>

enum chart_kind {
	CHART_BARS,  /* `mid` counts values from x to `to`; equal bounds: one value */
	CHART_STEPS, /* `mid` is the value from x to `to` */
	CHART_LINES, /* `mid` is the value at x; a band reaches from `low` to `high` */
};

struct chart_point {
	double x, to, low, mid, high;
};

struct chart_series {
	char *name;
	struct chart_point *point; /* sorted by x */
	size_t n;
	bool has_band;
};

struct chart {
	enum chart_kind kind;
	char *title;
	const char *x, *y; /* names of the axes; constants */
	struct chart_series *series;
	size_t n;
};

struct charts {
	struct chart *chart;
	size_t n;
};

/* charts_add(), chart_add_series(), chart_add_point() - append one element; texts are copied. A
 * returned pointer is valid until the next element of its kind is added. A point that is no
 * number, or beyond 1e300, is dropped. charts_free() - frees all. */
struct chart *charts_add(struct charts *charts, enum chart_kind kind, const char *title,
			 const char *x, const char *y);
struct chart_series *chart_add_series(struct chart *chart, const char *name);
void chart_add_point(struct chart_series *series, const struct chart_point *point);
void charts_free(struct charts *charts);

/* The ranges of a chart's axes; never empty. */
struct chart_range {
	double x1, x2, y1, y2;
	double bar; /* CHART_BARS: drawn width of one value */
};

struct chart_range chart_range(const struct chart *chart);

/*
 * chart_step() - returns 1, 2 or 5 times a power of ten, which divides `range` into at most `n`
 * steps.
 */
double chart_step(double range, unsigned n);

#endif
