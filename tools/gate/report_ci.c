// SPDX-License-Identifier: BSD-2-Clause
/* report_ci.c - see report.h: the reports for JUnit, GitHub and GitLab. */
#include "tools/gate/report.h"

#include <string.h>
#include <xxhash.h>

#include "tools/util/plainbuf.h"

/* Returns the number of changes of the benchmark at `at`, and its worst verdict. */
static size_t group_at(const struct comparison *comparison, size_t at, enum verdict *worst)
{
	size_t n = 0;

	for (*worst = VERDICT_SAME;
	     at + n < comparison->n &&
	     !strcmp(comparison->change[at].benchmark, comparison->change[at + n].benchmark);
	     n++)
		if (comparison->change[at + n].verdict < *worst)
			*worst = comparison->change[at + n].verdict;
	return n;
}

static bool fails(enum verdict verdict)
{
	return verdict == VERDICT_WORSE || verdict == VERDICT_GONE;
}

/* Adds the failing events, such as "instructions:u 5 -> 6 (+1, +20%); work 5 -> 6 ...". */
static void add_failure(struct buf *out, const struct gate_report *r, size_t at, size_t n)
{
	const struct change *change = &r->comparison->change[at];
	const char *between = "";
	struct moved_list list;

	compare_functions(r->old, r->got, change->benchmark, &list);
	for (size_t i = 0; i < n; i++)
		if (fails(change[i].verdict)) {
			if (change[i].all_gone && i)
				continue;
			buf_printf(out, "%s", between);
			if (change[i].all_gone)
				buf_printf(out, "it is in the baseline, and was not measured");
			else if (change[i].verdict == VERDICT_GONE)
				buf_printf(out, "%s is in the baseline, and was not measured",
					   change[i].event);
			else
				report_change(out, &change[i]);
			between = "; ";
		}
	for (size_t i = 0; i < list.n; i++) {
		buf_printf(out, "%s", between);
		report_moved(out, &list.one[i], r->sources);
	}
}

/* Returns the source of the function that moved most; NULL: unknown. */
static const struct source *source_of(const struct gate_report *r, const char *benchmark)
{
	const struct source *source = NULL;
	struct moved_list list;

	if (!r->sources)
		return NULL;
	compare_functions(r->old, r->got, benchmark, &list);
	for (size_t i = 0; i < list.n && !source; i++)
		source = sources_find(r->sources, list.one[i].name);
	return source;
}

/* --- JUnit --- */

/* Escapes text for an attribute or an element. */
static void add_xml(struct buf *out, const char *text)
{
	static const struct {
		char c;
		const char *entity;
	} entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
	struct buf plain = {0};

	plain_add(&plain, text, strlen(text));
	for (const char *c = buf_text(&plain); *c; c++) {
		const char *entity = NULL;

		for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
			if (entities[i].c == *c)
				entity = entities[i].entity;
		if (entity)
			buf_printf(out, "%s", entity);
		else
			buf_add(out, c, 1);
	}
	buf_free(&plain);
}

static void add_case(struct buf *out, const char *benchmark, const char *element, struct buf *text)
{
	buf_printf(out, "  <testcase classname=\"perf0.gate\" name=\"");
	add_xml(out, benchmark);
	buf_printf(out, text ? "\">\n    <%s message=\"" : "\"/>\n", element);
	if (!text)
		return;
	add_xml(out, buf_text(text));
	buf_printf(out, "\"/>\n  </testcase>\n");
}

/* Adds the unsteady events of one benchmark. Returns their number. */
static size_t add_unsteady_events(struct buf *out, const struct gate_report *r, size_t at)
{
	size_t n = 0;

	buf_printf(out, "not deterministic: ");
	for (; at + n < r->unsteady->n &&
	       !strcmp(r->unsteady->one[at].benchmark, r->unsteady->one[at + n].benchmark);
	     n++) {
		buf_printf(out, "%s", n ? "; " : "");
		report_unsteady(out, &r->unsteady->one[at + n]);
	}
	return n;
}

void report_junit(struct buf *out, const struct gate_report *r)
{
	const struct comparison *comparison = r->comparison;
	size_t cases = 0, failures = 0, errors = 0, n;
	struct buf body = {0};
	enum verdict worst;

	for (size_t at = 0; at < comparison->n; at += n, cases++) {
		struct buf text = {0};

		n = group_at(comparison, at, &worst);
		if (fails(worst)) {
			add_failure(&text, r, at, n);
			failures++;
		}
		add_case(&body, comparison->change[at].benchmark, "failure",
			 fails(worst) ? &text : NULL);
		buf_free(&text);
	}
	for (size_t at = 0; at < r->unsteady->n; at += n, cases++, errors++) {
		struct buf text = {0};

		n = add_unsteady_events(&text, r, at);
		add_case(&body, r->unsteady->one[at].benchmark, "error", &text);
		buf_free(&text);
	}
	buf_printf(out,
		   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"perf0 gate\" "
		   "tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
		   cases, failures, errors);
	buf_add(out, body.data, body.size);
	buf_printf(out, "</testsuite>\n");
	buf_free(&body);
}

