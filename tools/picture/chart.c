// SPDX-License-Identifier: BSD-2-Clause
/* chart.c - see chart.h. */
#include "tools/picture/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/buf.h"
#include "tools/util/memory.h"

#define VALUE_MOST 1e300

struct chart *charts_add(struct charts *charts, enum chart_kind kind, const char *title,
			 const char *x, const char *y)
{
	struct chart *chart;

	charts->chart = memory_grow(charts->chart, charts->n, sizeof(*charts->chart));
	chart = &charts->chart[charts->n++];
	*chart = (struct chart){
		.kind = kind, .title = copy_text(title, strlen(title)), .x = x, .y = y};
	return chart;
}

struct chart_series *chart_add_series(struct chart *chart, const char *name)
{
	struct chart_series *series;

	chart->series = memory_grow(chart->series, chart->n, sizeof(*chart->series));
	series = &chart->series[chart->n++];
	*series = (struct chart_series){.name = copy_text(name, strlen(name))};
	return series;
}

/* Returns whether an axis has room for the value. */
static bool is_drawable(double value)
{
	return fabs(value) < VALUE_MOST;
}

void chart_add_point(struct chart_series *series, const struct chart_point *point)
{
	if (!is_drawable(point->x) || !is_drawable(point->to) || !is_drawable(point->low) ||
	    !is_drawable(point->mid) || !is_drawable(point->high))
		return;
	series->point = memory_grow(series->point, series->n, sizeof(*series->point));
	series->point[series->n++] = *point;
}

void charts_free(struct charts *charts)
{
	for (size_t c = 0; c < charts->n; c++) {
		for (size_t s = 0; s < charts->chart[c].n; s++) {
			free(charts->chart[c].series[s].name);
			free(charts->chart[c].series[s].point);
		}
		free(charts->chart[c].series);
		free(charts->chart[c].title);
	}
	free(charts->chart);
	*charts = (struct charts){0};
}

/* Returns the least distance between two neighbours; 0: fewer than two points. */
static double least_gap(const struct chart_series *s)
{
	double gap = 0;

	for (size_t i = 1; i < s->n; i++) {
		const double d = s->point[i].x - s->point[i - 1].to;

		if (d > 0 && (gap == 0 || d < gap))
			gap = d;
	}
	return gap;
}

static void widen(struct chart_range *r, const struct chart *chart, const struct chart_point *p,
		  bool is_first)
{
	const double to = chart->kind == CHART_LINES ? p->x : p->to;

	if (is_first || p->x < r->x1)
		r->x1 = p->x;
	if (is_first || to > r->x2)
		r->x2 = to;
	if (p->low < r->y1)
		r->y1 = p->low;
	if (p->mid < r->y1)
		r->y1 = p->mid;
	if (p->high > r->y2)
		r->y2 = p->high;
	if (p->mid > r->y2)
		r->y2 = p->mid;
}

/* Gives single values a width, and room on both sides. */
static void widen_for_bars(struct chart_range *r, const struct chart *chart)
{
	const double range = r->x2 - r->x1;
	double gap = chart->n ? least_gap(&chart->series[0]) : 0;

	if (gap < range / 100)
		gap = range / 100;
	if (range == 0)
		gap = r->x1 ? (r->x1 < 0 ? -r->x1 : r->x1) / 16 : 0.25;
	r->bar = gap * 0.8;
	r->x1 -= range == 0 ? 8 * gap : gap / 2;
	r->x2 += range == 0 ? 8 * gap : gap / 2;
}

struct chart_range chart_range(const struct chart *chart)
{
	struct chart_range r = {0};
	bool is_first = true;

	for (size_t s = 0; s < chart->n; s++)
		for (size_t i = 0; i < chart->series[s].n; i++) {
			widen(&r, chart, &chart->series[s].point[i], is_first);
			is_first = false;
		}
	if (chart->kind == CHART_BARS)
		widen_for_bars(&r, chart);
	if (r.x1 == r.x2)
		r.x2 = r.x1 + 1;
	if (r.y1 == r.y2)
		r.y2 = r.y1 + 1;
	return r;
}

double chart_step(double range, unsigned n)
{
	static const double factors[] = {1, 2, 5};
	double power = 1;

	while (power * n >= range && power > 1e-12)
		power /= 10;
	for (;; power *= 10)
		for (size_t i = 0; i < 3; i++)
			if (power * factors[i] * n >= range)
				return power * factors[i];
}
