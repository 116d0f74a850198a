// SPDX-License-Identifier: BSD-2-Clause
/* results_page.c - see results_page.h. */
#include "tools/picture/results_page.h"

#include <stdio.h>
#include <string.h>

#include "tools/picture/chart_svg.h"
#include "tools/picture/markup.h"
#include "tools/picture/html_page.h"
#include "tools/picture/plan_page.h"
#include "tools/picture/schedule_svg.h"

#define CHART_NARROW 340 /* several charts side by side */
#define CHART_WIDE   720
#define BAR          130 /* width of a bar in a table */
#define BAR_HEIGHT   14
#define PERCENT_ALL  10000 /* hundredths */
#define ROWS_OPEN    40    /* rows of intervals; further ones are folded */

/* Rows of one table: neighbours with the same section. */
struct table {
	struct buf *out;
	const struct result_row *row;
	size_t n;
	double most, least, error; /* of counts or of a benchmark's figures; of % */
	bool has_unit, has_scope, has_cgroup, has_error, has_share, has_metric, has_interval,
		has_pass, has_cycle;
	unsigned decimals;
};

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* The error of a count in percent; 0: it is exact, or the error is unknown. */
static double error_of(const struct result_row *row)
{
	return larger(row->variance.is_number ? row->variance.value : 0,
		      row->error.is_number ? row->error.value : 0);
}

static unsigned decimals_of(const struct figure *f)
{
	const char *point = strchr(f->text, '.');

	return f->is_number && point ? (unsigned)strlen(point + 1) : 0;
}

/* Returns whether the row belongs to a series over time or cycles. */
static bool is_along(const struct result_row *row)
{
	return row->interval.is_number || row->cycle.is_number;
}

static void look_at_bench(struct table *t, const struct result_row *row)
{
	for (unsigned i = 0; i < BENCH_FIGURES; i++) {
		if (decimals_of(&row->figure[i]) > t->decimals)
			t->decimals = decimals_of(&row->figure[i]);
		t->most = larger(t->most, row->figure[i].value);
		if (row->figure[i].value < t->least)
			t->least = row->figure[i].value;
	}
}

static void look_at_rows(struct table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct result_row *row = &t->row[i];

		t->has_unit |= *row->unit;
		t->has_scope |= *row->scope;
		t->has_cgroup |= *row->cgroup;
		t->has_error |= row->variance.is_number || row->error.is_number;
		t->has_share |= row->share.is_number && row->share.value < 100;
		t->has_metric |= row->metric.is_number;
		t->has_interval |= row->interval.is_number;
		t->has_pass |= row->pass.is_number;
		t->has_cycle |= row->cycle.is_number;
		t->error = larger(t->error, error_of(row));
		if (!*row->unit && row->count.is_number)
			t->most = larger(t->most, row->count.value);
		look_at_bench(t, row);
	}
}

/* --- Cells --- */

static void add_number(struct buf *out, const struct figure *f)
{
	buf_printf(out, "<td class=\"v\">");
	if (f->is_number)
		markup_number(out, f->text);
	else
		markup_add(out, f->text);
	buf_printf(out, "</td>");
}

/* Adds a figure with the table's number of decimals. */
static void add_aligned(struct buf *out, const struct figure *f, unsigned decimals)
{
	struct buf text = {0};
	unsigned n = decimals_of(f);

	buf_printf(&text, "%s", f->text);
	if (f->is_number && !n && decimals)
		buf_printf(&text, ".");
	for (; f->is_number && n < decimals; n++)
		buf_printf(&text, "0");
	buf_printf(out, "<td class=\"v\">");
	markup_number(out, buf_text(&text));
	buf_printf(out, "</td>");
	buf_free(&text);
}

static void begin_bar(struct buf *out)
{
	buf_printf(out,
		   "<td class=\"bar\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		   "height=\"%d\" aria-hidden=\"true\">",
		   BAR, BAR_HEIGHT);
}

static void end_bar(struct buf *out)
{
	buf_printf(out, "</svg></td>");
}

static void add_bar(struct buf *out, double width, const char *colour)
{
	buf_printf(out,
		   "<rect class=\"lane\" width=\"%d\" height=\"8\" y=\"3\"/>"
		   "<rect width=\"%.1f\" height=\"8\" y=\"3\" fill=\"%s\"/>",
		   BAR, width, colour);
}

