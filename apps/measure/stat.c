// SPDX-License-Identifier: BSD-2-Clause
/* stat.c - counts events over a workload, once or many times, and prints what perf stat prints. */
#include "apps/measure/begin.h"
#include "apps/measure/evset.h"
#include "apps/measure/quiet_mode.h"
#include "apps/measure/interval.h"
#include "apps/measure/membind.h"
#include "apps/measure/metric_files.h"
#include "apps/measure/record_rate.h"
#include "apps/measure/regions.h"
#include "apps/measure/ask_shares.h"
#include "apps/measure/slicelog.h"
#include "apps/portable/statfmt.h"
#include "apps/measure/statgroup.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/dev/tsc.h"
#include "lib/math.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/time.h"
#include "pmu/own/rowless.h"
#include "pmu/own/watchdog.h"
#include "pmu/driver/modelled.h"
#include "rt/console/command.h"
#include "linux/perf/perf.h"
#include "rt/print/print.h"
#include "linux/task/task.h"
#include "rt/wire/wire.h"

#include <linux/errno.h>
#include <stddef.h>

_Static_assert(OPTION_MUX_LEAST_US == PMU_MUX_LEAST_US && OPTION_MUX_MOST_US == PMU_MUX_MOST_US,
	       "as the event core has it");

#define DEFAULT_EVENTS     "task-clock," DEFAULT_COUNTERS
#define DEFAULT_CPU_EVENTS "cpu-clock," DEFAULT_COUNTERS
#define DEFAULT_COUNTERS   "cycles,instructions,branches,branch-misses"

/* The events that each -d adds, the same as perf's. */
static const char *const details[] = {
	"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
	"L1-icache-loads,L1-icache-load-misses,"
	"dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
	"L1-dcache-prefetches,L1-dcache-prefetch-misses",
};
#define NDETAILS (sizeof(details) / sizeof(details[0]))

static struct {
	struct evset set;
	struct stat_groups groups;
	/* Indexed by stat_groups_line(). */
	struct stat_series *series;
	struct stat_line *lines;
	struct stat_time times[EVSET_MAX]; /* of the passes */
	struct pmu_passes passes;
	uint64_t elapsed[OPTION_RUNS_MOST];
	struct stat_metrics metrics;
	bool starved; /* a pinned event found no counter */
} st;

static unsigned line_index(unsigned event, unsigned group)
{
	return stat_groups_line(&st.groups, &st.set, event, group);
}

static unsigned count_lines(void)
{
	return st.set.n * st.groups.n;
}

/* The values of the options other than events and workload. */
struct choice {
	uint64_t runs, timeout_ms, delay_ms, mux_interval_us, detailed;
	uint64_t interval_ms, interval_count;
	const char *policy, *estimate, *separator, *each_cgroup; /* NULL: not given */
	bool no_mux, passes, verbose, json, allow_system, warm;
	bool null, summary, table, marker, quiet, no_big_num, no_scale, also_json;
	bool big_num; /* the default */
	bool no_aggr, per_core, per_socket, all_user, all_kernel;
	struct targets_options targets;
	struct hush hush;
	struct membind membind;
	struct metrics_options metrics;
};

static const struct {
	const char *name;
	enum pmu_policy policy;
} policies[] = {{"perf", PMU_POLICY_PERF}, {"fair", PMU_POLICY_FAIR}};

static int set_stat_policy(const char *name)
{
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
		if (!strcmp(name, policies[i].name)) {
			pmu_set_policy(policies[i].policy);
			return 0;
		}
	err("stat: --policy: '%s' is neither perf nor fair\n", name);
	return -EINVAL;
}

/* Passes are found exactly, so the exact assignment is the default: the greedy one would not
 * realise all of them. */
static const char *default_policy(const struct choice *choice)
{
	return choice->passes ? "fair" : "perf";
}

static enum stat_scaling scaling_of(const struct choice *choice)
{
	if (choice->no_scale)
		return STAT_UNSCALED;
	if (choice->estimate && !strcmp(choice->estimate, "ratio"))
		return STAT_BY_RATIO;
	return STAT_INTERPOLATED;
}

static bool is_starved(unsigned i)
{
	for (unsigned t = 0; t < st.set.ntargets; t++)
		if (evset_is_at(&st.set, i, t) &&
		    evset_event(&st.set, i, t)->state == PMU_STATE_ERROR)
			return true;
	return false;
}

static void collect_counts(enum stat_scaling scaling)
{
	for (unsigned i = 0; i < st.set.n; i++) {
		if (!st.set.entry[i].open)
			continue;
		st.starved |= is_starved(i);
		for (unsigned g = 0; g < st.groups.n; g++)
			stat_series_add(&st.series[line_index(i, g)], &st.set, i, &st.groups, g,
					scaling, NULL);
	}
}

