// SPDX-License-Identifier: BSD-2-Clause
/* stat.c - counts events over a workload, once or many times, and prints what perf stat prints. */
#include "apps/evset.h"
#include "apps/statfmt.h"
#include "arch/x86/paging.h"
#include "lib/math.h"
#include "rt/command.h"
#include "rt/print.h"
#include "rt/task.h"
#include "rt/wire.h"

#include <stddef.h>

#define MAX_RUNS    1000
#define MAX_TIMEOUT 3600000 /* ms */
#define NSEC_PER_MS 1000000ull

#define DEFAULT_EVENTS "task-clock,cycles,instructions,branches,branch-misses"

/* What one event gave in each run. */
struct series {
	uint64_t value[MAX_RUNS]; /* scaled to the whole time */
	uint64_t enabled, running, raw;
	unsigned counted; /* runs in which it ran at all */
};

static struct {
	struct evset set;
	struct series *series; /* one for each event, for the time of one command */
	struct stat_line lines[EVSET_MAX];
	uint64_t elapsed[MAX_RUNS];
} st;

static size_t series_pages(void)
{
	return (st.set.n * sizeof(*st.series) + PAGE_SIZE - 1) / PAGE_SIZE;
}

static uint64_t mean_of(const uint64_t *values, unsigned n)
{
	uint64_t mean = 0, rest = 0;

	for (unsigned i = 0; i < n; i++) {
		mean += values[i] / n;
		rest += values[i] % n;
	}
	return n ? mean + (rest + n / 2) / n : 0;
}

static void collect(void)
{
	for (unsigned i = 0; i < st.set.n; i++) {
		struct evset_entry *e = &st.set.entry[i];
		struct series *s = &st.series[i];
		struct pmu_value v;

		if (e->error)
			continue;
		pmu_event_read(&e->event, &v);
		s->enabled += v.time_enabled;
		s->running += v.time_running;
		s->raw += v.value;
		if (!v.time_running)
			continue;
		s->value[s->counted++] = v.time_running < v.time_enabled
						 ? mul_div(v.value, v.time_enabled, v.time_running)
						 : v.value;
	}
}

static int measure(const struct workload_call *call, unsigned runs, uint64_t timeout_ns,
		   struct stat_table *table)
{
	struct task_outcome outcome = {0};
	int status = 0;

	for (table->runs = 0; table->runs < runs && !status;) {
		evset_open(&st.set);
		status = task_run(call, timeout_ns, &outcome);
		collect();
		evset_close(&st.set);
		st.elapsed[table->runs++] = outcome.elapsed_ns;
		table->sys = outcome.sys_ns;
		table->user = outcome.elapsed_ns - outcome.sys_ns;
	}
	if (outcome.end != TASK_EXITED)
		err("stat: workload '%s' ended: %s\n", call->title, outcome.why);
	table->elapsed = mean_of(st.elapsed, table->runs);
	table->elapsed_spread = stat_spread(st.elapsed, table->runs, table->elapsed);
	return status;
}

static void summarise(void)
{
	for (unsigned i = 0; i < st.set.n; i++) {
		const struct evset_entry *e = &st.set.entry[i];
		const struct series *s = &st.series[i];
		struct stat_line *l = &st.lines[i];

		*l = (struct stat_line){
			.name = e->spec.name,
			.attr = &e->spec.attr,
			.state = e->error     ? STAT_NOT_SUPPORTED
				 : s->counted ? STAT_COUNTED
					      : STAT_NOT_COUNTED,
			.mean = mean_of(s->value, s->counted),
			.enabled = s->enabled,
			.running = s->running,
		};
		l->spread = stat_spread(s->value, s->counted, l->mean);
		wire_count(e->spec.name, 0, e->error, s->raw, s->enabled, s->running);
	}
}

static int run(int argc, char **argv)
{
	struct option_list events = {0};
	uint64_t runs = 1, timeout_ms = 0;
	const struct option options[] = {
		{'e', "event", OPTION_LIST, &events, 0, 0},
		{'r', "repeat", OPTION_NUMBER, &runs, 1, MAX_RUNS},
		{0, "timeout", OPTION_NUMBER, &timeout_ms, 1, MAX_TIMEOUT},
		{.name = NULL},
	};
	struct stat_table table = {.lines = st.lines};
	struct workload_call call;
	int i = options_read(argc, argv, options), status;

	if (i < 0 || evset_parse(&st.set, argv[0], &events, DEFAULT_EVENTS) ||
	    workload_parse(argv[0], argc - i, argv + i, &call))
		return STATUS_USAGE;
	st.series = page_alloc(series_pages());
	if (!st.series) {
		err("stat: no memory for the results\n");
		return STATUS_FAILED;
	}
	status = measure(&call, (unsigned)runs, timeout_ms * NSEC_PER_MS, &table);
	summarise();
	page_free(st.series, series_pages());
	table.title = call.title;
	table.nlines = st.set.n;
	stat_print(&table);
	evset_complain(&st.set, argv[0]);
	return status;
}

static const struct command stat = {
	.name = "stat",
	.usage = "[-e LIST] [-r N] [--timeout MS] [--] WORKLOAD [ARGS]",
	.summary = "counts events over a workload",
	.help = "  -e, --event LIST   events, separated by commas, {grouped}, with modifiers :u "
		":k;\n"
		"                     may be given again; " DEFAULT_EVENTS "\n"
		"  -r, --repeat N     runs the workload N times (1 to 1000) and prints mean and "
		"spread\n"
		"      --timeout MS   ends the workload after MS milliseconds\n",
	.run = run,
};
COMMAND(stat);
