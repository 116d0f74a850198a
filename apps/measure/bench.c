// SPDX-License-Identifier: BSD-2-Clause
/*
 * bench.c - measures code of a program that `perf0 bench` has made (bench/harness.c): opens its
 * events in as few passes as they fit in, shares their counters with it, runs it once for each
 * pass, and prints what its measurements gave. None of them is left out.
 */
#include "apps/measure/bench_trace.h"
#include "apps/measure/evset.h"
#include "apps/measure/hush.h"
#include "apps/measure/metrics.h"
#include "apps/portable/figures.h"
#include "apps/measure/latency.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "include/perf0/truth.h"
#include "lib/bits.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/sched/passes.h"
#include "rt/console/command.h"
#include "rt/console/print.h"
#include "rt/perf/bench.h"
#include "rt/perf/progress.h"
#include "rt/task/task.h"

#include <linux/errno.h>

#define DEFAULT_EVENTS "instructions,cycles,ref-cycles"
#define TRACE_EVENTS   "cycles,instructions"
#define RESULTS_MOST   64 /* of one program */
#define VALUES_MOST    12 /* that are told one by one */
#define BINS           24 /* of those that are too many for that */
#define DIGITS         2  /* behind the point, for people */
#define FINE_DIGITS    4
#define JSON_DIGITS    6

/* What the measurements of one event gave: sums of all copies; the mean as a sum of measurements.
 */
struct summary {
	int64_t figure[FIGURES];
	bool is_there;
	/* How often each value came, the least first; those that find no room together. */
	struct {
		int64_t value;
		uint64_t times;
	} seen[VALUES_MOST];
	unsigned nseen;
	uint64_t others;
	/* Where there are others: how often all came by equal parts of their range, of `step` each
	 * from the least on. */
	uint64_t step;
	uint32_t bin[BINS];
};

struct result {
	char name[BENCH_NAME_MAX + 1];
	uint64_t times, measurements;
	struct summary event[EVSET_MAX];
};

static struct {
	struct evset set;
	struct pmu_passes passes;
	unsigned pass;
	unsigned column[BENCH_EVENTS_MAX]; /* of this pass: which entries they are */
	unsigned next, n;                  /* results, of this pass and of all */
	struct result result[RESULTS_MOST];
	bool table; /* results are rows of a table (latency.h), and not in `result` */
	int64_t *sorted;
	struct stat_metrics metrics; /* of events of the set */
	unsigned nmetrics;
} bn;

struct choice {
	uint64_t measurements, copies, turns, warm_ups, first_warm_ups, offset, timeout_ms;
	const char *separator;
	bool kernel, basic, no_mem, no_norm, drains, json, also_json, histogram, warm, table, pairs;
	bool only[FIGURES], range, no_empty;
	const char *usr, *os; /* NULL: as the ring of the code says */
	uint64_t cpu;
	bool pinned;
	struct bench_trace_choice trace;
	bool traces;
	struct hush hush;
	struct metrics_options metrics;
};

/* --- What is handed in --- */

/* Of sorted values. */
static void count_values(struct summary *s, const int64_t *value, size_t n)
{
	s->nseen = 0;
	s->others = 0;
	for (size_t i = 0; i < n; i++) {
		if (s->nseen && s->seen[s->nseen - 1].value == value[i]) {
			s->seen[s->nseen - 1].times++;
		} else if (s->nseen < VALUES_MOST) {
			s->seen[s->nseen].value = value[i];
			s->seen[s->nseen++].times = 1;
		} else {
			s->others = n - i;
			return;
		}
	}
}

/* Of values that are sorted, like the function above. */
static void count_bins(struct summary *s, const int64_t *value, size_t n)
{
	s->step = (uint64_t)(value[n - 1] - value[0]) / BINS + 1;
	for (size_t i = 0; i < n; i++)
		s->bin[(uint64_t)(value[i] - value[0]) / s->step]++;
}

