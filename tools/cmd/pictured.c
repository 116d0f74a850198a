// SPDX-License-Identifier: BSD-2-Clause
/* pictured.c - see pictured.h. */
#include "tools/cmd/pictured.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"
#include "lib/words/isa_level.h"
#include "lib/words/option_words.h"
#include "tools/events/events.h"
#include "tools/explain/explain_bench.h"
#include "tools/options/option_scan.h"
#include "tools/pages/latency_page.h"
#include "tools/pages/record_page.h"
#include "tools/picture/plot.h"
#include "tools/picture/results_page.h"
#include "tools/picture/save.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/outfile.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

#define FACTS_MOST 16

bool pictured_is_asked(const struct output_options *options)
{
	return options->html || options->plot;
}

int pictured_check(const struct output_options *options, struct reason *why)
{
	struct reason what;

	if (options->html && options->plot && !strcmp(options->html, options->plot))
		return refuse(why, EINVAL, "--html and --plot name the same file, %s",
			      options->html);
	if (options->html && outfile_check(options->html, &what))
		return refuse(why, EINVAL, "--html: %s", what.text);
	if (options->plot && plot_check(options->plot, &what))
		return refuse(why, EINVAL, "--plot: %s", what.text);
	return 0;
}

/* --- The image's options that a plan needs --- */

struct asked {
	struct option_list events;
	const char *policy;
};

static int take_asked(void *ctx, const struct scanned *s, struct reason *why)
{
	struct asked *asked = ctx;

	(void)why;
	if (s->id == OPT_EVENT && asked->events.n < OPTION_LIST_MAX)
		asked->events.text[asked->events.n++] = s->value;
	if (s->id == OPT_STAT_POLICY)
		asked->policy = s->value;
	return 0;
}

/* Leaves the workload and its arguments in `copy`, behind the first word. */
static void scan_asked(struct asked *asked, const char **copy)
{
	const uint64_t takers = !strcmp(copy[0], "bench")    ? IMAGE_BENCH
				: !strcmp(copy[0], "record") ? IMAGE_RECORD
							     : IMAGE_STAT;
	struct reason ignored;
	bool ended;

	*asked = (struct asked){.policy = NULL};
	scan_options(takers, false, copy + 1, &ended, take_asked, asked, &ignored);
}

/* --- The schedule --- */

/* The content of one picture: a pass, or all passes. */
struct plan_part {
	struct planner *planner;
	struct schedule schedule;
	struct reason why;
};

struct planning {
	const struct options *options;
	const struct reported *results;
	struct asked asked;
	const struct result_row *event[EVENTS_MOST];
	unsigned nevents;
	struct buf encoded;
	struct plan_part *part;
	struct results_plan *plan;
	unsigned n;
};

/* Finds one row for each event, of the first interval, region or benchmark, and of one CPU. */
static void find_events(struct planning *p)
{
	const struct result_row *first = p->results->row;

	for (size_t i = 0; i < p->results->n && p->nevents < EVENTS_MOST; i++) {
		const struct result_row *row = &first[i];

		if (strcmp(row->section, first->section) ||
		    strcmp(row->interval.text, first->interval.text) ||
		    strcmp(row->cycle.text, first->cycle.text))
			return;
		if (!strcmp(row->scope, first->scope))
			p->event[p->nevents++] = row;
	}
}

/* Returns the events as the results name them. The command line may have named fewer, or none. */
static const char *name_events(struct planning *p)
{
	struct buf names = {0};
	struct reason ignored;

	for (unsigned i = 0; i < p->nevents; i++)
		buf_printf(&names, "%s%s", i ? "," : "", p->event[i]->event);
	p->encoded.size = 0;
	if (events_encode(&p->encoded, buf_text(&names), p->options->machine.vpmu.uarch,
			  &ignored)) {
		p->encoded.size = 0;
		buf_add(&p->encoded, names.data, names.size);
	}
	buf_free(&names);
	return buf_text(&p->encoded);
}

static int run_planner(struct planning *p, struct plan_part *part, const char *const *lists,
		       unsigned nlists, const bool *takes)
{
	const struct planner_request request = {
		.uarch = p->options->machine.vpmu.uarch->name,
		.events = lists,
		.nevents = nlists,
		.policy = p->asked.policy,
		.watchdog = p->options->machine.watchdog,
		.no_ht = !p->options->machine.vpmu.ht,
		.watch = &part->schedule.watch,
		.takes = takes,
		.ntakes = p->nevents,
	};

	memset(part->planner, 0, sizeof(*part->planner));
	return planner_run(part->planner, &request, &part->why);
}

