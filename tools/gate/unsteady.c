// SPDX-License-Identifier: BSD-2-Clause
/* unsteady.c - see unsteady.h. */
#include "tools/gate/unsteady.h"

#include <stdlib.h>
#include <string.h>

#include "tools/gate/compare.h"
#include "tools/gate/gate_events.h"
#include "tools/gate/measure.h"
#include "tools/util/memory.h"

static void append_unsteady(struct unsteady_list *list, struct unsteady u)
{
	list->one = memory_grow(list->one, list->n, sizeof(*list->one));
	list->one[list->n++] = u;
}

void unsteady_note(struct unsteady_list *list, const char *benchmark, const char *event,
		   uint64_t first, uint64_t second)
{
	append_unsteady(list, (struct unsteady){
				      .benchmark = copy_text(benchmark, strlen(benchmark)),
				      .event = copy_text(event, strlen(event)),
				      .first = first,
				      .second = second,
			      });
}

void unsteady_clear(struct unsteady_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->one[i].benchmark);
		free(list->one[i].event);
		free(list->one[i].function);
	}
	free(list->one);
	*list = (struct unsteady_list){0};
}

/* --- Functions --- */

/* Finds the function in which two runs differ most; NULL: none. The caller frees it. */
static char *find_difference(const struct gate_results *a, const struct gate_results *b,
			     const char *benchmark)
{
	struct moved_list list;
	const struct moved *most = NULL;

	compare_functions(a, b, benchmark, &list);
	for (size_t i = 0; i < list.n; i++)
		if (list.one[i].old != list.one[i].got) {
			most = &list.one[i];
			break;
		}
	return most ? copy_text(most->name, strlen(most->name)) : NULL;
}

/*
 * Finds the functions of `n` unsteady events of a benchmark, by its runs with other settings and
 * without.
 */
static void find_unsteady_functions(struct measuring *m, const struct benchmark *benchmark,
				    struct unsteady *u, size_t n, struct run_settings settings)
{
	const struct run_settings used[2] = {{0}, settings};
	struct measured_events events;
	struct gate_results of[2] = {0};
	struct runs runs = {0};
	int status = 0;

	if (!m->profile || !m->profile->fd)
		return;
	measure_find_events(m, benchmark, &events);
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < events.lists.n; k++)
			runs_add(&runs, benchmark, events.lists.list[k], used[i]);
	runs_do(&runs, m->options, m->profile);
	for (size_t i = 0; i < 2 && !status; i++) {
		status = measure_take(m, &runs, i * events.lists.n, benchmark, &events, false,
				      &of[i]);
		gate_results_sort(&of[i]);
	}
	gate_events_free(&events.lists);
	for (size_t i = 0; i < n && !status; i++)
		u[i].function = find_difference(&of[0], &of[1], benchmark->name);
	gate_results_free(&of[0]);
	gate_results_free(&of[1]);
	runs_free(&runs);
}

/* --- Chance --- */

/* `third`: results with the random numbers of the first run. */
static void judge_chance(const struct measuring *m, const struct benchmark *benchmark,
			 const struct gate_results *third, struct unsteady *u)
{
	const struct tolerance tolerance = measure_tolerance(m, benchmark, u->event);
	const struct result as = {
		.benchmark = u->benchmark, .name = u->event, .kind = RESULT_EVENT};
	const struct result *found = measure_find(third, &as);

	u->by_chance = found && tolerance_covers(&tolerance, u->first, found->value);
	if (!u->by_chance)
		u->second = found ? found->value : 0;
}

/*
 * Runs the benchmark with the same random numbers. An event that now counts as in the first run
 * depends on random numbers alone.
 */
static int find_chance(struct measuring *m, const struct benchmark *benchmark,
		       struct unsteady_list *list)
{
	const struct run_settings settings = {.later = !benchmark->same_clock};
	struct gate_results third = {0};
	struct measured_events events;
	struct runs runs = {0};
	int status;

	measure_find_events(m, benchmark, &events);
	for (size_t i = 0; i < events.lists.n; i++)
		runs_add(&runs, benchmark, events.lists.list[i], settings);
	runs_do(&runs, m->options, m->profile);
	status = measure_take(m, &runs, 0, benchmark, &events, false, &third);
	for (size_t i = 0; i < list->n && !status; i++)
		judge_chance(m, benchmark, &third, &list->one[i]);
	runs_free(&runs);
	gate_results_free(&third);
	gate_events_free(&events.lists);
	return status;
}

static int compare_chance(const void *a, const void *b)
{
	const struct unsteady *x = a, *y = b;

	return x->by_chance - y->by_chance;
}

/* --- Causes --- */

int unsteady_settle(struct measuring *m, const struct benchmark *benchmark,
		    struct unsteady_list *list, bool may_be_chance)
{
	const int status = may_be_chance ? find_chance(m, benchmark, list) : 0;
	struct unsteady *u = list->one;
	size_t steady = 0; /* number of events that do not depend on chance, which come first */

	if (status)
		return status;
	qsort(u, list->n, sizeof(*u), compare_chance);
	while (steady < list->n && !u[steady].by_chance)
		steady++;
	if (steady)
		find_unsteady_functions(m, benchmark, u, steady,
					(struct run_settings){.later = !benchmark->same_clock});
	if (steady < list->n && m->explains_chance)
		find_unsteady_functions(m, benchmark, u + steady, list->n - steady,
					(struct run_settings){.others = true});
	for (size_t i = 0; i < list->n; i++)
		append_unsteady(u[i].by_chance && !m->strict ? &m->by_chance : &m->unsteady, u[i]);
	list->n = 0;
	return 0;
}