/* --- GitHub --- */

/* Escapes text for a workflow command, whose separators become codes. */
static void add_command_text(struct buf *out, const char *text, bool is_property)
{
	struct buf plain = {0};

	plain_add(&plain, text, strlen(text));
	for (const char *c = buf_text(&plain); *c; c++)
		if (*c == '%' || (is_property && (*c == ':' || *c == ',')))
			buf_printf(out, "%%%02X", (unsigned char)*c);
		else
			buf_add(out, c, 1);
	buf_free(&plain);
}

static void add_annotation(struct buf *out, const struct gate_report *r, const char *benchmark,
			   const struct source *source, const char *text)
{
	buf_printf(out, "::error file=");
	add_command_text(out, source ? source->file : r->baseline, true);
	if (source)
		buf_printf(out, ",line=%u", source->line);
	buf_printf(out, ",title=");
	add_command_text(out, benchmark, true);
	buf_printf(out, "::");
	add_command_text(out, text, false);
	buf_printf(out, "\n");
}

void report_github(struct buf *out, const struct gate_report *r)
{
	const struct comparison *comparison = r->comparison;
	enum verdict worst;
	size_t n;

	for (size_t at = 0; at < comparison->n; at += n) {
		const char *benchmark = comparison->change[at].benchmark;
		struct buf text = {0};

		n = group_at(comparison, at, &worst);
		if (!fails(worst))
			continue;
		add_failure(&text, r, at, n);
		add_annotation(out, r, benchmark, source_of(r, benchmark), buf_text(&text));
		buf_free(&text);
	}
	for (size_t at = 0; at < r->unsteady->n; at += n) {
		const char *function = r->unsteady->one[at].function;
		struct buf text = {0};

		n = add_unsteady_events(&text, r, at);
		add_annotation(out, r, r->unsteady->one[at].benchmark,
			       function && r->sources ? sources_find(r->sources, function) : NULL,
			       buf_text(&text));
		buf_free(&text);
	}
}

void report_summary(struct buf *out, const struct gate_report *r)
{
	report_markdown(out, r);
	buf_printf(out, "\n<details><summary>details</summary>\n\n```\n");
	report_text(out, r);
	buf_printf(out, "```\n\n</details>\n");
}

/* --- GitLab --- */

static void add_issue(struct buf *out, const struct gate_report *r, const char *benchmark,
		      const struct source *source, const char *text, const char *severity)
{
	struct buf whole = {0};

	buf_printf(&whole, "%s: %s", benchmark, text);
	buf_printf(out, "%s\n  {\"description\": ", out->size > 1 ? "," : "");
	plain_add_json(out, buf_text(&whole));
	buf_printf(out,
		   ", \"check_name\": \"perf0 gate\", \"fingerprint\": \"%016llx\", "
		   "\"severity\": \"%s\", \"location\": {\"path\": ",
		   (unsigned long long)XXH3_64bits(benchmark, strlen(benchmark)), severity);
	plain_add_json(out, source ? source->file : r->baseline);
	buf_printf(out, ", \"lines\": {\"begin\": %u}}}", source ? source->line : 1);
	buf_free(&whole);
}

void report_gitlab(struct buf *out, const struct gate_report *r)
{
	const struct comparison *comparison = r->comparison;
	enum verdict worst;
	size_t n;

	buf_printf(out, "[");
	for (size_t at = 0; at < comparison->n; at += n) {
		const char *benchmark = comparison->change[at].benchmark;
		struct buf text = {0};

		n = group_at(comparison, at, &worst);
		if (!fails(worst))
			continue;
		add_failure(&text, r, at, n);
		add_issue(out, r, benchmark, source_of(r, benchmark), buf_text(&text), "major");
		buf_free(&text);
	}
	for (size_t at = 0; at < r->unsteady->n; at += n) {
		struct buf text = {0};

		n = add_unsteady_events(&text, r, at);
		add_issue(out, r, r->unsteady->one[at].benchmark, NULL, buf_text(&text),
			  "critical");
		buf_free(&text);
	}
	buf_printf(out, "\n]\n");
}
