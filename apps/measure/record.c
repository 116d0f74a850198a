// SPDX-License-Identifier: BSD-2-Clause
/* record.c - samples a workload into rings in memory. The rings are sent when it has ended, or
 * while it runs with --live. */
#include "apps/measure/aux_area.h"
#include "apps/measure/begin.h"
#include "apps/measure/evset.h"
#include "apps/measure/record_fields.h"
#include "apps/measure/quiet_mode.h"
#include "apps/measure/membind.h"
#include "apps/measure/record_rate.h"
#include "apps/measure/rings.h"
#include "lib/time.h"
#include "pmu/driver/modelled.h"
#include "rt/console/command.h"
#include "rt/console/console.h"
#include "linux/perf/perf.h"
#include "rt/print/print.h"
#include "linux/task/task.h"
#include "rt/wire/wire.h"

#include <linux/errno.h>
#include <stddef.h>

#define SAMPLE_TYPE                                                              \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER)

static struct evset set;
static bool is_live;
static bool is_verbose;
static bool is_quiet;
static bool is_warm;      /* the model */
static uint64_t delay_ms; /* -D; 0: none */
static uint64_t limit;    /* --limit; 0: none */
static struct hush hush;
static struct membind membind;
static struct rings rings;
static unsigned snapshots; /* snapshots that were asked for, and those that were taken */

/* A tracepoint samples each hit, with its entry, unless a period is asked for. Without one, samples
 * must not contain their period, for they come with each hit in any case. */
static void make_tracepoint(struct perf_event_attr *attr, const struct rate *rate)
{
	attr->sample_type |= PERF_SAMPLE_RAW;
	if (rate->period || rate->frequency)
		rate_set(attr, rate);
	if (!attr->sample_period)
		attr->sample_period = 1;
	else if (!attr->freq)
		attr->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
}

/* Completes the attributes as `perf record` does. */
static void make_record_attrs(const struct rate *rate)
{
	for (unsigned i = 0; i < set.n; i++) {
		struct perf_event_attr *attr = &set.entry[i].spec.attr;

		attr->size = sizeof(*attr);
		attr->sample_type |= SAMPLE_TYPE;
		if (!evset_has_cpus(&set))
			attr->sample_type &= ~(uint64_t)PERF_SAMPLE_CPU;
		if (attr->type == PERF_TYPE_TRACEPOINT)
			make_tracepoint(attr, rate);
		else if (!aux_area_wanted(attr))
			rate_set(attr, rate);
		attr->sample_id_all = 1;
	}
	fields_apply(&set);
	for (unsigned i = 0; limit && i < set.n; i++)
		set.entry[i].spec.attr.inherit = 0; /* the limit is that of one event */
}

/* Announces the format of each tracepoint once, however many events use it. */
static void announce_format(unsigned i)
{
	static char text[TRACE_MAX_FORMAT];
	const struct trace_event *event = evset_event(&set, i, evset_first_at(&set, i))->tracepoint;

	if (!event)
		return;
	for (unsigned k = 0; k < i; k++)
		if (evset_event(&set, k, evset_first_at(&set, k))->tracepoint == event)
			return;
	trace_format(event, text, sizeof(text));
	wire_format(event->state->id, event->system, event->name, text);
}

static void announce_formats(void)
{
	for (unsigned i = 0; i < set.n; i++)
		announce_format(i);
}

static void tell_counts(unsigned i)
{
	for (unsigned t = 0; t < set.ntargets; t++) {
		struct pmu_value v;

		if (!evset_is_at(&set, i, t))
			continue;
		pmu_event_read(evset_event(&set, i, t), &v);
		wire_count(set.entry[i].spec.name, evset_cgroup(&set, i), evset_stream(&set, t), 0,
			   set.entry[i].truth, v.value, v.time_enabled, v.time_running);
	}
}

static void close_books(struct wire_books *books)
{
	*books = (struct wire_books){0};
	for (unsigned i = 0; i < set.n; i++) {
		const struct pmu_books sum = evset_books(&set, i);

		books->overflows += sum.overflows;
		books->written += sum.written;
		books->lost += sum.lost;
		books->refused += sum.refused;
		tell_counts(i);
	}
	if (rings.options.overwrite)
		books->overwritten = books->written - rings_sent_samples(&rings);
	wire_books(books);
}

/* Each event stops at its limit. pmu_event_refresh() enables it, too, but it starts with the
 * workload. */
static void set_limit(struct pmu_event *e)
{
	if (!pmu_event_refresh(e, limit))
		pmu_event_disable(e);
}

static bool is_at_limit(const struct pmu_event *e)
{
	return limit && !e->limit;
}

/* Apart from its limit, only the event core itself disables an event that has begun here: see
 * "storm" in pmu/core/overflow.c. */
static bool stopped_early(unsigned i)
{
	for (unsigned t = 0; t < set.ntargets; t++) {
		const struct pmu_event *e = evset_event(&set, i, t);

		if (!evset_is_at(&set, i, t) || e->state != PMU_STATE_OFF || is_at_limit(e))
			continue;
		err("record: %s: stopped: serving an overflow takes more than a period of %llu; "
		    "take a longer one, or :u\n",
		    set.entry[i].spec.name, (unsigned long long)e->period);
		return true;
	}
	return false;
}

