// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_page.c - writes a profile as a page: flame graphs, a table of all functions, which the
 * reader sorts by its headings, and a section for each function that matters.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/picture/html_page.h"
#include "tools/picture/markup.h"
#include "tools/forms/flame_svg.h"
#include "tools/forms/page_parts.h"
#include "tools/profile/profile_inlined.h"
#include "tools/util/memory.h"

#define TABLE_MOST    1000 /* rows of the table of functions */
#define SECTIONS_MOST 60   /* functions with the most costs, by themselves and inside */
#define BAR           120  /* pixels */

/* --- The order of functions --- */

enum sort_key { SORT_SELF, SORT_INCLUSIVE, SORT_CALLS, SORT_NAME, SORT_OBJECT, SORT_KEYS };

/* A row with the places that it has in the orders by each key. */
struct page_row {
	const struct profile_row *row;
	uint32_t i; /* index of the row */
	uint32_t place[SORT_KEYS];
};

static int compare_numbers(uint64_t x, uint64_t y)
{
	return (x < y) - (x > y);
}

static int compare_page_rows(const struct page_row *x, const struct page_row *y, enum sort_key key)
{
	int order = 0;

	switch (key) {
	case SORT_SELF:
		order = compare_numbers(x->row->self.of[0], y->row->self.of[0]);
		break;
	case SORT_INCLUSIVE:
		order = compare_numbers(x->row->inclusive.of[0], y->row->inclusive.of[0]);
		break;
	case SORT_CALLS:
		order = compare_numbers(x->row->calls, y->row->calls);
		break;
	case SORT_NAME:
		order = strcmp(x->row->name, y->row->name);
		break;
	default:
		order = strcmp(profile_object_name(x->row->object),
			       profile_object_name(y->row->object));
	}
	return order ? order : (x->i > y->i) - (x->i < y->i);
}

static int compare_by_key(const void *a, const void *b, void *key)
{
	return compare_page_rows(a, b, *(const enum sort_key *)key);
}

/* Sorts the rows by each key, and by self costs at last. */
static struct page_row *order_page_rows(const struct profile *p)
{
	struct page_row *rows = memory_checked(calloc(p->nrows + 1, sizeof(*rows)));

	for (uint32_t i = 0; i < p->nrows; i++)
		rows[i] = (struct page_row){.row = &p->row[i], .i = i};
	for (enum sort_key key = SORT_KEYS; key--;) {
		qsort_r(rows, p->nrows, sizeof(*rows), compare_by_key, &key);
		for (uint32_t i = 0; i < p->nrows; i++)
			rows[i].place[key] = i;
	}
	return rows;
}

static void choose_sections(const struct html_profile *page, const struct page_row *rows)
{
	for (size_t i = 0; i < page->profile->nrows; i++)
		page->has_section[rows[i].i] = rows[i].place[SORT_SELF] < SECTIONS_MOST ||
					       rows[i].place[SORT_INCLUSIVE] < SECTIONS_MOST;
}

/* --- The table of functions --- */

static void add_heads(const struct html_profile *page)
{
	static const char *const heads[SORT_KEYS] = {"self", "inclusive", "calls", "function",
						     "object"};

	for (unsigned key = 0; key < SORT_KEYS; key++)
		buf_printf(page->out,
			   "<input type=\"radio\" class=\"sort sort%u\" name=\"sort\" "
			   "id=\"sort%u\"%s/>",
			   key, key, key ? "" : " checked=\"checked\"");
	buf_printf(page->out,
		   "<table class=\"sorted\" style=\"grid-template-columns:repeat(5,max-content) "
		   "1fr\"><thead><tr>");
	for (unsigned key = 0; key < SORT_KEYS; key++) {
		buf_printf(page->out,
			   "<th%s><label class=\"sort%u\" for=\"sort%u\">%s</label></th>",
			   key <= SORT_CALLS ? " class=\"v\"" : "", key, key, heads[key]);
		if (key == SORT_SELF)
			buf_printf(page->out, "<th>%%</th>");
	}
	buf_printf(page->out, "</tr></thead><tbody>\n");
}