/* Draws the count relative to the largest count of the table. */
static void add_count_bar(const struct table *t, const struct result_row *row)
{
	begin_bar(t->out);
	if (!*row->unit && row->count.is_number && t->most > 0)
		add_bar(t->out, larger(row->count.value / t->most * BAR, 1), "#56b4e9");
	end_bar(t->out);
}

/* Draws the error at the table's scale: a line around the middle, or a dot for no error. */
static void add_error_bar(const struct table *t, const struct result_row *row)
{
	const double half = t->error > 0 ? error_of(row) / t->error * (BAR / 2.0 - 3) : 0;

	begin_bar(t->out);
	if (row->count.is_number)
		buf_printf(t->out,
			   "<path class=\"mark\" d=\"M%.1f,7H%.1fM%.1f,3v8M%.1f,3v8\"/>"
			   "<circle cx=\"%.1f\" cy=\"7\" r=\"2.5\" fill=\"#0072b2\"/>",
			   BAR / 2.0 - half, BAR / 2.0 + half, BAR / 2.0 - half, BAR / 2.0 + half,
			   BAR / 2.0);
	end_bar(t->out);
}

/* Draws minimum, median and maximum of a benchmark's event at the table's scale. */
static void add_range_bar(const struct table *t, const struct result_row *row)
{
	const double scale = (BAR - 6) / larger(t->most - t->least, 1e-9),
		     zero = 3 - t->least * scale;
	const double x1 = zero + row->figure[BENCH_MIN].value * scale;
	const double x2 = zero + row->figure[BENCH_MAX].value * scale;

	begin_bar(t->out);
	buf_printf(t->out,
		   "<path class=\"rule\" d=\"M3,7h%d\"/><path class=\"mark\" "
		   "d=\"M%.1f,7H%.1fM%.1f,3v8M%.1f,3v8\"/><circle cx=\"%.1f\" cy=\"7\" r=\"2.5\" "
		   "fill=\"#0072b2\"/>",
		   BAR - 6, x1, x2, x1, x2, zero + row->figure[BENCH_MEDIAN].value * scale);
	end_bar(t->out);
}

/* --- Tables --- */

static void add_heading(const struct table *t, bool there, const char *class, const char *text)
{
	if (there)
		buf_printf(t->out, "<th%s>%s</th>", class, text);
}

#define RIGHT " class=\"v\""

static void add_count_headings(const struct table *t)
{
	add_heading(t, t->has_interval, RIGHT, "until, s");
	add_heading(t, t->has_scope, "", "of");
	add_heading(t, true, "", "event");
	add_heading(t, t->has_cgroup, "", "cgroup");
	add_heading(t, true, RIGHT, "count");
	add_heading(t, t->has_unit, "", "unit");
	add_heading(t, !t->has_interval, "", "beside each other");
	add_heading(t, t->has_error, RIGHT, "±&#160;%");
	add_heading(t, t->has_error, "", "may be off by");
	add_heading(t, t->has_share, RIGHT, "% of time");
	add_heading(t, t->has_pass, RIGHT, "pass");
	add_heading(t, t->has_metric, RIGHT, "that is");
	add_heading(t, t->has_metric, "", "unit of it");
	add_heading(t, true, "", "accuracy");
}

/*
 * Returns the larger of the spread over runs and the scaling error. Most tables have only one of
 * them.
 */
static const struct figure *told_error(const struct result_row *row)
{
	return row->variance.is_number && row->variance.value >= row->error.value ? &row->variance
										  : &row->error;
}

static void add_count_row(const struct table *t, const struct result_row *row)
{
	buf_printf(t->out, "<tr>");
	if (t->has_interval)
		add_number(t->out, &row->interval);
	if (t->has_scope)
		page_cell(t->out, NULL, row->scope);
	page_cell(t->out, "name", row->event);
	if (t->has_cgroup)
		page_cell(t->out, "name", row->cgroup);
	add_number(t->out, &row->count);
	if (t->has_unit)
		page_cell(t->out, NULL, row->unit);
	if (!t->has_interval)
		add_count_bar(t, row);
	if (t->has_error) {
		add_number(t->out, told_error(row));
		add_error_bar(t, row);
	}
	if (t->has_share)
		add_number(t->out, &row->share);
	if (t->has_pass)
		page_cell(t->out, "v", row->pass.is_number ? row->pass.text : "each");
	if (t->has_metric) {
		add_number(t->out, &row->metric);
		page_cell(t->out, NULL, row->metric_unit);
	}
	page_cell(t->out, "tag", row->truth);
	buf_printf(t->out, "</tr>\n");
}