static void print_counts(const struct stat_table *table, const void *how);

/* Prepares the intervals and the delay of a run. */
static int prepare_run(const struct choice *choice, struct interval_options *intervals)
{
	*intervals = (struct interval_options){
		.period = choice->interval_ms * NSEC_PER_MS,
		.most = choice->interval_count,
		.scaling = scaling_of(choice),
		.plain = choice->no_big_num,
		.print = print_counts,
		.how = choice,
	};
	begin_with(&st.set, choice->delay_ms * NSEC_PER_MS,
		   intervals->period ? interval_begin : NULL);
	if (!intervals->period || !interval_prepare(intervals, &st.set, &st.groups))
		return 0;
	begin_end();
	err("stat: no memory for -I\n");
	return -ENOMEM;
}

/* One run of the workload, whose events are open. Returns its status. */
static int measure_run(const struct workload_call *call, const struct choice *choice,
		       struct task_outcome *outcome, uint64_t *elapsed)
{
	const uint64_t start = clock_ns();
	const int status = begin_run(call, choice->timeout_ms * NSEC_PER_MS, outcome);
	uint64_t waited;

	if (choice->interval_ms)
		interval_stop();
	evset_stop(&st.set);
	*elapsed = evset_is_for_cpu(&st.set) ? clock_ns() - start : outcome->elapsed_ns;
	if (choice->interval_ms)
		interval_end();
	waited = begin_end();
	*elapsed = *elapsed > waited ? *elapsed - waited : 0;
	return status;
}

/* Stores the times of the run as counts of the events with their names, for the first of their
 * targets. */
static void put_run_times(uint64_t elapsed, const struct task_outcome *outcome)
{
	const uint64_t ns[PMU_RUN_TIMES] = {
		[PMU_RUN_ELAPSED] = elapsed,
		[PMU_RUN_USER] = outcome->user_ns,
		[PMU_RUN_SYSTEM] = outcome->sys_ns,
	};

	for (unsigned i = 0; i < st.set.n; i++) {
		const enum pmu_run_time time = pmu_run_time(&st.set.entry[i].spec.attr);

		if (time && st.set.entry[i].open)
			evset_event(&st.set, i, evset_first_at(&st.set, i))->count = ns[time];
	}
}

static void summarise_times(struct stat_time *time, unsigned runs)
{
	struct moments elapsed = {0};

	for (unsigned i = 0; i < runs; i++)
		moments_add(&elapsed, st.elapsed[i]);
	time->elapsed = moments_mean(&elapsed);
	time->spread = moments_spread(&elapsed);
	time->identical = moments_identical(&elapsed);
}

/* The runs of one pass, up to the first that fails. */
static int measure_pass(const struct workload_call *call, const struct choice *choice,
			struct stat_table *table, unsigned pass)
{
	struct stat_time *time = &st.times[pass];
	struct task_outcome outcome = {0};
	struct interval_options intervals;
	unsigned runs = 0;
	int status = 0;

	*time = (struct stat_time){0};
	while (runs < choice->runs && !status) {
		task_forget_run();
		if (prepare_run(choice, &intervals))
			return STATUS_FAILED;
		evset_open_pass(&st.set, pass);
		if (table->passes &&
		    !evset_fits(&st.set, "stat", "--passes: a pass does not fit")) {
			evset_close(&st.set);
			begin_end();
			return STATUS_FAILED;
		}
		regions_follow(&st.set);
		slicelog_follow(&st.set);
		status = measure_run(call, choice, &outcome, &st.elapsed[runs]);
		put_run_times(st.elapsed[runs++], &outcome);
		slicelog_finish(&st.set);
		collect_counts(scaling_of(choice));
		evset_close(&st.set);
	}
	if (outcome.end != TASK_EXITED)
		err("stat: workload '%s' ended: %s\n", call->title, outcome.why);
	summarise_times(time, runs);
	time->sys = outcome.sys_ns;
	time->user = outcome.user_ns;
	table->runs = runs > table->runs ? runs : table->runs;
	return status;
}

static int measure_workload(const struct workload_call *call, const struct choice *choice,
			    struct stat_table *table)
{
	int status;

	do
		status = measure_pass(call, choice, table, table->ntimes++);
	while (table->ntimes < table->passes && !status);
	return status;
}

