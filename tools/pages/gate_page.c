// SPDX-License-Identifier: BSD-2-Clause
/* gate_page.c - see gate_page.h. */
#include "tools/pages/gate_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/forms/flame_diff.h"
#include "tools/picture/markup.h"
#include "tools/picture/html_page.h"

#define BAR        160 /* width of a bar in the table */
#define NUMBER_MAX 32

static const char *const verdicts[VERDICTS] = {
	[VERDICT_WORSE] = "worse",       [VERDICT_GONE] = "gone",
	[VERDICT_BETTER] = "better",     [VERDICT_LAYOUT] = "layout",
	[VERDICT_NEAR] = "in tolerance", [VERDICT_BESIDE] = "not judged",
	[VERDICT_NEW] = "new",           [VERDICT_SAME] = "unchanged",
};

/* Returns the relative change of a count. */
static double relative_change(const struct change *c)
{
	return c->old ? ((double)c->got - (double)c->old) / (double)c->old : 0;
}

static void add_number_cell(struct buf *out, bool there, uint64_t value)
{
	char text[NUMBER_MAX];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	buf_printf(out, "<td class=\"v\">");
	if (there)
		markup_number(out, text);
	buf_printf(out, "</td>");
}

static void add_distance(struct buf *out, uint64_t old, uint64_t got)
{
	char text[NUMBER_MAX];

	snprintf(text, sizeof(text), "%" PRIu64, got > old ? got - old : old - got);
	buf_printf(out, "<td class=\"v\">%s", got > old ? "+" : got < old ? "-" : "");
	markup_number(out, text);
	buf_printf(out, "</td>");
}

/* A bar to the right means a higher count. */
static void add_share_bar(struct buf *out, double share, double most)
{
	const double width = most > 0 ? fabs(share) / most * (BAR / 2.0 - 1) : 0;

	buf_printf(
		out,
		"<td class=\"bar\"><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"14\" aria-hidden=\"true\"><rect class=\"lane\" y=\"3\" width=\"%d\" "
		"height=\"8\"/><rect x=\"%.1f\" y=\"3\" width=\"%.1f\" height=\"8\" fill=\"%s\"/>"
		"<path class=\"mark\" d=\"M%d,1v12\"/></svg></td>",
		BAR, BAR, share < 0 ? BAR / 2.0 - width : BAR / 2.0, width,
		share < 0 ? "#0072b2" : "#d55e00", BAR / 2);
}

static void add_change(struct buf *out, const struct change *c, double most)
{
	buf_printf(out, "<tr>");
	page_cell(out, "name", c->benchmark);
	page_cell(out, "name", c->event);
	add_number_cell(out, c->verdict != VERDICT_NEW, c->old);
	add_number_cell(out, c->verdict != VERDICT_GONE, c->got);
	if (c->verdict == VERDICT_NEW || c->verdict == VERDICT_GONE) {
		buf_printf(out, "<td></td><td></td><td></td>");
	} else {
		add_distance(out, c->old, c->got);
		buf_printf(out, "<td class=\"v\">");
		if (c->old)
			buf_printf(out, "%+.3g", 100 * relative_change(c));
		buf_printf(out, "</td>");
		add_share_bar(out, relative_change(c), most);
	}
	page_cell(out, c->verdict == VERDICT_WORSE || c->verdict == VERDICT_GONE ? "disturbed" : "",
		  verdicts[c->verdict]);
	buf_printf(out, "</tr>\n");
}

