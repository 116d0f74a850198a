// SPDX-License-Identifier: BSD-2-Clause
/* metrics.c - see metrics.h. */
#include "pmu/metrics/metrics.h"

#include "lib/ascii.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/metrics/reading.h"

#include <linux/errno.h>
#include <stdarg.h>

void metrics_begin(struct metrics *m, const struct uarch *uarch)
{
	m->uarch = uarch;
	m->ntexts = m->nrows = m->nevents = m->ngroups = 0;
}

/* --- Names --- */

bool span_is(struct metrics_span span, const char *name)
{
	unsigned i = 0;

	while (i < span.n && name[i] && ascii_lower(span.at[i]) == ascii_lower(name[i]))
		i++;
	return i == span.n && !name[i];
}

static char plain_letter(char c)
{
	return c == '.' ? '_' : ascii_lower(c);
}

bool span_like(struct metrics_span span, const char *name)
{
	unsigned i = 0;

	while (i < span.n && name[i] && plain_letter(span.at[i]) == plain_letter(name[i]))
		i++;
	return i == span.n && !name[i];
}

static bool are_same(struct metrics_span a, struct metrics_span b)
{
	unsigned i = 0;

	while (i < a.n && i < b.n && ascii_lower(a.at[i]) == ascii_lower(b.at[i]))
		i++;
	return i == a.n && i == b.n;
}

/*
 * Among definitions with the name, one of the same text takes precedence, then one of the first
 * text.
 */
static bool is_better(const void *found, unsigned text_of_it, unsigned text)
{
	return text_of_it == text || (!found && !text_of_it);
}

/* LIKWID's formulas may name a counter without its options. */
static struct metrics_span without_options(const struct metrics_event *event)
{
	struct metrics_span name = event->name;

	if (event->options.n)
		name.n -= event->options.n + 1;
	return name;
}

const struct metrics_event *metrics_find_event(const struct metrics *m, const char *name,
					       unsigned text)
{
	const struct metrics_event *found = NULL;

	for (unsigned i = 0; i < m->nevents; i++)
		if (span_is(m->event[i].name, name) && is_better(found, m->event[i].text, text))
			found = &m->event[i];
	for (unsigned i = 0; i < m->nevents && !found; i++)
		if (span_is(without_options(&m->event[i]), name) && m->event[i].text == text)
			found = &m->event[i];
	return found;
}

const struct metrics_row *metrics_find_row(const struct metrics *m, const char *name, unsigned text)
{
	const struct metrics_row *found = NULL;

	for (unsigned i = 0; i < m->nrows; i++)
		if (span_is(m->row[i].name, name) && is_better(found, m->row[i].text, text))
			found = &m->row[i];
	return found;
}

/* --- Error messages --- */

static int refuse_at(const struct metrics *m, unsigned text, unsigned line, unsigned column,
		     struct reason *why, const char *format, va_list args)
{
	char what[REASON_MAX];

	fmt_vwords(what, sizeof(what), format, args);
	return refuse(why, EINVAL, "%s:%u:%u: %s", m->where[text], line, column, what);
}

int metrics_refuse(const struct metrics *m, unsigned text, unsigned line, unsigned column,
		   struct reason *why, const char *format, ...)
{
	va_list args;
	int err;

	va_start(args, format);
	err = refuse_at(m, text, line, column, why, format, args);
	va_end(args);
	return err;
}

int reading_refuse(struct reading *r, const char *format, ...)
{
	va_list args;
	int err;

	va_start(args, format);
	err = refuse_at(r->m, r->text, r->number, r->column, r->why, format, args);
	va_end(args);
	return err;
}

/* --- Lines --- */