/* Checks everything before the first run; false: a line said the reason. */
static bool plan_runs(const struct choice *choice, struct stat_table *table)
{
	bool fits = true;

	if (choice->passes) {
		if (!evset_split(&st.set, "stat", &st.passes))
			return false;
		table->passes = st.passes.n ? st.passes.n : 1;
		table->least = st.passes.proven ? table->passes : st.passes.bound;
		return true;
	}
	evset_open(&st.set);
	if (choice->no_mux)
		fits = evset_fits(&st.set, "stat",
				  "--no-mux: not all events can count at the same time");
	else
		shares_ask();
	evset_close(&st.set);
	return fits;
}

static size_t results_pages(void)
{
	const size_t bytes = count_lines() * (sizeof(*st.series) + sizeof(*st.lines));

	return bytes / PAGE_SIZE + 1; /* there may be no events */
}

/* Divides the memory of the results among the series and the lines of the table. */
static void hand_out(void *memory)
{
	st.series = memory;
	st.lines = (void *)(st.series + count_lines());
	memset(st.series, 0, count_lines() * sizeof(*st.series));
}

static void summarise_line(unsigned i, unsigned g)
{
	const struct evset_entry *e = &st.set.entry[i];
	const struct stat_series *s = &st.series[line_index(i, g)];
	struct stat_line *l = &st.lines[line_index(i, g)];

	*l = stat_series_line(s, &st.set, i, &st.groups, g);
	if (l->state != STAT_NOT_HERE)
		wire_count(e->spec.name, evset_cgroup(&st.set, i), st.groups.first[g], e->error,
			   l->truth, s->raw, s->enabled, s->running);
}

static void summarise_series(void)
{
	for (unsigned i = 0; i < st.set.n; i++)
		for (unsigned g = 0; g < st.groups.n; g++)
			summarise_line(i, g);
}

static void print_raw(const struct stat_line *l, const struct stat_series *s)
{
	char label[STAT_LABEL_MAX];

	if (l->state == STAT_NOT_SUPPORTED || l->state == STAT_NOT_HERE)
		return;
	if (stat_label(label, l))
		out("%s: ", label);
	out("%s%s%s: %llu %llu %llu\n", l->name, l->cgroup && *l->cgroup ? " " : "",
	    l->cgroup ? l->cgroup : "", (unsigned long long)s->raw, (unsigned long long)s->enabled,
	    (unsigned long long)s->running);
}

/* Prints each event's count before scaling, and how many time slices ended. */
static void print_details(const struct rate_mark *before)
{
	for (unsigned line = 0; line < count_lines(); line++)
		print_raw(&st.lines[line], &st.series[line]);
	out("time slices that ended: %llu\n",
	    (unsigned long long)(pmu_stats()->rotations - before->stats.rotations));
	rate_report("stat", before, true);
	out("\n");
}

static void print_counts(const struct stat_table *table, const void *how)
{
	const struct choice *choice = how;
	struct stat_table with_metrics = *table;

	if (choice->also_json) {
		print_to_host(true);
		stat_print_json(table);
		print_to_host(false);
	}
	if (choice->quiet)
		return;
	if (metrics_wanted(&choice->metrics))
		with_metrics.metrics = &st.metrics;
	if (choice->json)
		stat_print_json(&with_metrics);
	else if (choice->separator)
		stat_print_csv(&with_metrics, choice->separator);
	else
		stat_print(&with_metrics);
}

/* The title names the workload as perf does. */
static void make_title(char *title, size_t size, const struct workload_call *call,
		       const struct targets_options *targets)
{
	if (targets->all_cpus)
		fmt_print(title, size, "system wide");
	else if (evset_is_for_cpu(&st.set))
		fmt_print(title, size, "CPU(s) %s", targets->cpus);
	else
		fmt_print(title, size, "%s", call->title);
}

static bool is_for_cpu(const struct choice *choice)
{
	return choice->targets.all_cpus || (choice->targets.cpus && !choice->targets.per_thread);
}

/* Each event is for one CPU, of the workload alone or not. */
static bool chooses_cpus(const struct choice *choice)
{
	return choice->targets.all_cpus || choice->targets.cpus;
}

static enum hush_form certificate_form(const struct choice *choice)
{
	if (choice->quiet)
		return HUSH_SILENT;
	if (choice->json)
		return HUSH_JSON;
	return choice->separator ? HUSH_COMMENT : HUSH_TEXT;
}

static void print_slices(const struct stat_line *l)
{
	if (l->state == STAT_COUNTED)
		slicelog_print(&st.set, &st.groups, l->event,
			       (unsigned)(l->group - st.groups.group));
}