/* Adds the results that changed, or all others. */
static void add_changes(struct buf *out, const struct comparison *comparison, bool changed)
{
	double most = 0;

	for (size_t i = 0; i < comparison->n; i++)
		if (fabs(relative_change(&comparison->change[i])) > most)
			most = fabs(relative_change(&comparison->change[i]));
	buf_printf(
		out,
		"<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>benchmark</th><th>event</th>"
		"<th class=\"v\">baseline</th><th class=\"v\">now</th><th class=\"v\">by</th>"
		"<th class=\"v\">%%</th><th>less, more</th><th>verdict</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < comparison->n; i++)
		if ((comparison->change[i].verdict != VERDICT_SAME) == changed)
			add_change(out, &comparison->change[i], most);
	buf_printf(out, "</tbody></table></div>\n");
}

static void add_sentence(struct buf *out, struct buf *text)
{
	buf_printf(out, "<p>");
	markup_add(out, buf_text(text));
	buf_printf(out, "</p>\n");
	text->size = 0;
}

static bool is_moved(const struct change *c)
{
	return c->verdict != VERDICT_SAME && c->verdict != VERDICT_NEW;
}

/* Returns whether an earlier event of the same benchmark has moved as well. */
static bool was_told(const struct comparison *c, size_t n)
{
	for (size_t i = n; i-- && !strcmp(c->change[i].benchmark, c->change[n].benchmark);)
		if (is_moved(&c->change[i]))
			return true;
	return false;
}

/* Adds the functions of the benchmarks that changed, once for each benchmark. */
static void add_functions(struct buf *out, const struct gate_report *r)
{
	const struct comparison *c = r->comparison;
	struct buf text = {0};
	bool any = false;

	for (size_t i = 0; i < c->n; i++) {
		const char *benchmark = c->change[i].benchmark;
		struct moved_list list;

		if (!is_moved(&c->change[i]) || was_told(c, i))
			continue;
		compare_functions(r->old, r->got, benchmark, &list);
		if (list.n && !any)
			page_section(out, "Functions that changed",
				     "Each instruction is counted: the differences of a benchmark "
				     "add up to its own.");
		any |= list.n > 0;
		for (size_t m = 0; m < list.n; m++) {
			buf_printf(&text, "%s: ", benchmark);
			report_moved(&text, &list.one[m], r->sources);
			add_sentence(out, &text);
		}
		if (list.others) {
			buf_printf(&text, "%s: ", benchmark);
			report_others(&text, &list);
			add_sentence(out, &text);
		}
	}
	buf_free(&text);
}

/* --- Stacks --- */

/* Returns the instructions that the stacks of a benchmark add up to; NULL: they are the same. */
static const struct change *change_of_stacks(const struct comparison *c, size_t first)
{
	const struct change *found = NULL;

	for (size_t i = first;
	     i < c->n && !strcmp(c->change[i].benchmark, c->change[first].benchmark); i++)
		if (!strcmp(c->change[i].event, "instructions:u") &&
		    (!found || c->change[i].inside))
			found = &c->change[i];
	return found && is_moved(found) && found->verdict != VERDICT_GONE ? found : NULL;
}

static void add_stacks_of(struct buf *out, const struct stack_tree *stacks,
			  const struct change *change)
{
	const uint32_t top = stack_tree_find(stacks, 0, change->benchmark);
	const uint64_t old = top ? stack_tree_sum(stacks, top, STACK_OLD) : 0,
		       new = top ? stack_tree_sum(stacks, top, STACK_NEW) : 0;
	const bool adds_up = old == change->old && new == change->got;
	struct buf title = {0};

	if (!old || !new)
		return;
	buf_printf(&title, "Stacks of %s", change->benchmark);
	page_section(out, buf_text(&title),
		     adds_up ? "Red functions execute more instructions themselves than before, "
			       "blue ones fewer. A box is as wide as the larger count."
			     : "The stacks do not add up to the counts: they are of another run.");
	if (adds_up) {
		page_picture_begin(out);
		flame_diff_svg(out, stacks, top);
		page_picture_end(out);
		buf_printf(out, "<details><summary>the same as a table</summary>\n");
		flame_diff_table(out, stacks, top);
		buf_printf(out, "</details>\n");
	}
	buf_free(&title);
}

static void add_stacks(struct buf *out, const struct gate_report *r)
{
	const struct comparison *c = r->comparison;

	for (size_t i = 0; r->stacks && r->stacks->n && i < c->n; i++) {
		const bool is_first =
			!i || strcmp(c->change[i].benchmark, c->change[i - 1].benchmark) != 0;
		const struct change *change = is_first ? change_of_stacks(c, i) : NULL;

		if (change)
			add_stacks_of(out, r->stacks, change);
	}
}

/* Adds a commit, as a link if its URL is known. */
static void add_commit(struct buf *out, const char *name, const char *commit, const char *url)
{
	if (!*commit)
		return;
	if (!url) {
		page_fact(out, name, commit);
		return;
	}
	buf_printf(out, "<dt>");
	markup_add(out, name);
	buf_printf(out, "</dt><dd><a href=\"");
	markup_printf(out, "%s%s", url, commit);
	buf_printf(out, "\">");
	markup_add(out, commit);
	buf_printf(out, "</a></dd>\n");
}

static void add_unsteady(struct buf *out, const char *title, const char *meaning,
			 const struct unsteady_list *list)
{
	struct buf text = {0};

	if (!list->n)
		return;
	page_section(out, title, meaning);
	for (size_t i = 0; i < list->n; i++) {
		buf_printf(&text, "%s: ", list->one[i].benchmark);
		report_unsteady(&text, &list->one[i]);
		add_sentence(out, &text);
	}
	buf_free(&text);
}

static void add_verdict_title(struct buf *out, const struct gate_report *r)
{
	const char *comma = "Gate: ";

	for (unsigned v = 0; v < VERDICTS; v++) {
		if (!r->comparison->benchmarks[v])
			continue;
		buf_printf(out, "%s%zu %s", comma, r->comparison->benchmarks[v], verdicts[v]);
		comma = ", ";
	}
	if (*comma == 'G')
		buf_printf(out, "Gate: no benchmark was compared");
}

void gate_page(struct buf *out, const struct gate_report *r, const char *const *typed)
{
	const struct comparison *c = r->comparison;
	const size_t same = c->count[VERDICT_SAME];
	struct buf title = {0};

	add_verdict_title(&title, r);
	page_begin(out, buf_text(&title), typed);
	if (c->n > same) {
		page_section(out, "Changes", NULL);
		add_changes(out, c, true);
	}
	add_functions(out, r);
	add_stacks(out, r);
	add_unsteady(out, "Not deterministic",
		     "Two runs counted differently: there is nothing to compare.", r->unsteady);
	add_unsteady(out, "By chance", "Other random numbers alone make a difference.",
		     r->by_chance);
	if (same) {
		page_section(out, "Unchanged", NULL);
		buf_printf(out, "<details><summary>%zu counts</summary>\n", same);
		add_changes(out, c, false);
		buf_printf(out, "</details>\n");
	}
	page_section(out, "Machine", NULL);
	page_facts_begin(out);
	page_fact(out, "baseline", r->baseline);
	add_commit(out, "commit of the baseline", r->old_commit, r->commit_url);
	add_commit(out, "commit", r->commit, r->commit_url);
	if (r->got->uarch)
		page_fact(out, "PMU", r->got->uarch);
	if (r->got->machine)
		page_fact(out, "machine", r->got->machine);
	if (r->old->machine && r->got->machine && strcmp(r->old->machine, r->got->machine))
		page_fact(out, "of the baseline", r->old->machine);
	page_facts_end(out);
	page_end(out);
	buf_free(&title);
}
