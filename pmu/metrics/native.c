// SPDX-License-Identifier: BSD-2-Clause
/*
 * native.c - parses perf0's own layout. A line is a keyword and its operands:
 *
 *   cpus UARCH...         the following lines are for these only, until the next `cpus`; also
 *                         intel, amd, all
 *   event NAME EVENT      NAME in formulas is EVENT, in the syntax of -e
 *   let NAME FORMULA      NAME in formulas is that formula
 *   group NAME            the following metrics belong to this group
 *   metric NAME           begins a metric, which the next lines describe
 *   formula FORMULA
 *   unit UNIT             a leading number is a factor of the value
 *   text TEXT             describes the metric or, before the first metric, the group
 */
#include "pmu/metrics/reading.h"

#include "lib/string.h"
#include "lib/words/near.h"

#include <linux/errno.h>

struct native {
	struct reading *r;
	bool applies;            /* the lines are for this microarchitecture */
	bool in_group;           /* `text` belongs to the group */
	struct metrics_row *row; /* the current metric; NULL: none */
	bool in_metric;          /* also for a metric that does not apply */
	bool has_formula;
};

/* The next metric, or the end of the text, ends a metric. */
static int end_metric(struct native *n)
{
	struct metrics_row *row = n->row;
	const bool lacks = n->in_metric && !n->has_formula;

	n->row = NULL;
	n->in_metric = n->has_formula = false;
	if (!lacks)
		return 0;
	n->r->column = 1;
	if (row)
		return reading_refuse(n->r, "metric '%.*s' of line %u has no formula",
				      (int)row->name.n, row->name.at, row->line);
	return reading_refuse(n->r, "the metric before this has no formula");
}

/* Takes one word with nothing behind it. */
static int take_only_name(struct native *n, const char *keyword, struct metrics_span *name)
{
	*name = reading_word(n->r);
	if (!name->n)
		return reading_refuse(n->r, "`%s` wants a name", keyword);
	if (n->r->line.n)
		return reading_refuse(n->r, "`%s` has one name, without blanks", keyword);
	return 0;
}

static int add_cpu(struct native *n, struct metrics_span word, unsigned column)
{
	const struct uarch *mine = n->r->m->uarch, *uarch;
	char name[METRICS_NAME_MAX + 1], like[64];

	if (span_is(word, "all")) {
		n->applies = true;
		return 0;
	}
	if (span_is(word, "intel") || span_is(word, "amd")) {
		const bool amd = span_is(word, "amd");

		n->applies |= mine && (mine->vendor == CPU_VENDOR_AMD) == amd;
		return 0;
	}
	if (word.n <= METRICS_NAME_MAX) {
		memcpy(name, word.at, word.n);
		name[word.n] = '\0';
		uarch = uarch_by_name(name);
		n->applies |= uarch && uarch == mine;
		if (uarch)
			return 0;
		uarch_suggest(name, like, sizeof(like));
	} else {
		like[0] = '\0';
	}
	n->r->column = column;
	return reading_refuse(n->r, "there is no microarchitecture '%.*s'%s%s", (int)word.n,
			      word.at, *like ? "; maybe " : "", like);
}

static int take_cpus(struct native *n)
{
	int err = end_metric(n);

	if (err)
		return err;
	n->applies = n->in_group = false;
	n->r->group = METRICS_NO_GROUP;
	if (!n->r->line.n)
		return reading_refuse(n->r, "`cpus` wants names of microarchitectures");
	while (n->r->line.n && !err) {
		const unsigned column = n->r->column;

		err = add_cpu(n, reading_word(n->r), column);
	}
	return err;
}

static int take_event(struct native *n)
{
	const struct metrics_span name = reading_word(n->r);
	struct metrics_event *event;

	if (!name.n || !n->r->line.n)
		return reading_refuse(n->r, "`event` wants a name and an event");
	if (!n->applies)
		return 0;
	event = reading_add_event(n->r, name);
	if (!event)
		return -EINVAL;
	event->event = n->r->line;
	return 0;
}

