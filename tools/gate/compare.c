// SPDX-License-Identifier: BSD-2-Clause
/* compare.c - see compare.h. */
#include "tools/gate/compare.h"

#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"

#define PERIOD_NAME "instructions:u"

/* A merge of two sorted results, row by row. */
struct merging {
	const struct gate_results *old, *got;
	size_t at_old, at_got;
};

static const struct result *row_at(const struct gate_results *results, size_t at)
{
	return at < results->n ? &results->row[at] : NULL;
}

static int compare_keys(const struct result *a, const struct result *b)
{
	int order;

	if (!a || !b)
		return a ? -1 : 1;
	order = strcmp(a->benchmark, b->benchmark);
	if (!order && a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return order ? order : strcmp(a->name, b->name);
}

/* Takes the next row, from either result or from both. Returns false at the end. */
static bool merge_next(struct merging *m, const struct result **old, const struct result **got)
{
	const struct result *a = row_at(m->old, m->at_old), *b = row_at(m->got, m->at_got);
	int order;

	if (!a && !b)
		return false;
	order = compare_keys(a, b);
	*old = order <= 0 ? a : NULL;
	*got = order >= 0 ? b : NULL;
	m->at_old += order <= 0;
	m->at_got += order >= 0;
	return true;
}

static enum verdict judge(const struct result *old, const struct result *got,
			  const struct tolerances *tolerances)
{
	struct tolerance tolerance;

	if (!old)
		return VERDICT_NEW;
	if (!got)
		return VERDICT_GONE;
	if (old->value == got->value)
		return VERDICT_SAME;
	tolerance = tolerances->of(tolerances->ctx, got->benchmark, got->name);
	if (tolerance_covers(&tolerance, old->value, got->value))
		return VERDICT_NEAR;
	return got->value > old->value ? VERDICT_WORSE : VERDICT_BETTER;
}

static void add_change(struct comparison *out, const struct result *old, const struct result *got,
		       const struct tolerances *tolerances, bool all_gone)
{
	const struct result *either = got ? got : old;

	out->change = memory_grow(out->change, out->n, sizeof(*out->change));
	out->change[out->n++] = (struct change){
		.benchmark = either->benchmark,
		.event = either->name,
		.old = old ? old->value : 0,
		.got = got ? got->value : 0,
		.verdict = judge(old, got, tolerances),
		.all_gone = all_gone,
	};
	out->count[out->change[out->n - 1].verdict]++;
}

static void count_benchmarks(struct comparison *out)
{
	for (size_t at = 0; at < out->n;) {
		const char *benchmark = out->change[at].benchmark;
		enum verdict worst = VERDICT_SAME;

		for (; at < out->n && !strcmp(out->change[at].benchmark, benchmark); at++)
			if (out->change[at].verdict < worst)
				worst = out->change[at].verdict;
		out->benchmarks[worst]++;
	}
}

void compare_results(struct comparison *out, const struct gate_results *old,
		     const struct gate_results *got, const struct tolerances *tolerances, bool part)
{
	struct merging m = {.old = old, .got = got};
	const struct result *a, *b;

	*out = (struct comparison){0};
	while (merge_next(&m, &a, &b)) {
		const struct result *either = b ? b : a;
		bool all_gone;

		if (either->kind != RESULT_EVENT)
			continue;
		all_gone = gate_results_begin(got, either->benchmark) == got->n;
		if (!part || !all_gone)
			add_change(out, a, b, tolerances, all_gone);
	}
	count_benchmarks(out);
}

void comparison_free(struct comparison *comparison)
{
	free(comparison->change);
	*comparison = (struct comparison){0};
}

/* --- Functions --- */

static uint64_t result_value(const struct gate_results *results, const char *benchmark,
			     enum result_kind kind, const char *name)
{
	const struct result *row = gate_results_find(results, benchmark, kind, name);

	return row ? row->value : 0;
}

static uint64_t difference(const struct moved *m)
{
	return m->got > m->old ? m->got - m->old : m->old - m->got;
}

/* Orders functions with other code first, then those that moved by more. */
static int compare_moved(const void *a, const void *b)
{
	const struct moved *x = a, *y = b;
	const uint64_t dx = difference(x), dy = difference(y);

	if (x->has_other_code != y->has_other_code)
		return x->has_other_code ? -1 : 1;
	if (dx != dy)
		return dx > dy ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void fill_moved(struct moved *m, const struct gate_results *old,
		       const struct gate_results *got, const char *benchmark)
{
	m->old = result_value(old, benchmark, RESULT_FUNCTION, m->name);
	m->got = result_value(got, benchmark, RESULT_FUNCTION, m->name);
	m->old_size = result_value(old, benchmark, RESULT_SIZE, m->name);
	m->got_size = result_value(got, benchmark, RESULT_SIZE, m->name);
	m->has_other_code = m->old_size && m->got_size &&
			    (m->old_size != m->got_size ||
			     result_value(old, benchmark, RESULT_CODE, m->name) !=
				     result_value(got, benchmark, RESULT_CODE, m->name));
}

/*
 * Collects the functions of `from`. If `from` is the new results, functions of the old results were
 * collected before.
 */
static void gather_moved(struct moved **all, size_t *n, const struct gate_results *from,
			 const struct gate_results *old, const struct gate_results *got,
			 const char *benchmark)
{
	for (size_t at = gate_results_begin(from, benchmark);
	     at < from->n && !strcmp(from->row[at].benchmark, benchmark); at++) {
		const struct result *row = &from->row[at];

		if (row->kind != RESULT_FUNCTION)
			continue;
		if (from == got && gate_results_find(old, benchmark, RESULT_FUNCTION, row->name))
			continue;
		*all = memory_grow(*all, *n, sizeof(**all));
		(*all)[*n].name = row->name;
		fill_moved(&(*all)[(*n)++], old, got, benchmark);
	}
}

/* The samples of an unchanged function may differ by this number. */
#define NOISE_SAMPLES 8

static bool is_moved(const struct moved *m, uint64_t period, uint64_t most)
{
	return m->has_other_code ||
	       (difference(m) >= NOISE_SAMPLES * period && difference(m) >= most / 20);
}

size_t compare_functions(const struct gate_results *old, const struct gate_results *got,
			 const char *benchmark, struct moved out[MOVED_MOST])
{
	const uint64_t before = result_value(old, benchmark, RESULT_PERIOD, PERIOD_NAME),
		       now = result_value(got, benchmark, RESULT_PERIOD, PERIOD_NAME),
		       period = before > now ? before : now;
	struct moved *all = NULL;
	size_t n = 0, found = 0;
	uint64_t most = 0;

	if (!before || !now)
		return 0;
	gather_moved(&all, &n, old, old, got, benchmark);
	gather_moved(&all, &n, got, old, got, benchmark);
	for (size_t i = 0; i < n; i++)
		most = difference(&all[i]) > most ? difference(&all[i]) : most;
	if (n)
		qsort(all, n, sizeof(*all), compare_moved);
	for (size_t i = 0; i < n && found < MOVED_MOST; i++)
		if (is_moved(&all[i], period, most))
			out[found++] = all[i];
	if (!found && n && difference(&all[0]) >= period)
		out[found++] = all[0];
	free(all);
	return found;
}