static void add_share_cell(const struct html_profile *page, uint64_t part)
{
	const uint64_t all = page->profile->total.of[0];

	page_bar(page->out, all ? (double)part / (double)all : 0);
}

static void add_table_row(const struct html_profile *page, const struct page_row *row)
{
	buf_printf(page->out, "<tr style=\"");
	for (unsigned key = 0; key < SORT_KEYS; key++)
		buf_printf(page->out, "--o%u:%" PRIu32 ";", key, row->place[key]);
	buf_printf(page->out, "\">");
	page_add_number(page, row->row->self.of[0]);
	add_share_cell(page, row->row->self.of[0]);
	page_add_number(page, row->row->inclusive.of[0]);
	page_add_number(page, row->row->calls);
	buf_printf(page->out, "<td class=\"name\">");
	page_add_name(page, row->i);
	buf_printf(page->out, "</td><td class=\"name\">");
	markup_add(page->out, profile_object_name(row->row->object));
	buf_printf(page->out, "</td></tr>\n");
}

static void add_functions_table(const struct html_profile *page, const struct page_row *rows)
{
	char sentence[160];
	const size_t n = page->profile->nrows;

	snprintf(sentence, sizeof(sentence), "%s, by function. A click on a heading sorts%s.",
		 page->profile->event[0].name,
		 n > TABLE_MOST ? "; functions with the least self costs are left out" : "");
	page_section(page->out, "Functions", sentence);
	buf_printf(page->out, "<div class=\"table\" tabindex=\"0\">");
	add_heads(page);
	for (size_t i = 0; i < n && i < TABLE_MOST; i++)
		add_table_row(page, &rows[i]);
	buf_printf(page->out, "</tbody></table></div>\n");
}

/* --- The page --- */

static void add_facts(const struct html_profile *page)
{
	char text[64];

	page_facts_begin(page->out);
	for (size_t i = 0; i < page->profile->nevents; i++) {
		snprintf(text, sizeof(text), "%" PRIu64, page->profile->total.of[i]);
		page_fact(page->out, page->profile->event[i].name, text);
	}
	snprintf(text, sizeof(text), "%zu", page->profile->nrows);
	page_fact(page->out, "functions", text);
	if (page->profile->nfull) {
		snprintf(text, sizeof(text), "%" PRIu32 " entries found no room",
			 page->profile->nfull);
		page_fact(page->out, "incomplete", text);
	}
	page_facts_end(page->out);
}

static void add_flames(const struct html_profile *page)
{
	if (page->profile->ncontexts < 2)
		return;
	page_section(page->out, "Flame graphs",
		     "As wide as what was counted inside. The pointer shows exact numbers; equal "
		     "colours are one file.");
	for (size_t event = 0; event < page->profile->nevents; event++) {
		if (!page->profile->total.of[event])
			continue;
		buf_printf(page->out, "<p class=\"faint\">");
		markup_add(page->out, page->profile->event[event].name);
		buf_printf(page->out, "</p>\n");
		page_picture_begin(page->out);
		flame_svg(page->out, page->profile, event, page->has_section);
		page_picture_end(page->out);
	}
}

static void add_sections(const struct html_profile *page, const struct page_row *rows)
{
	for (size_t i = 0; i < page->profile->nrows; i++) {
		if (!page->has_section[rows[i].i])
			continue;
		page_function(page, rows[i].i);
		buf_settle(page->out, false);
	}
}

void profile_html(struct buf *out, const struct profile_source *source)
{
	struct html_profile page = {
		.out = out,
		.source = source,
		.profile = source->profile,
		.lines = source->lines,
	};
	struct page_row *rows = order_page_rows(page.profile);

	page.has_section =
		memory_checked(calloc(page.profile->nrows + 1, sizeof(*page.has_section)));
	profile_inlined(&page.inlined, page.profile, page.lines, "*");
	choose_sections(&page, rows);
	page_begin(out, "Profile", source->words);
	add_facts(&page);
	add_flames(&page);
	add_functions_table(&page, rows);
	add_sections(&page, rows);
	page_end(out);
	buf_free(&page.inlined);
	free(page.has_section);
	free(rows);
}
