/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chart.h - figures over an axis, which chart_svg.h draws for pages, and plot.h as files. Three
 * kinds: how often a value came (bars), what each interval of time gave (steps), and lines that may
 * have a band around them (least, middle and most at each place).
 */
#ifndef TOOLS_PICTURE_CHART_H
#define TOOLS_PICTURE_CHART_H

#include <stdbool.h>
#include <stddef.h>

enum chart_kind {
	CHART_BARS,  /* x to `to`: `mid` times; both the same: one value */
	CHART_STEPS, /* x to `to`: `mid` */
	CHART_LINES, /* at x: `mid`, and `low` to `high` where there is a band */
};

struct chart_point {
	double x, to, low, mid, high;
};

struct chart_series {
	char *name;
	struct chart_point *point; /* in the order of x */
	size_t n;
	bool has_band;
};

struct chart {
	enum chart_kind kind;
	char *title;
	const char *x, *y; /* what the axes are; constants */
	struct chart_series *series;
	size_t n;
};

struct charts {
	struct chart *chart;
	size_t n;
};

/* charts_add(), chart_add_series(), chart_add_point() - one more, at the end; texts are copied.
 * What they return moves with the next one of its kind. A point that is no number, or beyond
 * 1e300, is left out. charts_free() - all. */
struct chart *charts_add(struct charts *charts, enum chart_kind kind, const char *title,
			 const char *x, const char *y);
struct chart_series *chart_add_series(struct chart *chart, const char *name);
void chart_add_point(struct chart_series *series, const struct chart_point *point);
void charts_free(struct charts *charts);

/* The ranges of the axes that a chart needs; never empty. */
struct chart_range {
	double x1, x2, y1, y2;
	double bar; /* CHART_BARS: how wide one value is drawn */
};

struct chart_range chart_range(const struct chart *chart);

/* chart_step() - a step of 1, 2 or 5 times a power of ten that divides `range` into at most `n`. */
double chart_step(double range, unsigned n);

#endif