/* False: something cannot begin, which has been told. */
static bool begin_watching(struct choice *choice, const struct stat_table *table, void *results)
{
	if (regions_watch(&st.set, "stat"))
		return false;
	hand_out(results);
	if (table->more && slicelog_begin(&st.set, "stat"))
		return false;
	return !hush_begin(&choice->hush);
}

static int measure_and_print(const struct workload_call *call, struct choice *choice)
{
	char title[sizeof(call->title) + 16], core[PMU_MODELLED_CORE_TEXT];
	struct stat_table table = {
		.title = title,
		.times = st.times,
		.of_cpus = evset_is_for_cpu(&st.set),
		.of_host = pmu_time_is_hosts(),
		.of_model = pmu_time_is_modelled(),
		.core = core,
		.plain = choice->no_big_num,
		.may_pass = !chooses_cpus(choice) && !choice->passes,
		.is_summary = choice->summary,
		.each = choice->table ? st.elapsed : NULL,
		.more = choice->verbose && choice->json ? print_slices : NULL,
	};
	const struct rate_mark before = rate_mark();
	struct pmu_rowless_told told;
	struct pmu_rowless rowless;
	void *results;
	size_t pages;
	int status;

	make_title(title, sizeof(title), call, &choice->targets);
	pmu_modelled_core(core);
	st.starved = false;
	if (!plan_runs(choice, &table))
		return STATUS_FAILED;
	pages = results_pages();
	results = page_alloc(pages);
	if (!results) {
		err("stat: no memory for the results\n");
		return STATUS_FAILED;
	}
	if (!begin_watching(choice, &table, results)) {
		page_free(results, pages);
		return STATUS_FAILED;
	}
	membind_begin(&choice->membind);
	rowless = pmu_rowless_now();
	status = measure_workload(call, choice, &table);
	hush_end(&choice->hush);
	pmu_rowless_since(&told, &rowless);
	table.rowless =
		&(struct stat_rowless){told.count, told.instructions, told.core, told.mnemonics};
	summarise_series();
	table.lines = st.lines;
	table.nlines = count_lines();
	table.watchdog = pmu_watchdog_state().on;
	if ((!choice->interval_ms || choice->summary) && !choice->marker)
		print_counts(&table, choice);
	if (!regions_print(&st.set, print_counts, choice) && choice->marker && !status) {
		err("stat: --marker: the workload has marked no region\n");
		status = STATUS_FAILED;
	}
	if (choice->also_json)
		hush_report(&choice->hush);
	status = hush_tell(&choice->hush, certificate_form(choice), status);
	if (choice->verbose && !choice->quiet && !choice->json)
		print_details(&before);
	slicelog_end();
	membind_end(&choice->membind, "stat");
	page_free(results, pages);
	evset_complain(&st.set, "stat");
	if (st.starved)
		evset_tell_pinned(&st.set, "stat");
	return status;
}

static enum stat_aggr choose_aggregation(const struct choice *choice)
{
	if (choice->no_aggr)
		return STAT_AGGR_NONE;
	if (choice->per_core)
		return STAT_AGGR_CORE;
	return choice->per_socket ? STAT_AGGR_SOCKET : STAT_AGGR_ALL;
}

/* Events of CPUs need a clock that runs whichever task the CPU has: cpu-clock. */
static const char *default_events(const struct choice *choice)
{
	return is_for_cpu(choice) ? DEFAULT_CPU_EVENTS : DEFAULT_EVENTS;
}

/* Takes the events of -e or the default ones, then those of -d and -M. -M alone is enough. */
static int choose_events(const struct choice *choice, const char *command,
			 const struct option_list *events)
{
	const bool metrics = metrics_wanted(&choice->metrics);
	int bad = evset_parse(&st.set, command, events,
			      choice->null || metrics ? NULL : default_events(choice));

	for (size_t i = 0; !bad && i < NDETAILS && i < choice->detailed; i++)
		bad = evset_add(&st.set, command, details[i]);
	if (!bad && metrics)
		bad = metrics_add(&st.set, command, &choice->metrics, &st.metrics);
	if (!bad && (choice->all_user || choice->all_kernel))
		evset_all_of(&st.set, choice->all_user);
	if (!bad && choice->each_cgroup)
		bad = evset_for_each_cgroup(&st.set, command, choice->each_cgroup);
	return bad;
}