static bool any_stopped_early(void)
{
	bool any = false;

	for (unsigned i = 0; i < set.n; i++)
		any |= stopped_early(i);
	return any;
}

/* Before the workload. */
static void prepare_recording(void)
{
	for (unsigned i = 0; i < set.n; i++) {
		rate_note("record", evset_event(&set, i, evset_first_at(&set, i)),
			  set.entry[i].spec.name);
		fields_tell_zeros("record", evset_event(&set, i, evset_first_at(&set, i)),
				  set.entry[i].spec.name);
		for (unsigned t = 0; limit && t < set.ntargets; t++)
			if (evset_is_at(&set, i, t))
				set_limit(evset_event(&set, i, t));
	}
	announce_formats();
}

static void print_record_books(const struct wire_books *books)
{
	uint64_t produced, sent;

	out("[ perf0 record: %llu samples of %llu overflows, %llu lost, %llu refused",
	    (unsigned long long)(books->written - books->overwritten),
	    (unsigned long long)books->overflows, (unsigned long long)books->lost,
	    (unsigned long long)books->refused);
	if (rings.options.overwrite)
		out(", %llu overwritten", (unsigned long long)books->overwritten);
	out("; %'llu bytes %s", (unsigned long long)wire_sent(),
	    wire_enabled() ? "sent" : "not sent: text=framed at boot sends them to a host");
	if (wire_enabled())
		out(" as %'llu", (unsigned long long)wire_line_bytes());
	out(" ]\n");
	if (rings_trace(&rings, &produced, &sent))
		out("[ perf0 record: %'llu bytes of trace, %'llu of them sent ]\n",
		    (unsigned long long)produced, (unsigned long long)sent);
}

/* Prints a line for each ring, where there are several. */
static void print_rings(void)
{
	for (unsigned i = 0; rings.n > 1 && i < rings.n; i++) {
		const struct ring *ring = &rings.ring[i];

		out("[ perf0 record: CPU %u: %llu samples sent, %llu records lost ]\n", ring->cpu,
		    (unsigned long long)ring->rb.samples, (unsigned long long)ring->rb.lost_total);
	}
}

/* Takes snapshots for ^T, or for SIGUSR2 of the host tool. A line confirms it. */
static void take_snapshots(void)
{
	if (rings_take_snapshots(&rings, &set))
		out("[ perf0 record: snapshot %u taken ]\n", ++snapshots);
	else
		out("[ perf0 record: nothing new for a snapshot ]\n");
}

static void tell_missed(void)
{
	const unsigned missed = rings_missed(&rings);

	if (missed)
		err("record: %u times there was no memory for the snapshot of a CPU, or no room in "
		    "its ring to tell of it; take another -m PAGES,PAGES\n",
		    missed);
}

/* Warns where the host's timers stop a CPU. */
static void tell_skid(void)
{
	const uint32_t skid = pmu_time_is_hosts() ? pmu_modelled_skid() : 0;

	if (skid && !is_quiet)
		out("[ perf0 record: overflows were met up to %u instructions late: time is the "
		    "host's ]\n",
		    skid);
}

static void tell_limits(void)
{
	for (unsigned i = 0; i < set.n; i++)
		rate_tell_limit("record", evset_event(&set, i, evset_first_at(&set, i)),
				set.entry[i].spec.name);
}

static int record_workload(const struct workload_call *call, uint64_t timeout_ns)
{
	const struct rate_mark before = rate_mark();
	struct task_outcome outcome;
	struct wire_books books;
	bool stopped;

	rings_attach(&rings, &set);
	prepare_recording();
	if (is_live && rings_go_live(&rings, &set)) {
		err("record: no memory for --live\n");
		rings_detach(&rings);
		return STATUS_FAILED;
	}
	if (hush_begin(&hush)) {
		rings_detach(&rings);
		return STATUS_FAILED;
	}
	snapshots = 0;
	if (rings.options.aux.snapshot)
		console_on_snapshot(take_snapshots);
	if (evset_is_for_cpu(&set))
		task_restart_clocks();
	membind_begin(&membind);
	begin_run(call, timeout_ns, &outcome);
	console_on_snapshot(NULL);
	stopped = begin_has_come() && any_stopped_early();
	evset_stop(&set);
	wire_live_end();
	hush_end(&hush);
	rings_drain(&rings, &set);
	close_books(&books);
	if (outcome.end != TASK_EXITED)
		err("record: workload '%s' ended: %s\n", call->title, outcome.why);
	rings_detach(&rings);
	if (!is_quiet)
		print_record_books(&books);
	membind_end(&membind, "record");
	tell_skid();
	tell_limits();
	tell_missed();
	if (is_verbose)
		print_rings();
	if (!is_quiet)
		rate_report("record", &before, is_verbose);
	return hush_tell(&hush, is_quiet ? HUSH_SILENT : HUSH_TEXT,
			 stopped && !outcome.status ? STATUS_FAILED : outcome.status);
}

