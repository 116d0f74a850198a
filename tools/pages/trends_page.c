// SPDX-License-Identifier: BSD-2-Clause
/* trends_page.c - see trends_page.h. */
#include "tools/pages/trends_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/picture/html_page.h"
#include "tools/picture/markup.h"
#include "tools/util/memory.h"

#define LINE_WIDTH  180 /* pixels */
#define LINE_HEIGHT 30
#define LINE_EDGE   4  /* between the line and the edge of its picture */
#define DOTS_MOST   60 /* points that get a dot with a label for the pointer */

/* The trends that are drawn, and the place that links lead to. */
struct drawing {
	const struct trends *trends;
	const char *url;
};

static const struct trend_version *version_of(const struct drawing *d, const struct trend *series,
					      size_t at)
{
	return &d->trends->version[series->point[at].version];
}

/* --- Cells --- */

static void add_value_cell(struct buf *out, double value, bool sign)
{
	struct buf text = {0};

	trends_add_value(&text, value, sign);
	buf_printf(out, "<td class=\"v\">");
	markup_add(out, buf_text(&text));
	buf_printf(out, "</td>");
	buf_free(&text);
}

static void add_percent_cell(struct buf *out, double old, double got)
{
	buf_printf(out, "<td class=\"v\">");
	if (old > 0 && old != got)
		buf_printf(out, "%+.3g", 100 * (got - old) / old);
	buf_printf(out, "</td>");
}

static void add_name_cell(struct buf *out, const char *text)
{
	buf_printf(out, "<td class=\"name\">");
	markup_add(out, text);
	buf_printf(out, "</td>");
}

/* Adds the version's name, as a link if it is a commit and links are known. */
static void add_version_link(struct buf *out, const struct drawing *d,
			     const struct trend_version *v)
{
	struct buf text = {0};
	const bool is_link = d->url && *v->commit;

	trends_add_version(&text, v);
	if (is_link) {
		buf_printf(out, "<a href=\"");
		markup_printf(out, "%s%s", d->url, v->commit);
		buf_printf(out, "\">");
	}
	markup_add(out, buf_text(&text));
	buf_printf(out, is_link ? "</a>" : "");
	buf_free(&text);
}

/* --- The line --- */

struct scale {
	double least, most, x_step;
};

static struct scale scale_of(const struct drawing *d, const struct trend *series)
{
	struct scale scale = {series->point[0].value, series->point[0].value, 0};

	for (size_t i = 1; i < series->n; i++) {
		scale.least = fmin(scale.least, series->point[i].value);
		scale.most = fmax(scale.most, series->point[i].value);
	}
	if (d->trends->nversions > 1)
		scale.x_step = (LINE_WIDTH - 2.0 * LINE_EDGE) / (double)(d->trends->nversions - 1);
	return scale;
}

static double x_of(const struct scale *scale, const struct trend_point *point)
{
	return LINE_EDGE + scale->x_step * (double)point->version;
}

static double y_of(const struct scale *scale, const struct trend_point *point)
{
	const double height = LINE_HEIGHT - 2.0 * LINE_EDGE;

	if (scale->most <= scale->least)
		return LINE_HEIGHT / 2.0;
	return LINE_HEIGHT - LINE_EDGE -
	       height * (point->value - scale->least) / (scale->most - scale->least);
}

static void add_dot(struct buf *out, const struct drawing *d, const struct scale *scale,
		    const struct trend *series, size_t at, bool moved)
{
	const double step = trend_step(series, at);
	struct buf label = {0};

	trends_add_version(&label, version_of(d, series, at));
	buf_printf(&label, ": ");
	trends_add_value(&label, series->point[at].value, false);
	buf_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"><title>",
		   x_of(scale, &series->point[at]), y_of(scale, &series->point[at]),
		   moved ? "4" : "2", moved ? step > 0 ? "#d55e00" : "#0072b2" : "var(--faint)");
	markup_add(out, buf_text(&label));
	buf_printf(out, "</title></circle>");
	buf_free(&label);
}

/* Says for a screen reader what the line shows. */
static void add_line_label(struct buf *out, const struct trend *series)
{
	struct buf text = {0};

	buf_printf(&text, "%s of %s: ", series->event, series->benchmark);
	trends_add_value(&text, series->point[0].value, false);
	buf_printf(&text, " to ");
	trends_add_value(&text, series->point[series->n - 1].value, false);
	buf_printf(&text, " over %zu versions", series->n);
	markup_add(out, buf_text(&text));
	buf_free(&text);
}