/* Plans one pass. `pass` counts from 1; 0: there is only one. */
static void plan_pass(struct planning *p, unsigned pass)
{
	struct plan_part *part = &p->part[p->n];
	bool takes[EVENTS_MOST] = {false};
	const char *names;
	int err = -EINVAL;

	for (unsigned i = 0; i < p->nevents; i++)
		takes[i] = !pass || !p->event[i]->pass.is_number || p->event[i]->pass.value == pass;
	part->planner = memory_checked(calloc(1, sizeof(*part->planner)));
	schedule_init(&part->schedule);
	if (p->asked.events.n)
		err = run_planner(p, part, p->asked.events.text, p->asked.events.n, takes);
	if (err) {
		names = name_events(p);
		err = run_planner(p, part, &names, 1, takes);
	}
	if (!err)
		schedule_settle(&part->schedule);
	p->plan[p->n++] = (struct results_plan){.planner = err ? NULL : part->planner,
						.schedule = &part->schedule,
						.pass = pass,
						.no_plan = part->why.text};
}

static unsigned count_passes(const struct planning *p)
{
	unsigned passes = 0;

	for (unsigned i = 0; i < p->nevents; i++)
		if (p->event[i]->pass.is_number && p->event[i]->pass.value > passes &&
		    p->event[i]->pass.value <= EVENTS_MOST)
			passes = (unsigned)p->event[i]->pass.value;
	return passes;
}

static void plan_results(struct planning *p)
{
	unsigned passes;

	if (!p->options->machine.has_vpmu || !p->results->n)
		return;
	find_events(p);
	passes = count_passes(p);
	p->part = memory_checked(calloc(passes + 1, sizeof(*p->part)));
	p->plan = memory_checked(calloc(passes + 1, sizeof(*p->plan)));
	if (!passes)
		plan_pass(p, 0);
	for (unsigned pass = 1; pass <= passes; pass++)
		plan_pass(p, pass);
}

static void planning_free(struct planning *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		free(p->part[i].planner);
		schedule_free(&p->part[i].schedule);
	}
	free(p->part);
	free(p->plan);
	buf_free(&p->encoded);
}

/* --- The machine --- */

struct facts {
	struct machine_fact fact[FACTS_MOST];
	struct buf value[FACTS_MOST];
	size_t n;
};

