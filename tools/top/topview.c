// SPDX-License-Identifier: BSD-2-Clause
/* topview.c - see topview.h. */
#include "tools/top/topview.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/symbols/source.h"

#define HEAD_LINES 4 /* lines above the list */
#define FOOT_LINES 2
#define CPU_WIDTH  8 /* width of the column of CPUs */
#define CPU_ROOM   32

static const char *const sort_names[PROFILE_SORTS] = {
	[PROFILE_BY_WEIGHT] = "overhead",
	[PROFILE_BY_SAMPLES] = "samples",
	[PROFILE_BY_NAME] = "symbol",
};

static const char *const help_lines[] = {
	"",
	"  e, Tab          the next event",
	"  s               sort by overhead, samples, symbol",
	"  Enter, Right    into the function: its addresses, with their source lines",
	"  Esc, Left       back",
	"  Up, Down, k, j  move; Page Up, Page Down, Home, End as well",
	"  h, ?            this",
	"  q               back, and from the list of functions: leave",
	"",
	"  Overhead is the share of the event that fell there: of the samples, each",
	"  for its period. [.] is ring 3, [k] ring 0.",
};

void topview_forget(struct topview *view)
{
	view->event = 0;
	view->zoomed = view->has_chosen = false;
	view->cursor = view->top = 0;
}

void topview_free(struct topview *view)
{
	buf_free(&view->list);
}

static void leave_zoom(struct topview *view)
{
	view->zoomed = false;
	view->chosen = view->zoom;
	view->has_chosen = true;
	view->top = 0;
}

static void enter_zoom(struct topview *view)
{
	if (view->zoomed || !view->has_chosen)
		return;
	view->zoom = view->chosen;
	view->zoomed = true;
	view->cursor = view->top = 0;
}

static void move_to(struct topview *view, size_t line)
{
	view->cursor = line < view->nlines ? line : view->nlines ? view->nlines - 1 : 0;
	view->has_chosen &= view->zoomed;
}

static void move_up(struct topview *view, size_t n)
{
	move_to(view, view->cursor > n ? view->cursor - n : 0);
}

static void next_event(struct topview *view, const struct top_model *model)
{
	if (!model->nevents)
		return;
	view->event = (view->event + 1) % model->nevents;
	view->zoomed = view->has_chosen = false;
	view->cursor = view->top = 0;
}

static bool move_by_key(struct topview *view, int key)
{
	size_t page = view->height > 1 ? view->height - 1 : 1;

	switch (key) {
	case KEY_UP:
	case 'k':
		move_up(view, 1);
		return true;
	case KEY_DOWN:
	case 'j':
		move_to(view, view->cursor + 1);
		return true;
	case KEY_PAGE_UP:
		move_up(view, page);
		return true;
	case KEY_PAGE_DOWN:
		move_to(view, view->cursor + page);
		return true;
	case KEY_HOME:
		move_to(view, 0);
		return true;
	case KEY_END:
		move_to(view, view->nlines);
		return true;
	default:
		return false;
	}
}

/* Leaves the zoom. In the list of functions, only `q` leaves the view. */
static bool go_back(struct topview *view, int key)
{
	if (!view->zoomed)
		return key != 'q';
	leave_zoom(view);
	return true;
}

bool topview_key(struct topview *view, const struct top_model *model, int key)
{
	if (view->help) {
		view->help = false;
		return true;
	}
	if (move_by_key(view, key))
		return true;
	switch (key) {
	case 'q':
	case KEY_ESC:
	case KEY_LEFT:
		return go_back(view, key);
	case 'e':
	case KEY_TAB:
		next_event(view, model);
		break;
	case 's':
		view->sort = (view->sort + 1) % PROFILE_SORTS;
		view->top = 0;
		break;
	case KEY_ENTER:
	case KEY_RIGHT:
		enter_zoom(view);
		break;
	case 'h':
	case '?':
		view->help = true;
		break;
	default:
		break;
	}
	return true;
}

static double percent_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static void draw_head(const struct topview *view, const struct top_model *model,
		      struct screen *screen, const struct profile_sum *total)
{
	const char *event = model->nevents ? model->events[view->event].name : "-";

	screen_line(screen, STYLE_BAR, " perf0 top: %s, event %zu of %zu: %s, by %s", model->state,
		    model->nevents ? view->event + 1 : 0, model->nevents, event,
		    sort_names[view->sort]);
	screen_line(screen, STYLE_PLAIN, " %s", model->command);
	screen_line(screen, STYLE_PLAIN,
		    " %" PRIu64 " samples, %" PRIu64 " events, %" PRIu64 " lost, %" PRIu64
		    " bytes damaged",
		    total->samples, total->weight, model->lost, model->skipped);
}

static void draw_foot(const struct topview *view, const struct top_model *model,
		      struct screen *screen)
{
	screen_fill(screen, screen->height - FOOT_LINES);
	screen_line(screen, STYLE_PLAIN, " %s", model->message);
	screen_line(screen, STYLE_DIM, " %s",
		    view->zoomed ? "Esc back  e event  h help"
				 : "q quit  e event  s sort  Enter zoom  h help");
}

static bool is_row(const struct place *a, const struct place *b)
{
	if (a->kernel != b->kernel || a->symbol != b->symbol)
		return false;
	return a->symbol || a->address == b->address;
}

/* Moves the cursor to the chosen function's current line. */
static void follow_chosen(struct topview *view, const struct profile_row *rows)
{
	for (size_t i = 0; view->has_chosen && i < view->nlines; i++)
		if (is_row(&rows[i].place, &view->chosen)) {
			view->cursor = i;
			return;
		}
}

