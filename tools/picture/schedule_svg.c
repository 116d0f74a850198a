// SPDX-License-Identifier: BSD-2-Clause
/* schedule_svg.c - see schedule_svg.h. */
#include "tools/picture/schedule_svg.h"

#include <string.h>

#include "pmu/sched/explain.h"
#include "tools/picture/markup.h"
#include "tools/picture/palette.h"
#include "tools/picture/svg.h"
#include "tools/util/plainbuf.h"

#define COLUMNS_MOST  120 /* slices that a picture shows at most */
#define COLUMNS_LEAST 16  /* if the plan has as many: a schedule of one slice is seen to repeat */
#define NAME_MOST     44  /* columns of an event's name */
#define NAME_LEAST    12
#define GLYPH         6.7 /* width of a character of class n */
#define LANE          20  /* height of a row */
#define MARGIN        16
#define WIDTH_LEAST   420
#define WIDTH_ALONE   620
#define SWATCH        26
#define PERIOD        18  /* height of the line that marks the period */
#define SHARE         124 /* width of the share behind an event's row */

struct drawing {
	struct buf *out;
	const struct planner *p;
	const struct schedule *s;
	size_t columns;
	double margin, left, column; /* start of the columns; width of one column */
	double y;                    /* top of the next element */
};

static double column_x(const struct drawing *d, size_t column)
{
	return d->left + d->column * (double)column;
}

/* --- Selection of slices --- */

/* Returns whether all slices are equal. */
static bool is_constant(const struct schedule *s)
{
	return s->period == 1 && !s->lead;
}

static size_t columns_of(const struct schedule *s)
{
	size_t wanted = s->period ? s->lead + 2 * s->period : s->nslices;

	if (is_constant(s))
		return 1;
	if (wanted < COLUMNS_LEAST)
		wanted = COLUMNS_LEAST;
	if (wanted > COLUMNS_MOST && s->lead + s->period <= COLUMNS_MOST && s->period)
		wanted = s->lead + s->period;
	if (wanted > COLUMNS_MOST)
		wanted = COLUMNS_MOST;
	return wanted < s->nslices ? wanted : s->nslices;
}

