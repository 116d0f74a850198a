// SPDX-License-Identifier: BSD-2-Clause
/*
 * likwid.c - the layout of LIKWID's performance groups, as its wiki describes it:
 *
 *      SHORT what the group is for
 *      EVENTSET
 *      COUNTER EVENT                 a counter, which formulas name, and what it counts
 *      METRICS
 *      NAME [UNIT] FORMULA           the formula has no blanks
 *      LONG                          text, to the end
 *
 * Which counter an event gets is the scheduler's affair here: names of counters are names for
 * events. The group has the name of its file.
 */
#include "pmu/metrics/reading.h"

#include "lib/string.h"

#include <linux/errno.h>

enum section { SECTION_NONE, SECTION_EVENTS, SECTION_METRICS, SECTION_LONG };

/* Counters whose events perf0 has: fixed and general ones of the core, energy. */
static const char *const counters[] = {"FIXC", "PMC", "PWR"};

/* LIKWID's names for what fixed counters and registers count. */
static const struct {
	const char *likwid, *event;
} names[] = {
	{"INSTR_RETIRED_ANY", "instructions"},
	{"CPU_CLK_UNHALTED_CORE", "cycles"},
	{"CPU_CLK_UNHALTED_REF", "ref-cycles"},
	{"TOPDOWN_SLOTS", "slots"},
	{"RETIRED_INSTRUCTIONS", "instructions"},
	{"CPU_CLOCKS_UNHALTED", "cycles"},
	{"INST_RETIRED_ANY", "instructions"},
	{"ACTUAL_CPU_CLOCK", "msr/aperf/"},
	{"APERF", "msr/aperf/"},
	{"MAX_CPU_CLOCK", "msr/mperf/"},
	{"MPERF", "msr/mperf/"},
	{"PWR_PKG_ENERGY", "power/energy-pkg/"},
	{"PWR_PP0_ENERGY", "power/energy-cores/"},
	{"PWR_DRAM_ENERGY", "power/energy-ram/"},
	{"RAPL_PKG_ENERGY", "power/energy-pkg/"},
	{"RAPL_CORE_ENERGY", "power/energy-cores/"},
};

struct metrics_span likwid_event(struct metrics_span name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (span_is(name, names[i].likwid))
			return (struct metrics_span){names[i].event,
						     (unsigned)strlen(names[i].event)};
	return name;
}

/* "PMC" and a number. */
static bool is_counter(struct metrics_span word, const char *kind)
{
	const unsigned n = (unsigned)strlen(kind);

	if (word.n <= n || memcmp(word.at, kind, n))
		return false;
	for (unsigned i = n; i < word.n; i++)
		if (word.at[i] < '0' || word.at[i] > '9')
			return false;
	return true;
}

static int check_counter(struct reading *r, struct metrics_span word, unsigned column)
{
	bool colon = false;

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		if (is_counter(word, counters[i]))
			return 0;
	for (unsigned i = 0; i < word.n; i++)
		colon |= word.at[i] == ':';
	r->column = column;
	if (colon)
		return reading_refuse(r,
				      "'%.*s': options of counters are not known here; write "
				      "the event as cpu/event=N,umask=N,cmask=N,inv,edge/",
				      (int)word.n, word.at);
	return reading_refuse(r, "unknown counter '%.*s'; there are FIXCn, PMCn and PWRn",
			      word.n > 40 ? 40 : (int)word.n, word.at);
}

static int take_counter(struct reading *r)
{
	const unsigned column = r->column;
	const struct metrics_span counter = reading_word(r);
	struct metrics_event *event;
	int err = check_counter(r, counter, column);

	if (err)
		return err;
	if (!r->line.n)
		return reading_refuse(r, "counter %.*s has no event", (int)counter.n, counter.at);
	event = reading_add_event(r, counter);
	if (!event)
		return -EINVAL;
	event->event = reading_word(r);
	event->likwid = true;
	return r->line.n ? reading_refuse(r, "'%.*s' stands behind the event", (int)r->line.n,
					  r->line.at)
			 : 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void strip_end(struct metrics_span *span)
{
	while (span->n && is_blank(span->at[span->n - 1]))
		span->n--;
}

/* "[UNIT]" at the end of a name becomes the unit. */
static void take_brackets(struct metrics_span *name, struct metrics_span *unit)
{
	unsigned at = name->n;

	*unit = (struct metrics_span){NULL, 0};
	if (!name->n || name->at[name->n - 1] != ']')
		return;
	while (at && name->at[at - 1] != '[')
		at--;
	if (at < 2)
		return;
	*unit = (struct metrics_span){name->at + at, name->n - at - 1};
	name->n = at - 1;
	strip_end(name);
}

static int take_metric_line(struct reading *r)
{
	struct metrics_span name = r->line, formula = r->line, unit;
	struct metrics_row *row;

	while (name.n && !is_blank(name.at[name.n - 1]))
		name.n--;
	formula.at += name.n;
	formula.n -= name.n;
	r->column += name.n;
	strip_end(&name);
	take_brackets(&name, &unit);
	if (!name.n)
		return reading_refuse(r, "a metric is a name and a formula without blanks");
	row = reading_add_row(r, name);
	if (!row)
		return -EINVAL;
	row->formula = formula;
	row->unit = unit;
	return 0;
}

/* PATH/NAME.txt is NAME. */
static struct metrics_span name_of_file(const char *where)
{
	const char *name = where, *end;

	for (const char *c = where; *c; c++)
		if (*c == '/' || *c == '\\')
			name = c + 1;
	for (end = name; *end && *end != '.'; end++)
		;
	return (struct metrics_span){name, (unsigned)(end - name)};
}

static bool take_heading(struct reading *r, enum section *section)
{
	static const struct {
		const char *word;
		enum section section;
	} headings[] = {
		{"EVENTSET", SECTION_EVENTS}, {"METRICS", SECTION_METRICS}, {"LONG", SECTION_LONG}};

	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		if (span_is(r->line, headings[i].word)) {
			*section = headings[i].section;
			return true;
		}
	return false;
}

static int take_likwid_line(struct reading *r, enum section *section)
{
	if (take_heading(r, section))
		return 0;
	if (*section == SECTION_EVENTS)
		return take_counter(r);
	if (*section == SECTION_METRICS)
		return take_metric_line(r);
	return reading_refuse(r, "'%.*s' stands where EVENTSET is to be",
			      r->line.n > 40 ? 40 : (int)r->line.n, r->line.at);
}

int layout_likwid(struct reading *r)
{
	enum section section = SECTION_NONE;
	int err = 0;

	if (!reading_next(r, &err))
		return err;
	reading_word(r);
	err = reading_add_group(r, name_of_file(r->m->where[r->text]));
	if (err)
		return err;
	r->m->group[r->group].about = r->line;
	while (section != SECTION_LONG && !err && reading_next(r, &err))
		err = take_likwid_line(r, &section);
	if (err || section >= SECTION_METRICS)
		return err;
	return reading_refuse(r, "the text ends before METRICS");
}
