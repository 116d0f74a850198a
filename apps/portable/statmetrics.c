// SPDX-License-Identifier: BSD-2-Clause
/* statmetrics.c - see statmetrics.h. The error of a value comes from the errors of its counts: each
 * moves the value by some amount, and the squares of these add up. */
#include "apps/portable/statmetrics.h"

#include "lib/bits.h"
#include "lib/printf.h"
#include "lib/time.h"

#include <stddef.h>

#define FINE_DIGITS 6
#define ERROR_UNIT  10000 /* errors of lines are in 1/100 of a percent */

/* The counts of one metric's events in one group of CPUs. */
struct counts {
	struct real count[METRICS_ITS_EVENTS];
	uint32_t error[METRICS_ITS_EVENTS];
	struct real time;
	bool unsure; /* the error of a scaled count is not known */
};

static const struct stat_line *find_line(const struct stat_table *t, const struct stat_line *like,
					 unsigned event)
{
	for (unsigned i = 0; i < t->nlines; i++)
		if (t->lines[i].event == event && t->lines[i].group == like->group)
			return &t->lines[i];
	return NULL;
}

static void take_count(struct counts *c, unsigned event, const struct stat_line *line)
{
	uint64_t per;

	c->error[event] = 0;
	c->count[event] = real_nan();
	if (!line || line->state != STAT_COUNTED)
		return;
	stat_unit(line->attr, &per);
	c->count[event] = per == 1 ? real_of(line->mean) : real_ratio(line->mean, per);
	if (line->running == line->enabled)
		return;
	c->error[event] = line->error;
	c->unsure |= !line->has_error;
}

static void take_counts(struct counts *c, const struct stat_table *t, const struct stat_line *like,
			unsigned metric)
{
	const struct stat_metrics *s = t->metrics;
	const struct metric_chosen *m = &s->choice->metric[metric];

	c->time = real_ratio(stat_elapsed(t), NSEC_PER_SEC);
	c->unsure = false;
	for (uint64_t rest = m->events; rest; rest &= rest - 1) {
		const unsigned event = bits_first(rest);

		take_count(
			c, event,
			find_line(t, like,
				  s->first[m->group] + metrics_place(s->choice, m->group, event)));
	}
}

/* The error of the value; 0: no count of it was scaled. */
static struct real error_of(struct metric_choice *choice, unsigned metric, struct counts *c,
			    struct real value)
{
	struct real squares = real_of(0);

	for (uint64_t rest = choice->metric[metric].events; rest; rest &= rest - 1) {
		const unsigned event = bits_first(rest);
		const struct real count = c->count[event];
		struct real off;

		if (!c->error[event])
			continue;
		c->count[event] = real_add(
			count, real_multiply(count, real_ratio(c->error[event], ERROR_UNIT)));
		off = real_subtract(metrics_value(choice, metric, c->count, c->time), value);
		c->count[event] = count;
		squares = real_add(squares, real_multiply(off, off));
	}
	return real_sqrt(squares);
}

static void tell_error(struct stat_metric *to, struct real value, struct real error)
{
	struct real share = real_multiply(real_of(100), real_divide(error, value));

	if (real_less(share, real_of(0)))
		share = real_negate(share);
	to->has_error = real_is_finite(share) && !real_is_zero(share);
	if (to->has_error)
		real_print(to->error, share, 2);
}

void stat_metric_label(char text[STAT_METRIC_LABEL], const struct metric_chosen *metric)
{
	fmt_print(text, STAT_METRIC_LABEL, "%.*s%s%.*s", (int)metric->unit.n, metric->unit.at,
		  metric->unit.n ? "  " : "", (int)metric->row->name.n, metric->row->name.at);
}

static void tell_metric(struct stat_metric *to, const struct stat_table *t,
			const struct stat_line *line, unsigned metric)
{
	const struct metric_chosen *m = &t->metrics->choice->metric[metric];
	struct counts counts;
	struct real value;

	take_counts(&counts, t, line, metric);
	value = metrics_value(t->metrics->choice, metric, counts.count, counts.time);
	to->is_number = real_is_finite(value);
	real_print(to->value, value, m->unit.n ? 1 : 2);
	real_print(to->fine, value, FINE_DIGITS);
	stat_metric_label(to->label, m);
	to->has_error = false;
	if (!counts.unsure && to->is_number)
		tell_error(to, value, error_of(t->metrics->choice, metric, &counts, value));
}

bool stat_metric_owns(const struct stat_table *t, const struct stat_line *line)
{
	return t->metrics && line->event >= t->metrics->first[0];
}

bool stat_metric_next(const struct stat_table *t, const struct stat_line *line, unsigned *i,
		      struct stat_metric *to)
{
	const struct stat_metrics *s = t->metrics;

	for (; s && *i < s->choice->n; ++*i)
		if (s->first[s->choice->metric[*i].group] == line->event) {
			tell_metric(to, t, line, (*i)++);
			return true;
		}
	return false;
}
