// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_gate.c - `perf0 gate`: measures benchmarks on one machine and compares them with the
 * committed baseline. `perf0 gate merge` compares the merged results of shards.
 */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/pages/gate_page.h"
#include "tools/gate/gate.h"
#include "tools/gate/gate_events.h"
#include "tools/gate/report.h"
#include "tools/picture/save.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/outfile.h"
#include "tools/util/status.h"

#define CONFIG_DEFAULT "perf0.toml"
#define STATUS_WORSE   1

/* --- Checks of the request --- */

static int read_config(struct gate *g, bool has_program, struct reason *why)
{
	const char *path = g->options.gate.config;

	if (!path && (has_program || access(CONFIG_DEFAULT, F_OK)))
		return 0;
	return gate_config_read(&g->config, path ? path : CONFIG_DEFAULT, why);
}

static void settle_config(struct gate *g)
{
	const struct gate_options *gate = &g->options.gate;

	g->baseline = gate->baseline       ? gate->baseline
		      : g->config.baseline ? g->config.baseline
					   : GATE_BASELINE;
	if (g->config.uarch && !g->options.machine.vpmu.gave_uarch)
		g->options.machine.vpmu.uarch = guest_uarch_find(g->config.uarch);
	if (!g->options.machine.vpmu.gave_features)
		g->options.machine.vpmu.program_level = g->config.program_level;
	g->measuring.tolerance[0] = gate->tolerance;
	g->measuring.tolerance[1] = g->config.tolerance;
	for (size_t i = 0; i < gate->nevents; i++)
		buf_printf(&g->events, "%s%s", i ? "," : "", gate->events[i]);
	if (!g->events.size)
		buf_printf(&g->events, "%s", g->config.events ? g->config.events : GATE_EVENTS);
	g->options.program.adds_pins = gate->update || gate->save;
	if (gate->save || g->options.output.html)
		g->measuring.stacks = &g->stacks;
	g->measuring.strict = gate->strict;
	g->measuring.explains_chance = gate->strict || gate->update;
	g->measuring.options = &g->options;
	g->measuring.events = buf_text(&g->events);
	g->measuring.results = &g->got;
}

static bool counts_event(const struct gate *g, const struct benchmark *b,
			 const struct tolerance_item *item)
{
	const char *list = b->events ? b->events : g->measuring.events;
	struct buf events = {0};
	bool found;

	gate_events_expand(&events, list, g->options.machine.vpmu.uarch->name);
	found = gate_events_has(buf_text(&events), g->options.machine.vpmu.uarch, item->event,
				item->nevent);
	buf_free(&events);
	return found;
}

/* Returns whether the benchmark `own` counts the item's event; NULL: whether any benchmark does. */
static bool is_counted(const struct gate *g, const struct benchmark *own,
		       const struct tolerance_item *item)
{
	if (own)
		return counts_event(g, own, item);
	for (size_t i = 0; i < g->config.benchmarks.n; i++)
		if (counts_event(g, &g->config.benchmarks.one[i], item))
			return true;
	return false;
}

/* Refuses a tolerance for an event that nothing counts: a misspelt name would have no effect. */
static int check_tolerance(const struct gate *g, const char *text, const struct benchmark *own,
			   struct reason *why)
{
	const char *at = text;
	struct tolerance_item item;

	while (text && tolerances_next(&at, &item) > 0)
		if (item.nevent && !is_counted(g, own, &item))
			return refuse(why, EINVAL,
				      "%s: a tolerance for '%.*s', which is not counted",
				      own                           ? own->name
				      : text == g->config.tolerance ? "[gate]"
								    : "--tolerance",
				      (int)item.nevent, item.event);
	return 0;
}

static int check_tolerances(const struct gate *g, struct reason *why)
{
	int err = check_tolerance(g, g->options.gate.tolerance, NULL, why);

	if (!err)
		err = check_tolerance(g, g->config.tolerance, NULL, why);
	for (size_t i = 0; i < g->config.benchmarks.n && !err; i++)
		err = check_tolerance(g, g->config.benchmarks.one[i].tolerance,
				      &g->config.benchmarks.one[i], why);
	return err;
}

static int check_tolerance_text(const struct gate_options *gate, struct reason *why)
{
	struct reason what;

	if (!gate->tolerance || !tolerances_check(gate->tolerance, &what))
		return 0;
	return refuse(why, EINVAL, "--tolerance: %s", what.text);
}

