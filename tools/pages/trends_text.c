// SPDX-License-Identifier: BSD-2-Clause
/* trends_text.c - prints trends (trends.h): a line for each benchmark. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/printf.h"
#include "tools/pages/trends.h"
#include "tools/util/plainbuf.h"

#define NUMBER_MAX 48
#define WHOLE_MOST 9007199254740992.0 /* 2^53: up to here each whole number has a double */

void trends_add_version(struct buf *out, const struct trend_version *version)
{
	if (*version->commit)
		buf_printf(out, "%.*s", COMMIT_SHORT, version->commit);
	else
		plain_add(out, version->name, strlen(version->name));
}

void trends_add_value(struct buf *out, double value, bool sign)
{
	const char *mark = value < 0 ? "-" : sign ? "+" : "";
	char text[NUMBER_MAX];

	value = fabs(value);
	if (value == floor(value) && value < WHOLE_MOST)
		fmt_print(text, sizeof(text), "%'llu", (unsigned long long)value);
	else
		snprintf(text, sizeof(text), value < 1000 ? "%.2f" : "%.0f", value);
	buf_printf(out, "%s%s", mark, text);
}

/* The cells of a line. */
enum { NAME, EVENT, FIRST, LAST, CHANGE, MOVED, CELLS };

static void add_trend_change(struct buf *out, double first, double last)
{
	if (first > 0 && first != last)
		buf_printf(out, "%+.3g%%", 100 * (last - first) / first);
}

static void add_largest_step(struct buf *out, const struct trends *trends,
			     const struct trend *series)
{
	const size_t at = trend_largest(series), moves = trend_moves(series);

	if (!at) {
		buf_printf(out, series->n > 1 ? "unchanged" : "one version alone");
		return;
	}
	trends_add_version(out, &trends->version[series->point[at].version]);
	if (trend_skipped(trends, series, at))
		buf_printf(out, " or %zu not measured before it",
			   trend_skipped(trends, series, at));
	buf_printf(out, ": ");
	trends_add_value(out, series->point[at].value - series->point[at - 1].value, true);
	if (moves > 1)
		buf_printf(out, ", the most of %zu changes", moves);
}

static void make_trend_cells(struct buf *cell, const struct trends *trends,
			     const struct trend *series)
{
	const double first = series->point[0].value, last = series->point[series->n - 1].value;

	plain_add(&cell[NAME], series->benchmark, strlen(series->benchmark));
	plain_add(&cell[EVENT], series->event, strlen(series->event));
	trends_add_value(&cell[FIRST], first, false);
	trends_add_value(&cell[LAST], last, false);
	add_trend_change(&cell[CHANGE], first, last);
	add_largest_step(&cell[MOVED], trends, series);
}

static const char *const heads[CELLS] = {"benchmark", "event", "first", "last", "", "moved by"};

static void add_trend_cells(struct buf *out, const struct buf *cell, const int *width)
{
	for (unsigned i = 0; i < CELLS; i++) {
		const int pad = width[i] - plain_width((const char *)cell[i].data);
		const bool right = i == FIRST || i == LAST || i == CHANGE;

		buf_printf(out, "%s%*s", i ? "  " : "", right && pad > 0 ? pad : 0, "");
		buf_printf(out, "%s", (const char *)cell[i].data);
		if (!right && i != MOVED)
			buf_printf(out, "%*s", pad > 0 ? pad : 0, "");
	}
	buf_printf(out, "\n");
}

static void free_trend_cells(struct buf *cell)
{
	for (unsigned i = 0; i < CELLS; i++)
		buf_free(&cell[i]);
}

/* Adds the lines with columns of these widths; NULL: only measures, into `widest`. */
static void walk_lines(struct buf *out, const struct trends *trends, const int *width, int *widest)
{
	for (size_t at = 0, next; at < trends->nseries; at = next) {
		struct buf cell[CELLS] = {0};

		make_trend_cells(cell, trends, &trends->series[trends_shown(trends, at, &next)]);
		for (unsigned i = 0; i < CELLS; i++) {
			const int n = plain_width(buf_text(&cell[i]));

			widest[i] = n > widest[i] ? n : widest[i];
		}
		if (width)
			add_trend_cells(out, cell, width);
		free_trend_cells(cell);
	}
}

static void add_trend_heads(struct buf *out, const int *width)
{
	struct buf cell[CELLS] = {0};

	for (unsigned i = 0; i < CELLS; i++) {
		buf_printf(&cell[i], "%s", heads[i]);
		buf_text(&cell[i]);
	}
	add_trend_cells(out, cell, width);
	free_trend_cells(cell);
}

static void add_page_lines(struct buf *out, const struct trends *trends)
{
	for (size_t i = 0; i < trends->npages; i++) {
		const struct trend_page *page = &trends->page[i];

		plain_add(out, page->path, strlen(page->path));
		buf_printf(out, ": ");
		plain_add(out, page->title, strlen(page->title));
		buf_printf(out, "\n");
	}
}

void trends_text(struct buf *out, const struct trends *trends)
{
	int width[CELLS], again[CELLS] = {0};

	for (unsigned i = 0; i < CELLS; i++)
		width[i] = (int)strlen(heads[i]);
	walk_lines(out, trends, NULL, width);
	if (trends->nseries)
		add_trend_heads(out, width);
	walk_lines(out, trends, width, again);
	add_page_lines(out, trends);
}