static int take_let(struct native *n)
{
	const struct metrics_span name = reading_word(n->r);
	struct metrics_row *row;

	if (!name.n || !n->r->line.n)
		return reading_refuse(n->r, "`let` wants a name and a formula");
	if (!n->applies)
		return 0;
	row = reading_add_row(n->r, name);
	if (!row)
		return -EINVAL;
	row->formula = n->r->line;
	row->is_helper = true;
	return 0;
}

static int take_group(struct native *n)
{
	struct metrics_span name;
	int err = end_metric(n);

	if (!err)
		err = take_only_name(n, "group", &name);
	if (err)
		return err;
	n->in_group = true;
	return n->applies ? reading_add_group(n->r, name) : 0;
}

/* The name of a metric may contain blanks, as LIKWID's do. */
static int take_metric(struct native *n)
{
	const struct metrics_span name = n->r->line;
	int err = end_metric(n);

	if (err)
		return err;
	if (!name.n)
		return reading_refuse(n->r, "`metric` wants a name");
	n->in_metric = true;
	n->in_group = false;
	if (!n->applies)
		return 0;
	n->row = reading_add_row(n->r, name);
	return n->row ? 0 : -EINVAL;
}

static int take_formula(struct native *n)
{
	if (!n->in_metric)
		return reading_refuse(n->r, "`formula` stands behind no `metric`");
	if (n->has_formula)
		return reading_refuse(n->r, "the metric has a formula already");
	if (!n->r->line.n)
		return reading_refuse(n->r, "`formula` wants a formula");
	n->has_formula = true;
	if (!n->row)
		return 0;
	n->row->formula = n->r->line;
	n->row->line = n->r->number;
	n->row->column = n->r->column;
	return 0;
}

static int take_unit(struct native *n)
{
	if (!n->in_metric)
		return reading_refuse(n->r, "`unit` stands behind no `metric`");
	if (!n->r->line.n || n->r->line.n > METRICS_NAME_MAX)
		return reading_refuse(n->r, "`unit` wants a unit of at most %d characters",
				      METRICS_NAME_MAX);
	if (n->row && n->row->unit.n)
		return reading_refuse(n->r, "the metric has a unit already");
	if (n->row)
		n->row->unit = n->r->line;
	return 0;
}

static int take_text(struct native *n)
{
	if (!n->in_metric && !n->in_group)
		return reading_refuse(n->r, "`text` stands behind no `metric` and no `group`");
	if (n->row)
		n->row->about = n->r->line;
	else if (n->applies && n->in_group)
		n->r->m->group[n->r->group].about = n->r->line;
	return 0;
}

static const struct {
	const char *word;
	int (*take)(struct native *n);
} keywords[] = {
	{"cpus", take_cpus},   {"event", take_event},   {"let", take_let},
	{"group", take_group}, {"metric", take_metric}, {"formula", take_formula},
	{"unit", take_unit},   {"text", take_text},
};
#define NKEYWORDS (sizeof(keywords) / sizeof(keywords[0]))

static int take_keyword(struct native *n)
{
	const unsigned column = n->r->column;
	const struct metrics_span word = reading_word(n->r);
	const char *near = NULL;

	for (size_t i = 0; i < NKEYWORDS; i++) {
		if (span_is(word, keywords[i].word))
			return keywords[i].take(n);
		if (near_word(word.at, word.n, keywords[i].word))
			near = keywords[i].word;
	}
	n->r->column = column;
	if (near)
		return reading_refuse(n->r, "a line does not begin with '%.*s'; did you mean '%s'?",
				      (int)word.n, word.at, near);
	return reading_refuse(
		n->r,
		"a line does not begin with '%.*s', but with cpus, event, let, group, "
		"metric, formula, unit or text",
		word.n > 40 ? 40 : (int)word.n, word.at);
}

int layout_native(struct reading *r)
{
	struct native n = {.r = r, .applies = true};
	int err = 0;

	while (!err && reading_next(r, &err))
		err = take_keyword(&n);
	return err ? err : end_metric(&n);
}
