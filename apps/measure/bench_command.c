// SPDX-License-Identifier: BSD-2-Clause
/*
 * bench_command.c - measures code of a program that `perf0 bench` has made (bench/harness.c). It
 * opens the events in as few passes as possible, shares their counters with the program, runs the
 * program once for each pass, and prints the results. No event is left out.
 */
#include "apps/measure/bench_results.h"
#include "apps/measure/bench_trace.h"
#include "apps/measure/evset.h"
#include "apps/measure/quiet_mode.h"
#include "apps/measure/metric_files.h"
#include "apps/portable/figures.h"
#include "apps/measure/latency.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "include/perf0/truth.h"
#include "lib/time.h"
#include "lib/bits.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/sched/passes.h"
#include "rt/console/keyboard.h"
#include "rt/console/command.h"
#include "rt/print/print.h"
#include "linux/perf/bench_calls.h"
#include "rt/run/progress.h"
#include "linux/task/task.h"

#include <linux/errno.h>

#define DEFAULT_EVENTS "instructions,cycles,ref-cycles"
#define TRACE_EVENTS   "cycles,instructions"
#define PER_MILLE      1000

static struct {
	struct bench_results all;
	struct bench_percentiles percentiles;
	unsigned pass;
	unsigned column[BENCH_EVENTS_MAX]; /* the entries of this pass */
	unsigned next;                     /* result of this pass */
	bool table; /* results are rows of a table (latency.h), not of `all` */
	int64_t *sorted;
} bn;

struct choice {
	struct bench_form form;
	const char *percentiles;
	uint64_t measurements, warm_ups, first_warm_ups, offset, timeout_ms;
	bool basic, no_mem, drains, warm, table, pairs;
	const char *usr, *os; /* NULL: the ring of the code */
	uint64_t cpu;
	bool pinned;
	struct bench_trace_choice trace;
	bool traces;
	struct hush hush;
	struct metrics_options metrics;
};

/* --- Results of the program --- */

/* `value` is sorted. */
static void count_values(struct bench_summary *s, const int64_t *value, size_t n)
{
	s->nseen = 0;
	s->others = 0;
	for (size_t i = 0; i < n; i++) {
		if (s->nseen && s->seen[s->nseen - 1].value == value[i]) {
			s->seen[s->nseen - 1].times++;
		} else if (s->nseen < BENCH_VALUES_MOST) {
			s->seen[s->nseen].value = value[i];
			s->seen[s->nseen++].times = 1;
		} else {
			s->others = n - i;
			return;
		}
	}
}

/* `value` is sorted here, too. */
static void count_bins(struct bench_summary *s, const int64_t *value, size_t n)
{
	s->step = (uint64_t)(value[n - 1] - value[0]) / BENCH_BINS + 1;
	for (size_t i = 0; i < n; i++)
		s->bin[(uint64_t)(value[i] - value[0]) / s->step]++;
}

/* The nearest rank: so many of `n` sorted values are not above the percentile. */
static size_t percentile_rank(unsigned per_mille, size_t n)
{
	const size_t values = (per_mille * n + PER_MILLE - 1) / PER_MILLE;

	return values ? values - 1 : 0;
}

static void summarise(struct bench_summary *s, const struct bench_result *head,
		      const int64_t *values, unsigned column)
{
	const size_t n = head->measurements;

	*s = (struct bench_summary){.is_there = true};
	figures_of(s->figure, values, n, head->nevents, column, bn.sorted);
	count_values(s, bn.sorted, n);
	if (s->others)
		count_bins(s, bn.sorted, n);
	for (unsigned i = 0; i < bn.percentiles.n; i++)
		s->percentile[i] = bn.sorted[percentile_rank(bn.percentiles.at[i], n)];
}

/* Counts a result, and tells the progress of all passes, where that is known. */
static void count_result(const struct bench_result *head)
{
	bn.next++;
	bn.all.n = bn.next > bn.all.n ? bn.next : bn.all.n;
	if (head->total)
		progress_steps(bn.pass * (uint64_t)head->total + bn.next,
			       bn.all.passes.n * (uint64_t)head->total);
}