static void add_bench_headings(const struct table *t)
{
	static const char *const names[BENCH_FIGURES] = {"min", "median", "mean", "max"};

	add_heading(t, t->has_cycle, RIGHT, "cycle");
	add_heading(t, true, "", "event");
	for (unsigned i = 0; i < BENCH_FIGURES; i++)
		add_heading(t, true, RIGHT, names[i]);
	add_heading(t, true, "", "min to max");
	add_heading(t, t->has_pass, RIGHT, "pass");
	add_heading(t, true, "", "accuracy");
}

static void add_bench_row(const struct table *t, const struct result_row *row)
{
	buf_printf(t->out, "<tr>");
	if (t->has_cycle)
		add_number(t->out, &row->cycle);
	page_cell(t->out, "name", row->event);
	for (unsigned i = 0; i < BENCH_FIGURES; i++)
		add_aligned(t->out, &row->figure[i], t->decimals);
	add_range_bar(t, row);
	if (t->has_pass)
		page_cell(t->out, "v", row->pass.is_number ? row->pass.text : "each");
	page_cell(t->out, "tag", row->truth);
	buf_printf(t->out, "</tr>\n");
}

static void add_table(struct buf *out, const struct result_row *row, size_t n)
{
	struct table t = {.out = out, .row = row, .n = n};
	bool folded;

	look_at_rows(&t);
	folded = is_along(row) && n > ROWS_OPEN;
	if (folded)
		buf_printf(out, "<details><summary>all %zu rows</summary>\n", n);
	buf_printf(out, "<div class=\"table\" tabindex=\"0\"><table><thead><tr>");
	(row->is_bench ? add_bench_headings : add_count_headings)(&t);
	buf_printf(out, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		(row->is_bench ? add_bench_row : add_count_row)(&t, &row[i]);
	buf_printf(out, "</tbody></table></div>%s\n", folded ? "</details>" : "");
}

static void add_table_title(struct buf *out, const struct result_row *row)
{
	struct buf title = {0}, sentence = {0};

	if (row->is_bench)
		buf_printf(&title, "%s", row->section);
	else if (*row->section)
		buf_printf(&title, "Region %s", row->section);
	else
		buf_printf(&title, row->interval.is_number ? "Each interval" : "Counts");
	if (row->cycle.is_number)
		buf_printf(&sentence, "%s measurements of each cycle.", row->measurements.text);
	else if (row->is_bench)
		buf_printf(&sentence, "%s measurements; figures are of one copy of %s.",
			   row->measurements.text, row->times.text);
	else if (*row->section)
		buf_printf(&sentence, "%s call%s.", row->calls.text,
			   row->calls.value == 1 ? "" : "s");
	page_section(out, buf_text(&title), sentence.size ? buf_text(&sentence) : NULL);
	buf_free(&title);
	buf_free(&sentence);
}

static bool is_of_table(const struct result_row *first, const struct result_row *row)
{
	return !strcmp(first->section, row->section) && is_along(first) == is_along(row);
}

/* Adds the tables over time or cycles, or all others. */
static void add_tables(struct buf *out, const struct reported *results, bool along)
{
	size_t at = 0;

	while (at < results->n) {
		const struct result_row *first = &results->row[at];
		size_t n = 1;

		while (at + n < results->n && is_of_table(first, &results->row[at + n]))
			n++;
		if (is_along(first) == along) {
			add_table_title(out, first);
			add_table(out, first, n);
		}
		at += n;
	}
}

/* --- The other sections --- */

/* Returns whether all runs of a benchmark gave one value, so that a chart would show nothing. */
static bool is_single(const struct chart *chart)
{
	return chart->kind == CHART_BARS && chart->series[0].n == 1 &&
	       chart->series[0].point[0].x == chart->series[0].point[0].to;
}

static void add_singles(struct buf *out, const struct charts *charts)
{
	const char *before = "<p>The same each time: ";

	for (size_t i = 0; i < charts->n; i++) {
		const struct chart *chart = &charts->chart[i];

		if (!is_single(chart))
			continue;
		buf_printf(out, "%s<code>", before);
		markup_add(out, chart->title);
		buf_printf(out, "</code> %.10g", chart->series[0].point[0].x);
		before = ", ";
	}
	if (*before == ',')
		buf_printf(out, ".</p>\n");
}

static void add_charts(struct buf *out, const struct charts *charts)
{
	static const struct {
		const char *title, *sentence;
	} kinds[] = {
		[CHART_BARS] = {"How often each value was measured", "No measurement is left out."},
		[CHART_STEPS] = {"Over time", "What each interval counted, by its length."},
		[CHART_LINES] = {"Cycle by cycle",
				 "The median, and the least and the most about it."},
	};

	for (unsigned kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		bool any = false;

		for (size_t i = 0; i < charts->n; i++)
			any |= charts->chart[i].kind == kind;
		if (!any)
			continue;
		page_section(out, kinds[kind].title, kinds[kind].sentence);
		if (kind == CHART_BARS)
			add_singles(out, charts);
		buf_printf(out, "<div class=\"picture several\" tabindex=\"0\">\n");
		for (size_t i = 0; i < charts->n; i++)
			if (charts->chart[i].kind == kind && !is_single(&charts->chart[i]))
				chart_svg(out, &charts->chart[i],
					  kind == CHART_BARS ? CHART_NARROW : CHART_WIDE,
					  (unsigned)i);
		buf_printf(out, "</div>\n");
	}
}

static bool has_all_the_time(const struct planner *p)
{
	bool all = true;

	for (unsigned i = 0; i < p->own.n; i++)
		all &= p->plan.events[i].has_percent && p->plan.events[i].percent == PERCENT_ALL;
	return all;
}

static void add_plan(struct buf *out, const struct results_plan *plan)
{
	struct buf sentence = {0};

	buf_printf(out, "<div>");

	if (plan->pass)
		buf_printf(&sentence, "Pass %u: ", plan->pass);
	if (plan->planner && has_all_the_time(plan->planner)) {
		buf_printf(&sentence,
			   plan->pass ? "all the time." : "All events count all the time.");
	} else if (plan->planner) {
		schedule_sentence(&sentence, plan->planner, plan->schedule);
		buf_printf(&sentence, ".");
	} else {
		buf_printf(&sentence, "%s.", plan->no_plan);
	}
	buf_printf(out, "<p class=\"faint\">");
	markup_add(out, buf_text(&sentence));
	buf_printf(out, "</p>\n");
	if (plan->planner) {
		page_picture_begin(out);
		schedule_svg(out, plan->planner, plan->schedule, false);
		page_picture_end(out);
	}
	buf_printf(out, "</div>\n");
	buf_free(&sentence);
}

static void add_plans(struct buf *out, const struct results_source *source)
{
	if (!source->nplans)
		return;
	page_section(out, "Schedule",
		     "Which event has which counter, as perf0 plan has it for these "
		     "events and this machine.");
	buf_printf(out, "<div class=\"several\">\n");
	for (size_t i = 0; i < source->nplans; i++)
		add_plan(out, &source->plan[i]);
	buf_printf(out, "</div>\n");
}

static void add_verdict(struct buf *out, const char *verdict)
{
	buf_printf(out, "<p class=\"%s\">", strcmp(verdict, "PASS") ? "disturbed" : "pass");
	markup_add(out, verdict);
	buf_printf(out, "</p>\n");
}

static void add_noise(struct buf *out, const struct reported *results)
{
	page_section(out, "Noise certificate",
		     results->has_noise
			     ? NULL
			     : "There is none: --certificate asks for one, and on a real "
			       "machine each measurement has one.");
	if (!results->has_noise)
		return;
	for (size_t i = 0; i < results->nnoise; i++)
		if (!strcmp(results->noise[i].name, "verdict"))
			add_verdict(out, results->noise[i].value);
	page_facts_begin(out);
	for (size_t i = 0; i < results->nnoise; i++)
		if (strcmp(results->noise[i].name, "verdict") && *results->noise[i].value)
			page_fact(out, results->noise[i].name, results->noise[i].value);
	page_facts_end(out);
}

void results_page(struct buf *out, const struct results_source *source)
{
	page_begin(out, source->title, source->typed);
	if (source->trouble) {
		buf_printf(out, "<p class=\"disturbed\">");
		markup_add(out, source->trouble);
		buf_printf(out, "</p>\n");
	}
	if (source->first)
		buf_add(out, source->first->data, source->first->size);
	add_tables(out, source->results, false);
	add_charts(out, source->charts);
	if (source->more)
		buf_add(out, source->more->data, source->more->size);
	add_tables(out, source->results, true);
	add_plans(out, source);
	add_noise(out, source->results);
	page_section(out, "Machine", NULL);
	page_facts_begin(out);
	for (size_t i = 0; i < source->nfacts; i++)
		page_fact(out, source->fact[i].name, source->fact[i].value);
	page_facts_end(out);
	page_end(out);
}
