// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_function.c - a function's section of the page: its callers, its calls, the costs of its
 * source lines and of its instructions.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/picture/html_page.h"
#include "tools/picture/markup.h"
#include "tools/forms/disassembly.h"
#include "tools/forms/page_parts.h"
#include "tools/profile/profile_inlined.h"
#include "tools/symbols/source.h"
#include "tools/util/memory.h"

#define CONTEXT    2    /* lines around those that were executed */
#define CODE_MOST  4096 /* instructions of a function */
#define TEXT_MOST  512  /* bytes of a source line */
#define CALLS_MOST 30   /* callers or callees of a function */

static void add_event_heads(const struct html_profile *page)
{
	for (size_t i = 0; i < page->profile->nevents; i++) {
		buf_printf(page->out, "<th class=\"v\">");
		markup_add(page->out, page->profile->event[i].name);
		buf_printf(page->out, "</th>");
	}
}

/* --- Calls --- */

/* All calls between two functions. */
struct page_call {
	uint32_t other; /* the caller or the callee */
	uint64_t calls;
	struct profile_sum inclusive;
};

static int compare_page_calls(const void *a, const void *b)
{
	const struct page_call *x = a, *y = b;

	if (x->inclusive.of[0] != y->inclusive.of[0])
		return x->inclusive.of[0] > y->inclusive.of[0] ? -1 : 1;
	return (x->other > y->other) - (x->other < y->other);
}

static void add_to_calls(struct buf *calls, uint32_t other, const struct profile_call *call)
{
	struct page_call *known = (void *)calls->data;
	struct page_call fresh = {.other = other};

	for (size_t i = 0; i < calls->size / sizeof(*known); i++, known++)
		if (known->other == other)
			break;
	if (!calls->size || (uint8_t *)known == calls->data + calls->size) {
		buf_add(calls, &fresh, sizeof(fresh));
		known = (struct page_call *)(void *)(calls->data + calls->size) - 1;
	}
	known->calls += call->calls;
	profile_add(&known->inclusive, &call->inclusive);
}

/* Collects the calls to a function, or those from it. */
static void collect_calls(struct buf *calls, const struct profile *p, uint32_t row, bool is_from)
{
	for (size_t i = 0; i < p->ncalls; i++) {
		const struct profile_call *call = &p->call[i];

		if (is_from && call->caller == row)
			add_to_calls(calls, call->callee, call);
		if (!is_from && call->callee == row)
			add_to_calls(calls, call->caller, call);
	}
	if (calls->size)
		qsort(calls->data, calls->size / sizeof(struct page_call), sizeof(struct page_call),
		      compare_page_calls);
}

static void add_call_row(const struct html_profile *page, const struct page_call *call)
{
	buf_printf(page->out, "<tr>");
	page_add_number(page, call->calls);
	page_add_counts(page, &call->inclusive);
	buf_printf(page->out, "<td class=\"name\">");
	if (call->other == PROFILE_NO_ROW)
		buf_printf(page->out, "the start of a task, or a signal");
	else
		page_add_name(page, call->other);
	buf_printf(page->out, "</td></tr>\n");
}

static void add_calls(const struct html_profile *page, uint32_t row, bool is_from)
{
	struct buf calls = {0};
	const struct page_call *call;
	size_t n;

	collect_calls(&calls, page->profile, row, is_from);
	call = (const void *)calls.data;
	n = calls.size / sizeof(*call);
	if (n) {
		buf_printf(
			page->out,
			"<div class=\"table\" tabindex=\"0\"><table><thead><tr><th class=\"v\">calls</th>");
		add_event_heads(page);
		buf_printf(page->out, "<th>%s</th></tr></thead><tbody>\n",
			   is_from ? "calls" : "called by");
		for (size_t i = 0; i < n && i < CALLS_MOST; i++)
			add_call_row(page, &call[i]);
		buf_printf(page->out, "</tbody></table></div>\n");
	}
	buf_free(&calls);
}

/* --- Inlined functions --- */

/* Returns the number of inlined functions of a row; `*first` is the first one. */
static size_t inlined_of(const struct html_profile *page, uint32_t row,
			 const struct profile_inlined **first)
{
	const struct profile_inlined *one = (const void *)page->inlined.data;
	const struct profile_inlined *end = one + page->inlined.size / sizeof(*one);
	size_t n = 0;

	while (one < end && one->row < row)
		one++;
	for (*first = one; one < end && one->row == row; one++)
		n++;
	return n;
}

