// SPDX-License-Identifier: BSD-2-Clause
/* chart_svg.c - see chart_svg.h. */
#include "tools/picture/chart_svg.h"

#include <math.h>
#include <stdio.h>

#include "tools/picture/markup.h"
#include "tools/picture/palette.h"
#include "tools/picture/svg.h"

#define LEFT        52
#define RIGHT       12
#define TOP         38
#define BOTTOM      34
#define PLOT        110 /* height between the axes */
#define BAR_LEAST   2.5
#define TICKS_X     6
#define TICKS_Y     4
#define GLYPH       6.7
#define LEGEND      15 /* height of a line of the legend */
#define LABEL_MAX   24
#define POINTS_TOLD 400 /* if there are more points, the pointer shows no text for them */

struct plot {
	struct buf *out;
	const struct chart *chart;
	struct chart_range range;
	double width; /* width between the axes */
	unsigned colour;
};

static double plot_x(const struct plot *p, double x)
{
	return LEFT + (x - p->range.x1) / (p->range.x2 - p->range.x1) * p->width;
}

static double plot_y(const struct plot *p, double y)
{
	return TOP + PLOT - (y - p->range.y1) / (p->range.y2 - p->range.y1) * PLOT;
}

/* Shortens a number: "4", "0.25", "1.5M". */
static const char *short_number(char text[LABEL_MAX], double value)
{
	static const struct {
		double per;
		const char *unit;
	} units[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}};

	if (fabs(value) < 1e-12)
		value = 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (fabs(value) >= units[i].per) {
			const double per = units[i].per == 1e4 ? 1e3 : units[i].per;

			snprintf(text, LABEL_MAX, "%.6g%s", value / per, units[i].unit);
			return text;
		}
	snprintf(text, LABEL_MAX, "%.6g", value);
	return text;
}

static void put_axes(const struct plot *p)
{
	const double sx = chart_step(p->range.x2 - p->range.x1, TICKS_X);
	const double sy = chart_step(p->range.y2 - p->range.y1, TICKS_Y);
	char text[LABEL_MAX];

	for (unsigned i = 0; i <= TICKS_Y + 1; i++) {
		const double y = (ceil(p->range.y1 / sy - 1e-9) + i) * sy;

		if (!(y <= p->range.y2 + sy / 1e6))
			break;
		svg_line(p->out, LEFT, plot_y(p, y), LEFT + p->width, plot_y(p, y), "rule");
		svg_text(p->out, LEFT - 5, plot_y(p, y) + 3.5, "s e", short_number(text, y), 16);
	}
	for (unsigned i = 0; i <= TICKS_X + 1; i++) {
		const double x = (ceil(p->range.x1 / sx - 1e-9) + i) * sx;

		if (!(x <= p->range.x2 + sx / 1e6))
			break;
		svg_line(p->out, plot_x(p, x), TOP + PLOT, plot_x(p, x), TOP + PLOT + 3, "mark");
		svg_text(p->out, plot_x(p, x), TOP + PLOT + 14, "s c", short_number(text, x), 16);
	}
	svg_line(p->out, LEFT, TOP + PLOT, LEFT + p->width, TOP + PLOT, "mark");
	svg_text(p->out, LEFT, TOP - 7, "s e", p->chart->y, 12);
	svg_text(p->out, LEFT + p->width, TOP + PLOT + 27, "s e", p->chart->x, 60);
}

static void put_box(const struct plot *p, const struct chart_point *at, double x1, double x2)
{
	const double zero = plot_y(p, p->range.y1 > 0 ? p->range.y1 : 0), y = plot_y(p, at->mid);
	const double width = x2 - x1 < BAR_LEAST ? BAR_LEAST : x2 - x1;

	buf_printf(p->out,
		   "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">",
		   (x1 + x2 - width) / 2, y < zero ? y : zero, width, fabs(zero - y),
		   palette_colour(p->colour));
	if (p->chart->series[0].n > POINTS_TOLD)
		buf_printf(p->out, "</rect>\n");
	else if (at->x == at->to)
		buf_printf(p->out, "<title>%.10g: %.10g</title></rect>\n", at->x, at->mid);
	else
		buf_printf(p->out, "<title>%.10g to %.10g: %.10g</title></rect>\n", at->x, at->to,
			   at->mid);
}