static bool is_blank_or_return(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void skip(struct reading *r, unsigned n)
{
	r->line.at += n;
	r->line.n -= n;
	r->column += n;
}

static void begin_next_line(struct reading *r)
{
	unsigned n = 0;

	while (n < r->rest.n && r->rest.at[n] != r->end)
		n++;
	r->line = (struct metrics_span){r->rest.at, n};
	r->number++;
	r->column = 1;
	n += n < r->rest.n;
	r->rest.at += n;
	r->rest.n -= n;
}

static int check_line_bytes(struct reading *r)
{
	if (r->line.n > METRICS_LINE_MAX)
		return reading_refuse(r, "a line has at most %d characters", METRICS_LINE_MAX);
	for (unsigned i = 0; i < r->line.n; i++) {
		const unsigned char c = (unsigned char)r->line.at[i];

		if (c >= ' ' || is_blank_or_return((char)c))
			continue;
		r->column = i + 1;
		return reading_refuse(r, "a byte 0x%02x is no text", c);
	}
	return 0;
}

static void strip_line(struct reading *r)
{
	while (r->line.n && is_blank_or_return(r->line.at[0]))
		skip(r, 1);
	while (r->line.n && is_blank_or_return(r->line.at[r->line.n - 1]))
		r->line.n--;
}

bool reading_next(struct reading *r, int *err)
{
	while (r->rest.n) {
		begin_next_line(r);
		*err = check_line_bytes(r);
		if (*err)
			return false;
		strip_line(r);
		if (r->line.n && r->line.at[0] != '#')
			return true;
	}
	return false;
}

struct metrics_span reading_word(struct reading *r)
{
	struct metrics_span word = r->line;

	word.n = 0;
	while (word.n < r->line.n && !is_blank_or_return(word.at[word.n]))
		word.n++;
	skip(r, word.n);
	while (r->line.n && is_blank_or_return(r->line.at[0]))
		skip(r, 1);
	return word;
}

/* --- Rows --- */

static int refuse_many(struct reading *r, const char *what, unsigned most)
{
	return reading_refuse(r, "there are more than %u %s", most, what);
}

static int check_name(struct reading *r, struct metrics_span name, const char *what)
{
	if (name.n > METRICS_NAME_MAX)
		return reading_refuse(r, "a name of %s has at most %d characters", what,
				      METRICS_NAME_MAX);
	return 0;
}

struct metrics_event *reading_add_event(struct reading *r, struct metrics_span name)
{
	struct metrics *m = r->m;

	for (unsigned i = 0; i < m->nevents; i++)
		if (m->event[i].text == r->text && are_same(m->event[i].name, name)) {
			reading_refuse(r, "event '%.*s' was there in line %u", (int)name.n, name.at,
				       m->event[i].line);
			return NULL;
		}
	if (check_name(r, name, "an event"))
		return NULL;
	if (m->nevents == METRICS_EVENTS) {
		refuse_many(r, "events", METRICS_EVENTS);
		return NULL;
	}
	m->event[m->nevents] = (struct metrics_event){
		.name = name, .line = r->number, .column = r->column, .text = r->text};
	return &m->event[m->nevents++];
}

struct metrics_row *reading_add_row(struct reading *r, struct metrics_span name)
{
	struct metrics *m = r->m;

	for (unsigned i = 0; i < m->nrows; i++)
		if (m->row[i].text == r->text && are_same(m->row[i].name, name)) {
			reading_refuse(r, "metric '%.*s' was there in line %u", (int)name.n,
				       name.at, m->row[i].line);
			return NULL;
		}
	if (check_name(r, name, "a metric"))
		return NULL;
	if (m->nrows == METRICS_ROWS) {
		refuse_many(r, "metrics", METRICS_ROWS);
		return NULL;
	}
	m->row[m->nrows] = (struct metrics_row){.name = name,
						.line = r->number,
						.column = r->column,
						.text = r->text,
						.group = r->group};
	return &m->row[m->nrows++];
}

int reading_add_group(struct reading *r, struct metrics_span name)
{
	struct metrics *m = r->m;
	unsigned g = 0;

	while (g < m->ngroups && !(m->group[g].text == r->text && are_same(m->group[g].name, name)))
		g++;
	if (g == METRICS_GROUPS)
		return refuse_many(r, "groups", METRICS_GROUPS);
	if (check_name(r, name, "a group"))
		return -EINVAL;
	if (g == m->ngroups)
		m->group[m->ngroups++] = (struct metrics_group){.name = name, .text = r->text};
	r->group = (uint8_t)g;
	return 0;
}

/* LIKWID's texts begin with a line SHORT. */
static bool is_likwid(const struct reading *r)
{
	struct reading ahead = *r;
	int err;

	ahead.why = NULL;
	return reading_next(&ahead, &err) && span_is(reading_word(&ahead), "SHORT");
}

int metrics_read(struct metrics *m, const char *where, const char *text, size_t n, char end,
		 struct reason *why)
{
	const unsigned nrows = m->nrows, nevents = m->nevents, ngroups = m->ngroups;
	struct reading r = {.m = m,
			    .rest = {text, (unsigned)n},
			    .end = end,
			    .group = METRICS_NO_GROUP,
			    .why = why};
	int err;

	if (m->ntexts == METRICS_TEXTS)
		return refuse(why, E2BIG, "%s: there are more than %d texts with metrics", where,
			      METRICS_TEXTS);
	if (n > METRICS_SIZE_MAX)
		return refuse(why, E2BIG, "%s: a text with metrics has at most %d bytes", where,
			      METRICS_SIZE_MAX);
	r.text = (uint8_t)m->ntexts;
	m->where[m->ntexts++] = where;
	err = is_likwid(&r) ? layout_likwid(&r) : layout_native(&r);
	if (!err)
		return 0;
	m->ntexts--;
	m->nrows = nrows;
	m->nevents = nevents;
	m->ngroups = ngroups;
	return err;
}