static void add_trend_line(struct buf *out, const struct drawing *d, const struct trend *series)
{
	const struct scale scale = scale_of(d, series);
	const size_t largest = trend_largest(series);

	buf_printf(out,
		   "<td class=\"bar\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		   "height=\"%d\" role=\"img\" aria-label=\"",
		   LINE_WIDTH, LINE_HEIGHT);
	add_line_label(out, series);
	buf_printf(out, "\"><path class=\"mark\" d=\"");
	for (size_t i = 0; i < series->n; i++)
		buf_printf(out, i ? "H%.1fV%.1f" : "M%.1f,%.1f", x_of(&scale, &series->point[i]),
			   y_of(&scale, &series->point[i]));
	buf_printf(out, "\"/>");
	for (size_t i = 0; i < series->n; i++)
		if (series->n <= DOTS_MOST && i != largest)
			add_dot(out, d, &scale, series, i, false);
	if (largest)
		add_dot(out, d, &scale, series, largest, true);
	else if (series->n > 0 && series->n <= DOTS_MOST)
		add_dot(out, d, &scale, series, 0, false);
	buf_printf(out, "</svg></td>");
}

/* --- Tables --- */

static void add_trend_row(struct buf *out, const struct drawing *d, const struct trend *series)
{
	const double first = series->point[0].value, last = series->point[series->n - 1].value;
	const size_t at = trend_largest(series), moves = trend_moves(series);

	buf_printf(out, "<tr>");
	add_name_cell(out, series->benchmark);
	add_name_cell(out, series->event);
	add_trend_line(out, d, series);
	add_value_cell(out, first, false);
	add_value_cell(out, last, false);
	add_percent_cell(out, first, last);
	buf_printf(out, "<td style=\"white-space:nowrap\">");
	if (at)
		add_version_link(out, d, version_of(d, series, at));
	if (at && trend_skipped(d->trends, series, at))
		buf_printf(out, " <span class=\"tag\">or %zu not measured before it</span>",
			   trend_skipped(d->trends, series, at));
	if (moves > 1)
		buf_printf(out, " <span class=\"tag\">the most of %zu changes</span>", moves);
	buf_printf(out, "</td>");
	if (at)
		add_value_cell(out, series->point[at].value - series->point[at - 1].value, true);
	else
		buf_printf(out, "<td></td>");
	buf_printf(out, "</tr>\n");
}

static void begin_trends(struct buf *out)
{
	buf_printf(out, "<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>benchmark</th>"
			"<th>event</th><th>oldest to newest</th><th class=\"v\">first</th>"
			"<th class=\"v\">last</th><th class=\"v\">%%</th><th>moved by</th>"
			"<th class=\"v\">by</th></tr></thead><tbody>\n");
}

static void end_trends(struct buf *out)
{
	buf_printf(out, "</tbody></table></div>\n");
}

/* Adds the benchmarks that moved, or all others. Returns their number; `out` may be NULL. */
static size_t add_benchmarks(struct buf *out, const struct drawing *d, bool moved)
{
	size_t n = 0;

	for (size_t at = 0, next; at < d->trends->nseries; at = next) {
		const struct trend *series = &d->trends->series[trends_shown(d->trends, at, &next)];

		if ((trend_moves(series) > 0) != moved)
			continue;
		n++;
		if (out)
			add_trend_row(out, d, series);
	}
	return n;
}

/* Benchmarks that count more, and less, at a version, by the event that is shown of each. */
struct blame {
	size_t up, down;
	const struct trend *series; /* with the largest step at this version */
	size_t at;
};

static void note_blames(struct blame *blame, const struct trend *series)
{
	for (size_t i = 1; i < series->n; i++) {
		struct blame *of = &blame[series->point[i].version];
		const double step = trend_step(series, i);

		of->up += step > 0;
		of->down += step < 0;
		if (step != 0 &&
		    (!of->series || fabs(step) > fabs(trend_step(of->series, of->at)))) {
			of->series = series;
			of->at = i;
		}
	}
}

static void add_blame(struct buf *out, const struct drawing *d, const struct trend_version *v,
		      const struct blame *blame)
{
	buf_printf(out, "<tr><td>");
	add_version_link(out, d, v);
	buf_printf(out, "</td><td class=\"v\">%zu</td><td class=\"v\">%zu</td>", blame->up,
		   blame->down);
	add_name_cell(out, blame->series->benchmark);
	add_percent_cell(out, blame->series->point[blame->at - 1].value,
			 blame->series->point[blame->at].value);
	buf_printf(out, "</tr>\n");
}

static void add_blames(struct buf *out, const struct drawing *d)
{
	const size_t n = d->trends->nversions;
	struct blame *blame = memory_checked(calloc(n + 1, sizeof(*blame)));

	for (size_t at = 0, next; at < d->trends->nseries; at = next)
		note_blames(blame, &d->trends->series[trends_shown(d->trends, at, &next)]);
	buf_printf(out, "<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>version</th>"
			"<th class=\"v\">more</th><th class=\"v\">less</th><th>most of all</th>"
			"<th class=\"v\">%%</th></tr></thead><tbody>\n");
	for (size_t i = n; i--;)
		if (blame[i].series)
			add_blame(out, d, &d->trends->version[i], &blame[i]);
	end_trends(out);
	free(blame);
}