static void add_fact(struct facts *f, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add_fact(struct facts *f, const char *name, const char *format, ...)
{
	va_list args;

	if (f->n == FACTS_MOST)
		return;
	va_start(args, format);
	buf_vprintf(&f->value[f->n], format, args);
	va_end(args);
	f->fact[f->n] = (struct machine_fact){name, buf_text(&f->value[f->n])};
	f->n++;
}

static void add_counters(struct facts *f, const struct vpmu_options *options)
{
	const struct uarch *uarch = uarch_by_name(options->uarch->name);
	uint64_t counters;

	if (!uarch)
		return;
	counters = uarch_machine_counters(uarch, options->ht);
	add_fact(f, "counters", "%u general, %u fixed",
		 (unsigned)bits_count(counters & PMU_GENERAL_MASK),
		 (unsigned)bits_count(counters & ~PMU_GENERAL_MASK));
}

static void add_vpmu(struct facts *f, const struct vpmu_options *options)
{
	static const char *const counts[] = {
		[EVENTS_MODEL] = "what QEMU executed, and a model of a core",
		[EVENTS_COUNTS] = "what QEMU executed; the others are ratios",
		[EVENTS_RATIOS] = "ratios of instructions and cycles"};
	const struct uarch *uarch = uarch_by_name(options->uarch->name);

	add_fact(f, "PMU", "vpmu's: %s%s%s%s", options->uarch->name, uarch ? " (" : "",
		 uarch ? uarch->name : "", uarch ? ")" : "");
	add_counters(f, options);
	add_fact(f, "hyper-threading", "%s", options->ht ? "on" : "off");
	add_fact(f, "events count", "%s", counts[options->events]);
	if (options->ipc1)
		add_fact(f, "cycles", "one an instruction");
	if (options->program_level)
		add_fact(f, "CPU of programs", "%s", isa_level_name(options->program_level));
	if (options->hides_hypervisor)
		add_fact(f, "hypervisor", "hidden");
}

static void add_machine(struct facts *f, const struct machine_options *options,
			const struct stream *stream)
{
	static const char *const clocks[] = {
		[CLOCK_INSTRUCTIONS] = "executed instructions",
		[CLOCK_HOST] = "the host's clock",
		[CLOCK_MODEL] = "modelled cycles",
	};

	if (stream->has_hello) {
		add_fact(f, "CPU", "%s, %s", stream->vendor, stream->brand);
		add_fact(f, "CPUs", "%u", stream->hello.ncpus);
		add_fact(f, "TSC", "%u.%03u MHz", stream->hello.tsc_khz / 1000,
			 stream->hello.tsc_khz % 1000);
		add_fact(f, "memory", "%u MiB", stream->hello.memory_mib);
		add_fact(f, "image", "perf0 %s", stream->version);
	}
	if (options->has_vpmu)
		add_vpmu(f, &options->vpmu);
	if (options->has_vpmu && options->watchdog)
		add_fact(f, "NMI watchdog", "on");
	add_fact(f, "time goes by", "%s", clocks[options->clock]);
	add_fact(f, "run by", "%s, CPU model %s, %s", options->qemu, options->cpu,
		 options->accel == ACCEL_KVM ? "KVM" : "TCG");
}

static void facts_free(struct facts *f)
{
	for (size_t i = 0; i < f->n; i++)
		buf_free(&f->value[i]);
}

/* --- The files --- */

static void add_title(struct buf *out, const char *command, const char *const *workload)
{
	buf_printf(out, "%s:",
		   !strcmp(command, "bench")    ? "Measurements of"
		   : !strcmp(command, "record") ? "Recording of"
						: "Counts of");
	out->size--;
	for (; *workload; workload++)
		buf_printf(out, " %s", *workload);
}

/* Makes the title. A program that was built from code has that code for a name. */
static void make_title(struct buf *out, const struct options *options, const char *const *line,
		       const char *const *workload, const struct reported *results)
{
	const char *code = options->bench.assembly[BENCH_CODE];
	const char *const name[] = {code ? code : results->n ? results->row[0].section : "", NULL};

	if (strcmp(line[0], "bench") || (!code && !options->bench.machine[BENCH_CODE]))
		add_title(out, line[0], workload);
	else
		add_title(out, line[0], name);
}

/* Adds what a trace's code does in the model of the core; nothing for other results. */
static void add_modelled(struct buf *out, const struct options *options,
			 const struct reported *results)
{
	const bool is_trace = results->n && *results->row[0].cycle.text;
	const bool has_code =
		options->bench.assembly[BENCH_CODE] || options->bench.machine[BENCH_CODE];

	if (is_trace && has_code && options->machine.has_vpmu)
		explain_bench_section(out, &options->bench, options->machine.vpmu.uarch->name);
}

/* The content of a page, beside what every page has. */
struct pictured {
	const struct options *options;
	const char *const *line; /* as the image received it */
	const struct stream *stream;
	const struct reported *results;
	const struct charts *charts;
	const char *title;              /* NULL: it is made of the line */
	const struct buf *first, *more; /* sections; NULL: none */
	int status;
};

/* Adds the title of a page that has none of its own, and the schedule of its events. */
static void look_at_line(const struct pictured *p, struct planning *planning, struct buf *title)
{
	const size_t n = count_words(p->line) + 1;
	const char **copy = memory_checked(calloc(n, sizeof(*copy)));

	memcpy(copy, p->line, n * sizeof(*copy));
	*command_end(copy) = NULL;
	scan_asked(&planning->asked, copy);
	if (p->title)
		buf_printf(title, "%s", p->title);
	else
		make_title(title, p->options, p->line, copy + 1, p->results);
	plan_results(planning);
	free(copy);
}

static int save_page(const struct pictured *p, struct reason *why)
{
	const struct options *options = p->options;
	struct planning planning = {.options = options, .results = p->results};
	struct buf title = {0}, page = {0}, trouble = {0};
	struct facts facts = {.n = 0};
	int err;

	look_at_line(p, &planning, &title);
	add_machine(&facts, &options->machine, p->stream);
	if (p->status)
		buf_printf(&trouble,
			   "The command ended with status %d: this is what there was of it.",
			   p->status);
	results_page(&page, &(struct results_source){
				    .typed = options->typed,
				    .title = buf_text(&title),
				    .results = p->results,
				    .charts = p->charts,
				    .plan = planning.plan,
				    .nplans = planning.n,
				    .fact = facts.fact,
				    .nfacts = facts.n,
				    .first = p->first,
				    .more = p->more,
				    .trouble = p->status ? buf_text(&trouble) : NULL,
			    });
	err = picture_save(options->output.html, &page, why);
	planning_free(&planning);
	facts_free(&facts);
	buf_free(&title);
	buf_free(&page);
	buf_free(&trouble);
	return err;
}

/* Saves the page of stat, bench or latency from what the image reported. */
static int save_results(const struct pictured *p, const struct stream_command *command,
			struct reason *why)
{
	struct buf first = {0}, more = {0}, title = {0};
	const size_t n =
		command ? latency_sections(&first, command->report.data, command->report.size) : 0;
	struct pictured page = *p;
	int err;

	if (n)
		buf_printf(&title, "Latency and throughput of %zu instruction%s", n,
			   n == 1 ? "" : "s");
	else
		add_modelled(&more, p->options, p->results);
	page.title = n ? buf_text(&title) : NULL;
	page.first = &first;
	page.more = &more;
	err = save_page(&page, why);
	buf_free(&first);
	buf_free(&more);
	buf_free(&title);
	return err;
}

static int save_plot(const struct output_options *options, const struct charts *charts,
		     struct reason *why)
{
	if (!charts->n)
		return refuse(why, ENODATA, "%s: nothing was measured that could be drawn",
			      options->plot);
	if (charts->n > PLOT_CHARTS)
		message("perf0: %s: the first %u of %zu charts", options->plot, PLOT_CHARTS,
			charts->n);
	return plot_draw(options->plot, charts, why);
}

const struct stream_command *pictured_report(const struct stream *stream)
{
	for (size_t i = stream->ncommands; i--;)
		if (stream->commands[i].report.size)
			return &stream->commands[i];
	return NULL;
}

int pictured_save(const struct options *options, const char *const *line,
		  const struct stream *stream, int status)
{
	const struct stream_command *command = pictured_report(stream);
	struct reported results = {0};
	struct charts charts = {0};
	struct reason why;
	int err = 0;

	if (!command && status)
		return status;
	if (command)
		reported_read(&results, command->report.data, command->report.size);
	reported_charts(&results, &charts);
	if (options->output.html)
		err = save_results(&(struct pictured){.options = options,
						      .line = line,
						      .stream = stream,
						      .results = &results,
						      .charts = &charts,
						      .status = status},
				   command, &why);
	if (err)
		message("perf0 %s: --html: %s", line[0], why.text);
	if (options->output.plot && save_plot(&options->output, &charts, &why)) {
		message("perf0 %s: --plot: %s", line[0], why.text);
		err = -EIO;
	}
	charts_free(&charts);
	reported_free(&results);
	return status || !err ? status : STATUS_FAILED;
}

/* The counts and the certificate of a recording have the form of `stat -j`. */
int pictured_save_recording(const struct options *options, const char *const *line,
			    const struct out_source *source, int status)
{
	static const char *const none[] = {"record", NULL};
	struct buf json = {0}, first = {0}, title = {0};
	struct reported results = {0};
	struct charts charts = {0};
	struct reason why;
	int err;

	out_json(&json, source, &why);
	reported_read(&results, json.data, json.size);
	record_sections(&first, source);
	buf_printf(&title, "Recording: %s", source->command->line);
	err = save_page(&(struct pictured){.options = options,
					   .line = line ? line : none,
					   .stream = source->stream,
					   .results = &results,
					   .charts = &charts,
					   .title = line ? NULL : buf_text(&title),
					   .first = &first,
					   .status = status},
			&why);
	if (err)
		message("perf0: --html: %s", why.text);
	buf_free(&json);
	buf_free(&first);
	buf_free(&title);
	charts_free(&charts);
	reported_free(&results);
	return status || !err ? status : STATUS_FAILED;
}
