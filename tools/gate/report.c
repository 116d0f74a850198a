// SPDX-License-Identifier: BSD-2-Clause
/* report.c - see report.h: the report as plain text. */
#include "tools/gate/report.h"

#include <string.h>

#include "lib/printf.h"
#include "tools/util/plainbuf.h"

#define NUMBER_MAX 32
#define NAME_WIDTH 48 /* columns of a name at most */

static const char *const verdicts[VERDICTS] = {
	[VERDICT_WORSE] = "worse",       [VERDICT_GONE] = "gone",
	[VERDICT_BETTER] = "better",     [VERDICT_LAYOUT] = "layout",
	[VERDICT_NEAR] = "in tolerance", [VERDICT_BESIDE] = "not judged",
	[VERDICT_NEW] = "new",           [VERDICT_SAME] = "",
};

static const char *grouped(char text[NUMBER_MAX], uint64_t value)
{
	fmt_print(text, NUMBER_MAX, "%'llu", (unsigned long long)value);
	return text;
}

static uint64_t distance(uint64_t old, uint64_t got)
{
	return got > old ? got - old : old - got;
}

/* Formats a difference: "+1", "-1,000". */
static const char *signed_distance(char text[NUMBER_MAX], uint64_t old, uint64_t got)
{
	*text = got < old ? '-' : '+';
	fmt_print(text + 1, NUMBER_MAX - 1, "%'llu", (unsigned long long)distance(old, got));
	return text;
}

/* Formats a sum of differences in the same way. */
static const char *signed_sum(char text[NUMBER_MAX], int64_t by)
{
	return by < 0 ? signed_distance(text, -(uint64_t)by, 0)
		      : signed_distance(text, 0, (uint64_t)by);
}

/* Formats a change in percent: "+0.0047%"; "" if the old count is 0. */
static const char *percent(char text[NUMBER_MAX], uint64_t old, uint64_t got)
{
	struct buf out = {0};

	*text = '\0';
	if (!old)
		return text;
	buf_printf(&out, "%c%.3g%%", got < old ? '-' : '+',
		   100.0 * (double)distance(old, got) / (double)old);
	strncpy(text, buf_text(&out), NUMBER_MAX - 1);
	text[NUMBER_MAX - 1] = '\0';
	buf_free(&out);
	return text;
}

const char *report_verdict(enum verdict verdict)
{
	return verdicts[verdict];
}

/* Names the count: of the measured functions, or of the process where functions are measured. */
static void name_change(struct buf *out, const struct change *c)
{
	plain_add(out, c->event, strlen(c->event));
	if (c->inside)
		return;
	if (c->verdict == VERDICT_BESIDE)
		buf_printf(out, " of the process");
}

void report_change(struct buf *out, const struct change *c)
{
	char old[NUMBER_MAX], got[NUMBER_MAX], by[NUMBER_MAX], share[NUMBER_MAX];

	name_change(out, c);
	buf_printf(out, " %s -> %s (%s%s%s)", grouped(old, c->old), grouped(got, c->got),
		   signed_distance(by, c->old, c->got), c->old ? ", " : "",
		   percent(share, c->old, c->got));
}

/* Tells by how much each call became dearer, if that explains all. */
static void add_by_call(struct buf *out, const struct moved *m)
{
	char old[NUMBER_MAX], got[NUMBER_MAX], by[NUMBER_MAX], calls[NUMBER_MAX];
	const uint64_t n = m->got_calls;

	if (m->old_calls != n) {
		buf_printf(out, ", called %s -> %s times", grouped(old, m->old_calls),
			   grouped(got, n));
		return;
	}
	if (n < 2)
		return;
	if (m->old % n || m->got % n)
		buf_printf(out, " in %s calls", grouped(calls, n));
	else
		buf_printf(out, ": %s -> %s (%s) in each of %s calls", grouped(old, m->old / n),
			   grouped(got, m->got / n), signed_distance(by, m->old / n, m->got / n),
			   grouped(calls, n));
}

void report_moved(struct buf *out, const struct moved *m, const struct sources *sources)
{
	const struct source *source = sources ? sources_find(sources, m->name) : NULL;
	char old[NUMBER_MAX], got[NUMBER_MAX], by[NUMBER_MAX];

	plain_add(out, m->name, strlen(m->name));
	buf_printf(out, " %s -> %s (%s) instructions", grouped(old, m->old), grouped(got, m->got),
		   signed_distance(by, m->old, m->got));
	add_by_call(out, m);
	if (m->has_other_code && m->old_size != m->got_size)
		buf_printf(out, ", code %s -> %s bytes", grouped(old, m->old_size),
			   grouped(got, m->got_size));
	else if (m->has_other_code)
		buf_printf(out, ", other code");
	if (source) {
		buf_printf(out, ", ");
		plain_add(out, source->file, strlen(source->file));
		buf_printf(out, ":%u", source->line);
	}
}

