// SPDX-License-Identifier: BSD-2-Clause
/* bench_form.c - output of measurements of `bench`; see bench_results.h. */
#include "apps/measure/bench_results.h"
#include "include/perf0/truth.h"
#include "lib/printf.h"
#include "pmu/driver/modelled.h"
#include "rt/print/print.h"

#define DIGITS      2 /* behind the point, for people */
#define FINE_DIGITS 4
#define JSON_DIGITS 6

#define PER_MILLE 1000

/* "5,95,99.9" */
bool bench_form_percentiles(struct bench_percentiles *p, const char *text)
{
	p->n = 0;
	for (const char *at = text; at && p->n < BENCH_PERCENTILES_MOST; at++) {
		const char *const begin = at;
		unsigned value = 0, digits = 0;

		for (; *at >= '0' && *at <= '9' && digits < 3; at++, digits++)
			value = value * 10 + (unsigned)(*at - '0');
		value *= 10;
		if (digits && *at == '.' && at[1] >= '0' && at[1] <= '9') {
			value += (unsigned)(at[1] - '0');
			at += 2;
		}
		if (!digits || value > PER_MILLE || (*at && *at != ',')) {
			err("bench: --percentiles: character %u: a number from 0 to 100 is wanted, "
			    "with one digit behind the point at most\n",
			    (unsigned)(begin - text) + 1);
			return false;
		}
		p->at[p->n++] = (uint16_t)value;
		if (!*at)
			return true;
	}
	if (text)
		err("bench: --percentiles: %u of them at most\n", BENCH_PERCENTILES_MOST);
	return !text;
}

/* "p99.9" */
static void percentile_name(char text[8], const struct bench_percentiles *p, unsigned i)
{
	if (p->at[i] % 10)
		fmt_print(text, 8, "p%u.%u", p->at[i] / 10, p->at[i] % 10);
	else
		fmt_print(text, 8, "p%u", p->at[i] / 10);
}

static void format_percentile(char text[FIGURES_TEXT], const struct bench_row *r,
			      const struct bench_summary *s, unsigned i, bool whole,
			      unsigned digits)
{
	figures_format(text, s->percentile[i], whole ? 1 : r->times, digits);
}

static void format_figure(char text[32], const struct bench_row *r, const struct bench_summary *s,
			  enum figure f, bool whole, unsigned digits)
{
	const uint64_t per = f == FIGURE_MEAN ? r->measurements : 1;

	figures_format(text, s->figure[f], per * (whole ? 1 : r->times), digits);
}

static void print_values(const struct bench_row *r, const struct bench_summary *s, bool whole)
{
	for (unsigned i = 0; i < s->nseen; i++) {
		char text[32];

		figures_format(text, s->seen[i].value, whole ? 1 : r->times, FINE_DIGITS);
		out("%16s %s, %llu times\n", "", text, (unsigned long long)s->seen[i].times);
	}
	if (s->others)
		out("%16s more than that, %llu times\n", "", (unsigned long long)s->others);
}

static bool omits_empty(const struct bench_summary *s, const struct bench_form *form)
{
	return form->no_empty && !s->figure[FIGURE_MIN] && !s->figure[FIGURE_MAX];
}

static void print_range(const struct bench_row *r, const struct bench_summary *s, bool whole)
{
	char least[32], most[32];

	format_figure(least, r, s, FIGURE_MIN, whole, DIGITS);
	format_figure(most, r, s, FIGURE_MAX, whole, DIGITS);
	out(" [%s;%s]", least, most);
}

static void print_lines(const struct bench_results *all, const struct bench_row *r,
			const struct bench_form *form, enum figure f)
{
	for (unsigned i = 0; i < all->set.n; i++) {
		char text[32];

		if (!r->event[i].is_there || omits_empty(&r->event[i], form))
			continue;
		format_figure(text, r, &r->event[i], f, form->no_norm, DIGITS);
		if (all->n > 1)
			out("%s: ", r->name);
		out("%s: %s", all->set.entry[i].spec.name, text);
		if (form->range)
			print_range(r, &r->event[i], form->no_norm);
		out("\n");
	}
	bench_metrics_lines(all, r, f);
}

/* A line names the core that makes modelled figures, and its error. */
static void print_core(const struct evset *set)
{
	char core[PMU_MODELLED_CORE_TEXT];
	bool modelled = false;

	for (unsigned i = 0; i < set->n; i++)
		modelled |= set->entry[i].truth == TRUTH_MODELLED;
	pmu_modelled_core(core);
	if (modelled && *core)
		out("\n [modelled]: %s\n", core);
}

