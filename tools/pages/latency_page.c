// SPDX-License-Identifier: BSD-2-Clause
/* latency_page.c - see latency_page.h. */
#include "tools/pages/latency_page.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "tools/picture/html_page.h"
#include "tools/util/memory.h"

/* The lines of `latency -j`; those of other kinds are left out. */
struct latency_lines {
	json_object **line;
	size_t n;
	double most;        /* the largest latency */
	bool has_bandwidth; /* bytes a cycle are told of one at least */
};

/* The least and the largest latency between operands. */
struct latency_span {
	double least, most;
	bool least_bounded, bounded; /* other instructions are in the chain */
	bool is_there;
};

/* --- Lines --- */

static const char *latency_text(json_object *object, const char *key, const char *otherwise)
{
	json_object *member;

	return json_object_object_get_ex(object, key, &member) ? json_object_get_string(member)
							       : otherwise;
}

static json_object *latencies_of(json_object *line)
{
	json_object *list;

	return json_object_object_get_ex(line, "latencies", &list) &&
			       json_object_is_type(list, json_type_array)
		       ? list
		       : NULL;
}

static double latency_cycles(json_object *latency)
{
	json_object *cycles;

	return json_object_object_get_ex(latency, "cycles", &cycles)
		       ? json_object_get_double(cycles)
		       : 0;
}

static void add_to_span(struct latency_span *span, json_object *latency)
{
	const double cycles = latency_cycles(latency);
	const bool bounded = json_object_object_get_ex(latency, "at_most", NULL);

	if (!span->is_there || cycles < span->least) {
		span->least = cycles;
		span->least_bounded = bounded;
	}
	if (!span->is_there || cycles > span->most) {
		span->most = cycles;
		span->bounded = bounded;
	}
	span->is_there = true;
}

static struct latency_span latency_span_of(json_object *line)
{
	struct latency_span span = {0};
	json_object *list = latencies_of(line);

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		add_to_span(&span, json_object_array_get_idx(list, i));
	return span;
}

static void take_latency_line(struct latency_lines *lines, const char *text)
{
	json_object *line = *text == '{' ? json_tokener_parse(text) : NULL;
	struct latency_span span;

	if (!json_object_is_type(line, json_type_object) ||
	    !json_object_object_get_ex(line, "instruction", NULL)) {
		json_object_put(line);
		return;
	}
	lines->line = memory_grow(lines->line, lines->n, sizeof(*lines->line));
	lines->line[lines->n++] = line;
	span = latency_span_of(line);
	lines->most = span.most > lines->most ? span.most : lines->most;
	lines->has_bandwidth |= json_object_object_get_ex(line, "bytes_per_cycle", NULL);
}

static struct latency_lines read_lines(const void *bytes, size_t n)
{
	struct latency_lines lines = {0};
	char *text = copy_text(bytes ? bytes : "", n), *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		take_latency_line(&lines, line);
	free(text);
	return lines;
}

static void free_lines(struct latency_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		json_object_put(lines->line[i]);
	free(lines->line);
}

/* --- Tables --- */

/* Adds the latency as the table of `latency` has it: "[1.00;<=7.00]". */
static void add_span_cell(struct buf *out, const struct latency_span *span)
{
	struct buf text = {0};

	if (span->is_there && span->least == span->most)
		buf_printf(&text, "%s%.2f", span->least_bounded && span->bounded ? "<=" : "",
			   span->least);
	else if (span->is_there)
		buf_printf(&text, "[%s%.2f;%s%.2f]", span->least_bounded ? "<=" : "", span->least,
			   span->bounded ? "<=" : "", span->most);
	page_cell(out, "v", buf_text(&text));
	buf_free(&text);
}