static void summarise(struct summary *s, const struct bench_result *head, const int64_t *values,
		      unsigned column)
{
	const size_t n = head->measurements;

	*s = (struct summary){.is_there = true};
	figures_of(s->figure, values, n, head->nevents, column, bn.sorted);
	count_values(s, bn.sorted, n);
	if (s->others)
		count_bins(s, bn.sorted, n);
}

static void take_row(const struct bench_result *head, const int64_t *values)
{
	int64_t median[BENCH_EVENTS_MAX];
	struct summary s;

	for (unsigned i = 0; i < head->nevents; i++) {
		summarise(&s, head, values, i);
		median[i] = s.figure[FIGURE_MEDIAN];
	}
	if (!latency_take(bn.next, head, bn.column, median))
		return;
	bn.next++;
	bn.n = bn.next > bn.n ? bn.next : bn.n;
	progress_steps(bn.pass * (uint64_t)head->total + bn.next,
		       bn.passes.n * (uint64_t)head->total);
}

/* In each pass the program has the same results in the same order. */
static void take_result(const struct bench_result *head, const int64_t *values)
{
	struct result *r = &bn.result[bn.next];

	if (head->cycle) {
		bench_trace_cycle(head, values, bn.column, bn.sorted);
		return;
	}
	if (bn.table) {
		take_row(head, values);
		return;
	}
	if (bn.next == RESULTS_MOST)
		return;
	memcpy(r->name, head->name, sizeof(r->name));
	r->times = head->times;
	r->measurements = head->measurements;
	for (unsigned i = 0; i < head->nevents; i++)
		summarise(&r->event[bn.column[i]], head, values, i);
	bn.next++;
	bn.n = bn.next > bn.n ? bn.next : bn.n;
}

/* --- Measuring --- */