/* One event that cannot be opened fails the whole recording. */
static int open_and_record(const struct workload_call *call, const struct rings_options *options,
			   uint64_t timeout_ns)
{
	int status = STATUS_FAILED;

	if (rings_alloc(&rings, "record", &set, options))
		return STATUS_FAILED;
	rings_attrs(&rings, &set);
	begin_with(&set, delay_ms * NSEC_PER_MS, NULL);
	if (evset_open(&set) == set.n)
		status = record_workload(call, timeout_ns);
	else
		evset_complain(&set, "record");
	begin_end();
	evset_close(&set);
	rings_free(&rings);
	return status;
}

/* Checks the options against the events. */
static int check_events(struct option_set *given)
{
	struct reason why;

	for (unsigned i = 0; i < set.n; i++) {
		if (pmu_run_time(&set.entry[i].spec.attr)) {
			err("record: %s is a time of the whole run: `stat` has it\n",
			    set.entry[i].spec.name);
			return -EINVAL;
		}
		if (aux_area_wanted(&set.entry[i].spec.attr))
			option_fact(given, FACT_TRACES);
	}
	if (!options_agree(IMAGE_RECORD, given, true, &why))
		return 0;
	err("record: %s\n", why.text);
	return -EINVAL;
}

static int run_record(int argc, char **argv)
{
	struct option_list events = {0};
	struct rate rate = {0};
	uint64_t timeout_ms = 0;
	struct rings_options wanted = {.pages = 0};
	const char *mmap_pages = NULL;
	struct targets_options targets = {0};
	bool allow_system = false, all_user = false, all_kernel = false;
	bool no_cache; /* the machine has none */
	const struct option_target targets_of[] = {
		{OPT_EVENT, &events},
		{OPT_FILTER, &events},
		{OPT_CGROUP, &events},
		{OPT_COUNT, &rate.period},
		{OPT_FREQ, &rate.frequency},
		{OPT_MMAP_PAGES, &mmap_pages},
		{OPT_SNAPSHOT, &wanted.aux.snapshot},
		{OPT_OVERWRITE, &wanted.overwrite},
		{OPT_LIVE, &is_live},
		{OPT_LIMIT, &limit},
		{OPT_TIMEOUT, &timeout_ms},
		{OPT_RECORD_VERBOSE, &is_verbose},
		{OPT_RECORD_NO_CACHE, &no_cache},
		{OPT_ALLOW_SYSTEM, &allow_system},
		{OPT_ALL_USER, &all_user},
		{OPT_ALL_KERNEL, &all_kernel},
		{OPT_BEGIN_DELAY, &delay_ms},
		{OPT_QUIET, &is_quiet},
		{OPT_WARM_MODEL, &is_warm},
		{OPT_ALL_CPUS, &targets.all_cpus},
		{OPT_CPUS, &targets.cpus},
		{OPT_PER_THREAD, &targets.per_thread},
		HUSH_TARGETS(hush),
		MEMBIND_TARGET(membind),
	};
	const struct option_targets sets[] = {OPTION_TARGETS(targets_of), fields_targets};
	struct option_set given;
	struct workload_call call;
	int i, status;

	is_live = is_verbose = is_quiet = is_warm = false;
	limit = delay_ms = 0;
	hush = (struct hush){0};
	membind = (struct membind){0};
	fields_reset();
	i = options_read_noting(IMAGE_RECORD, argc, argv, sets, 2, &given);
	if (i < 0)
		return STATUS_USAGE;
	if (fields_settle(argv[0]))
		return STATUS_USAGE;
	if (hush_check(&hush, argv[0]) || membind_check(&membind, argv[0]) ||
	    evset_parse(&set, argv[0], &events, "cycles") || check_events(&given) ||
	    evset_target(&set, argv[0], &targets) ||
	    workload_parse(argv[0], argc - i, argv + i, &call) ||
	    evset_reserve_cgroups(&set, argv[0]))
		return STATUS_USAGE;
	set.warm = is_warm;
	if (all_user || all_kernel)
		evset_all_of(&set, all_user);
	mmap_pages_read(mmap_pages, &wanted.pages, &wanted.aux.pages);
	make_record_attrs(&rate);
	perf_allow_system(allow_system);
	status = open_and_record(&call, &wanted, timeout_ms * NSEC_PER_MS);
	perf_allow_system(false);
	evset_release_cgroups();
	return status;
}

static const struct command record_command = {
	.name = "record",
	.usage =
		"[-e LIST [--filter EXPR] [-G GROUPS]] [-c PERIOD | -F FREQ] [-g] [-d] [-W] [-m PAGES[,PAGES]] "
		"[-S] [--overwrite | --live] [-D MS] [--all-user | --all-kernel] [-q] "
		"[-a | -C CPUS | --per-thread] [OPTIONS] [--] WORKLOAD [ARGS]",
	.summary = "samples a workload, for perf report",
	.help = "Without -e: cycles.\n",
	.options = IMAGE_RECORD,
	.operands = {.kind = OPERANDS_WORKLOAD},
	.run = run_record,
};
COMMAND(record_command);