static int run_stat(int argc, char **argv)
{
	struct option_list events = {0};
	struct choice choice = {.targets = {.counts_only = true}};
	const struct option_target targets[] = {
		{OPT_EVENT, &events},
		{OPT_FILTER, &events},
		{OPT_CGROUP, &events},
		{OPT_FOR_EACH_CGROUP, &choice.each_cgroup},
		{OPT_REPEAT, &choice.runs},
		{OPT_TIMEOUT, &choice.timeout_ms},
		{OPT_BEGIN_DELAY, &choice.delay_ms},
		{OPT_DETAILED, &choice.detailed},
		{OPT_NULL_RUN, &choice.null},
		{OPT_INTERVAL, &choice.interval_ms},
		{OPT_INTERVAL_COUNT, &choice.interval_count},
		{OPT_SUMMARY, &choice.summary},
		{OPT_TABLE, &choice.table},
		{OPT_STAT_MARKER, &choice.marker},
		{OPT_STAT_QUIET, &choice.quiet},
		{OPT_ALSO_JSON, &choice.also_json},
		{OPT_BIG_NUM, &choice.big_num},
		{OPT_NO_BIG_NUM, &choice.no_big_num},
		{OPT_NO_SCALE, &choice.no_scale},
		{OPT_ALL_USER, &choice.all_user},
		{OPT_ALL_KERNEL, &choice.all_kernel},
		{OPT_STAT_POLICY, &choice.policy},
		{OPT_ESTIMATE, &choice.estimate},
		{OPT_MUX_INTERVAL, &choice.mux_interval_us},
		{OPT_NO_MUX, &choice.no_mux},
		{OPT_PASSES, &choice.passes},
		{OPT_WARM_MODEL, &choice.warm},
		{OPT_SEPARATOR, &choice.separator},
		{OPT_STAT_JSON, &choice.json},
		{OPT_STAT_VERBOSE, &choice.verbose},
		{OPT_ALLOW_SYSTEM, &choice.allow_system},
		{OPT_ALL_CPUS, &choice.targets.all_cpus},
		{OPT_CPUS, &choice.targets.cpus},
		{OPT_PER_THREAD, &choice.targets.per_thread},
		{OPT_NO_INHERIT, &choice.targets.no_inherit},
		{OPT_NO_AGGR, &choice.no_aggr},
		{OPT_PER_CORE, &choice.per_core},
		{OPT_PER_SOCKET, &choice.per_socket},
		METRICS_TARGETS(choice.metrics),
		HUSH_TARGETS(choice.hush),
		MEMBIND_TARGET(choice.membind),
	};
	struct workload_call call;
	const struct option_targets sets[] = {OPTION_TARGETS(targets)};
	int i = options_read(IMAGE_STAT, argc, argv, sets, 1), status;

	if (i < 0 || choose_events(&choice, argv[0], &events) ||
	    hush_check(&choice.hush, argv[0]) || membind_check(&choice.membind, argv[0]) ||
	    evset_target(&st.set, argv[0], &choice.targets) ||
	    workload_parse(argv[0], argc - i, argv + i, &call) ||
	    set_stat_policy(choice.policy ? choice.policy : default_policy(&choice)) ||
	    evset_reserve_cgroups(&st.set, argv[0]))
		return STATUS_USAGE;
	st.set.warm = choice.warm;
	stat_groups_make(&st.groups, &st.set, choose_aggregation(&choice));
	if (choice.mux_interval_us)
		pmu_set_mux_interval_us(choice.mux_interval_us);
	perf_allow_system(choice.allow_system);
	status = measure_and_print(&call, &choice);
	perf_allow_system(false);
	evset_release_cgroups();
	set_stat_policy(policies[0].name);
	pmu_set_mux_interval_us(PMU_MUX_INTERVAL_US);
	return status;
}

static const struct command stat = {
	.name = "stat",
	.usage =
		"[-e LIST [--filter EXPR] [-G GROUPS]] [-M LIST] [--topdown [--td-level N]] [--for-each-cgroup GROUPS] [-d] [-r N [--table]] [-I MS [--interval-count N] "
		"[--summary]] [-D MS] [-n] [--timeout MS] [--policy perf|fair] [--estimate interpolated|ratio] "
		"[--mux-interval-us N] [--no-mux] [--passes] [-a | -C CPUS | --per-thread] "
		"[-A | --per-core | --per-socket] [-i] [--all-user | --all-kernel] "
		"[--allow-system] [-x SEP | -j] [--no-big-num] [--no-scale] [--quiet] [-v] [--] "
		"WORKLOAD [ARGS]",
	.summary = "counts events over a workload",
	.help = "Without -e: " DEFAULT_EVENTS ", of CPUs: " DEFAULT_CPU_EVENTS ".\n"
		"Regions that the workload marks are added up by name, and follow.\n",
	.options = IMAGE_STAT,
	.operands = {.kind = OPERANDS_WORKLOAD},
	.run = run_stat,
};
COMMAND(stat);
