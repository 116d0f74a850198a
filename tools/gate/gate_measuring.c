// SPDX-License-Identifier: BSD-2-Clause
/* gate_measuring.c - measures the benchmarks of a gate; see gate.h. */
#include "tools/gate/gate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "include/perf0/version.h"
#include "lib/words/isa_level.h"
#include "tools/gate/layouts.h"
#include "tools/gate/suites.h"
#include "tools/machine/boot.h"
#include "tools/machine/counting.h"
#include "tools/machine/measured_on.h"
#include "tools/machine/standing.h"
#include "tools/machine/warm.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

int gate_complain(const struct reason *why)
{
	message("perf0 gate: %s", why->text);
	return STATUS_OWN_ERROR;
}

int gate_own_status(int status)
{
	return status > STATUS_SIGNAL || !status ? status : STATUS_OWN_ERROR;
}

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
	struct buf on = {0};
	struct reason why;
	const char *cpu;

	if (session_key(&g->options.machine, key, &why))
		return gate_complain(&why);
	got->version = copy_text(PERF0_VERSION, strlen(PERF0_VERSION));
	got->uarch = copy_text(g->options.machine.vpmu.uarch->name,
			       strlen(g->options.machine.vpmu.uarch->name));
	got->machine = copy_text(key, strlen(key));
	cpu = g->options.machine.vpmu.program_level
		      ? isa_level_name(g->options.machine.vpmu.program_level)
		      : g->options.machine.cpu;
	if (cpu)
		got->cpu = copy_text(cpu, strlen(cpu));
	measured_on_object(&on, &g->options,
			   g->options.machine.memory ? g->options.machine.memory
						     : OPTION_MEMORY_MIB);
	got->measured_on = copy_text(buf_text(&on), on.size);
	buf_free(&on);
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
			return gate_complain(&why);
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

bool gate_lacks_result(const struct gate *g, const char *benchmark)
{
	for (size_t i = 0; i < g->nfailed; i++)
		if (!strcmp(g->failed[i], benchmark))
			return true;
	return is_unsteady(g, benchmark);
}

void gate_note_failure(struct gate *g, int status)
{
	if (status && !g->status)
		g->status = gate_own_status(status);
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
		gate_note_failure(g, of[i].status);
		if (of[i].status)
			note_failed(g, of[i].benchmark->name);
	}
	free(of);
	gate_results_sort(&g->got);
	return gate_own_status(status);
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

	if (!counting_is_exact(&g->options.machine) || counting_check(&g->options.machine, &why))
		return 0;
	choose_profile_events(g, &events);
	err = profile_run_begin(&g->profile, buf_text(&events), &why);
	buf_free(&events);
	return err ? gate_complain(&why) : 0;
}

static int end_gate_profile(struct gate *g)
{
	struct reason why;

	if (!g->profile.fd)
		return 0;
	if (profile_run_ready(&g->profile, &why))
		return gate_complain(&why);
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
		gate_note_failure(g, of[i].status);
	free(of);
	return gate_own_status(status);
}

int gate_measure_all(struct gate *g)
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
	warm_tell_unsaved(&g->options.machine);
	standing_begin(&g->options);
	status = gate_own_status(
		suites_expand(&g->config.benchmarks, &g->options, g->measuring.profile));
	if (!status)
		status = choose_benchmarks(g);
	if (!status)
		status = measure_each(g);
	if (!status)
		status = measure_layouts(g);
	standing_end();
	return status;
}