static int find_benchmarks(struct gate *g, const char *const *program, struct reason *why)
{
	if (*program) {
		benchmarks_free(&g->config.benchmarks);
		gate_config_add(&g->config.benchmarks, NULL, program);
	}
	return g->config.benchmarks.n
		       ? 0
		       : refuse(why, EINVAL,
				"there is no benchmark: neither [[benchmark]] in "
				"%s nor a PROGRAM behind --",
				g->options.gate.config ? g->options.gate.config : CONFIG_DEFAULT);
}

/* Reads the baseline. With --update, a missing or unreadable file is replaced. */
static int read_old(struct gate *g, struct reason *why)
{
	const struct gate_options *gate = &g->options.gate;
	const bool updates = gate->update, is_named = gate->against || gate->baseline;
	/* shards are compared when they are merged */
	const bool begins = updates || (!is_named && (gate->save || gate->shards));
	int err = gate_results_read(&g->old, g->baseline, why);

	if (err) {
		gate_results_free(&g->old);
		if (begins && err == -ENOENT)
			return 0;
		if (!updates && err == -ENOENT)
			return refuse(why, ENOENT,
				      "%s: there is no baseline yet; --update makes it",
				      g->baseline);
		return updates ? 0 : err;
	}
	g->has_old = true;
	if (strcmp(g->old.uarch, g->options.machine.vpmu.uarch->name) && !updates)
		return refuse(why, EINVAL, "%s is of --uarch %s, and this is %s", g->baseline,
			      g->old.uarch, g->options.machine.vpmu.uarch->name);
	return 0;
}

static int read_baseline(struct gate *g, struct reason *why)
{
	int err = g->options.gate.against ? gate_find_against(g, why) : 0;

	return err || (g->options.gate.against && !g->kept.path) ? err : read_old(g, why);
}

/* --- Reports --- */

static struct tolerance tolerance_for(const void *ctx, const char *benchmark, const char *event)
{
	static const struct benchmark unknown;
	const struct gate *g = ctx;
	const struct benchmark *b = &unknown;

	for (size_t i = 0; i < g->config.benchmarks.n; i++)
		if (!strcmp(g->config.benchmarks.one[i].name, benchmark))
			b = &g->config.benchmarks.one[i];
	return measure_tolerance(&g->measuring, b, event);
}

static int save_gate_page(const char *path, struct buf *page)
{
	struct reason why;
	const int err = path ? picture_save(path, page, &why) : 0;

	buf_free(page);
	return err ? gate_complain(&why) : 0;
}

/* Appends to the summary page of the CI step, which other steps also write. */
static int add_summary(const char *path, struct buf *text)
{
	FILE *file = path && *path ? fopen(path, "ae") : NULL;
	bool failed = path && *path && !file;
	struct reason why;

	if (file) {
		fwrite(text->data, 1, text->size, file);
		failed = ferror(file);
		failed |= fclose(file) != 0;
	}
	buf_free(text);
	if (!failed)
		return 0;
	refuse(&why, errno, "%s: %s", path, strerror(errno));
	return gate_complain(&why);
}

/* Writes a form of the report to the file that the user named, if any. */
static void save_form(struct gate *g, const char *path, const struct gate_report *report,
		      void (*form)(struct buf *out, const struct gate_report *report))
{
	struct buf bytes = {0};

	if (!path)
		return;
	form(&bytes, report);
	gate_note_failure(g, gate_save_file(path, &bytes));
}

static void tell_all(struct gate *g, const struct gate_report *report)
{
	const struct gate_options *gate = &g->options.gate;
	struct buf text = {0}, summary = {0}, page = {0};

	report_text(&text, report);
	if (gate->github || getenv("GITHUB_ACTIONS"))
		report_github(&text, report);
	fwrite(text.data, 1, text.size, stdout);
	fflush(stdout);
	buf_free(&text);
	save_form(g, gate->junit, report, report_junit);
	save_form(g, gate->gitlab, report, report_gitlab);
	save_form(g, gate->json, report, report_json);
	save_form(g, gate->sarif, report, report_sarif);
	save_form(g, gate->markdown, report, report_markdown);
	if (g->options.output.html)
		gate_page(&page, report, g->options.typed);
	gate_note_failure(g, save_gate_page(g->options.output.html, &page));
	if (gate->github || getenv("GITHUB_STEP_SUMMARY")) {
		report_summary(&summary, report);
		gate_note_failure(g, add_summary(getenv("GITHUB_STEP_SUMMARY"), &summary));
	}
}

