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

#include "include/perf0/version.h"
#include "tools/cmd/gate_page.h"
#include "tools/gate/gate_config.h"
#include "tools/gate/gate_events.h"
#include "tools/gate/kept_results.h"
#include "tools/gate/layouts.h"
#include "tools/gate/report.h"
#include "tools/gate/suites.h"
#include "tools/gate/textfile.h"
#include "tools/machine/boot.h"
#include "tools/machine/counting.h"
#include "tools/machine/standing.h"
#include "tools/picture/save.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/outfile.h"
#include "tools/util/status.h"

#define CONFIG_DEFAULT   "perf0.toml"
#define BASELINE_DEFAULT "perf0.baseline"
#define STATUS_WORSE     1
#define STATUS_OWN_ERROR 2 /* the gate cannot judge all benchmarks */

struct gate {
	struct options options; /* options of the machine */
	const char *baseline;   /* path of the baseline */
	struct gate_config config;
	struct buf events;
	struct gate_results old, got;
	bool has_old;             /* a baseline exists */
	struct stack_tree stacks; /* of functions, for --save and the page */
	struct buf commit_url;    /* of commits, without a hash; empty: unknown */
	char commit[COMMIT_MAX];  /* of HEAD; "": not asked for */
	struct kept kept;         /* results of --against */
	struct measuring measuring;
	struct profile_run profile; /* of the machine */
	const char **failed;        /* benchmarks whose measurement failed, after a message */
	size_t nfailed;
	int status;
};

static int complain_gate(const struct reason *why)
{
	message("perf0 gate: %s", why->text);
	return STATUS_OWN_ERROR;
}

/* A signal that ended a run remains the tool's status. Anything else is an error of the gate. */
static int own_status(int status)
{
	return status > STATUS_SIGNAL || !status ? status : STATUS_OWN_ERROR;
}

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
					   : BASELINE_DEFAULT;
	if (g->config.uarch && !g->options.machine.vpmu.gave_uarch)
		g->options.machine.vpmu.uarch = guest_uarch_find(g->config.uarch);
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