static void add_all_trends(struct buf *out, const struct drawing *d)
{
	page_section(out, "All counts", NULL);
	buf_printf(out, "<details><summary>%zu events of benchmarks</summary>\n",
		   d->trends->nseries);
	begin_trends(out);
	for (size_t i = 0; i < d->trends->nseries; i++)
		add_trend_row(out, d, &d->trends->series[i]);
	end_trends(out);
	buf_printf(out, "</details>\n");
}

/* --- Pages that lie beside the results --- */

/* Returns how long the part of two paths is that names the same folders, up to a slash. */
static size_t common_folders(const char *a, const char *b)
{
	size_t n = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			n = i + 1;
	return n;
}

/* Adds the path from the folder of the file `from` to the file `to`, as a link has it. */
static void add_path_between(struct buf *out, const char *from, const char *to)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-._~/";
	const size_t common = common_folders(from, to);

	if (!strpbrk(from + common, "/") && strcspn(to + common, ":") < strcspn(to + common, "/"))
		buf_printf(out, "./");
	for (const char *c = from + common; *c; c++)
		if (*c == '/')
			buf_printf(out, "../");
	for (const char *c = to + common; *c; c++)
		buf_printf(out, strchr(plain, *c) ? "%c" : "%%%02X", (unsigned char)*c);
}

/* Returns the absolute path of a file that may not exist yet, without symbolic links; allocated. */
static char *absolute_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? copy_text(path, (size_t)(slash - path) + 1) : copy_text(".", 1);
	char *real = realpath(folder, NULL);
	struct buf all = {0};
	char *absolute;

	buf_printf(&all, "%s/%s", real && real[1] ? real : "", slash ? slash + 1 : path);
	absolute = copy_text(buf_text(&all), all.size);
	buf_free(&all);
	free(real);
	free(folder);
	return absolute;
}

static void add_page_row(struct buf *out, const char *index, const struct trend_page *page,
			 const char *path)
{
	struct buf link = {0};

	add_path_between(&link, index, path);
	buf_printf(out, "<tr><td class=\"name\"><a href=\"");
	markup_add(out, buf_text(&link));
	buf_printf(out, "\">");
	markup_add(out, page->title);
	buf_printf(out, "</a></td>");
	add_name_cell(out, page->path);
	buf_printf(out, "</tr>\n");
	buf_free(&link);
}

/* Adds links to the other pages. `path` is that of this page, which may be among them. */
static void add_pages(struct buf *out, const struct trends *trends, const char *path)
{
	static const char *const heads[] = {"page", "file", NULL};
	char *index = absolute_path(path);
	struct buf rows = {0};

	for (size_t i = 0; i < trends->npages; i++) {
		char *other = absolute_path(trends->page[i].path);

		if (strcmp(other, index) != 0)
			add_page_row(&rows, index, &trends->page[i], other);
		free(other);
	}
	if (rows.size) {
		page_section(out, "Pages", NULL);
		page_table_begin(out, heads);
		buf_add(out, rows.data, rows.size);
		page_table_end(out);
	}
	buf_free(&rows);
	free(index);
}

/* Adds the tables of benchmarks: those that moved, and all others. */
static void add_history(struct buf *out, const struct drawing *d, size_t moved, size_t same)
{
	if (moved) {
		page_section(
			out, "Benchmarks that moved",
			"Of each benchmark the event with the largest step is shown. A large dot "
			"is that step: red for more, blue for less.");
		begin_trends(out);
		add_benchmarks(out, d, true);
		end_trends(out);
		page_section(out, "Versions that moved them",
			     "Newest first: how many benchmarks count more, and less, than at the "
			     "version before.");
		add_blames(out, d);
	}
	if (same) {
		page_section(out, "Unchanged", NULL);
		buf_printf(out, "<details%s><summary>%zu benchmark%s</summary>\n",
			   moved ? "" : " open=\"open\"", same, same == 1 ? "" : "s");
		begin_trends(out);
		add_benchmarks(out, d, false);
		end_trends(out);
		buf_printf(out, "</details>\n");
	}
	if (d->trends->nseries)
		add_all_trends(out, d);
}

void trends_page(struct buf *out, const struct trends *trends, const char *const *typed,
		 const char *url, const char *path)
{
	const struct drawing drawing = {trends, url}, *d = &drawing;
	const size_t moved = add_benchmarks(NULL, d, true), same = add_benchmarks(NULL, d, false);
	struct buf title = {0};

	buf_printf(&title, "History: %zu benchmark%s over %zu version%s, %zu moved", moved + same,
		   moved + same == 1 ? "" : "s", trends->nversions,
		   trends->nversions == 1 ? "" : "s", moved);
	page_begin(out, buf_text(&title), typed);
	add_history(out, d, moved, same);
	add_pages(out, trends, path);
	page_end(out);
	buf_free(&title);
}