/* Drops new results of benchmarks whose measurement failed or varies. */
static void drop_new(struct gate *g)
{
	struct gate_results kept = {0};

	for (size_t i = 0; i < g->got.n; i++) {
		const struct result *row = &g->got.row[i];

		if (!gate_lacks_result(g, row->benchmark))
			gate_results_copy(&kept, row);
	}
	kept.version = g->got.version;
	kept.uarch = g->got.uarch;
	kept.machine = g->got.machine;
	kept.cpu = g->got.cpu;
	kept.measured_on = g->got.measured_on;
	kept.shard = g->got.shard;
	kept.shards = g->got.shards;
	g->got.version = g->got.uarch = g->got.machine = g->got.cpu = NULL;
	g->got.measured_on = NULL;
	gate_results_free(&g->got);
	g->got = kept;
}

static void drop_old(struct gate *g)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->old.n; i++)
		if (!gate_lacks_result(g, g->old.row[i].benchmark))
			g->old.row[kept++] = g->old.row[i];
	g->old.n = kept;
}

static int status_of_gate(const struct gate *g, const struct comparison *comparison)
{
	if (g->status > STATUS_SIGNAL)
		return g->status;
	if (comparison->count[VERDICT_WORSE] && !g->options.gate.update)
		return STATUS_WORSE;
	if (g->status || g->measuring.unsteady.n)
		return STATUS_OWN_ERROR;
	return comparison->count[VERDICT_GONE] && !g->options.gate.update ? STATUS_OWN_ERROR : 0;
}

static void tell_other_options(const struct gate *g)
{
	struct buf what = {0};

	gate_results_tell_machine(&what, &g->old, &g->got);
	message("perf0 gate: %s was measured by another machine: %s", g->baseline,
		what.size ? buf_text(&what) : "perf0, QEMU or its options have changed");
	buf_free(&what);
}

/* Tells what else than the benchmarks differs from the baseline. */
static void tell_other_machine(const struct gate *g)
{
	const struct gate_results *old = &g->old, *got = &g->got;

	if (strcmp(old->version, got->version))
		message("perf0 gate: %s is of perf0 %s, and this is perf0 %s: counts may differ for it; "
			"--update takes the new ones",
			g->baseline, old->version, got->version);
	if (old->cpu && got->cpu && strcmp(old->cpu, got->cpu))
		message("perf0 gate: %s is of programs that see the CPU %s, and this is %s: libraries "
			"choose other functions",
			g->baseline, old->cpu, got->cpu);
	else if (!strcmp(old->version, got->version) && strcmp(old->machine, got->machine))
		tell_other_options(g);
}

static int judge_all(struct gate *g)
{
	const struct tolerances tolerances = {tolerance_for, g};
	struct comparison comparison;
	struct gate_report report = {
		.baseline = g->baseline,
		.can_update = !g->options.gate.against && !g->options.gate.save,
		.old = &g->old,
		.got = &g->got,
		.comparison = &comparison,
		.layouts = &g->measuring.layouts,
		.unsteady = &g->measuring.unsteady,
		.by_chance = &g->measuring.by_chance,
		.explains_chance = g->measuring.explains_chance,
		.sources = &g->measuring.sources,
		.stacks = &g->stacks,
		.old_commit = g->kept.commit,
		.commit = g->commit,
	};
	struct reason why;
	int status;

	drop_new(g);
	drop_old(g);
	if (!g->options.gate.update && gate_results_check_classes(&g->old, &g->got, &why))
		return gate_complain(&why);
	compare_results(&comparison, &g->old, &g->got, &tolerances, g->got.shards > 0);
	if (g->options.output.html) {
		gate_read_stacks(g);
		gate_find_commits(g);
		report.commit_url = g->commit_url.size ? buf_text(&g->commit_url) : NULL;
	}
	compare_layouts(&comparison, &g->old, &g->got, &g->measuring.layouts);
	tell_all(g, &report);
	if (g->has_old)
		tell_other_machine(g);
	gate_note_failure(g, gate_write_results(g->options.output.path, &g->got));
	if (g->options.gate.update && !g->status)
		gate_note_failure(g, gate_write_results(g->baseline, &g->got));
	else if (g->options.gate.update)
		message("perf0 gate: %s stays as it was", g->baseline);
	if (g->options.gate.save && !g->status)
		gate_note_failure(g, gate_keep_results(g));
	else if (g->options.gate.save)
		message("perf0 gate: no results are kept");
	status = status_of_gate(g, &comparison);
	comparison_free(&comparison);
	return status;
}