static bool counts(const struct gate *g, const struct benchmark *b,
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
		return counts(g, own, item);
	for (size_t i = 0; i < g->config.benchmarks.n; i++)
		if (counts(g, &g->config.benchmarks.one[i], item))
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

static const char *folder_of_results(const struct gate *g)
{
	const char *folder = g->options.gate.folder, *against = g->options.gate.against;

	return folder ? folder : against && kept_is_folder(against) ? against : KEPT_FOLDER;
}

/* Finds the results of --against. A gate that saves may begin with none. */
static int find_against(struct gate *g, struct reason *why)
{
	const char *against = g->options.gate.against;
	const int err = kept_find(&g->kept, against, folder_of_results(g), why);

	if (err == -ENODATA && g->options.gate.save) {
		message("perf0 gate: %s: nothing is compared", why->text);
		return 0;
	}
	if (err)
		return refuse(why, -err, "--against: %s", why->text);
	g->baseline = g->kept.path;
	if (g->kept.behind)
		message("perf0 gate: compared with %.*s, the nearest commit before %s that has "
			"results",
			COMMIT_SHORT, g->kept.commit, kept_is_folder(against) ? "HEAD" : against);
	return 0;
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
	int err = g->options.gate.against ? find_against(g, why) : 0;

	return err || (g->options.gate.against && !g->kept.path) ? err : read_old(g, why);
}

/* --- The machine --- */

/* Gives the machine enough memory for the largest program, so that each shard has the same
 * machine. Also checks that all programs exist. */
static int settle_memory(struct gate *g)
{
	uint32_t most = g->options.machine.memory;
	int status = 0;

	for (size_t i = 0; i < g->config.benchmarks.n; i++) {
		const struct benchmark *b = &g->config.benchmarks.one[i];
		struct programs programs = {0};
		struct reason why;
		const char **words;
		uint32_t mib = 0;
		size_t n = 0;

		while (b->word[n])
			n++;
		words = memory_checked(calloc(n + 3, sizeof(*words)));
		words[0] = "stat";
		words[1] = "--";
		memcpy(words + 2, b->word, n * sizeof(*words));
		if (boot_programs(&programs, &g->options.program, words, false, &why) ||
		    programs_machine(&programs, &mib, &why)) {
			message("perf0 gate: %s: %s", b->name, why.text);
			status = STATUS_OWN_ERROR;
		}
		most = mib > most && !g->options.machine.memory ? mib : most;
		if (g->profile.fd)
			programs_each_file(&programs, profile_run_add, &g->profile);
		programs_free(&programs);
		free(words);
	}
	g->options.machine.memory = most;
	return status;
}

static int begin_results(struct gate *g)
{
	struct gate_results *got = &g->got;
	char key[CACHE_KEY_MAX];
	struct reason why;

	if (session_key(&g->options.machine, key, &why))
		return complain_gate(&why);
	got->version = copy_text(PERF0_VERSION, strlen(PERF0_VERSION));
	got->uarch = copy_text(g->options.machine.vpmu.uarch->name,
			       strlen(g->options.machine.vpmu.uarch->name));
	got->machine = copy_text(key, strlen(key));
	if (g->options.machine.cpu)
		got->cpu = copy_text(g->options.machine.cpu, strlen(g->options.machine.cpu));
	got->shard = g->options.gate.shard;
	got->shards = g->options.gate.shards;
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	const struct benchmark *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Selects benchmarks by name, and one in N of them for a shard. */
static int choose_benchmarks(struct gate *g)
{
	struct benchmarks *all = &g->config.benchmarks;
	struct reason why;

	qsort(all->one, all->n, sizeof(*all->one), compare_names);
	for (size_t i = 1; i < all->n; i++)
		if (!strcmp(all->one[i - 1].name, all->one[i].name)) {
			refuse(&why, EINVAL, "there are two benchmarks '%s'", all->one[i].name);
			return complain_gate(&why);
		}
	return 0;
}

static bool is_of_shard(const struct gate *g, size_t at)
{
	return !g->got.shards || at % g->got.shards + 1 == g->got.shard;
}

static bool is_unsteady(const struct gate *g, const char *benchmark)
{
	for (size_t i = 0; i < g->measuring.unsteady.n; i++)
		if (!strcmp(g->measuring.unsteady.one[i].benchmark, benchmark))
			return true;
	return false;
}

static void note_failed(struct gate *g, const char *benchmark)
{
	g->failed = memory_grow(g->failed, g->nfailed, sizeof(*g->failed));
	g->failed[g->nfailed++] = benchmark;
}

/* Returns whether the benchmark has no result to compare. */
static bool is_without_result(const struct gate *g, const char *benchmark)
{
	for (size_t i = 0; i < g->nfailed; i++)
		if (!strcmp(g->failed[i], benchmark))
			return true;
	return is_unsteady(g, benchmark);
}

static void note_failure(struct gate *g, int status)
{
	if (status && !g->status)
		g->status = own_status(status);
}

/* Returns the benchmarks that `is_wanted`; the caller frees them. */
static struct measured_benchmark *select_benchmarks(
	const struct gate *g, bool (*is_wanted)(const struct gate *g, size_t at), size_t *n)
{
	struct measured_benchmark *of =
		memory_checked(calloc(g->config.benchmarks.n + 1, sizeof(*of)));

	*n = 0;
	for (size_t i = 0; i < g->config.benchmarks.n; i++)
		if (is_wanted(g, i))
			of[(*n)++].benchmark = &g->config.benchmarks.one[i];
	return of;
}

static int measure_each(struct gate *g)
{
	size_t n;
	struct measured_benchmark *of = select_benchmarks(g, is_of_shard, &n);
	const int status = measure_events(&g->measuring, of, n);

	for (size_t i = 0; i < n; i++) {
		note_failure(g, of[i].status);
		if (of[i].status)
			note_failed(g, of[i].benchmark->name);
	}
	free(of);
	gate_results_sort(&g->got);
	return own_status(status);
}

/* Appends the events of the gate that can be counted by function; instructions come first. */
static void choose_profile_events(const struct gate *g, struct buf *out)
{
	char *list = copy_text(g->measuring.events, strlen(g->measuring.events)), *rest = list,
	     *event;

	buf_printf(out, "instructions:u");
	while ((event = strsep(&rest, ",{} ")))
		if (*event && strcmp(event, "instructions:u") != 0 && profile_run_counts(event))
			buf_printf(out, ",%s", event);
	free(list);
}

static int begin_gate_profile(struct gate *g)
{
	struct buf events = {0};
	struct reason why;
	int err;

	if (!counting_is_exact(&g->options.machine))
		return 0;
	choose_profile_events(g, &events);
	err = profile_run_begin(&g->profile, buf_text(&events), &why);
	buf_free(&events);
	return err ? complain_gate(&why) : 0;
}

static int end_gate_profile(struct gate *g)
{
	struct reason why;

	if (!g->profile.fd)
		return 0;
	if (profile_run_ready(&g->profile, &why))
		return complain_gate(&why);
	profile_run_divide(&g->profile);
	g->options.machine.profile = g->profile.fd;
	g->measuring.profile = &g->profile;
	return 0;
}

/* Returns whether a judged count differs from the baseline, which other addresses may explain. */
static bool is_other(const struct gate *g, const char *benchmark)
{
	bool process = false, inside = false, has_inside = false;

	for (size_t i = gate_results_begin(&g->got, benchmark);
	     i < g->got.n && !strcmp(g->got.row[i].benchmark, benchmark); i++) {
		const struct result *now = &g->got.row[i],
				    *old = gate_results_find(&g->old, benchmark, now->kind,
							     now->name);
		const bool differs = old && old->value != now->value;

		has_inside |= now->kind == RESULT_INSIDE;
		inside |= now->kind == RESULT_INSIDE && differs;
		process |= now->kind == RESULT_EVENT && differs;
	}
	return has_inside ? inside : process;
}

static bool may_be_layout(const struct gate *g, size_t at)
{
	return g->has_old && is_of_shard(g, at) && is_other(g, g->config.benchmarks.one[at].name);
}

static int measure_layouts(struct gate *g)
{
	size_t n;
	struct measured_benchmark *of = select_benchmarks(g, may_be_layout, &n);
	const int status = layouts_measure(&g->measuring, of, n);

	for (size_t i = 0; i < n; i++)
		note_failure(g, of[i].status);
	free(of);
	return own_status(status);
}

static int measure_all(struct gate *g)
{
	int status = begin_gate_profile(g);

	if (!status)
		status = settle_memory(g);
	if (!status)
		status = end_gate_profile(g);
	if (!status)
		status = begin_results(g);
	if (status)
		return status;
	standing_begin(&g->options);
	status =
		own_status(suites_expand(&g->config.benchmarks, &g->options, g->measuring.profile));
	if (!status)
		status = choose_benchmarks(g);
	if (!status)
		status = measure_each(g);
	if (!status)
		status = measure_layouts(g);
	standing_end();
	return status;
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

static int save_file(const char *path, struct buf *bytes)
{
	struct reason why;
	int err = path ? outfile_replace(path, bytes, false, &why) : 0;

	buf_free(bytes);
	return err ? complain_gate(&why) : 0;
}

static int save_gate_page(const char *path, struct buf *page)
{
	struct reason why;
	const int err = path ? picture_save(path, page, &why) : 0;

	buf_free(page);
	return err ? complain_gate(&why) : 0;
}

static int write_results(const char *path, const struct gate_results *results)
{
	struct buf bytes = {0};

	if (path)
		gate_results_write(&bytes, results);
	return save_file(path, &bytes);
}

/* Keeps the stacks beside the results at `path`; shards have none. */
static int keep_stacks(const struct gate *g, const char *path)
{
	struct buf text = {0}, beside = {0};
	int status = 0;

	kept_stacks_path(&beside, path);
	stack_tree_write(&text, &g->stacks, STACK_NEW);
	if (text.size)
		status = save_file(buf_text(&beside), &text);
	else
		unlink(buf_text(&beside));
	buf_free(&beside);
	buf_free(&text);
	return status;
}

/* Reads the stacks beside the baseline. Without them a page has no graph. */
static void read_stacks(struct gate *g)
{
	struct buf text = {0}, path = {0};
	struct reason why;

	kept_stacks_path(&path, g->baseline);
	if (access(buf_text(&path), F_OK)) {
		buf_free(&path);
		return;
	}
	if (text_file_read(&text, buf_text(&path), &why))
		message("perf0 gate: %s", why.text);
	else if (stack_tree_read(&g->stacks, STACK_OLD, (const char *)text.data, text.size, &why))
		message("perf0 gate: %s: %s", buf_text(&path), why.text);
	buf_free(&text);
	buf_free(&path);
}

/* Finds the commits of the page, and where the CI shows them. */
static void find_commits(struct gate *g)
{
	const char *server = getenv("GITHUB_SERVER_URL"), *repository = getenv("GITHUB_REPOSITORY"),
		   *project = getenv("CI_PROJECT_URL");
	struct reason ignored;

	commit_find("HEAD", g->commit, &ignored);
	if (g->options.gate.commit_url)
		buf_printf(&g->commit_url, "%s", g->options.gate.commit_url);
	else if (server && repository)
		buf_printf(&g->commit_url, "%s/%s/commit/", server, repository);
	else if (project)
		buf_printf(&g->commit_url, "%s/-/commit/", project);
}

/* Keeps the results as those of HEAD, whose files they should be of. */
static int keep_results(const struct gate *g)
{
	const char *folder = folder_of_results(g);
	char commit[COMMIT_MAX];
	struct buf path = {0};
	struct reason why;
	int status = 0;

	if (commit_find("HEAD", commit, &why) || outfile_make_folder(folder, &why))
		return complain_gate(&why);
	if (commits_differ())
		message("perf0 gate: files differ from HEAD, whose results these become");
	kept_path(&path, folder, commit, KEPT_BASELINE);
	status = write_results(buf_text(&path), &g->got);
	if (!status)
		status = keep_stacks(g, buf_text(&path));
	buf_free(&path);
	return status;
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
	return complain_gate(&why);
}

/* Writes a form of the report to the file that the user named, if any. */
static void save_form(struct gate *g, const char *path, const struct gate_report *report,
		      void (*form)(struct buf *out, const struct gate_report *report))
{
	struct buf bytes = {0};

	if (!path)
		return;
	form(&bytes, report);
	note_failure(g, save_file(path, &bytes));
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
	note_failure(g, save_gate_page(g->options.output.html, &page));
	if (gate->github || getenv("GITHUB_STEP_SUMMARY")) {
		report_summary(&summary, report);
		note_failure(g, add_summary(getenv("GITHUB_STEP_SUMMARY"), &summary));
	}
}

/* Drops new results of benchmarks whose measurement failed or varies. */
static void drop_new(struct gate *g)
{
	struct gate_results kept = {0};

	for (size_t i = 0; i < g->got.n; i++) {
		const struct result *row = &g->got.row[i];

		if (!is_without_result(g, row->benchmark))
			gate_results_copy(&kept, row);
	}
	kept.version = g->got.version;
	kept.uarch = g->got.uarch;
	kept.machine = g->got.machine;
	kept.cpu = g->got.cpu;
	kept.shard = g->got.shard;
	kept.shards = g->got.shards;
	g->got.version = g->got.uarch = g->got.machine = g->got.cpu = NULL;
	gate_results_free(&g->got);
	g->got = kept;
}

static void drop_old(struct gate *g)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->old.n; i++) {
		if (is_without_result(g, g->old.row[i].benchmark)) {
			free(g->old.row[i].benchmark);
			free(g->old.row[i].name);
			continue;
		}
		g->old.row[kept++] = g->old.row[i];
	}
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
		return complain_gate(&why);
	compare_results(&comparison, &g->old, &g->got, &tolerances, g->got.shards > 0);
	if (g->options.output.html) {
		read_stacks(g);
		find_commits(g);
		report.commit_url = g->commit_url.size ? buf_text(&g->commit_url) : NULL;
	}
	compare_layouts(&comparison, &g->old, &g->got, &g->measuring.layouts);
	tell_all(g, &report);
	if (g->has_old && g->old.cpu && g->got.cpu && strcmp(g->old.cpu, g->got.cpu))
		message("perf0 gate: %s is of programs that see the CPU %s, and this is %s: libraries "
			"choose other functions",
			g->baseline, g->old.cpu, g->got.cpu);
	else if (g->has_old && strcmp(g->old.machine, g->got.machine))
		message("perf0 gate: %s was measured by another machine: perf0, QEMU or its options "
			"have changed",
			g->baseline);
	note_failure(g, write_results(g->options.output.path, &g->got));
	if (g->options.gate.update && !g->status)
		note_failure(g, write_results(g->baseline, &g->got));
	else if (g->options.gate.update)
		message("perf0 gate: %s stays as it was", g->baseline);
	if (g->options.gate.save && !g->status)
		note_failure(g, keep_results(g));
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
		status = complain_gate(&why);
	} else {
		settle_config(&g);
		status = machine_options_read_files(&g.options.machine, &why) ||
					 check_tolerances(&g, &why) || read_baseline(&g, &why)
				 ? complain_gate(&why)
				 : measure_all(&g);
		if (!status)
			status = judge_all(&g);
	}
	free_gate(&g);
	return status;
}

