// SPDX-License-Identifier: BSD-2-Clause
/*
 * statrows.c - counts for programs, in the columns and keys of `perf stat -x` and `-j`: value,
 * unit, event, with -G its group, with several runs their spread, then the time that it counted
 * (ns, the mean of the runs) and its share, in JSON the error of a scaled count in percent, and the
 * derived figure with its unit. A region's name and number of calls come first, in the place of
 * perf's aggregation.
 */
#include "apps/portable/statfmt.h"

#include "apps/portable/statmetrics.h"
#include "include/perf0/truth.h"
#include "lib/printf.h"
#include "lib/time.h"
#include "rt/print/print.h"

#include <stddef.h>

/* The contents of a line as text, for both forms of output. */
struct row {
	char value[32], spread[16], share[16], error[16], figure[32];
	const char *unit, *figure_unit;
	struct stat_metric metric; /* beside it, in place of the figure; `more` metrics follow */
	bool has_metric;
	unsigned more;
	uint64_t running; /* ns */
	bool has_spread;
	bool has_error; /* of a scaled count, 95 % */
};

/* The digits of each form. */
struct digits {
	unsigned clock;
	const char *count; /* appended to a whole number */
	int figure;        /* -1: as many as the table */
};

static const struct digits json_digits = {.clock = 6, .count = ".000000", .figure = 6};

static const char *of_state(enum stat_state state)
{
	return state == STAT_NOT_SUPPORTED ? "<not supported>" : "<not counted>";
}

static void fill_value(struct row *row, const struct stat_line *l, const struct digits *digits)
{
	uint64_t per;
	const char *unit = stat_unit(l->attr, &per);

	row->unit = unit ? unit : "";
	if (l->state != STAT_COUNTED)
		fmt_print(row->value, sizeof(row->value), "%s", of_state(l->state));
	else if (per > 1)
		fmt_ratio(row->value, sizeof(row->value), l->mean, per, digits->clock);
	else
		fmt_print(row->value, sizeof(row->value), "%llu%s", (unsigned long long)l->mean,
			  digits->count);
}

/* An event that never was enabled was not kept from counting: perf says 100 %. */
static void fill_times(struct row *row, const struct stat_table *t, const struct stat_line *l)
{
	uint64_t running = l->state == STAT_COUNTED ? l->running : 0;

	row->running = running / (t->runs ? t->runs : 1);
	fmt_ratio(row->share, sizeof(row->share), l->enabled ? running * 100 : 100,
		  l->enabled ? l->enabled : 1, 2);
}

/* perf leaves the % sign to the table: "% of all branches" is "of all branches" here. */
static const char *bare_unit(const char *unit)
{
	while (*unit == ' ' || *unit == '%')
		unit++;
	return unit;
}

static void fill_figure(struct row *row, const struct stat_table *t, const struct stat_line *l,
			const struct digits *digits)
{
	struct stat_figure f;

	row->figure[0] = '\0';
	row->figure_unit = "";
	if (!stat_figure(&f, t, l) || !f.base)
		return;
	fmt_ratio(row->figure, sizeof(row->figure), f.value, f.base,
		  digits->figure < 0 ? f.decimals : (unsigned)digits->figure);
	row->figure_unit = bare_unit(f.unit);
}

static void fill_stat_row(struct row *row, const struct stat_table *t, const struct stat_line *l,
			  const struct digits *digits)
{
	fill_value(row, l, digits);
	fill_times(row, t, l);
	fill_figure(row, t, l, digits);
	row->more = 0;
	row->has_metric = stat_metric_next(t, l, &row->more, &row->metric);
	row->has_spread = stat_has_spread(t, l);
	fmt_ratio(row->spread, sizeof(row->spread), l->spread, 100, 2);
	row->has_error =
		l->state == STAT_COUNTED && l->has_error && l->running && l->running != l->enabled;
	fmt_ratio(row->error, sizeof(row->error), l->error, 100, 2);
}

/* Prints the end of an interval, or that the row is of the summary. */
static void print_csv_time(const struct stat_table *t, const char *x)
{
	if (t->until)
		out("%6llu.%09llu%s", (unsigned long long)(t->until / NSEC_PER_SEC),
		    (unsigned long long)(t->until % NSEC_PER_SEC), x);
	else if (t->is_summary)
		out("%16s%s", "summary", x);
}

static void print_csv_label(const struct stat_line *l, const char *x)
{
	char label[STAT_LABEL_MAX];

	if (!stat_label(label, l))
		return;
	out("%s%s", label, x);
	if (l->group->how != STAT_AGGR_NONE)
		out("%u%s", l->group->ncpus, x);
}

/* Prints the time, the region and the CPUs. */
static void print_csv_front(const struct stat_table *t, const struct stat_line *l, const char *x)
{
	print_csv_time(t, x);
	if (t->calls) {
		print_csv_cell(t->title, x);
		out("%s%llu%s", x, (unsigned long long)t->calls, x);
	}
	print_csv_label(l, x);
}

/* Metrics have the columns of other rows: value, unit, event, group, spread, time and share are
 * empty. */
static void print_csv_metrics(const struct stat_table *t, const struct stat_line *l,
			      struct row *row, const char *x)
{
	while (stat_metric_next(t, l, &row->more, &row->metric)) {
		print_csv_front(t, l, x);
		out("%s%s%s%s", x, x, x, x);
		if (l->cgroup)
			out("%s", x);
		if (row->has_spread)
			out("%s", x);
		out("%s%s", x, row->metric.value);
		out("%s", x);
		print_csv_cell(row->metric.label, x);
		out("\n");
	}
}