static void free_gate(struct gate *g)
{
	gate_config_free(&g->config);
	kept_free(&g->kept);
	stack_tree_free(&g->stacks);
	buf_free(&g->commit_url);
	gate_results_free(&g->old);
	gate_results_free(&g->got);
	measuring_free(&g->measuring);
	profile_run_end(&g->profile);
	buf_free(&g->events);
	free(g->failed);
}

static int run_gate(const struct options *options, const char *const *program)
{
	struct gate g = {.options = *options};
	struct reason why;
	int status;

	if (check_tolerance_text(&options->gate, &why) || read_config(&g, *program, &why) ||
	    find_benchmarks(&g, program, &why)) {
		status = gate_complain(&why);
	} else {
		settle_config(&g);
		status = machine_options_check_level(&g.options.machine, &why) ||
					 machine_options_read_files(&g.options.machine, &why) ||
					 check_tolerances(&g, &why) || read_baseline(&g, &why)
				 ? gate_complain(&why)
				 : gate_measure_all(&g);
		if (!status)
			status = judge_all(&g);
	}
	free_gate(&g);
	return status;
}

/* --- Merge --- */

/* Reads the files of shards. Tells the unreadable ones, and drops them from `path`. */
static size_t read_shards(struct gate_results *shard, const char **path, size_t n)
{
	struct reason why;
	size_t nread = 0;

	for (size_t i = 0; i < n; i++) {
		if (!gate_results_read(&shard[nread], path[i], &why)) {
			path[nread++] = path[i];
			continue;
		}
		gate_complain(&why);
		gate_results_free(&shard[nread]);
	}
	return nread;
}

/* Prints the command that makes each missing shard, as perf0.toml and its name are known here. */
static void tell_lost_shards(const struct gate *g, const struct gate_results *shard, size_t n)
{
	struct buf config = {0};

	if (g->options.gate.config)
		buf_printf(&config, " --config %s", g->options.gate.config);
	for (unsigned number = 1; number <= shard[0].shards; number++)
		if (!gate_results_has_shard(shard, n, number))
			message("perf0 gate: shard %u is made up by: perf0 gate%s --shard %u/%u -o part%u",
				number, buf_text(&config), number, shard[0].shards, number);
	buf_free(&config);
}

static int merge_files(struct gate *g, const char **path, size_t n)
{
	struct gate_results *shard = memory_checked(calloc(n, sizeof(*shard)));
	const size_t nread = read_shards(shard, path, n);
	struct reason why;
	int err = nread ? gate_results_merge(&g->got, shard, path, nread, &why) : 0;

	if (err)
		gate_complain(&why);
	if (err == -ENOENT)
		tell_lost_shards(g, shard, nread);
	for (size_t i = 0; i < nread; i++)
		gate_results_free(&shard[i]);
	free(shard);
	return err || nread < n ? STATUS_OWN_ERROR : 0;
}

/* Compares merged results with the baseline, or only writes them if there is no baseline. */
static int judge_merged(struct gate *g)
{
	const struct gate_options *gate = &g->options.gate;
	const bool compares = gate->baseline || gate->against || gate->config || gate->update ||
			      gate->save || !g->options.output.path || !access(g->baseline, F_OK);
	struct reason why;

	if (!compares)
		return gate_own_status(gate_write_results(g->options.output.path, &g->got));
	g->options.machine.vpmu.uarch = guest_uarch_find(g->got.uarch);
	if (!g->options.machine.vpmu.uarch) {
		refuse(&why, EINVAL, "there is no --uarch %s", g->got.uarch);
		return gate_complain(&why);
	}
	return read_baseline(g, &why) ? gate_complain(&why) : judge_all(g);
}

static int run_merge(const struct options *base, const char **words)
{
	struct gate g = {0};
	struct reason why;
	size_t n = 0;
	int status;

	if (tool_options_parse_beside(&g.options, base, TAKER_MERGE, words, &why))
		return gate_complain(&why);
	while (words[n])
		n++;
	if (!n) {
		message("perf0 gate merge: the files of all shards are needed");
		return STATUS_OWN_ERROR;
	}
	status = check_tolerance_text(&g.options.gate, &why) || read_config(&g, false, &why)
			 ? gate_complain(&why)
			 : 0;
	if (!status) {
		settle_config(&g);
		status = merge_files(&g, words, n);
	}
	if (!status)
		status = judge_merged(&g);
	free_gate(&g);
	return status;
}

int cmd_gate(const struct options *options, const char **words)
{
	if (words[1] && !strcmp(words[1], "merge"))
		return run_merge(options, words + 2);
	return run_gate(options, words + 1);
}
