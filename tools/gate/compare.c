// SPDX-License-Identifier: BSD-2-Clause
/* compare.c - see compare.h. */
#include "tools/gate/compare.h"

#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"

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

static bool has_kind(const struct gate_results *results, const char *benchmark,
		     enum result_kind kind)
{
	for (size_t i = gate_results_begin(results, benchmark);
	     i < results->n && !strcmp(results->row[i].benchmark, benchmark); i++)
		if (results->row[i].kind == kind)
			return true;
	return false;
}

static enum verdict judge(const struct result *old, const struct result *got, bool is_beside,
			  const struct tolerances *tolerances)
{
	struct tolerance tolerance;

	if (!got)
		return VERDICT_GONE;
	if (!old)
		return VERDICT_NEW;
	if (old->value == got->value)
		return VERDICT_SAME;
	if (is_beside)
		return VERDICT_BESIDE;
	tolerance = tolerances->of(tolerances->ctx, got->benchmark, got->name);
	if (tolerance_covers(&tolerance, old->value, got->value))
		return VERDICT_NEAR;
	return got->value > old->value ? VERDICT_WORSE : VERDICT_BETTER;
}

static void add_change(struct comparison *out, const struct result *old, const struct result *got,
		       const struct tolerances *tolerances, bool is_beside, bool all_gone)
{
	const struct result *either = got ? got : old;

	out->change = memory_grow(out->change, out->n, sizeof(*out->change));
	out->change[out->n++] = (struct change){
		.benchmark = either->benchmark,
		.event = either->name,
		.old = old ? old->value : 0,
		.got = got ? got->value : 0,
		.verdict = judge(old, got, is_beside, tolerances),
		.inside = either->kind == RESULT_INSIDE,
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

		if (either->kind != RESULT_EVENT && either->kind != RESULT_INSIDE)
			continue;
		all_gone = gate_results_begin(got, either->benchmark) == got->n;
		if (!part || !all_gone)
			add_change(out, a, b, tolerances,
				   either->kind == RESULT_EVENT &&
					   has_kind(got, either->benchmark, RESULT_INSIDE),
				   all_gone);
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

static int64_t difference(const struct moved *m)
{
	return (int64_t)(m->got - m->old);
}

static uint64_t distance_of(const struct moved *m)
{
	return m->got > m->old ? m->got - m->old : m->old - m->got;
}

/* Orders functions with other code first, then those that moved by more. */
static int compare_moved(const void *a, const void *b)
{
	const struct moved *x = a, *y = b;

	if (x->has_other_code != y->has_other_code)
		return x->has_other_code ? -1 : 1;
	if (distance_of(x) != distance_of(y))
		return distance_of(x) > distance_of(y) ? -1 : 1;
	return strcmp(x->name, y->name);
}

static struct moved moved_of(const struct gate_results *old, const struct gate_results *got,
			     const char *benchmark, const char *name)
{
	const uint64_t old_code = result_value(old, benchmark, RESULT_CODE, name),
		       got_code = result_value(got, benchmark, RESULT_CODE, name);

	return (struct moved){
		.name = name,
		.old = result_value(old, benchmark, RESULT_FUNCTION, name),
		.got = result_value(got, benchmark, RESULT_FUNCTION, name),
		.old_calls = result_value(old, benchmark, RESULT_CALLS, name),
		.got_calls = result_value(got, benchmark, RESULT_CALLS, name),
		.old_size = result_value(old, benchmark, RESULT_SIZE, name),
		.got_size = result_value(got, benchmark, RESULT_SIZE, name),
		.has_other_code = old_code && got_code && old_code != got_code,
	};
}

/* Functions that changed. */
struct gathered {
	struct moved *one;
	size_t n;
};

/* Gathers functions of `from`, which are not in `skipped`. */
static void gather_moved(struct gathered *all, const struct gate_results *from,
			 const struct gate_results *skipped, const struct gate_results *old,
			 const struct gate_results *got, const char *benchmark)
{
	for (size_t at = gate_results_begin(from, benchmark);
	     at < from->n && !strcmp(from->row[at].benchmark, benchmark); at++) {
		const struct result *row = &from->row[at];
		struct moved moved;

		if (row->kind != RESULT_FUNCTION ||
		    (skipped && gate_results_find(skipped, benchmark, RESULT_FUNCTION, row->name)))
			continue;
		moved = moved_of(old, got, benchmark, row->name);
		if (!difference(&moved) && !moved.has_other_code)
			continue;
		all->one = memory_grow(all->one, all->n, sizeof(*all->one));
		all->one[all->n++] = moved;
	}
}

/* Returns all functions of a benchmark that changed. The caller frees them. */
static struct gathered all_moved(const struct gate_results *old, const struct gate_results *got,
				 const char *benchmark)
{
	struct gathered all = {0};

	gather_moved(&all, old, NULL, old, got, benchmark);
	gather_moved(&all, got, old, old, got, benchmark);
	return all;
}

void compare_functions(const struct gate_results *old, const struct gate_results *got,
		       const char *benchmark, struct moved_list *out)
{
	struct gathered all;

	*out = (struct moved_list){.n = 0};
	if (!has_kind(old, benchmark, RESULT_FUNCTION) ||
	    !has_kind(got, benchmark, RESULT_FUNCTION))
		return;
	all = all_moved(old, got, benchmark);
	if (all.n)
		qsort(all.one, all.n, sizeof(*all.one), compare_moved);
	for (size_t i = 0; i < all.n; i++) {
		out->has_other_code |= all.one[i].has_other_code;
		if (out->n < MOVED_MOST) {
			out->one[out->n++] = all.one[i];
			continue;
		}
		out->others++;
		out->by_others += difference(&all.one[i]);
	}
	free(all.one);
}

/* --- Libraries --- */

/* Returns whether a function is NAME@FILE, or [FILE]: its code without a symbol. */
static bool is_function_of(const char *name, const char *file)
{
	const size_t n = strlen(file);
	const char *at = strrchr(name, '@');

	return at ? !strcmp(at + 1, file)
		  : *name == '[' && !strncmp(name + 1, file, n) && !strcmp(name + 1 + n, "]");
}

/* The difference of all functions of a file in a benchmark. */
static int64_t difference_in(const struct gate_results *old, const struct gate_results *got,
			     const char *benchmark, const char *path)
{
	struct gathered all = all_moved(old, got, benchmark);
	int64_t sum = 0;

	for (size_t i = 0; i < all.n; i++)
		if (is_function_of(all.one[i].name, basename(path)))
			sum += difference(&all.one[i]);
	free(all.one);
	return sum;
}

static struct rebuilt *find_rebuilt(struct rebuilt *out, size_t *n, size_t most, const char *path)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(out[i].path, path))
			return &out[i];
	if (*n == most)
		return NULL;
	out[*n] = (struct rebuilt){.path = path};
	return &out[(*n)++];
}