void stat_print_csv(const struct stat_table *t, const char *x)
{
	static const struct digits digits = {.clock = 2, .count = "", .figure = -1};

	for (unsigned i = 0; i < t->nlines; i++) {
		const struct stat_line *l = &t->lines[i];
		static struct row row;

		if (l->state == STAT_NOT_HERE)
			continue;
		fill_stat_row(&row, t, l, &digits);
		print_csv_front(t, l, x);
		out("%s%s%s%s", row.value, x, row.unit, x);
		print_csv_cell(l->name, x);
		if (l->cgroup) {
			out("%s", x);
			print_csv_cell(l->cgroup, x);
		}
		if (row.has_spread)
			out("%s%s%%", x, row.spread);
		out("%s%llu%s%s%s%s%s", x, (unsigned long long)row.running, x, row.share, x,
		    row.has_metric ? row.metric.value : row.figure, x);
		if (row.has_metric)
			print_csv_cell(row.metric.label, x);
		else
			out("%s", row.figure_unit);
		out("\n");
		print_csv_metrics(t, l, &row, x);
	}
}

static void print_json_region(const struct stat_table *t)
{
	out("\"region\" : ");
	print_json_text(t->title);
	out(", \"calls\" : %llu, ", (unsigned long long)t->calls);
}

static void print_json_label(const struct stat_line *l)
{
	char label[STAT_LABEL_MAX];

	if (!stat_label(label, l))
		return;
	if (l->group->how == STAT_AGGR_NONE)
		out("\"cpu\" : \"%d\", ", l->group->cpu);
	else
		out("\"%s\" : \"%s\", \"aggregate-number\" : %u, ",
		    l->group->how == STAT_AGGR_CORE ? "core" : "socket", label, l->group->ncpus);
}

static void print_json_front(const struct stat_table *t, const struct stat_line *l)
{
	out("{");
	if (t->until)
		out("\"interval\" : %llu.%09llu, ", (unsigned long long)(t->until / NSEC_PER_SEC),
		    (unsigned long long)(t->until % NSEC_PER_SEC));
	if (t->calls)
		print_json_region(t);
	print_json_label(l);
}

/* JSON has no number for a value that is not one. */
static void print_json_metric(const struct stat_metric *metric)
{
	const char *quote = metric->is_number ? "" : "\"";

	out("\"metric-value\" : %s%s%s, \"metric-unit\" : ", quote, metric->fine, quote);
	print_json_text(metric->label);
	if (metric->has_error)
		out(", \"metric-error\" : %s", metric->error);
}

static void print_json_metrics(const struct stat_table *t, const struct stat_line *l,
			       struct row *row)
{
	while (stat_metric_next(t, l, &row->more, &row->metric)) {
		print_json_front(t, l);
		print_json_metric(&row->metric);
		out("}\n");
	}
}

/* Prints the error of the count, and the count that perf would print. */
static void print_json_scaling(const struct stat_line *l, const struct row *row)
{
	struct stat_line by_ratio = *l;
	static struct row other;

	out(", \"scaling-error\" : %s", row->error);
	by_ratio.mean = l->ratio;
	fill_value(&other, &by_ratio, &json_digits);
	out(", \"ratio-value\" : \"%s\"", other.value);
}

/* Instructions of all runs without a row in the tables of the modelled core. */
static void print_json_rowless(const struct stat_rowless *r)
{
	if (r && r->count)
		out(", \"without-row\" : %llu, \"without-row-of\" : %llu, "
		    "\"without-row-mnemonics\" : \"%s\"",
		    (unsigned long long)r->count, (unsigned long long)r->instructions,
		    r->mnemonics);
}

void stat_print_json(const struct stat_table *t)
{
	for (unsigned i = 0; i < t->nlines; i++) {
		const struct stat_line *l = &t->lines[i];
		static struct row row;

		if (l->state == STAT_NOT_HERE)
			continue;
		fill_stat_row(&row, t, l, &json_digits);
		print_json_front(t, l);
		out("\"counter-value\" : \"%s\", \"unit\" : \"%s\", \"event\" : ", row.value,
		    row.unit);
		print_json_text(l->name);
		if (l->cgroup) {
			out(", \"cgroup\" : ");
			print_json_text(l->cgroup);
		}
		if (row.has_spread)
			out(", \"variance\" : %s", row.spread);
		out(", \"event-runtime\" : %llu, \"pcnt-running\" : %s",
		    (unsigned long long)row.running, row.share);
		if (row.has_error)
			print_json_scaling(l, &row);
		out(", ");
		if (row.has_metric)
			print_json_metric(&row.metric);
		else
			out("\"metric-value\" : %s, \"metric-unit\" : \"%s\"",
			    row.figure[0] ? row.figure : "0.000000", row.figure_unit);
		if (l->truth)
			out(", \"truth\" : \"%s\"", truth_name(l->truth));
		if (l->truth == TRUTH_MODELLED && t->core && *t->core)
			out(", \"model\" : \"%s\"", t->core);
		if (l->truth == TRUTH_MODELLED)
			print_json_rowless(t->rowless);
		if (t->passes > 1 && l->pass != STAT_EACH_PASS)
			out(", \"pass\" : %u", l->pass + 1u);
		if (t->more)
			t->more(l);
		out("}\n");
		print_json_metrics(t, l, &row);
	}
}