void report_others(struct buf *out, const struct moved_list *list)
{
	char by[NUMBER_MAX];

	buf_printf(out, "%zu other%s %s", list->others, list->others == 1 ? "" : "s",
		   signed_sum(by, list->by_others));
}

void report_rebuilt(struct buf *out, const struct rebuilt *r)
{
	const char *base = basename(r->path);
	char by[NUMBER_MAX];

	plain_add(out, base, strlen(base));
	buf_printf(out,
		   " is another build than in the baseline: counts inside of it differ by %s, in "
		   "%zu benchmark%s",
		   signed_sum(by, r->by), r->benchmarks, r->benchmarks == 1 ? "" : "s");
}

void report_unsteady(struct buf *out, const struct unsteady *u)
{
	char first[NUMBER_MAX], second[NUMBER_MAX];

	plain_add(out, u->event, strlen(u->event));
	buf_printf(out, " %s, %s %s", grouped(first, u->first),
		   u->by_chance ? "with other random numbers" : "then", grouped(second, u->second));
	if (u->function) {
		buf_printf(out, ", most of it in ");
		plain_add(out, u->function, strlen(u->function));
	}
}

/* --- The table --- */

struct widths {
	int benchmark, event, old, got, by, share;
};

static void widen(int *width, int n)
{
	if (n > *width)
		*width = n;
}

/*
 * Returns whether the table has a row for the event. A benchmark that is completely gone has none.
 */
static bool is_shown(const struct change *c)
{
	return !c->all_gone && c->verdict != VERDICT_SAME && c->verdict != VERDICT_NEW;
}

static int width_of_name(const struct change *c)
{
	struct buf name = {0};
	int width;

	name_change(&name, c);
	width = plain_width(buf_text(&name));
	buf_free(&name);
	return width;
}

static struct widths widths_of(const struct comparison *comparison)
{
	struct widths w = {9, 5, 3, 3, 10, 1};
	char text[NUMBER_MAX];

	for (size_t i = 0; i < comparison->n; i++) {
		const struct change *c = &comparison->change[i];

		if (!is_shown(c))
			continue;
		widen(&w.benchmark, plain_width(c->benchmark));
		widen(&w.event, width_of_name(c));
		widen(&w.old, (int)strlen(grouped(text, c->old)));
		widen(&w.got, (int)strlen(grouped(text, c->got)));
		widen(&w.by, (int)strlen(signed_distance(text, c->old, c->got)));
		widen(&w.share, (int)strlen(percent(text, c->old, c->got)));
	}
	if (w.benchmark > NAME_WIDTH)
		w.benchmark = NAME_WIDTH;
	return w;
}

static void add_in_width(struct buf *out, const char *name, int width)
{
	plain_add(out, name, strlen(name));
	buf_printf(out, "%*s", width > plain_width(name) ? width - plain_width(name) : 0, "");
}

static void add_name_in_width(struct buf *out, const struct change *c, int width)
{
	struct buf name = {0};

	name_change(&name, c);
	add_in_width(out, buf_text(&name), width);
	buf_free(&name);
}

static void add_change_row(struct buf *out, const struct change *c, const struct layouts *layouts,
			   const struct widths *w)
{
	char old[NUMBER_MAX], got[NUMBER_MAX], by[NUMBER_MAX], share[NUMBER_MAX];
	const bool gone = c->verdict == VERDICT_GONE;

	add_in_width(out, c->benchmark, w->benchmark);
	buf_printf(out, "  ");
	add_name_in_width(out, c, w->event);
	buf_printf(out, "  %*s  %*s  %*s  %*s  %s\n", w->old, grouped(old, c->old), w->got,
		   gone ? "-" : grouped(got, c->got), w->by,
		   gone ? "" : signed_distance(by, c->old, c->got), w->share,
		   gone ? "" : percent(share, c->old, c->got), verdicts[c->verdict]);
	if (layouts_find(layouts, c))
		buf_printf(out, "    layout: +-%s by other addresses alone\n",
			   grouped(old, layouts_find(layouts, c)));
}

static void add_functions(struct buf *out, const struct gate_report *r, const char *benchmark)
{
	struct moved_list list;

	compare_functions(r->old, r->got, benchmark, &list);
	for (size_t i = 0; i < list.n; i++) {
		buf_printf(out, "    ");
		report_moved(out, &list.one[i], r->sources);
		buf_printf(out, "\n");
	}
	if (list.others) {
		buf_printf(out, "    ");
		report_others(out, &list);
		buf_printf(out, "\n");
	}
}