static void add_inlined_functions(const struct html_profile *page, uint32_t row)
{
	const struct profile_inlined *one;
	const size_t n = inlined_of(page, row, &one);

	if (!n)
		return;
	buf_printf(page->out, "<div class=\"table\" tabindex=\"0\"><table><thead><tr>");
	add_event_heads(page);
	buf_printf(page->out, "<th>by itself, inlined here</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++) {
		if (profile_is_zero(&one[i].self))
			continue;
		buf_printf(page->out, "<tr>");
		page_add_counts(page, &one[i].self);
		buf_printf(page->out, "<td class=\"name\">");
		markup_add(page->out, one[i].name);
		buf_printf(page->out, "</td></tr>\n");
	}
	buf_printf(page->out, "</tbody></table></div>\n");
}

/* --- Source lines --- */

/* Lines [first, end) of a function, in one file; `line` has what they cost. */
struct page_file {
	const struct profile_line *line;
	size_t n;
};

static void add_source_row(const struct html_profile *page, const char *host, const char *file,
			   unsigned number, const struct profile_sum *self)
{
	char text[TEXT_MOST];

	buf_printf(page->out, "<tr>");
	page_add_counts(page, self);
	buf_printf(page->out,
		   "<td class=\"v faint\">%u</td><td class=\"name\" "
		   "style=\"white-space:pre;max-width:none\">",
		   number);
	source_text(text, sizeof(text), host, file, number);
	markup_add(page->out, text);
	buf_printf(page->out, "</td></tr>\n");
}

/* Adds lines [from, to), which were not executed. */
static void add_quiet_lines(const struct html_profile *page, const char *host, const char *file,
			    unsigned from, unsigned to)
{
	static const struct profile_sum zero;
	char text[TEXT_MOST];

	for (; from < to && source_text(text, sizeof(text), host, file, from); from++)
		add_source_row(page, host, file, from, &zero);
}

static unsigned before(unsigned line)
{
	return line > CONTEXT ? line - CONTEXT : 1;
}

/* Adds what is between two lines that were executed; `last` is 0 before the first one. */
static void add_between(const struct html_profile *page, const char *host, const char *file,
			unsigned last, unsigned next)
{
	if (last && before(next) <= last + CONTEXT + 1) {
		add_quiet_lines(page, host, file, last + 1, next);
		return;
	}
	if (last) {
		add_quiet_lines(page, host, file, last + 1, last + 1 + CONTEXT);
		buf_printf(page->out, "<tr><td class=\"faint\" colspan=\"%zu\">...</td></tr>\n",
			   page->profile->nevents + 2);
	}
	add_quiet_lines(page, host, file, before(next), next);
}

static void add_file_lines(const struct html_profile *page, const char *host,
			   const struct page_file *file)
{
	const char *name = file->line->at.file;
	unsigned last = 0;

	buf_printf(page->out, "<p class=\"faint\">");
	markup_add(page->out, name);
	buf_printf(page->out, "</p>\n<div class=\"table\" tabindex=\"0\"><table><thead><tr>");
	add_event_heads(page);
	buf_printf(page->out, "<th class=\"v\">line</th><th>source</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < file->n;) {
		const unsigned line = file->line[i].at.line;
		struct profile_sum self = {{0}};

		for (; i < file->n && file->line[i].at.line == line; i++)
			profile_add(&self, &file->line[i].self);
		add_between(page, host, name, last, line);
		add_source_row(page, host, name, line, &self);
		last = line;
	}
	add_quiet_lines(page, host, name, last + 1, last + 1 + CONTEXT);
	buf_printf(page->out, "</tbody></table></div>\n");
}

/* Adds a table for each file, of which all but one have functions that were inlined. */
static void add_source(const struct html_profile *page, uint32_t row)
{
	const struct profile_lines *lines = page->lines;
	const struct code_object *object = page->profile->row[row].object;
	size_t i = 0;

	while (i < lines->n && lines->line[i].row < row)
		i++;
	while (i < lines->n && lines->line[i].row == row) {
		struct page_file file = {&lines->line[i], 0};
		const char *name = file.line->at.file;

		for (; i < lines->n && lines->line[i].row == row &&
		       (lines->line[i].at.file == name ||
			(name && lines->line[i].at.file && !strcmp(lines->line[i].at.file, name)));
		     i++)
			file.n++;
		if (name)
			add_file_lines(page, object->host, &file);
	}
}

/* --- Instructions --- */