size_t compare_files(const struct gate_results *old, const struct gate_results *got,
		     struct rebuilt *out, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < got->n; i++) {
		const struct result *row = &got->row[i];
		const struct result *was =
			row->kind == RESULT_FILE
				? gate_results_find(old, row->benchmark, RESULT_FILE, row->name)
				: NULL;
		struct rebuilt *rebuilt;

		if (!was || was->value == row->value)
			continue;
		rebuilt = find_rebuilt(out, &n, most, row->name);
		if (!rebuilt)
			continue;
		rebuilt->benchmarks++;
		rebuilt->by += difference_in(old, got, row->benchmark, row->name);
	}
	return n;
}

/* --- Addresses --- */

uint64_t layouts_find(const struct layouts *layouts, const struct change *change)
{
	for (size_t i = 0; i < layouts->n; i++) {
		const struct layout *one = &layouts->one[i];

		if (one->inside == change->inside && !strcmp(one->benchmark, change->benchmark) &&
		    !strcmp(one->event, change->event))
			return one->by;
	}
	return 0;
}

static bool is_layout_alone(const struct change *c, const struct gate_results *old,
			    const struct gate_results *got, const struct layouts *layouts)
{
	const uint64_t by = c->got > c->old ? c->got - c->old : c->old - c->got;
	struct moved_list list;

	if ((c->verdict != VERDICT_WORSE && c->verdict != VERDICT_BETTER) ||
	    by > layouts_find(layouts, c))
		return false;
	compare_functions(old, got, c->benchmark, &list);
	return !list.has_other_code;
}

void compare_layouts(struct comparison *comparison, const struct gate_results *old,
		     const struct gate_results *got, const struct layouts *layouts)
{
	memset(comparison->benchmarks, 0, sizeof(comparison->benchmarks));
	for (size_t i = 0; i < comparison->n; i++) {
		struct change *c = &comparison->change[i];

		if (!is_layout_alone(c, old, got, layouts))
			continue;
		comparison->count[c->verdict]--;
		c->verdict = VERDICT_LAYOUT;
		comparison->count[c->verdict]++;
	}
	count_benchmarks(comparison);
}