static double column_width(size_t columns)
{
	static const struct {
		size_t columns;
		double width;
	} rows[] = {{1, 200}, {16, 34}, {24, 28}, {40, 20}, {64, 14}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (columns <= rows[i].columns)
			return rows[i].width;
	return 10;
}

static double ms_of(const struct drawing *d, size_t slices)
{
	return (double)slices * d->p->job.interval_us / 1000;
}

static void add_slices(struct buf *out, const struct planner *p, size_t n)
{
	if (n == 1)
		buf_printf(out, "slice");
	else
		buf_printf(out, "%zu slices", n);
	buf_printf(out, " (%g ms)", (double)n * p->job.interval_us / 1000);
}

void schedule_sentence(struct buf *out, const struct planner *p, const struct schedule *s)
{
	const size_t columns = columns_of(s);

	buf_printf(out, "%zu slices of %g ms", s->nslices, (double)p->job.interval_us / 1000);
	if (is_constant(s)) {
		buf_printf(out, ", all the same");
		return;
	}
	if (s->period && s->lead) {
		buf_printf(out, "; behind the first ");
		add_slices(out, p, s->lead);
		buf_printf(out, ",");
	} else if (s->period) {
		buf_printf(out, ";");
	}
	if (s->period) {
		buf_printf(out, " the same every ");
		add_slices(out, p, s->period);
	} else if (s->nslices > 1) {
		buf_printf(out, "; no part of them is the same again to the end");
	}
	if (columns < s->nslices && (!s->period || columns < s->lead + s->period))
		buf_printf(out, "; the first %zu are shown", columns);
}

/* --- Cells --- */

/* Returns the number of digits of a number that counts from 1. */
static unsigned digits_of(unsigned number)
{
	return number < 10 ? 1 : number < 100 ? 2 : 3;
}

static void put_span(struct drawing *d, size_t from, size_t to)
{
	if (to - from == 1)
		buf_printf(d->out, "slice %zu", from + 1);
	else
		buf_printf(d->out, "slices %zu to %zu", from + 1, to);
}

/* Puts the event's number in a cell that has room for it. */
static void put_cell_number(struct drawing *d, double x, double width, unsigned event)
{
	const unsigned digits = digits_of(event + 1);
	const bool is_thin = width < 7 * digits + 3;
	const double glyphs = (is_thin ? 5 : 6.5) * digits + 1;

	if (width < 5 * digits)
		return;
	buf_printf(d->out,
		   "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"%s\"/>"
		   "<text class=\"in%s\" x=\"%.1f\" y=\"%.1f\" style=\"fill:%s\">%u</text>",
		   x + width / 2 - glyphs / 2, d->y + 4, glyphs, palette_colour(event),
		   is_thin ? " thin" : "", x + width / 2, d->y + LANE - 6.5, palette_ink(event),
		   event + 1);
}

static void put_cell(struct drawing *d, size_t from, size_t to, unsigned event, const char *where)
{
	const double x = column_x(d, from), width = d->column * (double)(to - from);

	buf_printf(d->out, "<g><title>%u ", event + 1);
	markup_add(d->out, d->p->own.specs[event].name);
	buf_printf(d->out, ", %s, ", where);
	put_span(d, from, to);
	buf_printf(d->out,
		   "</title><rect class=\"edge\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
		   "height=\"%d\" fill=\"",
		   x, d->y + 1.5, width, LANE - 3);
	palette_fill(d->out, event);
	buf_printf(d->out, "\"/>");
	put_cell_number(d, x, width, event);
	buf_printf(d->out, "</g>\n");
}

static void put_lane(struct drawing *d)
{
	buf_printf(d->out,
		   "<rect class=\"lane\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n",
		   d->left, d->y + 1.5, d->column * (double)d->columns, LANE - 3);
}

/* --- Rows by counter --- */

#define NOTHING  (-1)
#define WATCHDOG (-2)

/* Returns the event that holds the counter in a slice, or NOTHING, or WATCHDOG. */
static int holder_of(const struct drawing *d, size_t slice, unsigned counter)
{
	const struct schedule_layout *l = schedule_at(d->s, slice);

	if (l->watchdog == counter)
		return WATCHDOG;
	for (unsigned i = 0; i < d->p->own.n; i++)
		if (l->counter[i] == counter)
			return (int)i;
	return NOTHING;
}

static void put_watchdog(struct drawing *d, size_t from, size_t to)
{
	const double x = column_x(d, from), width = d->column * (double)(to - from);

	buf_printf(
		d->out,
		"<g><title>the NMI watchdog, all the time</title><rect class=\"edge\" x=\"%.1f\" "
		"y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"#555\"/><text class=\"in\" "
		"x=\"%.1f\" y=\"%.1f\" style=\"fill:#fff\">%s</text></g>\n",
		x, d->y + 1.5, width, LANE - 3, x + width / 2, d->y + LANE - 6.5,
		width > 90 ? "NMI watchdog" : "W");
}

static void put_counter_row(struct drawing *d, unsigned counter)
{
	char name[16];
	size_t from = 0;

	pmu_counter_name(counter, name);
	svg_text(d->out, d->left - 8, d->y + LANE - 6, "n e", name, sizeof(name));
	put_lane(d);
	while (from < d->columns) {
		const int holder = holder_of(d, from, counter);
		size_t to = from + 1;

		while (to < d->columns && holder_of(d, to, counter) == holder)
			to++;
		if (holder == WATCHDOG)
			put_watchdog(d, from, to);
		else if (holder != NOTHING)
			put_cell(d, from, to, (unsigned)holder, name);
		from = to;
	}
	d->y += LANE;
}

/* Returns the machine's counters and those that the schedule uses beside them. */
static uint64_t counters_of(const struct drawing *d)
{
	uint64_t counters = d->p->job.counters;

	for (size_t l = 0; l < d->s->nlayouts; l++) {
		const struct schedule_layout *layout = &d->s->layout[l];

		if (layout->watchdog < PMU_COUNTERS)
			counters |= 1ull << layout->watchdog;
		for (unsigned i = 0; i < d->p->own.n; i++)
			if (layout->counter[i] < PMU_COUNTERS)
				counters |= 1ull << layout->counter[i];
	}
	return counters;
}

/*
 * Returns whether the event needs no counter. Such events count at the same time, so each has a
 * row.
 */
static bool is_software(const struct drawing *d, unsigned event)
{
	for (size_t l = 0; l < d->s->nlayouts; l++)
		if (d->s->layout[l].counter[event] == PMU_PLAN_SOFTWARE)
			return true;
	return false;
}

static void put_software_row(struct drawing *d, unsigned event)
{
	size_t from = 0;

	svg_text(d->out, d->left - 8, d->y + LANE - 6, "n e", "software", 16);
	put_lane(d);
	while (from < d->columns) {
		const bool counts = schedule_at(d->s, from)->counter[event] == PMU_PLAN_SOFTWARE;
		size_t to = from + 1;

		while (to < d->columns &&
		       counts == (schedule_at(d->s, to)->counter[event] == PMU_PLAN_SOFTWARE))
			to++;
		if (counts)
			put_cell(d, from, to, event, "software: no counter");
		from = to;
	}
	d->y += LANE;
}

static void put_counter_rows(struct drawing *d)
{
	const uint64_t counters = counters_of(d);

	for (unsigned c = PMU_FIRST_FIXED; c < PMU_COUNTERS; c++)
		if (counters >> c & 1)
			put_counter_row(d, c);
	for (unsigned c = 0; c < PMU_FIRST_FIXED; c++)
		if (counters >> c & 1)
			put_counter_row(d, c);
	for (unsigned i = 0; i < d->p->own.n; i++)
		if (is_software(d, i))
			put_software_row(d, i);
}

/* --- Rows by event --- */

static unsigned group_of(const struct planner *p, unsigned event)
{
	unsigned group = 0;

	for (unsigned last = p->own.groups[0].n; event >= last; last += p->own.groups[group].n)
		group++;
	return group;
}

static const char *reason_to_wait(const struct drawing *d, size_t slice, unsigned event)
{
	const struct pmu_plan_config *config = schedule_at(d->s, slice)->config;
	const char *why = config ? config->why[group_of(d->p, event)].text : "";

	return *why ? why : d->p->plan.events[event].why.text;
}

static void put_waiting(struct drawing *d, size_t from, size_t to, unsigned event)
{
	buf_printf(d->out, "<g><title>%u ", event + 1);
	markup_add(d->out, d->p->own.specs[event].name);
	buf_printf(d->out, " waits, ");
	put_span(d, from, to);
	buf_printf(d->out, ": ");
	markup_add(d->out, reason_to_wait(d, from, event));
	buf_printf(d->out,
		   "</title><rect class=\"wait\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
		   "height=\"%d\"/></g>\n",
		   column_x(d, from), d->y + 1.5, d->column * (double)(to - from), LANE - 3);
}

/* Draws a line through the slices in which the event waits. put_waiting() adds the reasons. */
static void put_waiting_lines(struct drawing *d, unsigned event)
{
	size_t from = 0;

	while (from < d->columns) {
		const bool waits = schedule_at(d->s, from)->counter[event] == PMU_PLAN_WAITS;
		size_t to = from + 1;

		while (to < d->columns &&
		       waits == (schedule_at(d->s, to)->counter[event] == PMU_PLAN_WAITS))
			to++;
		if (waits)
			svg_line(d->out, column_x(d, from) + 3, d->y + LANE / 2.0,
				 column_x(d, to) - 3, d->y + LANE / 2.0, "waits");
		from = to;
	}
}

/*
 * Returns whether two slices are equal for the event: the same counter, or the same reason to wait.
 */
static bool is_alike(const struct drawing *d, size_t a, size_t b, unsigned event)
{
	const uint8_t counter = schedule_at(d->s, a)->counter[event];

	if (counter != schedule_at(d->s, b)->counter[event])
		return false;
	return counter != PMU_PLAN_WAITS ||
	       !strcmp(reason_to_wait(d, a, event), reason_to_wait(d, b, event));
}

static void put_event_cells(struct drawing *d, unsigned event)
{
	size_t from = 0;

	put_waiting_lines(d, event);
	while (from < d->columns) {
		const uint8_t counter = schedule_at(d->s, from)->counter[event];
		char name[16];
		size_t to = from + 1;

		while (to < d->columns && is_alike(d, from, to, event))
			to++;
		if (counter == PMU_PLAN_WAITS)
			put_waiting(d, from, to, event);
		else
			put_cell(d, from, to, event,
				 counter == PMU_PLAN_SOFTWARE ? "software: no counter"
							      : pmu_counter_name(counter, name));
		from = to;
	}
}

static void put_share(struct drawing *d, unsigned event)
{
	const struct pmu_plan_event *e = &d->p->plan.events[event];
	const double x = column_x(d, d->columns) + 8, y = d->y + LANE - 6;

	if (e->status == PMU_PLAN_NOT_SUPPORTED)
		svg_text(d->out, x, y, "hot", "not supported", 16);
	else if (!e->has_percent)
		svg_text(d->out, x, y, "hot", "not counted", 16);
	else
		svg_textf(d->out, x, y, "n", "%3u.%02u %%", e->percent / 100, e->percent % 100);
}

static void put_refusal(struct drawing *d, unsigned event)
{
	const unsigned columns = (unsigned)(d->column * (double)d->columns / GLYPH);

	svg_text(d->out, d->left + 6, d->y + LANE - 6, "f", d->p->plan.events[event].why.text,
		 columns);
}

static void put_event_row(struct drawing *d, unsigned event)
{
	const struct pmu_event_spec *spec = &d->p->own.specs[event];
	const struct pmu_plan_event *e = &d->p->plan.events[event];
	const double label = d->left - SWATCH - 14;

	svg_text(d->out, label, d->y + LANE - 6, "n e", spec->name, NAME_MOST);
	buf_printf(d->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"",
		   label + 6, d->y + 3, SWATCH, LANE - 6);
	palette_fill(d->out, event);
	buf_printf(d->out, "\"/>");
	put_cell_number(d, label + 6, SWATCH, event);
	buf_printf(d->out, "\n");
	put_lane(d);
	if (e->status == PMU_PLAN_NOT_SUPPORTED)
		put_refusal(d, event);
	else
		put_event_cells(d, event);
	put_share(d, event);
	d->y += LANE;
}

/* Draws a line beside the events of one group. */
static void put_group_mark(struct drawing *d, double from)
{
	buf_printf(d->out,
		   "<path class=\"mark\" d=\"M%.1f,%.1fh-4V%.1fh4\"><title>one group: these events "
		   "count together, or wait together</title></path>\n",
		   d->left - 2, from + 3, d->y - 3);
}

static void put_event_rows(struct drawing *d)
{
	unsigned event = 0;

	for (unsigned g = 0; g < d->p->own.ngroups; g++) {
		const double from = d->y;

		for (unsigned n = d->p->own.groups[g].n; n; n--)
			put_event_row(d, event++);
		if (d->p->own.groups[g].n > 1)
			put_group_mark(d, from);
	}
}

/* --- Axes and labels --- */

static size_t tick_step(const struct drawing *d)
{
	static const size_t steps[] = {1, 2, 5, 10, 20, 50};
	size_t i = 0;

	while (i < 5 && d->column * (double)steps[i] < 34)
		i++;
	return steps[i];
}

static void put_slice_numbers(struct drawing *d)
{
	const size_t step = tick_step(d);

	for (size_t number = 1; number <= d->columns; number++)
		if (number == 1 || number % step == 0)
			svg_textf(d->out, column_x(d, number - 1) + d->column / 2, d->y + 11, "s c",
				  "%zu", number);
}

static void put_time_axis(struct drawing *d)
{
	const size_t step = tick_step(d);

	for (size_t c = 0; c <= d->columns; c += step) {
		svg_line(d->out, column_x(d, c), d->y + 1, column_x(d, c), d->y + 4, "mark");
		svg_textf(d->out, column_x(d, c), d->y + 15, "s c", "%g", ms_of(d, c));
	}
}

/* Numbers slices above the picture, and shows their times in ms below. */
static void put_axis(struct drawing *d, bool above)
{
	if (is_constant(d->s)) {
		if (above)
			svg_text(d->out, d->left, d->y + 11, "s", "all the time", 16);
	} else {
		(above ? put_slice_numbers : put_time_axis)(d);
		svg_text(d->out, d->left - 8, d->y + (above ? 11 : 15), "s e",
			 above ? "slice" : "ms", 8);
	}
	d->y += above ? 16 : is_constant(d->s) ? 8 : 22;
}

static void put_period(struct drawing *d)
{
	const size_t end = d->s->lead + d->s->period;
	const double x1 = column_x(d, d->s->lead), x2 = column_x(d, end);

	if (!d->s->period || end > d->columns || is_constant(d->s))
		return;
	buf_printf(d->out, "<path class=\"mark\" d=\"M%.1f,%.1fv-5H%.1fv5\"/>\n", x1 + 1, d->y + 16,
		   x2 - 1);
	buf_printf(d->out, "<text class=\"s\" x=\"%.1f\" y=\"%.1f\">", x1, d->y + 7);
	buf_printf(d->out, "again every ");
	add_slices(d->out, d->p, d->s->period);
	buf_printf(d->out, "</text>\n");
	d->y += PERIOD;
}

static void put_heading(struct drawing *d, const char *text)
{
	svg_text(d->out, d->margin, d->y + 14, "f", text, 80);
	d->y += 20;
}

static void put_schedule_title(struct drawing *d)
{
	struct buf text = {0};

	buf_printf(&text, "%s, hyper-threading %s, policy %s", d->p->uarch->name,
		   d->p->ht ? "on" : "off", d->p->job.fair ? "fair" : "perf");
	if (d->p->kernel_text)
		buf_printf(&text, ", as Linux %s", d->p->kernel_text);
	svg_text(d->out, d->margin, d->y + 16, "h", buf_text(&text), 100);
	text.size = 0;
	schedule_sentence(&text, d->p, d->s);
	svg_text(d->out, d->margin, d->y + 36, "f", buf_text(&text), 160);
	buf_free(&text);
	d->y += 50;
}

static double label_width(const struct planner *p)
{
	int width = NAME_LEAST;

	for (unsigned i = 0; i < p->own.n; i++)
		if (plain_width(p->own.specs[i].name) > width)
			width = plain_width(p->own.specs[i].name);
	return GLYPH * (width < NAME_MOST ? width : NAME_MOST) + SWATCH + 14;
}

void schedule_svg(struct buf *out, const struct planner *p, const struct schedule *s, bool alone)
{
	struct buf body = {0};
	struct drawing d = {.out = &body,
			    .p = p,
			    .s = s,
			    .columns = columns_of(s),
			    .margin = alone ? MARGIN : 0,
			    .y = alone ? MARGIN : 0};
	const double least = alone ? WIDTH_ALONE : WIDTH_LEAST;
	double width;

	d.left = d.margin + label_width(p);
	d.column = column_width(d.columns);
	width = column_x(&d, d.columns) + SHARE;
	if (alone)
		put_schedule_title(&d);
	put_heading(&d, "by counter");
	put_period(&d);
	put_axis(&d, true);
	put_counter_rows(&d);
	put_axis(&d, false);
	put_heading(&d, is_constant(s) ? "by event"
				       : "by event; dotted: it waits, and tells why when it is "
					 "pointed at");
	put_axis(&d, true);
	put_event_rows(&d);
	put_axis(&d, false);
	svg_begin(out, width > least ? width : least, d.y + d.margin,
		  "the schedule: events on counters, slice by slice", alone);
	buf_printf(out, "<defs>\n");
	palette_patterns(out, p->own.n);
	buf_printf(out, "</defs>\n");
	buf_add(out, body.data, body.size);
	svg_end(out);
	buf_free(&body);
}
