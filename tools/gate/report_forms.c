// SPDX-License-Identifier: BSD-2-Clause
/* report_forms.c - see report.h: the reports as JSON, SARIF and Markdown. */
#include "tools/gate/report.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <string.h>

#include "include/perf0/formats.h"
#include "include/perf0/version.h"
#include "tools/util/plainbuf.h"

static bool is_last_of_benchmark(const struct comparison *c, size_t i)
{
	return i + 1 == c->n || strcmp(c->change[i].benchmark, c->change[i + 1].benchmark) != 0;
}

static bool is_first_of_benchmark(const struct comparison *c, size_t i)
{
	return !i || is_last_of_benchmark(c, i - 1);
}

/* --- JSON --- */

static void add_json_change(struct buf *out, const struct change *c)
{
	buf_printf(out, "{\"event\": ");
	plain_add_json(out, c->event);
	buf_printf(out,
		   ", \"of\": \"%s\", \"old\": %" PRIu64 ", \"new\": %" PRIu64
		   ", \"verdict\": \"%s\"}",
		   c->inside ? "function" : "process", c->old, c->got,
		   c->verdict == VERDICT_SAME ? "same" : report_verdict(c->verdict));
}

static void add_json_source(struct buf *out, const struct source *source)
{
	if (!source)
		return;
	buf_printf(out, ", \"file\": ");
	plain_add_json(out, source->file);
	buf_printf(out, ", \"line\": %u", source->line);
}

static void add_json_moved(struct buf *out, const struct moved *m, const struct sources *sources)
{
	buf_printf(out, "{\"function\": ");
	plain_add_json(out, m->name);
	buf_printf(out,
		   ", \"old\": %" PRIu64 ", \"new\": %" PRIu64 ", \"old-calls\": %" PRIu64
		   ", \"new-calls\": %" PRIu64 ", \"old-bytes\": %" PRIu64
		   ", \"new-bytes\": %" PRIu64 ", \"other-code\": %s",
		   m->old, m->got, m->old_calls, m->got_calls, m->old_size, m->got_size,
		   m->has_other_code ? "true" : "false");
	add_json_source(out, sources ? sources_find(sources, m->name) : NULL);
	buf_printf(out, "}");
}

static void add_json_functions(struct buf *out, const struct gate_report *r, const char *benchmark)
{
	struct moved_list list;

	compare_functions(r->old, r->got, benchmark, &list);
	buf_printf(out, "], \"functions\": [");
	for (size_t i = 0; i < list.n; i++) {
		buf_printf(out, "%s", i ? ", " : "");
		add_json_moved(out, &list.one[i], r->sources);
	}
	buf_printf(out, "], \"others\": {\"functions\": %zu, \"difference\": %" PRId64 "}}",
		   list.others, list.by_others);
}

#define REBUILT_MOST 64

static void add_json_rebuilt(struct buf *out, const struct gate_report *r)
{
	struct rebuilt rebuilt[REBUILT_MOST];
	const size_t n = compare_files(r->old, r->got, rebuilt, REBUILT_MOST);

	for (size_t i = 0; i < n; i++) {
		buf_printf(out, "%s{\"file\": ", i ? ", " : "");
		plain_add_json(out, rebuilt[i].path);
		buf_printf(out, ", \"difference\": %" PRId64 ", \"benchmarks\": %zu}",
			   rebuilt[i].by, rebuilt[i].benchmarks);
	}
}

static void add_json_unsteady(struct buf *out, const struct unsteady_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct unsteady *u = &list->one[i];

		buf_printf(out, "%s{\"benchmark\": ", i ? ", " : "");
		plain_add_json(out, u->benchmark);
		buf_printf(out, ", \"event\": ");
		plain_add_json(out, u->event);
		buf_printf(out, ", \"first\": %" PRIu64 ", \"second\": %" PRIu64 "}", u->first,
			   u->second);
	}
}

