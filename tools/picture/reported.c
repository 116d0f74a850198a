// SPDX-License-Identifier: BSD-2-Clause
/* reported.c - see reported.h. */
#include "tools/picture/reported.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/buf.h"
#include "tools/util/memory.h"

/* --- Members --- */

static char *copy_member(json_object *line, const char *key)
{
	json_object *member;
	const char *text = "";

	if (json_object_object_get_ex(line, key, &member) && member)
		text = json_object_get_string(member);
	return copy_text(text, strlen(text));
}

/* Trims zeros: "1.500000" becomes "1.5", and "7.000000" becomes "7". */
static void trim_zeros(char *text)
{
	size_t n = strlen(text);

	if (!strchr(text, '.'))
		return;
	while (text[n - 1] == '0')
		n--;
	n -= text[n - 1] == '.';
	text[n] = '\0';
}

static void read_figure(struct figure *f, json_object *member)
{
	char *end;

	snprintf(f->text, sizeof(f->text), "%s", member ? json_object_get_string(member) : "");
	f->value = strtod(f->text, &end);
	f->is_number = *f->text && !*end && isfinite(f->value);
	if (f->is_number)
		trim_zeros(f->text);
}

static void take_figure(struct figure *f, json_object *line, const char *key)
{
	json_object *member;

	if (json_object_object_get_ex(line, key, &member))
		read_figure(f, member);
}

/* --- Lines --- */

/* Returns the CPUs of the line, which -A and similar options print. */
static char *scope_of(json_object *line)
{
	json_object *cpu;
	char *scope;

	if (json_object_object_get_ex(line, "cpu", &cpu)) {
		struct buf text = {0};

		buf_printf(&text, "CPU%s", json_object_get_string(cpu));
		scope = copy_text(buf_text(&text), text.size);
		buf_free(&text);
		return scope;
	}
	if (json_object_object_get_ex(line, "core", &cpu))
		return copy_member(line, "core");
	return copy_member(line, "socket");
}

static void take_histogram(struct result_row *row, json_object *line)
{
	json_object *list;

	if (!json_object_object_get_ex(line, "histogram", &list) ||
	    !json_object_is_type(list, json_type_array))
		return;
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *entry = json_object_array_get_idx(list, i);
		struct figure f[3] = {0};

		if (!json_object_is_type(entry, json_type_array))
			continue;
		for (size_t k = 0; k < 3; k++)
			read_figure(&f[k], json_object_array_get_idx(entry, k));
		if (!f[0].is_number || !f[1].is_number || !f[2].is_number)
			continue;
		row->histogram =
			memory_grow(row->histogram, row->nhistogram, sizeof(*row->histogram));
		row->histogram[row->nhistogram++] =
			(struct chart_point){.x = f[0].value, .to = f[1].value, .mid = f[2].value};
	}
}

static void take_bench(struct result_row *row, json_object *line)
{
	static const char *const keys[BENCH_FIGURES] = {"min", "median", "mean", "max"};

	for (unsigned i = 0; i < BENCH_FIGURES; i++)
		take_figure(&row->figure[i], line, keys[i]);
	take_figure(&row->cycle, line, "cycle");
	take_figure(&row->measurements, line, "measurements");
	take_figure(&row->times, line, "times");
	take_histogram(row, line);
}

static void add_result_row(struct reported *results, json_object *line)
{
	struct result_row *row;
	json_object *member;

	results->row = memory_grow(results->row, results->n, sizeof(*results->row));
	row = &results->row[results->n++];
	row->event = copy_member(line, "event");
	row->unit = copy_member(line, "unit");
	row->truth = copy_member(line, "truth");
	row->cgroup = copy_member(line, "cgroup");
	row->scope = scope_of(line);
	row->metric_unit = copy_member(line, "metric-unit");
	row->is_bench = json_object_object_get_ex(line, "benchmark", &member);
	row->section = copy_member(line, row->is_bench ? "benchmark" : "region");
	take_figure(&row->calls, line, "calls");
	take_figure(&row->interval, line, "interval");
	take_figure(&row->count, line, "counter-value");
	take_figure(&row->share, line, "pcnt-running");
	take_figure(&row->variance, line, "variance");
	take_figure(&row->error, line, "scaling-error");
	take_figure(&row->pass, line, "pass");
	if (*row->metric_unit)
		take_figure(&row->metric, line, "metric-value");
	if (row->is_bench)
		take_bench(row, line);
}

static void take_noise(struct reported *results, json_object *noise)
{
	results->has_noise = true;
	json_object_object_foreach(noise, key, value)
	{
		struct noise_fact *fact;

		results->noise =
			memory_grow(results->noise, results->nnoise, sizeof(*results->noise));
		fact = &results->noise[results->nnoise++];
		fact->name = copy_text(key, strlen(key));
		if (json_object_is_type(value, json_type_array)) {
			struct buf all = {0};

			for (size_t i = 0; i < json_object_array_length(value); i++)
				buf_printf(&all, "%s%s", i ? "; " : "",
					   json_object_get_string(
						   json_object_array_get_idx(value, i)));
			fact->value = copy_text(buf_text(&all), all.size);
			buf_free(&all);
		} else {
			fact->value = copy_member(noise, key);
		}
	}
}