static bool is_counted(const struct evset_entry *e)
{
	const uint32_t type = e->spec.attr.type;

	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

static bool are_events_counted(void)
{
	for (unsigned i = 0; i < bn.set.n; i++) {
		if (is_counted(&bn.set.entry[i]))
			continue;
		err("bench: %s: it is on no counter of the core, which the code reads\n",
		    bn.set.entry[i].spec.name);
		return false;
	}
	return true;
}

/* The events of this pass, and their control pages to the program. False: a line said why. */
static bool share_pass(unsigned *nevents)
{
	unsigned n = 0;

	evset_open_pass(&bn.set, bn.pass);
	if (!evset_fits(&bn.set, "bench", "the events of a pass do not fit"))
		return false;
	for (unsigned i = 0; i < bn.set.n; i++) {
		if (!bn.set.entry[i].open)
			continue;
		if (n == BENCH_EVENTS_MAX || task_share_event(n, evset_event(&bn.set, i, 0))) {
			err("bench: %s: its counter cannot be shared with the code\n",
			    bn.set.entry[i].spec.name);
			return false;
		}
		bn.column[n++] = i;
	}
	*nevents = n;
	return true;
}

static int complain_of_run(const struct workload_call *call, const struct task_outcome *outcome,
			   int status)
{
	if (bench_reason()->text[0])
		err("bench: %s: %s\n", call->title, bench_reason()->text);
	else if (outcome->end != TASK_EXITED)
		err("bench: %s ended: %s\n", call->title, outcome->why);
	else if (!status)
		err("bench: %s: it measures nothing by itself; `perf0 bench` on a host makes "
		    "programs that do\n",
		    call->title);
	return status ? status : STATUS_FAILED;
}

static int run_pass(const struct workload_call *call, const struct choice *choice,
		    struct bench_offer *offer)
{
	struct task_outcome outcome = {0};
	int status = STATUS_FAILED;

	task_forget_run();
	bn.next = 0;
	if (share_pass(&offer->settings.nevents)) {
		if (choice->traces)
			bench_trace_offer(offer, bn.column, bn.passes.n);
		bench_offer(offer);
		status = task_run(call, choice->timeout_ms * 1000000, &outcome);
		bench_offer(NULL);
		if (status || !(choice->traces ? bench_trace_has_results() : bn.next))
			status = complain_of_run(call, &outcome, status);
	}
	task_unshare_events();
	evset_close(&bn.set);
	return status;
}

static uint32_t settings_flags(const struct choice *choice)
{
	return (choice->kernel ? BENCH_RING0 : 0) | (choice->pinned ? BENCH_PINNED : 0) |
	       (choice->basic ? BENCH_BASIC : 0) | (choice->no_mem ? BENCH_NO_MEM : 0) |
	       (choice->drains ? BENCH_DRAIN : 0);
}

/* Plus 1; 0: there is none. */
static uint32_t sibling_of(unsigned cpu)
{
	for (unsigned i = 0; i < smp_ncpus(); i++)
		if (i != cpu && cpu_siblings(&smp_online(i)->place, &smp_online(cpu)->place))
			return i + 1;
	return 0;
}

static int run_passes(const struct workload_call *call, const struct choice *choice,
		      int64_t *values)
{
	struct bench_offer offer = {
		.settings = {.version = BENCH_VERSION,
			     .flags = settings_flags(choice),
			     .measurements = choice->measurements,
			     .warm_ups = choice->warm_ups,
			     .initial_warm_ups = choice->first_warm_ups,
			     .copies = choice->copies,
			     .turns = choice->turns,
			     .offset = choice->offset,
			     .cpu = (uint32_t)choice->cpu,
			     .sibling = sibling_of((unsigned)choice->cpu)},
		.values = values,
		.take = take_result,
	};
	int status = 0;

	bn.n = 0;
	bn.passes.n += !bn.passes.n; /* events that are in each pass are all there are */
	for (bn.pass = 0; bn.pass < bn.passes.n && !status; bn.pass++)
		status = run_pass(call, choice, &offer);
	return status;
}

/* --- Printing --- */

static void format_figure(char text[32], const struct result *r, const struct summary *s,
			  enum figure f, bool whole, unsigned digits)
{
	const uint64_t per = f == FIGURE_MEAN ? r->measurements : 1;

	figures_format(text, s->figure[f], per * (whole ? 1 : r->times), digits);
}

static void print_values(const struct result *r, const struct summary *s, bool whole)
{
	for (unsigned i = 0; i < s->nseen; i++) {
		char text[32];

		figures_format(text, s->seen[i].value, whole ? 1 : r->times, FINE_DIGITS);
		out("%16s %s, %llu times\n", "", text, (unsigned long long)s->seen[i].times);
	}
	if (s->others)
		out("%16s more than that, %llu times\n", "", (unsigned long long)s->others);
}

/* --- Metrics: of the medians and of the means of their events --- */

static bool has_metrics(enum figure f)
{
	return f == FIGURE_MEDIAN || f == FIGURE_MEAN;
}

static struct real figure_value(const struct result *r, const struct summary *s, enum figure f)
{
	const uint64_t per = (f == FIGURE_MEAN ? r->measurements : 1) * r->times;

	return s->is_there ? real_divide(real_of_signed(s->figure[f]), real_of(per)) : real_nan();
}

static void format_metric(char text[REAL_TEXT], const struct result *r, unsigned metric,
			  enum figure f, unsigned digits)
{
	struct metric_choice *c = bn.metrics.choice;
	const struct metric_chosen *m = &c->metric[metric];
	struct real counts[METRICS_ITS_EVENTS];

	for (uint64_t rest = m->events; rest; rest &= rest - 1) {
		const unsigned event = bits_first(rest);
		const unsigned entry =
			bn.metrics.first[m->group] + metrics_place(c, m->group, event);

		counts[event] = figure_value(r, &r->event[entry], f);
	}
	real_print(text, metrics_value(c, metric, counts, real_nan()), digits);
}

static void metric_label(char text[STAT_METRIC_LABEL], unsigned metric)
{
	stat_metric_label(text, &bn.metrics.choice->metric[metric]);
}

static void print_metric_lines(const struct result *r, enum figure f)
{
	for (unsigned i = 0; i < bn.nmetrics && has_metrics(f); i++) {
		char value[REAL_TEXT], label[STAT_METRIC_LABEL];

		format_metric(value, r, i, f, DIGITS);
		metric_label(label, i);
		if (bn.n > 1)
			out("%s: ", r->name);
		print_plain(label);
		out(": %s\n", value);
	}
}

static void print_metric_rows(const struct result *r)
{
	for (unsigned i = 0; i < bn.nmetrics; i++) {
		char label[STAT_METRIC_LABEL];

		for (unsigned f = 0; f < FIGURES; f++) {
			char value[REAL_TEXT] = "";

			if (has_metrics(f))
				format_metric(value, r, i, f, DIGITS);
			out(" %12s", value);
		}
		metric_label(label, i);
		out("   # ");
		print_plain(label);
		out("\n");
	}
}

static void print_metrics_json(const struct result *r)
{
	for (unsigned i = 0; i < bn.nmetrics; i++) {
		char label[STAT_METRIC_LABEL];

		metric_label(label, i);
		out("{\"benchmark\" : ");
		print_json_text(r->name);
		out(", \"metric-unit\" : ");
		print_json_text(label);
		for (unsigned f = 0; f < FIGURES; f++) {
			char value[REAL_TEXT];
			const char *quote;

			if (!has_metrics(f))
				continue;
			format_metric(value, r, i, f, JSON_DIGITS);
			quote = *value == 'n' || *value == 'i' ? "\"" : "";
			out(", \"%s\" : %s%s%s", figure_names[f], quote, value, quote);
		}
		out("}\n");
	}
}

static void print_metrics_csv(const struct result *r, const char *separator)
{
	for (unsigned i = 0; i < bn.nmetrics; i++) {
		char label[STAT_METRIC_LABEL];

		metric_label(label, i);
		print_csv_cell(r->name, separator);
		out("%s", separator);
		print_csv_cell(label, separator);
		for (unsigned f = 0; f < FIGURES; f++) {
			char value[REAL_TEXT] = "";

			if (has_metrics(f))
				format_metric(value, r, i, f, JSON_DIGITS);
			out("%s%s", separator, value);
		}
		out("\n");
	}
}

/* The code is measured by its counters alone. */
static int check_metrics(void)
{
	struct metric_choice *c = bn.metrics.choice;

	for (unsigned i = 0; i < c->n; i++)
		if (formula_needs_time(&c->pool, c->metric[i].root)) {
			err("bench: -M: metric '%.*s' is of time, which is not measured here\n",
			    (int)c->metric[i].row->name.n, c->metric[i].row->name.at);
			return -EINVAL;
		}
	bn.nmetrics = c->n;
	return 0;
}

static int choose_bench_events(const struct choice *choice, const char *command,
			       const struct option_list *events)
{
	const bool metrics = metrics_wanted(&choice->metrics);
	int bad = evset_parse(&bn.set, command, events,
			      metrics          ? NULL
			      : choice->traces ? TRACE_EVENTS
			      : choice->table  ? latency_events()
					       : DEFAULT_EVENTS);

	bn.nmetrics = 0;
	if (!bad && metrics)
		bad = metrics_add(&bn.set, command, &choice->metrics, &bn.metrics);
	return bad || !metrics ? bad : check_metrics();
}

/* --- Forms --- */

static bool is_left_out(const struct summary *s, const struct choice *choice)
{
	return choice->no_empty && !s->figure[FIGURE_MIN] && !s->figure[FIGURE_MAX];
}

static void print_range(const struct result *r, const struct summary *s, bool whole)
{
	char least[32], most[32];

	format_figure(least, r, s, FIGURE_MIN, whole, DIGITS);
	format_figure(most, r, s, FIGURE_MAX, whole, DIGITS);
	out(" [%s;%s]", least, most);
}

static void print_lines(const struct result *r, const struct choice *choice, enum figure f)
{
	for (unsigned i = 0; i < bn.set.n; i++) {
		char text[32];

		if (!r->event[i].is_there || is_left_out(&r->event[i], choice))
			continue;
		format_figure(text, r, &r->event[i], f, choice->no_norm, DIGITS);
		if (bn.n > 1)
			out("%s: ", r->name);
		out("%s: %s", bn.set.entry[i].spec.name, text);
		if (choice->range)
			print_range(r, &r->event[i], choice->no_norm);
		out("\n");
	}
	print_metric_lines(r, f);
}

static void print_table(const struct result *r, const struct choice *choice)
{
	const bool passes = bn.passes.n > 1;

	out("\n %s: %llu measurements, %llu copies", r->name, (unsigned long long)r->measurements,
	    (unsigned long long)choice->copies);
	if (choice->turns)
		out(" in a loop of %llu turns", (unsigned long long)choice->turns);
	out(", ring %u", choice->kernel ? 0 : 3);
	if (passes)
		out(", %u passes", bn.passes.n);
	out("\n\n");
	for (unsigned f = 0; f < FIGURES; f++)
		out(" %12s", figure_names[f]);
	out("\n");
	for (unsigned i = 0; i < bn.set.n; i++) {
		const struct evset_entry *e = &bn.set.entry[i];

		if (is_left_out(&r->event[i], choice))
			continue;
		for (unsigned f = 0; f < FIGURES; f++) {
			char text[32];

			format_figure(text, r, &r->event[i], f, choice->no_norm, DIGITS);
			out(" %12s", text);
		}
		out("   %s", e->spec.name);
		if (*truth_name(e->truth) && e->truth != TRUTH_EXACT)
			out("  [%s]", truth_name(e->truth));
		out("\n");
		if (choice->histogram)
			print_values(r, &r->event[i], choice->no_norm);
	}
	print_metric_rows(r);
	out("\n");
}

/* [from, to, times], in order; what was too many to be told one by one by parts of the range. */
static void print_json_histogram(const struct result *r, const struct summary *s, bool whole)
{
	const uint64_t per = whole ? 1 : r->times;
	const unsigned n = s->others ? BINS : s->nseen;
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

static void print_json(const struct result *r, const struct choice *choice)
{
	for (unsigned i = 0; i < bn.set.n; i++) {
		const struct evset_entry *e = &bn.set.entry[i];

		if (is_left_out(&r->event[i], choice))
			continue;
		out("{\"benchmark\" : ");
		print_json_text(r->name);
		out(", \"event\" : ");
		print_json_text(e->spec.name);
		for (unsigned f = 0; f < FIGURES; f++) {
			char text[32];

			format_figure(text, r, &r->event[i], f, choice->no_norm, JSON_DIGITS);
			out(", \"%s\" : %s", figure_names[f], text);
		}
		out(", \"measurements\" : %llu, \"times\" : %llu",
		    (unsigned long long)r->measurements,
		    (unsigned long long)(choice->no_norm ? 1 : r->times));
		if (*truth_name(e->truth))
			out(", \"truth\" : \"%s\"", truth_name(e->truth));
		if (bn.passes.n > 1 && e->pass != EVSET_EACH_PASS)
			out(", \"pass\" : %u", e->pass + 1u);
		if (choice->histogram || choice->also_json)
			print_json_histogram(r, &r->event[i], choice->no_norm);
		out("}\n");
	}
	print_metrics_json(r);
}

static void print_csv(const struct result *r, const struct choice *choice)
{
	for (unsigned i = 0; i < bn.set.n; i++) {
		if (is_left_out(&r->event[i], choice))
			continue;
		print_csv_cell(r->name, choice->separator);
		out("%s", choice->separator);
		print_csv_cell(bn.set.entry[i].spec.name, choice->separator);
		for (unsigned f = 0; f < FIGURES; f++) {
			char text[32];

			format_figure(text, r, &r->event[i], f, choice->no_norm, JSON_DIGITS);
			out("%s%s", choice->separator, text);
		}
		out("\n");
	}
	print_metrics_csv(r, choice->separator);
}

static void report_result(const struct result *r, const struct choice *choice)
{
	print_to_host(true);
	print_json(r, choice);
	print_to_host(false);
}

static void print_result(const struct result *r, const struct choice *choice)
{
	if (choice->also_json)
		report_result(r, choice);
	for (unsigned f = 0; f < FIGURES; f++)
		if (choice->only[f]) {
			print_lines(r, choice, (enum figure)f);
			return;
		}
	if (choice->json)
		print_json(r, choice);
	else if (choice->separator)
		print_csv(r, choice);
	else
		print_table(r, choice);
}

/* Also what there is of one that was interrupted. */
static void print_trace(const struct choice *choice)
{
	struct bench_trace_form form = {
		.json = choice->json,
		.separator = choice->separator,
		.only = FIGURES,
		.kernel = choice->kernel,
		.passes = bn.passes.n,
		.copies = choice->copies,
		.turns = choice->turns,
	};

	for (int f = FIGURES - 1; f >= 0; f--)
		form.only = choice->only[f] ? f : form.only;
	if (choice->also_json)
		bench_trace_report();
	bench_trace_print(&form);
	bench_trace_end();
}

/* A table has what there is when it was ended, too. */
static void print_results(const struct choice *choice, int status)
{
	const struct latency_form form = {choice->separator, choice->json, choice->pairs};

	if (choice->table)
		latency_print(bn.n, &bn.set, &form);
	for (unsigned i = 0; i < bn.n && !status && !choice->table; i++)
		print_result(&bn.result[i], choice);
	progress_steps(0, 0);
	latency_forget();
}

static enum hush_form certificate_form(const struct choice *choice)
{
	if (choice->json)
		return HUSH_JSON;
	return choice->separator ? HUSH_COMMENT : HUSH_TEXT;
}

/* --- The command --- */

static bool is_on(const char *word, bool fallback)
{
	return word ? *word == '1' : fallback;
}

static void choose_rings(const struct choice *choice)
{
	evset_rings_of(&bn.set, is_on(choice->usr, !choice->kernel),
		       is_on(choice->os, choice->kernel));
}

/* What options say that no row can. False: a line said why. */
static bool is_possible(const struct choice *choice)
{
	if (choice->cpu >= smp_ncpus()) {
		err("bench: --on-cpu: there is no CPU %llu: 0 to %u\n",
		    (unsigned long long)choice->cpu, smp_ncpus() - 1);
		return false;
	}
	if (is_on(choice->usr, !choice->kernel) || is_on(choice->os, choice->kernel))
		return true;
	err("bench: --usr 0, --os 0: events of neither ring count nothing\n");
	return false;
}

static size_t values_pages(const struct choice *choice)
{
	return pages_of(choice->measurements * (BENCH_EVENTS_MAX + 1) * sizeof(int64_t));
}

static int measure_and_print(const struct workload_call *call, struct choice *choice)
{
	const size_t pages = values_pages(choice);
	int64_t *values;
	int status;

	if (choice->traces && !bench_trace_begin(&bn.set, &choice->trace, choice->kernel))
		return STATUS_FAILED;
	choose_rings(choice);
	evset_drop_refused(&bn.set, choice->table ? NULL : "bench");
	if (!are_events_counted() || !evset_split(&bn.set, "bench", &bn.passes))
		return STATUS_FAILED;
	values = page_alloc(pages);
	if (!values) {
		err("bench: no memory for %llu measurements\n",
		    (unsigned long long)choice->measurements);
		return STATUS_FAILED;
	}
	bn.sorted = values + choice->measurements * BENCH_EVENTS_MAX;
	status = hush_begin(&choice->hush) ? STATUS_FAILED : run_passes(call, choice, values);
	hush_end(&choice->hush);
	if (choice->traces)
		print_trace(choice);
	else
		print_results(choice, status);
	page_free(values, pages);
	if (choice->also_json)
		hush_report(&choice->hush);
	return hush_tell(&choice->hush, certificate_form(choice), status);
}

static int run_bench(int argc, char **argv)
{
	struct option_list events = {0};
	struct choice choice = {0};
	const struct targets_options task = {.counts_only = true, .no_inherit = true};
	const struct option_target targets[] = {
		{OPT_EVENT, &events},
		{OPT_METRICS, &choice.metrics.names},
		{OPT_BENCH_KERNEL, &choice.kernel},
		{OPT_BENCH_MEASUREMENTS, &choice.measurements},
		{OPT_BENCH_COPIES, &choice.copies},
		{OPT_BENCH_TURNS, &choice.turns},
		{OPT_BENCH_WARM_UPS, &choice.warm_ups},
		{OPT_BENCH_FIRST_WARM_UPS, &choice.first_warm_ups},
		{OPT_BENCH_OFFSET, &choice.offset},
		{OPT_BENCH_BASIC, &choice.basic},
		{OPT_BENCH_NO_MEM, &choice.no_mem},
		{OPT_BENCH_NO_NORM, &choice.no_norm},
		{OPT_BENCH_DRAIN, &choice.drains},
		{OPT_BENCH_MIN, &choice.only[FIGURE_MIN]},
		{OPT_BENCH_MEDIAN, &choice.only[FIGURE_MEDIAN]},
		{OPT_BENCH_AVG, &choice.only[FIGURE_MEAN]},
		{OPT_BENCH_MAX, &choice.only[FIGURE_MAX]},
		{OPT_BENCH_HISTOGRAM, &choice.histogram},
		BENCH_TRACE_TARGETS(choice.trace),
		{OPT_BENCH_VERBOSE, &choice.histogram},
		{OPT_BENCH_RANGE, &choice.range},
		{OPT_BENCH_NO_EMPTY, &choice.no_empty},
		{OPT_BENCH_USR, &choice.usr},
		{OPT_BENCH_OS, &choice.os},
		{OPT_BENCH_CPU, &choice.cpu},
		{OPT_BENCH_TABLE, &choice.table},
		{OPT_BENCH_PAIRS, &choice.pairs},
		{OPT_TIMEOUT, &choice.timeout_ms},
		{OPT_WARM_MODEL, &choice.warm},
		{OPT_SEPARATOR, &choice.separator},
		{OPT_STAT_JSON, &choice.json},
		{OPT_ALSO_JSON, &choice.also_json},
		HUSH_TARGETS(choice.hush),
	};
	const struct option_targets sets[] = {OPTION_TARGETS(targets)};
	struct option_set given;
	struct workload_call call;
	int i = options_read_noting(IMAGE_BENCH, argc, argv, sets, 1, &given);

	choice.traces = bench_trace_is_wanted(&choice.trace);
	if (choice.traces && !option_was_given(&given, OPT_BENCH_COPIES))
		choice.copies = 1;
	choice.pinned = option_was_given(&given, OPT_BENCH_CPU);
	if (i < 0 || !is_possible(&choice) || choose_bench_events(&choice, argv[0], &events) ||
	    hush_check(&choice.hush, argv[0]) || evset_target(&bn.set, argv[0], &task) ||
	    workload_parse(argv[0], argc - i, argv + i, &call))
		return STATUS_USAGE;
	bn.set.warm = choice.warm;
	bn.table = choice.table;
	return measure_and_print(&call, &choice);
}

static const struct command bench = {
	.name = "bench",
	.usage = "[OPTIONS] PROGRAM",
	.summary = "measures code of a program that `perf0 bench` has made",
	.help = "Without -e and -M: " DEFAULT_EVENTS ". No measurement is left out.\n",
	.options = IMAGE_BENCH,
	.operands = {.kind = OPERANDS_WORKLOAD},
	.run = run_bench,
};
COMMAND(bench);