/* The text may be that of a file, so it is checked. */
static void add_json_measured_on(struct buf *out, const char *text)
{
	struct json_object *object = text ? json_tokener_parse(text) : NULL;

	if (json_object_is_type(object, json_type_object))
		buf_printf(out, ",\n \"measured-on\": %s",
			   json_object_to_json_string_ext(object, JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

void report_json(struct buf *out, const struct gate_report *r)
{
	const struct comparison *c = r->comparison;

	buf_printf(out, "{\"format\": %d, \"version\": \"" PERF0_VERSION "\", \"baseline\": ",
		   GATE_JSON_VERSION);
	plain_add_json(out, r->baseline);
	add_json_measured_on(out, r->got->measured_on);
	buf_printf(out, ",\n \"benchmarks\": [");
	for (size_t i = 0; i < c->n; i++) {
		if (is_first_of_benchmark(c, i)) {
			buf_printf(out, "%s\n  {\"name\": ", i ? "," : "");
			plain_add_json(out, c->change[i].benchmark);
			buf_printf(out, ", \"counts\": [");
		} else {
			buf_printf(out, ", ");
		}
		add_json_change(out, &c->change[i]);
		if (is_last_of_benchmark(c, i))
			add_json_functions(out, r, c->change[i].benchmark);
	}
	buf_printf(out, "],\n \"rebuilt\": [");
	add_json_rebuilt(out, r);
	buf_printf(out, "],\n \"not-deterministic\": [");
	add_json_unsteady(out, r->unsteady);
	buf_printf(out, "],\n \"by-chance\": [");
	add_json_unsteady(out, r->by_chance);
	buf_printf(out, "]}\n");
}

/* --- SARIF --- */

static void add_sarif_result(struct buf *out, const struct gate_report *r, const struct change *c,
			     bool is_first)
{
	const struct source *source = NULL;
	struct moved_list list;
	struct buf text = {0};

	compare_functions(r->old, r->got, c->benchmark, &list);
	buf_printf(&text, "%s: ", c->benchmark);
	if (c->verdict == VERDICT_GONE)
		buf_printf(&text, "%s is in the baseline, and was not measured", c->event);
	else
		report_change(&text, c);
	for (size_t i = 0; i < list.n; i++) {
		buf_printf(&text, "; ");
		report_moved(&text, &list.one[i], r->sources);
		if (!source && r->sources)
			source = sources_find(r->sources, list.one[i].name);
	}
	buf_printf(out,
		   "%s\n   {\"ruleId\": \"%s\", \"level\": \"error\", \"message\": {\"text\": ",
		   is_first ? "" : ",", c->verdict == VERDICT_GONE ? "gone" : "worse");
	plain_add_json(out, buf_text(&text));
	buf_printf(out,
		   "}, \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
	plain_add_json(out, source ? source->file : r->baseline);
	buf_printf(out, "}, \"region\": {\"startLine\": %u}}}]}", source ? source->line : 1);
	buf_free(&text);
}

void report_sarif(struct buf *out, const struct gate_report *r)
{
	bool is_first = true;

	buf_printf(out, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", "
			"\"version\": \"2.1.0\",\n \"runs\": [{\"tool\": {\"driver\": {\"name\": "
			"\"perf0 gate\", \"version\": \"" PERF0_VERSION
			"\", \"rules\": [{\"id\": \"worse\", "
			"\"shortDescription\": {\"text\": \"A benchmark counts more than its "
			"baseline\"}}, {\"id\": \"gone\", \"shortDescription\": {\"text\": \"A "
			"benchmark of the baseline was not measured\"}}]}},\n  \"results\": [");
	for (size_t i = 0; i < r->comparison->n; i++) {
		const struct change *c = &r->comparison->change[i];

		if (c->verdict != VERDICT_WORSE && c->verdict != VERDICT_GONE)
			continue;
		add_sarif_result(out, r, c, is_first);
		is_first = false;
	}
	buf_printf(out, "]}]}\n");
}

/* --- Markdown --- */

/* A bar would end the cell. */
static void add_markdown_cell(struct buf *out, const char *text)
{
	struct buf plain = {0};

	plain_add(&plain, text, strlen(text));
	for (const char *c = buf_text(&plain); *c; c++)
		buf_printf(out, *c == '|' || *c == '`' ? "\\%c" : "%c", *c);
	buf_free(&plain);
}

static void add_markdown_row(struct buf *out, const struct gate_report *r, const struct change *c)
{
	struct buf text = {0};
	struct moved_list list;

	buf_printf(out, "| ");
	add_markdown_cell(out, c->benchmark);
	report_change(&text, c);
	buf_printf(out, " | ");
	add_markdown_cell(out, buf_text(&text));
	buf_printf(out, " | %s | ", report_verdict(c->verdict));
	text.size = 0;
	compare_functions(r->old, r->got, c->benchmark, &list);
	if (list.n)
		report_moved(&text, &list.one[0], r->sources);
	add_markdown_cell(out, buf_text(&text));
	buf_printf(out, " |\n");
	buf_free(&text);
}

void report_markdown(struct buf *out, const struct gate_report *r)
{
	const struct comparison *c = r->comparison;
	size_t shown = 0;

	buf_printf(out, "### perf0 gate: %zu worse, %zu better, %zu unchanged\n",
		   c->benchmarks[VERDICT_WORSE] + c->benchmarks[VERDICT_GONE],
		   c->benchmarks[VERDICT_BETTER], c->benchmarks[VERDICT_SAME]);
	for (size_t i = 0; i < c->n; i++) {
		const enum verdict v = c->change[i].verdict;

		if (v == VERDICT_SAME || v == VERDICT_NEW || v == VERDICT_BESIDE)
			continue;
		if (!shown++)
			buf_printf(out, "\n| benchmark | count | verdict | function |\n"
					"|---|---|---|---|\n");
		add_markdown_row(out, r, &c->change[i]);
	}
}