struct page_code {
	const struct html_profile *page;
	size_t next; /* index of the next place that was executed */
	uint32_t row;
	size_t n; /* instructions so far */
	unsigned line;
};

static void add_code_line(struct page_code *code, const struct source_place *at)
{
	const char *slash = at->file ? strrchr(at->file, '/') : NULL;

	buf_printf(code->page->out, "<td class=\"faint\">");
	if (at->file && at->line != code->line)
		markup_printf(code->page->out, "%s:%u", slash ? slash + 1 : at->file, at->line);
	code->line = at->line;
	buf_printf(code->page->out, "</td></tr>\n");
}

static void add_code_row(void *ctx, uint64_t address, const char *text)
{
	static const struct profile_sum zero;
	static const struct source_place nowhere;
	struct page_code *code = ctx;
	const struct profile *p = code->page->profile;
	bool is_executed;

	if (code->n++ >= CODE_MOST)
		return;
	while (code->next < p->nplaces && p->place[code->next].row == code->row &&
	       p->place[code->next].address < address)
		code->next++;
	is_executed = code->next < p->nplaces && p->place[code->next].row == code->row &&
		      p->place[code->next].address == address;
	buf_printf(code->page->out, "<tr>");
	page_add_counts(code->page, is_executed ? &p->place[code->next].self : &zero);
	buf_printf(code->page->out, "<td class=\"v faint\">%" PRIx64 "</td><td>", address);
	markup_add(code->page->out, text);
	buf_printf(code->page->out, "</td>");
	add_code_line(code, is_executed ? &code->page->lines->of_place[code->next] : &nowhere);
}

/* Returns the end of the function, or of what was executed of code without a symbol. */
static uint64_t end_of_code(const struct profile *p, uint32_t row, size_t first)
{
	const struct profile_row *function = &p->row[row];
	const size_t symbol = code_object_find(function->object, function->address);
	uint64_t end = function->address;

	if (symbol != SIZE_MAX)
		return code_object_symbol(function->object, symbol)->end;
	for (size_t i = first; i < p->nplaces && p->place[i].row == row; i++)
		end = p->place[i].address + p->place[i].bytes;
	return end;
}

static void add_code(const struct html_profile *page, uint32_t row)
{
	const struct profile *p = page->profile;
	const struct profile_row *function = &p->row[row];
	struct page_code code = {.page = page, .row = row};

	while (code.next < p->nplaces && p->place[code.next].row < row)
		code.next++;
	if (!function->object || code.next == p->nplaces || p->place[code.next].row != row)
		return;
	buf_printf(
		page->out,
		"<details><summary>Instructions</summary><div class=\"table\" tabindex=\"0\"><table><thead><tr>");
	add_event_heads(page);
	buf_printf(
		page->out,
		"<th class=\"v\">address</th><th>line</th><th>instruction</th></tr></thead><tbody>\n");
	disassemble(function->object, function->address, end_of_code(p, row, code.next),
		    add_code_row, &code);
	buf_printf(page->out, "</tbody></table></div></details>\n");
}

/* --- The section --- */

static void add_headline(const struct html_profile *page, uint32_t row)
{
	const struct profile_row *function = &page->profile->row[row];
	const struct source_place *at = &page->lines->of_row[row];

	buf_printf(page->out, "<h2 id=\"f%" PRIu32 "\">", row);
	markup_add(page->out, function->name);
	buf_printf(page->out, "</h2>\n<p class=\"faint\">");
	markup_add(page->out, profile_object_name(function->object));
	if (at->file)
		markup_printf(page->out, ", %s:%u", at->file, at->line);
	buf_printf(page->out, "</p>\n");
}

static void add_sums(const struct html_profile *page, uint32_t row)
{
	const struct profile_row *function = &page->profile->row[row];

	buf_printf(page->out, "<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>of</th>");
	add_event_heads(page);
	buf_printf(page->out, "</tr></thead><tbody><tr><td>self</td>");
	page_add_counts(page, &function->self);
	buf_printf(page->out, "</tr><tr><td>inclusive</td>");
	page_add_counts(page, &function->inclusive);
	buf_printf(page->out, "</tr></tbody></table></div>\n");
}

void page_function(const struct html_profile *page, uint32_t row)
{
	add_headline(page, row);
	add_sums(page, row);
	buf_printf(page->out, "<div class=\"several\">");
	add_calls(page, row, false);
	add_calls(page, row, true);
	add_inlined_functions(page, row);
	buf_printf(page->out, "</div>\n");
	add_source(page, row);
	add_code(page, row);
}