#define REBUILT_MOST 16

/* Another library explains differences that are none of the program's. */
static void add_rebuilt(struct buf *out, const struct gate_report *r)
{
	struct rebuilt rebuilt[REBUILT_MOST];
	const size_t n = compare_files(r->old, r->got, rebuilt, REBUILT_MOST);

	for (size_t i = 0; i < n; i++) {
		report_rebuilt(out, &rebuilt[i]);
		buf_printf(out, "\n");
	}
	if (n)
		buf_printf(out, "\n");
}

static void add_change_table(struct buf *out, const struct gate_report *r)
{
	const struct comparison *comparison = r->comparison;
	const struct widths w = widths_of(comparison);
	size_t shown = 0, of_benchmark = 0;

	for (size_t i = 0; i < comparison->n; i++) {
		const struct change *c = &comparison->change[i];

		if (is_shown(c)) {
			if (!shown++)
				buf_printf(out, "%-*s  %-*s  %*s  %*s  %*s\n", w.benchmark,
					   "benchmark", w.event, "event", w.old, "old", w.got,
					   "new", w.by, "difference");
			add_change_row(out, c, r->layouts, &w);
		}
		of_benchmark += is_shown(c);
		if (i + 1 < comparison->n && !strcmp(c->benchmark, c[1].benchmark))
			continue;
		if (of_benchmark)
			add_functions(out, r, c->benchmark);
		of_benchmark = 0;
	}
	if (shown)
		buf_printf(out, "\n");
}

#define GONE_MOST 10

static void add_gone(struct buf *out, const struct comparison *comparison)
{
	size_t n = 0;

	for (size_t i = 0; i < comparison->n; i++) {
		const struct change *c = &comparison->change[i];

		if (!c->all_gone || (i && !strcmp(c->benchmark, c[-1].benchmark)))
			continue;
		if (n++ < GONE_MOST) {
			buf_printf(out, "gone: ");
			plain_add(out, c->benchmark, strlen(c->benchmark));
			buf_printf(out, " is in the baseline, and was not measured\n");
		}
	}
	if (n > GONE_MOST)
		buf_printf(out, "gone: %zu more\n", n - GONE_MOST);
}

static void add_unsteady(struct buf *out, const char *what, const struct unsteady_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		buf_printf(out, "%s: ", what);
		plain_add(out, list->one[i].benchmark, strlen(list->one[i].benchmark));
		buf_printf(out, ": ");
		report_unsteady(out, &list->one[i]);
		buf_printf(out, "\n");
	}
}

/* Counts the benchmarks of the list, in which the events of each are adjacent. */
static size_t count_unsteady(const struct unsteady_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += !i || strcmp(list->one[i].benchmark, list->one[i - 1].benchmark) != 0;
	return n;
}

static void add_summary(struct buf *out, const struct gate_report *r)
{
	static const struct {
		enum verdict verdict;
		const char *text;
	} parts[] = {
		{VERDICT_WORSE, "worse"},
		{VERDICT_GONE, "not measured any more"},
		{VERDICT_BETTER, "better"},
		{VERDICT_LAYOUT, "changed by other addresses alone"},
		{VERDICT_NEAR, "changed within the tolerance"},
		{VERDICT_BESIDE, "changed outside of what is measured"},
		{VERDICT_NEW, "not in the baseline"},
		{VERDICT_SAME, "unchanged"},
	};
	const size_t *benchmarks = r->comparison->benchmarks;
	const char *between = ":";
	size_t n = 0;

	for (int i = 0; i < VERDICTS; i++)
		n += benchmarks[i];
	buf_printf(out, "%zu benchmark%s", n, n == 1 ? "" : "s");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (benchmarks[parts[i].verdict]) {
			buf_printf(out, "%s %zu %s", between, benchmarks[parts[i].verdict],
				   parts[i].text);
			between = ",";
		}
	if (count_unsteady(r->by_chance))
		buf_printf(out, "; %zu depend%s on random numbers", count_unsteady(r->by_chance),
			   count_unsteady(r->by_chance) == 1 ? "s" : "");
	buf_printf(out, "\n");
	if (r->can_update &&
	    (benchmarks[VERDICT_BETTER] || benchmarks[VERDICT_NEW] || benchmarks[VERDICT_GONE]))
		buf_printf(out, "--update makes what was measured the baseline\n");
}

void report_text(struct buf *out, const struct gate_report *r)
{
	add_rebuilt(out, r);
	add_change_table(out, r);
	add_gone(out, r->comparison);
	add_unsteady(out, "not deterministic", r->unsteady);
	if (r->explains_chance)
		add_unsteady(out, "by chance", r->by_chance);
	add_summary(out, r);
}
