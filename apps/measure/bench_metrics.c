// SPDX-License-Identifier: BSD-2-Clause
/* bench_metrics.c - metrics of measurements of `bench`, in all forms; see bench_results.h. */
#include "apps/measure/bench_results.h"
#include "lib/bits.h"
#include "rt/print/print.h"

#define DIGITS      2 /* behind the point, for people */
#define JSON_DIGITS 6

static bool has_metrics(enum figure f)
{
	return f == FIGURE_MEDIAN || f == FIGURE_MEAN;
}

static struct real figure_value(const struct bench_row *r, const struct bench_summary *s,
				enum figure f)
{
	const uint64_t per = (f == FIGURE_MEAN ? r->measurements : 1) * r->times;

	return s->is_there ? real_divide(real_of_signed(s->figure[f]), real_of(per)) : real_nan();
}

static void format_metric(char text[REAL_TEXT], const struct bench_results *all,
			  const struct bench_row *r, unsigned metric, enum figure f,
			  unsigned digits)
{
	struct metric_choice *c = all->metrics.choice;
	const struct metric_chosen *m = &c->metric[metric];
	struct real counts[METRICS_ITS_EVENTS];

	for (uint64_t rest = m->events; rest; rest &= rest - 1) {
		const unsigned event = bits_first(rest);
		const unsigned entry =
			all->metrics.first[m->group] + metrics_place(c, m->group, event);

		counts[event] = figure_value(r, &r->event[entry], f);
	}
	real_print(text, metrics_value(c, metric, counts, real_nan()), digits);
}

static void metric_label(char text[STAT_METRIC_LABEL], const struct bench_results *all,
			 unsigned metric)
{
	stat_metric_label(text, &all->metrics.choice->metric[metric]);
}

void bench_metrics_lines(const struct bench_results *all, const struct bench_row *r, enum figure f)
{
	for (unsigned i = 0; i < all->nmetrics && has_metrics(f); i++) {
		char value[REAL_TEXT], label[STAT_METRIC_LABEL];

		format_metric(value, all, r, i, f, DIGITS);
		metric_label(label, all, i);
		if (all->n > 1)
			out("%s: ", r->name);
		print_plain(label);
		out(": %s\n", value);
	}
}

void bench_metrics_table(const struct bench_results *all, const struct bench_row *r)
{
	for (unsigned i = 0; i < all->nmetrics; i++) {
		char label[STAT_METRIC_LABEL];

		for (unsigned f = 0; f < FIGURES; f++) {
			char value[REAL_TEXT] = "";

			if (has_metrics(f))
				format_metric(value, all, r, i, f, DIGITS);
			out(" %12s", value);
		}
		metric_label(label, all, i);
		out("   # ");
		print_plain(label);
		out("\n");
	}
}

void bench_metrics_json(const struct bench_results *all, const struct bench_row *r)
{
	for (unsigned i = 0; i < all->nmetrics; i++) {
		char label[STAT_METRIC_LABEL];

		metric_label(label, all, i);
		out("{\"benchmark\" : ");
		print_json_text(r->name);
		out(", \"metric-unit\" : ");
		print_json_text(label);
		for (unsigned f = 0; f < FIGURES; f++) {
			char value[REAL_TEXT];
			const char *quote;

			if (!has_metrics(f))
				continue;
			format_metric(value, all, r, i, f, JSON_DIGITS);
			/* JSON has no number for "nan" and "inf". */
			quote = *value == 'n' || *value == 'i' ? "\"" : "";
			out(", \"%s\" : %s%s%s", figure_names[f], quote, value, quote);
		}
		out("}\n");
	}
}

void bench_metrics_csv(const struct bench_results *all, const struct bench_row *r,
		       const char *separator)
{
	for (unsigned i = 0; i < all->nmetrics; i++) {
		char label[STAT_METRIC_LABEL];

		metric_label(label, all, i);
		print_csv_cell(r->name, separator);
		out("%s", separator);
		print_csv_cell(label, separator);
		for (unsigned f = 0; f < FIGURES; f++) {
			char value[REAL_TEXT] = "";

			if (has_metrics(f))
				format_metric(value, all, r, i, f, JSON_DIGITS);
			out("%s%s", separator, value);
		}
		out("\n");
	}
}