static void add_json_line(struct reported *results, const char *text)
{
	json_object *line = json_tokener_parse(text), *member;

	if (!line || !json_object_is_type(line, json_type_object)) {
		json_object_put(line);
		return;
	}
	if (json_object_object_get_ex(line, "noise", &member) &&
	    json_object_is_type(member, json_type_object))
		take_noise(results, member);
	else if (json_object_object_get_ex(line, "event", &member))
		add_result_row(results, line);
	json_object_put(line);
}

void reported_read(struct reported *results, const void *bytes, size_t size)
{
	char *text = copy_text(bytes ? bytes : "", size), *rest = text, *line;

	*results = (struct reported){0};
	while ((line = strsep(&rest, "\n")))
		if (*line)
			add_json_line(results, line);
	free(text);
}

void reported_free(struct reported *results)
{
	for (size_t i = 0; i < results->n; i++) {
		struct result_row *row = &results->row[i];
		char *const texts[] = {row->event, row->unit,    row->truth,      row->cgroup,
				       row->scope, row->section, row->metric_unit};

		for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
			free(texts[t]);
		free(row->histogram);
	}
	for (size_t i = 0; i < results->nnoise; i++) {
		free(results->noise[i].name);
		free(results->noise[i].value);
	}
	free(results->row);
	free(results->noise);
	*results = (struct reported){0};
}

/* --- Charts --- */

static void add_histogram(struct charts *charts, const struct result_row *row, bool with_section)
{
	struct chart_series *series;
	struct buf title = {0};

	buf_printf(&title, "%s%s%s", with_section ? row->section : "", with_section ? ": " : "",
		   row->event);
	series = chart_add_series(
		charts_add(charts, CHART_BARS, buf_text(&title), "counted by one copy", "times"),
		row->event);
	for (size_t i = 0; i < row->nhistogram; i++)
		chart_add_point(series, &row->histogram[i]);
	buf_free(&title);
}

static bool is_same_count(const struct result_row *a, const struct result_row *b)
{
	return !strcmp(a->event, b->event) && !strcmp(a->scope, b->scope) &&
	       !strcmp(a->cgroup, b->cgroup) && !strcmp(a->section, b->section);
}

/* Returns whether the row belongs to a series over time or cycles. */
static bool is_along(const struct result_row *row)
{
	return row->interval.is_number || row->cycle.is_number;
}

/*
 * Draws a chart of all rows like `first`, which is the first of its kind. Values are per ms,
 * because the last interval is shorter.
 */
static void add_intervals(struct charts *charts, const struct reported *results, size_t first)
{
	const struct result_row *like = &results->row[first];
	const bool is_time = !strcmp(like->unit, "msec");
	struct chart_series *series;
	struct buf title = {0};
	double since = 0;

	buf_printf(&title, "%s%s%s%s%s", like->event, *like->scope ? " " : "", like->scope,
		   *like->cgroup ? " " : "", like->cgroup);
	series = chart_add_series(charts_add(charts, CHART_STEPS, buf_text(&title), "seconds",
					     is_time ? "CPUs" : "per ms"),
				  like->event);
	for (size_t i = first; i < results->n; i++) {
		const struct result_row *row = &results->row[i];
		const double ms = (row->interval.value - since) * 1000;

		if (!row->interval.is_number || !is_same_count(row, like))
			continue;
		if (row->count.is_number && ms > 0)
			chart_add_point(series,
					&(struct chart_point){.x = since,
							      .to = row->interval.value,
							      .mid = row->count.value / ms});
		since = row->interval.value;
	}
	buf_free(&title);
}

/*
 * Draws a chart of all rows like `first`, cycle by cycle: minimum, median and maximum of all
 * trials.
 */
static void add_trace(struct charts *charts, const struct reported *results, size_t first,
		      bool with_section)
{
	const struct result_row *like = &results->row[first];
	struct chart_series *series;
	struct buf title = {0};

	buf_printf(&title, "%s%s%s", with_section ? like->section : "", with_section ? ": " : "",
		   like->event);
	series = chart_add_series(
		charts_add(charts, CHART_LINES, buf_text(&title), "cycle", "counted"), like->event);
	series->has_band = true;
	for (size_t i = first; i < results->n; i++) {
		const struct result_row *row = &results->row[i];

		if (row->cycle.is_number && is_same_count(row, like))
			chart_add_point(series, &(struct chart_point){
							.x = row->cycle.value,
							.low = row->figure[BENCH_MIN].value,
							.mid = row->figure[BENCH_MEDIAN].value,
							.high = row->figure[BENCH_MAX].value});
	}
	buf_free(&title);
}

static bool is_first_of_kind(const struct reported *results, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_along(&results->row[i]) && is_same_count(&results->row[i], &results->row[n]))
			return false;
	return true;
}

void reported_charts(const struct reported *results, struct charts *charts)
{
	const bool several =
		results->n && strcmp(results->row[0].section, results->row[results->n - 1].section);

	for (size_t i = 0; i < results->n; i++) {
		const struct result_row *row = &results->row[i];

		if (is_along(row) && !is_first_of_kind(results, i))
			continue;
		if (row->cycle.is_number)
			add_trace(charts, results, i, several);
		else if (row->nhistogram)
			add_histogram(charts, row, several);
		else if (row->interval.is_number)
			add_intervals(charts, results, i);
	}
}