static void take_row(const struct bench_result *head, const int64_t *values)
{
	int64_t median[BENCH_EVENTS_MAX];
	struct bench_summary s;

	for (unsigned i = 0; i < head->nevents; i++) {
		summarise(&s, head, values, i);
		median[i] = s.figure[FIGURE_MEDIAN];
	}
	if (!latency_take(bn.next, head, bn.column, median))
		return;
	count_result(head);
}

/* In each pass the program has the same results in the same order. */
static void take_result(const struct bench_result *head, const int64_t *values)
{
	struct bench_row *r = &bn.all.row[bn.next];

	if (head->cycle) {
		bench_trace_cycle(head, values, bn.column, bn.sorted);
		return;
	}
	if (bn.table) {
		take_row(head, values);
		return;
	}
	if (bn.next == BENCH_RESULTS_MOST) {
		bn.all.lost += !bn.pass;
		return;
	}
	memcpy(r->name, head->name, sizeof(r->name));
	r->times = head->times;
	r->measurements = head->measurements;
	for (unsigned i = 0; i < head->nevents; i++)
		summarise(&r->event[bn.column[i]], head, values, i);
	count_result(head);
}

/* --- Measuring --- */

static bool is_counted(const struct evset_entry *e)
{
	const uint32_t type = e->spec.attr.type;

	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

static bool are_events_counted(void)
{
	for (unsigned i = 0; i < bn.all.set.n; i++) {
		if (is_counted(&bn.all.set.entry[i]))
			continue;
		err("bench: %s: it is on no counter of the core, which the code reads\n",
		    bn.all.set.entry[i].spec.name);
		return false;
	}
	return true;
}

/* Hands the events of this pass and their control pages to the program. False: a line said why. */
static bool share_pass(unsigned *nevents)
{
	unsigned n = 0;

	evset_open_pass(&bn.all.set, bn.pass);
	if (!evset_fits(&bn.all.set, "bench", "the events of a pass do not fit"))
		return false;
	for (unsigned i = 0; i < bn.all.set.n; i++) {
		if (!bn.all.set.entry[i].open)
			continue;
		if (n == BENCH_EVENTS_MAX || task_share_event(n, evset_event(&bn.all.set, i, 0))) {
			err("bench: %s: its counter cannot be shared with the code\n",
			    bn.all.set.entry[i].spec.name);
			return false;
		}
		bn.column[n++] = i;
	}
	*nevents = n;
	return true;
}

/* The program of --asm is a file of the host's temporary folder. */
static const char *title_of(const struct workload_call *call)
{
	return strstr(call->title, "/perf0-bench-") ? "the code" : call->title;
}

static int complain_of_run(const struct workload_call *call, const struct task_outcome *outcome,
			   int status)
{
	if (bench_reason()->text[0])
		err("bench: %s: %s\n", title_of(call), bench_reason()->text);
	else if (outcome->end != TASK_EXITED)
		err("bench: %s ended: %s\n", title_of(call), outcome->why);
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
			bench_trace_offer(offer, bn.column, bn.all.passes.n);
		bench_offer(offer);
		status = task_run(call,
				  choice->timeout_ms ? choice->timeout_ms * NSEC_PER_MS
						     : keyboard_limit_ns(),
				  &outcome);
		bench_offer(NULL);
		if (status || !(choice->traces ? bench_trace_has_results() : bn.next))
			status = complain_of_run(call, &outcome, status);
	}
	task_unshare_events();
	evset_close(&bn.all.set);
	return status;
}

static uint32_t settings_flags(const struct choice *choice)
{
	return (choice->form.kernel ? BENCH_RING0 : 0) | (choice->pinned ? BENCH_PINNED : 0) |
	       (choice->basic ? BENCH_BASIC : 0) | (choice->no_mem ? BENCH_NO_MEM : 0) |
	       (choice->drains ? BENCH_DRAIN : 0);
}