static void put_boxes(const struct plot *p, const struct chart_series *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct chart_point *at = &s->point[i];
		const double half = at->x == at->to ? p->range.bar / 2 : 0;

		put_box(p, at, plot_x(p, at->x - half), plot_x(p, at->to + half));
	}
}

static void put_band(const struct plot *p, const struct chart_series *s, unsigned colour)
{
	buf_printf(p->out, "<path fill=\"%s\" fill-opacity=\".28\" d=\"", palette_line(colour));
	for (size_t i = 0; i < s->n; i++)
		buf_printf(p->out, "%s%.1f,%.1f", i ? "L" : "M", plot_x(p, s->point[i].x),
			   plot_y(p, s->point[i].high));
	for (size_t i = s->n; i--;)
		buf_printf(p->out, "L%.1f,%.1f", plot_x(p, s->point[i].x),
			   plot_y(p, s->point[i].low));
	buf_printf(p->out, "Z\"/>\n");
}

static void put_point_text(const struct plot *p, const struct chart_series *s,
			   const struct chart_point *at)
{
	buf_printf(p->out, "<circle class=\"wait\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>",
		   plot_x(p, at->x), plot_y(p, at->mid));
	markup_add(p->out, s->name);
	buf_printf(p->out, " at %.10g: %.10g", at->x, at->mid);
	if (s->has_band)
		buf_printf(p->out, " (%.10g to %.10g)", at->low, at->high);
	buf_printf(p->out, "</title></circle>\n");
}

static void put_polyline(const struct plot *p, const struct chart_series *s, unsigned colour)
{
	static const char *const dashes[] = {"", "6 3", "2 3", "8 3 2 3"};

	if (s->has_band)
		put_band(p, s, colour);
	buf_printf(p->out,
		   "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" stroke-dasharray=\"%s\" "
		   "stroke-linejoin=\"round\" d=\"",
		   palette_line(colour), dashes[colour / 8 % 4]);
	for (size_t i = 0; i < s->n; i++)
		buf_printf(p->out, "%s%.1f,%.1f", i ? "L" : "M", plot_x(p, s->point[i].x),
			   plot_y(p, s->point[i].mid));
	buf_printf(p->out, "\"/>\n");
	for (size_t i = 0; i < s->n && s->n <= POINTS_TOLD; i++)
		put_point_text(p, s, &s->point[i]);
}

/* Names each line, if there are several. */
static void put_legend(const struct plot *p, double y)
{
	for (size_t i = 0; i < p->chart->n; i++, y += LEGEND) {
		const unsigned colour = p->colour + (unsigned)i;

		buf_printf(p->out,
			   "<rect x=\"%d\" y=\"%.1f\" width=\"18\" height=\"4\" fill=\"%s\"/>\n",
			   LEFT, y - 6, palette_line(colour));
		svg_text(p->out, LEFT + 24, y, "n", p->chart->series[i].name,
			 (unsigned)(p->width / GLYPH));
	}
}

static double legend_height(const struct chart *chart)
{
	return chart->n > 1 ? LEGEND * (double)chart->n + 4 : 0;
}

double chart_svg_height(const struct chart *chart)
{
	return TOP + PLOT + BOTTOM + legend_height(chart);
}

void chart_svg(struct buf *out, const struct chart *chart, double width, unsigned colour)
{
	const struct plot p = {.out = out,
			       .chart = chart,
			       .range = chart_range(chart),
			       .width = width - LEFT - RIGHT,
			       .colour = colour};

	svg_begin(out, width, chart_svg_height(chart), chart->title, false);
	svg_text(out, 0, 13, "n", chart->title, (unsigned)(width / GLYPH));
	put_axes(&p);
	for (size_t i = 0; i < chart->n; i++)
		if (chart->kind == CHART_LINES)
			put_polyline(&p, &chart->series[i], colour + (unsigned)i);
		else
			put_boxes(&p, &chart->series[i]);
	if (legend_height(chart) > 0)
		put_legend(&p, TOP + PLOT + BOTTOM + 10);
	svg_end(out);
}