/* --- Merge --- */

static int merge_files(struct gate *g, const char *const *path, size_t n)
{
	struct gate_results *shard = memory_checked(calloc(n + !n, sizeof(*shard)));
	struct reason why;
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = gate_results_read(&shard[i], path[i], &why);
	if (!err)
		err = gate_results_merge(&g->got, shard, path, n, &why);
	for (size_t i = 0; i < n; i++)
		gate_results_free(&shard[i]);
	free(shard);
	return err ? complain_gate(&why) : 0;
}

/* Compares merged results with the baseline, or only writes them if there is no baseline. */
static int judge_merged(struct gate *g)
{
	const struct gate_options *gate = &g->options.gate;
	const bool compares = gate->baseline || gate->against || gate->config || gate->update ||
			      gate->save || !access(g->baseline, F_OK);
	struct reason why;

	if (!compares)
		return own_status(write_results(g->options.output.path, &g->got));
	g->options.machine.vpmu.uarch = guest_uarch_find(g->got.uarch);
	if (!g->options.machine.vpmu.uarch) {
		refuse(&why, EINVAL, "there is no --uarch %s", g->got.uarch);
		return complain_gate(&why);
	}
	return read_baseline(g, &why) ? complain_gate(&why) : judge_all(g);
}

static int run_merge(const struct options *base, const char **words)
{
	struct gate g = {0};
	struct reason why;
	size_t n = 0;
	int status;

	if (tool_options_parse_beside(&g.options, base, TAKER_MERGE, words, &why))
		return complain_gate(&why);
	while (words[n])
		n++;
	if (!n || (!g.options.output.path && !g.options.gate.update && !g.options.gate.baseline &&
		   !g.options.gate.against && !g.options.gate.save)) {
		message("perf0 gate merge: %s",
			n ? "-o FILE, --baseline, --against, --save or --update is needed"
			  : "the files of all shards are needed");
		return STATUS_OWN_ERROR;
	}
	status = check_tolerance_text(&g.options.gate, &why) || read_config(&g, false, &why)
			 ? complain_gate(&why)
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