/* The number of the CPU that shares a core with `cpu`, plus 1; 0: there is none. */
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
			     .copies = choice->form.copies,
			     .turns = choice->form.turns,
			     .offset = choice->offset,
			     .cpu = (uint32_t)choice->cpu,
			     .sibling = sibling_of((unsigned)choice->cpu)},
		.values = values,
		.take = take_result,
	};
	int status = 0;

	bn.all.n = bn.all.lost = 0;
	bn.all.passes.n += !bn.all.passes.n; /* all events are in each pass: there is one */
	for (bn.pass = 0; bn.pass < bn.all.passes.n && !status; bn.pass++)
		status = run_pass(call, choice, &offer);
	return status;
}

/* The code is measured by its counters alone. */
static int check_metrics(void)
{
	struct metric_choice *c = bn.all.metrics.choice;

	for (unsigned i = 0; i < c->n; i++)
		if (formula_needs_time(&c->pool, c->metric[i].root)) {
			err("bench: -M: metric '%.*s' is of time, which is not measured here\n",
			    (int)c->metric[i].row->name.n, c->metric[i].row->name.at);
			return -EINVAL;
		}
	bn.all.nmetrics = c->n;
	return 0;
}

static int choose_bench_events(const struct choice *choice, const char *command,
			       const struct option_list *events)
{
	const bool metrics = metrics_wanted(&choice->metrics);
	int bad = evset_parse(&bn.all.set, command, events,
			      metrics          ? NULL
			      : choice->traces ? TRACE_EVENTS
			      : choice->table  ? latency_events()
					       : DEFAULT_EVENTS);

	bn.all.nmetrics = 0;
	if (!bad && metrics)
		bad = metrics_add(&bn.all.set, command, &choice->metrics, &bn.all.metrics);
	return bad || !metrics ? bad : check_metrics();
}

/* --- Output --- */

/* Prints the part of an interrupted trace, too. */
static void print_trace(const struct choice *choice)
{
	struct bench_trace_form form = {
		.json = choice->form.json,
		.separator = choice->form.separator,
		.only = FIGURES,
		.kernel = choice->form.kernel,
		.passes = bn.all.passes.n,
		.copies = choice->form.copies,
		.turns = choice->form.turns,
	};

	for (int f = FIGURES - 1; f >= 0; f--)
		form.only = choice->form.only[f] ? f : form.only;
	if (choice->form.also_json)
		bench_trace_report();
	bench_trace_print(&form);
	bench_trace_end();
}

/* Some passes may not have been run. */
static bool has_all_events(const struct bench_row *r)
{
	for (unsigned i = 0; i < bn.all.set.n; i++)
		if (is_counted(&bn.all.set.entry[i]) && !r->event[i].is_there)
			return false;
	return true;
}

static void report_latencies(void)
{
	const struct latency_form json = {.json = true};

	print_to_host(true);
	latency_print(bn.all.n, &bn.all.set, &json);
	print_to_host(false);
}

/* Results of a run that was ended early are printed as far as they go. */
static void print_results(const struct choice *choice)
{
	const struct latency_form form = {choice->form.separator, choice->form.json, choice->pairs};

	if (choice->table && choice->form.also_json)
		report_latencies();
	if (choice->table)
		latency_print(bn.all.n, &bn.all.set, &form);
	for (unsigned i = 0; i < bn.all.n && !choice->table; i++)
		if (has_all_events(&bn.all.row[i]))
			bench_form_print(&bn.all, &bn.all.row[i], &choice->form);
	if (bn.all.lost)
		err("bench: %u results beyond the first %u are left out\n", bn.all.lost,
		    BENCH_RESULTS_MOST);
	progress_steps(0, 0);
	latency_forget();
}

static enum hush_form certificate_form(const struct choice *choice)
{
	if (choice->form.json)
		return HUSH_JSON;
	return choice->form.separator ? HUSH_COMMENT : HUSH_TEXT;
}

/* --- The command --- */

static bool is_on(const char *word, bool fallback)
{
	return word ? *word == '1' : fallback;
}

static void choose_rings(const struct choice *choice)
{
	evset_rings_of(&bn.all.set, is_on(choice->usr, !choice->form.kernel),
		       is_on(choice->os, choice->form.kernel));
}