/* Scrolls so that the cursor stays on the screen. */
static void scroll_to_cursor(struct topview *view, const struct screen *screen)
{
	int height = screen->height - HEAD_LINES - FOOT_LINES;

	view->height = height > 0 ? (size_t)height : 0;
	if (view->cursor >= view->nlines)
		view->cursor = view->nlines ? view->nlines - 1 : 0;
	if (view->cursor < view->top)
		view->top = view->cursor;
	if (view->height && view->cursor >= view->top + view->height)
		view->top = view->cursor - view->height + 1;
}

static bool is_line_shown(const struct topview *view, size_t line)
{
	return line < view->nlines && line < view->top + view->height;
}

static enum terminal_style style_of(const struct topview *view, size_t line)
{
	return line == view->cursor ? STYLE_CHOSEN : STYLE_PLAIN;
}

/*
 * Returns the text of the CPU column, such as 0-1,4, cut to its width. It is used with several
 * CPUs.
 */
static const char *cpu_column(const struct top_model *model, const struct cpumask *cpus,
			      char text[CPU_ROOM])
{
	char list[CPU_ROOM] = "";
	size_t n = 0;

	for (unsigned first = cpumask_next(cpus, 0); first < CPUMASK_CPUS && n < CPU_WIDTH;) {
		unsigned last = first;

		while (cpumask_has(cpus, last + 1))
			last++;
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%u", n ? "," : "", first);
		if (last > first)
			n += (size_t)snprintf(list + n, sizeof(list) - n, "-%u", last);
		first = cpumask_next(cpus, last + 1);
	}
	snprintf(text, CPU_ROOM, "%-*.*s  ", CPU_WIDTH, CPU_WIDTH, list);
	return model->ncpus > 1 ? text : "";
}

static void draw_row(const struct top_model *model, struct screen *screen,
		     enum terminal_style style, const struct profile_row *row, uint64_t whole)
{
	struct place start = row->place;
	const char *file = NULL;
	char room[24], cpus[CPU_ROOM], where[256] = "";
	unsigned line = 0;

	if (row->place.symbol) {
		start.vaddr = row->place.symbol->start;
		line = place_line(&start, &file);
	}
	if (line)
		snprintf(where, sizeof(where), "%s:%u", basename(file), line);
	screen_line(screen, style, "  %6.2f%% %9" PRIu64 "  %s[%c] %-28s %s",
		    percent_of(row->sum.weight, whole), row->sum.samples,
		    cpu_column(model, &row->sum.cpus, cpus), row->place.kernel ? 'k' : '.',
		    profile_name(&row->place, room), where);
}

static void draw_rows(struct topview *view, const struct top_model *model, struct screen *screen,
		      const struct profile_sum *total)
{
	const struct profile_row *rows;

	view->nlines = profile_rows(model->profile, view->event, view->sort, &view->list);
	rows = (const void *)view->list.data;
	follow_chosen(view, rows);
	scroll_to_cursor(view, screen);
	screen_line(
		screen, STYLE_BAR,
		model->ncpus > 1
			? " Overhead   Samples  CPU           Symbol                       Source"
			: " Overhead   Samples      Symbol                       Source");
	for (size_t i = view->top; is_line_shown(view, i); i++)
		draw_row(model, screen, style_of(view, i), &rows[i], total->weight);
	if (view->nlines) {
		view->chosen = rows[view->cursor].place;
		view->has_chosen = true;
	}
}

static void draw_address(struct screen *screen, enum terminal_style style,
			 const struct profile_cell *cell, uint64_t whole)
{
	const struct symbol *symbol = cell->place.symbol;
	const char *file = NULL;
	char source[256] = "", offset[32] = "";
	unsigned line = place_line(&cell->place, &file);

	if (line)
		source_line(source, sizeof(source), cell->place.elf->path, file, line);
	if (symbol)
		snprintf(offset, sizeof(offset), "+0x%" PRIx64, cell->place.vaddr - symbol->start);
	screen_line(screen, style, "  %6.2f%% %9" PRIu64 "  %12" PRIx64 " %-7s %s",
		    percent_of(cell->sum.weight, whole), cell->sum.samples, cell->place.address,
		    offset, source);
}

static void draw_addresses(struct topview *view, const struct top_model *model,
			   struct screen *screen)
{
	const struct profile_cell *cells;
	uint64_t whole = 0;
	char room[24];

	view->nlines = profile_addresses(model->profile, view->event, &view->zoom, &view->list);
	cells = (const void *)view->list.data;
	for (size_t i = 0; i < view->nlines; i++)
		whole += cells[i].sum.weight;
	scroll_to_cursor(view, screen);
	screen_line(screen, STYLE_BAR, " Share of %s%s   Samples, address, source",
		    profile_name(&view->zoom, room), view->zoom.kernel ? " (ring 0)" : "");
	for (size_t i = view->top; is_line_shown(view, i); i++)
		draw_address(screen, style_of(view, i), &cells[i], whole);
}

static void draw_help(struct screen *screen)
{
	screen_line(screen, STYLE_BAR, " perf0 top: keys");
	for (size_t i = 0; i < sizeof(help_lines) / sizeof(help_lines[0]); i++)
		screen_line(screen, STYLE_PLAIN, "%s", help_lines[i]);
	screen_fill(screen, screen->height - 1);
	screen_line(screen, STYLE_DIM, " any key: back");
}

void topview_draw(struct topview *view, const struct top_model *model, struct screen *screen)
{
	struct profile_sum total = {0};

	if (view->help) {
		draw_help(screen);
		return;
	}
	if (model->nevents)
		total = profile_total(model->profile, view->event);
	draw_head(view, model, screen, &total);
	if (view->zoomed)
		draw_addresses(view, model, screen);
	else
		draw_rows(view, model, screen, &total);
	draw_foot(view, model, screen);
}