static void print_table(const struct bench_results *all, const struct bench_row *r,
			const struct bench_form *form)
{
	const bool passes = all->passes.n > 1;

	out("\n %s: %llu measurements, %llu copies", r->name, (unsigned long long)r->measurements,
	    (unsigned long long)form->copies);
	if (form->turns)
		out(" in a loop of %llu turns", (unsigned long long)form->turns);
	out(", ring %u", form->kernel ? 0 : 3);
	if (passes)
		out(", %u passes", all->passes.n);
	out("\n\n");
	for (unsigned f = 0; f < FIGURES; f++)
		out(" %12s", figure_names[f]);
	for (unsigned k = 0; k < form->percentiles.n; k++) {
		char name[8];

		percentile_name(name, &form->percentiles, k);
		out(" %12s", name);
	}
	out("\n");
	for (unsigned i = 0; i < all->set.n; i++) {
		const struct evset_entry *e = &all->set.entry[i];

		if (omits_empty(&r->event[i], form))
			continue;
		for (unsigned f = 0; f < FIGURES; f++) {
			char text[32];

			format_figure(text, r, &r->event[i], f, form->no_norm, DIGITS);
			out(" %12s", text);
		}
		for (unsigned k = 0; k < form->percentiles.n; k++) {
			char text[FIGURES_TEXT];

			format_percentile(text, r, &r->event[i], k, form->no_norm, DIGITS);
			out(" %12s", text);
		}
		out("   %s", e->spec.name);
		if (*truth_name(e->truth) && e->truth != TRUTH_EXACT)
			out("  [%s]", truth_name(e->truth));
		out("\n");
		if (form->histogram)
			print_values(r, &r->event[i], form->no_norm);
	}
	bench_metrics_table(all, r);
	print_core(&all->set);
	out("\n");
}

/*
 * Prints [from, to, times] in order; too many different values are counted by parts of their range.
 */
static void print_json_histogram(const struct bench_row *r, const struct bench_summary *s,
				 bool whole)
{
	const uint64_t per = whole ? 1 : r->times;
	const unsigned n = s->others ? BENCH_BINS : s->nseen;
	const char *comma = "";

	out(", \"histogram\" : [");
	for (unsigned i = 0; i < n; i++) {
		const int64_t least = s->figure[FIGURE_MIN] + (int64_t)(i * s->step);
		const int64_t from = s->others ? least : s->seen[i].value;
		const int64_t to = s->others ? least + (int64_t)s->step : from;
		char a[FIGURES_TEXT], b[FIGURES_TEXT];

		if (s->others && !s->bin[i])
			continue;
		figures_format(a, from, per, JSON_DIGITS);
		figures_format(b, to, per, JSON_DIGITS);
		out("%s[%s, %s, %llu]", comma, a, b,
		    (unsigned long long)(s->others ? s->bin[i] : s->seen[i].times));
		comma = ", ";
	}
	out("]");
}

static void print_json(const struct bench_results *all, const struct bench_row *r,
		       const struct bench_form *form)
{
	for (unsigned i = 0; i < all->set.n; i++) {
		const struct evset_entry *e = &all->set.entry[i];

		if (omits_empty(&r->event[i], form))
			continue;
		out("{\"benchmark\" : ");
		print_json_text(r->name);
		out(", \"event\" : ");
		print_json_text(e->spec.name);
		for (unsigned f = 0; f < FIGURES; f++) {
			char text[32];

			format_figure(text, r, &r->event[i], f, form->no_norm, JSON_DIGITS);
			out(", \"%s\" : %s", figure_names[f], text);
		}
		for (unsigned k = 0; k < form->percentiles.n; k++) {
			char text[FIGURES_TEXT], name[8];

			percentile_name(name, &form->percentiles, k);
			format_percentile(text, r, &r->event[i], k, form->no_norm, JSON_DIGITS);
			out(", \"%s\" : %s", name, text);
		}
		out(", \"measurements\" : %llu, \"times\" : %llu",
		    (unsigned long long)r->measurements,
		    (unsigned long long)(form->no_norm ? 1 : r->times));
		if (*truth_name(e->truth))
			out(", \"truth\" : \"%s\"", truth_name(e->truth));
		if (all->passes.n > 1 && e->pass != EVSET_EACH_PASS)
			out(", \"pass\" : %u", e->pass + 1u);
		if (form->histogram || form->also_json)
			print_json_histogram(r, &r->event[i], form->no_norm);
		out("}\n");
	}
	bench_metrics_json(all, r);
}

static void print_csv(const struct bench_results *all, const struct bench_row *r,
		      const struct bench_form *form)
{
	for (unsigned i = 0; i < all->set.n; i++) {
		if (omits_empty(&r->event[i], form))
			continue;
		print_csv_cell(r->name, form->separator);
		out("%s", form->separator);
		print_csv_cell(all->set.entry[i].spec.name, form->separator);
		for (unsigned f = 0; f < FIGURES; f++) {
			char text[32];

			format_figure(text, r, &r->event[i], f, form->no_norm, JSON_DIGITS);
			out("%s%s", form->separator, text);
		}
		for (unsigned k = 0; k < form->percentiles.n; k++) {
			char text[FIGURES_TEXT];

			format_percentile(text, r, &r->event[i], k, form->no_norm, JSON_DIGITS);
			out("%s%s", form->separator, text);
		}
		out("\n");
	}
	bench_metrics_csv(all, r, form->separator);
}

static void report_result(const struct bench_results *all, const struct bench_row *r,
			  const struct bench_form *form)
{
	print_to_host(true);
	print_json(all, r, form);
	print_to_host(false);
}

void bench_form_print(const struct bench_results *all, const struct bench_row *r,
		      const struct bench_form *form)
{
	if (form->also_json)
		report_result(all, r, form);
	for (unsigned f = 0; f < FIGURES; f++)
		if (form->only[f]) {
			print_lines(all, r, form, (enum figure)f);
			return;
		}
	if (form->json)
		print_json(all, r, form);
	else if (form->separator)
		print_csv(all, r, form);
	else
		print_table(all, r, form);
}
