// SPDX-License-Identifier: BSD-2-Clause
/* explain_timeline.c - the timeline of explain_forms.h: a row for each micro-operation, a column
 * for each cycle. */
#include "tools/explain/explain_forms.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/picture/html_page.h"
#include "tools/picture/markup.h"
#include "tools/picture/svg.h"
#include "tools/util/memory.h"

#define ROWS_MOST   96  /* micro-operations */
#define CYCLES_MOST 160 /* columns */
#define ITERATIONS  3
#define ROW         16 /* pixels */
#define CYCLE       12
#define LEFT        330 /* of instruction and unit */
#define HEAD        20
#define TEXT_FIT    38 /* columns of an instruction's text */
#define TICKS       5  /* cycles from one number to the next */

static const char *const kinds[] = {
	[CORE_COMPUTE] = "computes", [CORE_LOAD] = "loads",     [CORE_STORE_ADDRESS] = "address",
	[CORE_STORE_DATA] = "data",  [CORE_OCCUPY] = "divides",
};

struct timeline {
	struct buf *out;
	const struct explained *x;
	const struct explaining_core *core;
	uint64_t first, end; /* cycles */
};

static double column(const struct timeline *t, uint64_t cycle)
{
	const uint64_t at = cycle < t->first ? t->first : cycle > t->end ? t->end : cycle;

	return LEFT + (double)(at - t->first) * CYCLE;
}

static void add_cycles_span(const struct timeline *t, double y, uint64_t from, uint64_t to,
			    const char *style)
{
	if (to > from && from < t->end)
		buf_printf(t->out,
			   "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" %s/>\n",
			   column(t, from), y + 2, column(t, to) - column(t, from), ROW - 4, style);
}

static void add_letter(const struct timeline *t, double y, uint64_t cycle, char letter)
{
	if (cycle < t->end)
		buf_printf(t->out, "<text class=\"in\" x=\"%.1f\" y=\"%.0f\">%c</text>\n",
			   column(t, cycle) + CYCLE / 2.0, y + ROW - 5, letter);
}

static const char *text_of_insn(const struct explained *x, uint64_t insn)
{
	for (size_t i = 0; i < x->nlines; i++)
		if (x->line[i].insn == insn)
			return x->line[i].text;
	return "";
}

static const char *unit_of(const struct timeline *t, const struct core_uop_times *u)
{
	const char *name = NULL;

	if (u->unit != CORE_NO_UNIT)
		name = t->core->model->table->units[u->unit];
	return name ? name : "-";
}

static void add_uop_title(const struct timeline *t, const struct core_uop_times *u)
{
	buf_printf(t->out, "<title>");
	markup_printf(t->out,
		      "%s: %s, renamed in cycle %" PRIu64 ", begins in %" PRIu64
		      " on %s, done in %" PRIu64 ", retires in %" PRIu64,
		      text_of_insn(t->x, (u->step - 1) % t->x->n), kinds[u->kind],
		      u->renamed - t->first, u->begun - t->first, unit_of(t, u), u->done - t->first,
		      u->retired - t->first);
	buf_printf(t->out, "</title>");
}

static void add_uop_row(const struct timeline *t, const struct core_uop_times *u, bool begins,
			double y)
{
	const unsigned insn = (unsigned)((u->step - 1) % t->x->n);

	buf_printf(t->out, "<g>");
	add_uop_title(t, u);
	if (begins && !insn)
		buf_printf(t->out, "<path class=\"rule\" d=\"M0,%.0fH%.0f\"/>\n", y,
			   column(t, t->end));
	if (begins)
		svg_text(t->out, 4, y + ROW - 4, "n", text_of_insn(t->x, insn), TEXT_FIT);
	svg_text(t->out, LEFT - 44, y + ROW - 4, "n f", unit_of(t, u), 6);
	add_cycles_span(t, y, u->renamed, u->renamed + 1, "fill=\"#56b4e9\"");
	add_cycles_span(t, y, u->renamed + 1, u->begun, "class=\"lane\"");
	if (u->unit != CORE_NO_UNIT)
		add_cycles_span(t, y, u->begun, u->done, "fill=\"#e69f00\"");
	add_cycles_span(t, y, u->done > u->renamed ? u->done : u->renamed + 1, u->retired,
			"class=\"lane\"");
	add_cycles_span(t, y, u->retired, u->retired + 1, "fill=\"#009e73\"");
	add_letter(t, y, u->renamed, 'r');
	if (u->unit != CORE_NO_UNIT)
		add_letter(t, y, u->begun, 'e');
	add_letter(t, y, u->retired, 'R');
	buf_printf(t->out, "</g>\n");
}

static void add_scale(const struct timeline *t, double height)
{
	for (uint64_t c = t->first; c < t->end; c += TICKS) {
		buf_printf(t->out, "<path class=\"rule\" d=\"M%.0f,%dV%.0f\"/>", column(t, c), HEAD,
			   height);
		buf_printf(t->out, "<text class=\"s\" x=\"%.0f\" y=\"%d\">%" PRIu64 "</text>\n",
			   column(t, c) + 1, HEAD - 6, c - t->first);
	}
}

static void draw_timeline(struct timeline *t, const struct core_log *log)
{
	const double height = HEAD + (double)log->n * ROW + 4;

	t->first = log->uops[0].renamed;
	for (unsigned i = 0; i < log->n; i++)
		if (log->uops[i].retired + 1 > t->end)
			t->end = log->uops[i].retired + 1;
	if (t->end > t->first + CYCLES_MOST)
		t->end = t->first + CYCLES_MOST;
	page_picture_begin(t->out);
	svg_begin(t->out, column(t, t->end) + 4, height, "Timeline", false);
	add_scale(t, height);
	for (unsigned i = 0; i < log->n; i++)
		add_uop_row(t, &log->uops[i], !i || log->uops[i].step != log->uops[i - 1].step,
			    HEAD + (double)i * ROW);
	svg_end(t->out);
	page_picture_end(t->out);
}

void explain_timeline(struct buf *out, const struct explained *x,
		      const struct explaining_core *core)
{
	struct core_piece *piece = memory_checked(malloc(sizeof(*piece)));
	struct core_uop_times uops[ROWS_MOST];
	struct core_log log = {uops, 0, ROWS_MOST};
	struct timeline t = {.out = out, .x = x, .core = core};

	if (core_piece_describe(piece, core->model, x->code.code, x->code.bytes) &&
	    core_steady_log(&log, piece, x->code.va, x->code.loop, ITERATIONS) && log.n) {
		buf_printf(
			out,
			"<details open=\"open\"><summary>Timeline of %d iterations in the model: "
			"r renamed, e begins to execute, R retires</summary>\n",
			ITERATIONS);
		draw_timeline(&t, &log);
		buf_printf(out, "</details>\n");
	}
	free(piece);
}
