// SPDX-License-Identifier: BSD-2-Clause
/* explain_page.c - the page of explain_forms.h. */
#include "tools/explain/explain_forms.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/picture/html_page.h"
#include "tools/picture/markup.h"
#include "tools/symbols/source.h"

#define BAR       240 /* pixels of the largest bound */
#define TEXT_MOST 256 /* bytes of a source line */

static void add_bar(struct buf *out, double part, double most)
{
	buf_printf(out,
		   "<td class=\"bar\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		   "height=\"14\" aria-hidden=\"true\"><rect class=\"lane\" y=\"1\" width=\"%d\" "
		   "height=\"12\"/><rect y=\"1\" width=\"%.1f\" height=\"12\" fill=\"#56b4e9\"/>"
		   "</svg></td>",
		   BAR, BAR, most > 0 ? part / most * BAR : 0);
}

static void add_bounds_table(struct buf *out, const struct explained *x,
			     const struct explaining_core *core)
{
	const struct bounds *b = &x->bounds;
	struct buf text = {0};

	buf_printf(
		out,
		"<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>limit</th><th class=\"v\">cycles</th><th>share</th>"
		"<th>cause</th></tr></thead><tbody>\n");
	for (unsigned i = 0; i < b->n; i++) {
		buf_printf(out, "<tr><td>%s</td><td class=\"v\">%.2f</td>", i ? "" : "binds",
			   b->of[b->order[i]]);
		add_bar(out, b->of[b->order[i]], b->of[b->order[0]]);
		explained_bound(&text, x, core, b->order[i], " (marked *)");
		buf_printf(out, "<td class=\"%s\">", i ? "" : "disturbed");
		markup_add(out, buf_text(&text));
		buf_printf(out, "</td></tr>\n");
		text.size = 0;
	}
	buf_printf(out, "</tbody></table></div>\n");
	buf_free(&text);
}

static void add_line_source(struct buf *out, const struct explained *x,
			    const struct explained_line *l, const struct explained_line *before)
{
	const char *slash = l->at.file ? strrchr(l->at.file, '/') : NULL;
	char text[TEXT_MOST];

	buf_printf(out, "<td class=\"faint\">");
	if (l->at.file && (!before || before->at.line != l->at.line || !before->at.file ||
			   strcmp(before->at.file, l->at.file) != 0)) {
		markup_printf(out, "%s:%u", slash ? slash + 1 : l->at.file, l->at.line);
		buf_printf(out, "</td><td style=\"white-space:pre\">");
		if (source_text(text, sizeof(text), x->host, l->at.file, l->at.line))
			markup_add(out, text);
	} else {
		buf_printf(out, "</td><td>");
	}
	buf_printf(out, "</td>");
}

static void add_executed(struct buf *out, uint64_t executed)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, executed);
	buf_printf(out, "<td class=\"v\">");
	markup_number(out, text);
	buf_printf(out, "</td>");
}

static void add_code_table(struct buf *out, const struct explained *x)
{
	buf_printf(
		out,
		"<div class=\"table\" tabindex=\"0\"><table><thead><tr>%s<th>mark</th><th class=\"v\">address"
		"</th><th>instruction</th>%s</tr></thead><tbody>\n",
		x->function ? "<th class=\"v\">executed</th>" : "",
		x->function ? "<th>line</th><th>source</th>" : "");
	for (size_t i = 0; i < x->nlines; i++) {
		const struct explained_line *l = &x->line[i];

		buf_printf(out, "<tr>");
		if (x->function)
			add_executed(out, l->executed);
		buf_printf(out, "<td>%c</td><td class=\"v faint\">%" PRIx64 "</td><td>",
			   explained_mark(l), l->address);
		markup_add(out, l->text);
		buf_printf(out, "</td>");
		if (x->function)
			add_line_source(out, x, l, i ? l - 1 : NULL);
		buf_printf(out, "</tr>\n");
	}
	buf_printf(out, "</tbody></table></div>\n");
}

static void add_sentence(struct buf *out, struct buf *text)
{
	if (text->size) {
		buf_printf(out, "<p>");
		markup_add(out, buf_text(text));
		buf_printf(out, "</p>\n");
	}
	text->size = 0;
}

/* The modelled cycles, and what the model lacks. */
static void add_sentences(struct buf *out, const struct explained *x,
			  const struct explaining_core *core)
{
	struct buf text = {0};

	explained_cycles(&text, x, core);
	add_sentence(out, &text);
	explained_unknown(&text, x, core);
	add_sentence(out, &text);
	buf_free(&text);
}

static void add_unmodelled(struct buf *out)
{
	buf_printf(out, "<p>n/a: this code cannot be modelled</p>\n");
}

void explain_section(struct buf *out, const struct explained *x, const struct explaining_core *core)
{
	page_section(out, "Micro-operation by micro-operation",
		     "A few iterations of the code by itself, in a model of the core.");
	if (x->is_known)
		add_sentences(out, x, core);
	else
		add_unmodelled(out);
	add_code_table(out, x);
	if (x->is_known)
		explain_timeline(out, x, core);
}

static void add_explained(struct buf *out, const struct explained *x,
			  const struct explaining_core *core)
{
	struct buf text = {0};

	if (x->function)
		explained_place(&text, x);
	page_section(out, x->function ? x->function : "The code",
		     x->function ? buf_text(&text) + 2 : NULL);
	if (x->is_known) {
		add_sentences(out, x, core);
		add_bounds_table(out, x, core);
	} else {
		add_unmodelled(out);
	}
	add_code_table(out, x);
	if (x->is_known)
		explain_timeline(out, x, core);
	buf_free(&text);
}

void explain_page(struct buf *out, const struct explained *list, size_t n,
		  const struct explaining_core *core, const char *const *words)
{
	page_begin(out, "What limits the code", words);
	buf_printf(out, "<p class=\"faint\">A bound is the cycles of an iteration that one cause "
			"alone takes; the largest one binds. An instruction of the longest chain "
			"of dependencies is marked *, one that is not in the model -.</p>\n");
	if (!n)
		buf_printf(out, "<p>No code was executed.</p>\n");
	for (size_t i = 0; i < n; i++)
		add_explained(out, &list[i], core);
	page_end(out);
}