/* Checks the options whose conflict no table row can express. False: a line said why. */
static bool is_possible(const struct choice *choice)
{
	if (choice->cpu >= smp_ncpus()) {
		err("bench: --on-cpu: there is no CPU %llu: 0 to %u\n",
		    (unsigned long long)choice->cpu, smp_ncpus() - 1);
		return false;
	}
	if (is_on(choice->usr, !choice->form.kernel) || is_on(choice->os, choice->form.kernel))
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

	choose_rings(choice);
	evset_drop_refused(&bn.all.set, choice->table ? NULL : "bench");
	/* The trace looks for its own events among those that are left. */
	if (choice->traces && !bench_trace_begin(&bn.all.set, &choice->trace, choice->form.kernel))
		return STATUS_FAILED;
	choose_rings(choice);
	if (!are_events_counted() || !evset_split(&bn.all.set, "bench", &bn.all.passes))
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
		print_results(choice);
	page_free(values, pages);
	if (choice->form.also_json)
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
		{OPT_BENCH_KERNEL, &choice.form.kernel},
		{OPT_BENCH_MEASUREMENTS, &choice.measurements},
		{OPT_BENCH_COPIES, &choice.form.copies},
		{OPT_BENCH_TURNS, &choice.form.turns},
		{OPT_BENCH_WARM_UPS, &choice.warm_ups},
		{OPT_BENCH_FIRST_WARM_UPS, &choice.first_warm_ups},
		{OPT_BENCH_OFFSET, &choice.offset},
		{OPT_BENCH_BASIC, &choice.basic},
		{OPT_BENCH_NO_MEM, &choice.no_mem},
		{OPT_BENCH_NO_NORM, &choice.form.no_norm},
		{OPT_BENCH_DRAIN, &choice.drains},
		{OPT_BENCH_MIN, &choice.form.only[FIGURE_MIN]},
		{OPT_BENCH_MEDIAN, &choice.form.only[FIGURE_MEDIAN]},
		{OPT_BENCH_AVG, &choice.form.only[FIGURE_MEAN]},
		{OPT_BENCH_MAX, &choice.form.only[FIGURE_MAX]},
		{OPT_BENCH_HISTOGRAM, &choice.form.histogram},
		{OPT_BENCH_PERCENTILES, &choice.percentiles},
		BENCH_TRACE_TARGETS(choice.trace),
		{OPT_BENCH_VERBOSE, &choice.form.histogram},
		{OPT_BENCH_RANGE, &choice.form.range},
		{OPT_BENCH_NO_EMPTY, &choice.form.no_empty},
		{OPT_BENCH_USR, &choice.usr},
		{OPT_BENCH_OS, &choice.os},
		{OPT_BENCH_CPU, &choice.cpu},
		{OPT_BENCH_TABLE, &choice.table},
		{OPT_BENCH_PAIRS, &choice.pairs},
		{OPT_TIMEOUT, &choice.timeout_ms},
		{OPT_WARM_MODEL, &choice.warm},
		{OPT_SEPARATOR, &choice.form.separator},
		{OPT_STAT_JSON, &choice.form.json},
		{OPT_ALSO_JSON, &choice.form.also_json},
		HUSH_TARGETS(choice.hush),
	};
	const struct option_targets sets[] = {OPTION_TARGETS(targets)};
	struct option_set given;
	struct workload_call call;
	int i = options_read_noting(IMAGE_BENCH, argc, argv, sets, 1, &given);

	choice.traces = bench_trace_is_wanted(&choice.trace);
	if (choice.traces && !option_was_given(&given, OPT_BENCH_COPIES))
		choice.form.copies = 1;
	choice.pinned = option_was_given(&given, OPT_BENCH_CPU);
	if (i < 0 || !is_possible(&choice) ||
	    !bench_form_percentiles(&choice.form.percentiles, choice.percentiles) ||
	    choose_bench_events(&choice, argv[0], &events) || hush_check(&choice.hush, argv[0]) ||
	    evset_target(&bn.all.set, argv[0], &task) ||
	    workload_parse(argv[0], argc - i, argv + i, &call))
		return STATUS_USAGE;
	bn.all.set.warm = choice.warm;
	bn.table = choice.table;
	bn.percentiles = choice.form.percentiles;
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