static void add_latency_bar(struct buf *out, const struct latency_span *span, double most)
{
	const double width = 130, scale = most > 0 ? width / most : 0;

	buf_printf(out,
		   "<td class=\"bar\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
		   "height=\"14\" aria-hidden=\"true\">",
		   width);
	if (span->is_there)
		buf_printf(out,
			   "<rect class=\"lane\" width=\"%.0f\" height=\"8\" y=\"3\"/>"
			   "<rect width=\"%.1f\" height=\"8\" y=\"3\" fill=\"#56b4e9\"/>"
			   "<rect width=\"%.1f\" height=\"8\" y=\"3\" fill=\"#0072b2\"/>",
			   width, span->most * scale, span->least * scale);
	buf_printf(out, "</svg></td>");
}

static void add_latency_row(struct buf *out, const struct latency_lines *lines, json_object *line)
{
	const struct latency_span span = latency_span_of(line);

	buf_printf(out, "<tr>");
	page_cell(out, "one", latency_text(line, "instruction", ""));
	add_span_cell(out, &span);
	add_latency_bar(out, &span, lines->most);
	page_cell(out, "v", latency_text(line, "throughput", latency_text(line, "raised", "")));
	page_cell(out, "v", latency_text(line, "uops", ""));
	if (lines->has_bandwidth)
		page_cell(out, "v", latency_text(line, "bytes_per_cycle", ""));
	page_cell(out, "any", latency_text(line, "ports", ""));
	page_cell(out, "tag", latency_text(line, "truth", ""));
	buf_printf(out, "</tr>\n");
}

static void add_instructions(struct buf *out, const struct latency_lines *lines)
{
	static const char *const heads[] = {
		">latency",       "least and most", ">throughput", ">uops",
		">bytes a cycle", "ports",          "accuracy",    NULL};
	const char *shown[sizeof(heads) / sizeof(heads[0]) + 1] = {"instruction"};
	size_t n = 1;

	for (size_t i = 0; heads[i]; i++)
		if (lines->has_bandwidth || strcmp(heads[i], ">bytes a cycle"))
			shown[n++] = heads[i];
	page_section(out, "Instructions",
		     "Latency is from the least to the most of all latencies between operands; <= "
		     "where other instructions are in the chain. Throughput is the cycles of one "
		     "where none waits for another.");
	page_table_begin(out, shown);
	for (size_t i = 0; i < lines->n; i++)
		add_latency_row(out, lines, lines->line[i]);
	page_table_end(out);
}

static void add_pairs_of(struct buf *out, json_object *line)
{
	json_object *list = latencies_of(line);

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *latency = json_object_array_get_idx(list, i);
		struct latency_span span = {0};

		if (!*latency_text(latency, "operands", ""))
			continue;
		add_to_span(&span, latency);
		buf_printf(out, "<tr>");
		page_cell(out, "name", latency_text(line, "instruction", ""));
		page_cell(out, NULL, latency_text(latency, "operands", ""));
		add_span_cell(out, &span);
		buf_printf(out, "</tr>\n");
	}
}

static void add_pairs(struct buf *out, const struct latency_lines *lines)
{
	static const char *const heads[] = {"instruction", "operands", ">cycles", NULL};
	struct buf rows = {0};

	for (size_t i = 0; i < lines->n; i++)
		add_pairs_of(&rows, lines->line[i]);
	if (rows.size) {
		page_section(
			out, "From operand to operand",
			"2;1 is from the second operand to the first one, 2a;1 from the address of "
			"the second one.");
		buf_printf(out, "<details><summary>each latency</summary>\n");
		page_table_begin(out, heads);
		buf_add(out, rows.data, rows.size);
		page_table_end(out);
		buf_printf(out, "</details>\n");
	}
	buf_free(&rows);
}

size_t latency_sections(struct buf *out, const void *bytes, size_t n)
{
	struct latency_lines lines = read_lines(bytes, n);
	const size_t found = lines.n;

	if (found) {
		add_instructions(out, &lines);
		add_pairs(out, &lines);
	}
	free_lines(&lines);
	return found;
}
