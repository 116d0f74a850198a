// SPDX-License-Identifier: BSD-2-Clause
/* layouts.c - see layouts.h. */
#include "tools/gate/layouts.h"

#include <stdlib.h>
#include <string.h>

#include "tools/gate/gate_events.h"
#include "tools/util/memory.h"

static struct layout *find_layout(const struct layouts *l, const struct result *row)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->one[i].inside == (row->kind == RESULT_INSIDE) &&
		    !strcmp(l->one[i].benchmark, row->benchmark) &&
		    !strcmp(l->one[i].event, row->name))
			return &l->one[i];
	return NULL;
}

static void note_layout(struct measuring *m, const struct result *row)
{
	const struct result *was =
		gate_results_find(m->results, row->benchmark, row->kind, row->name);
	const uint64_t old = was ? was->value : row->value,
		       by = row->value > old ? row->value - old : old - row->value;
	struct layouts *l = &m->layouts;
	struct layout *known = find_layout(l, row);

	if (known && by > known->by)
		known->by = by;
	if (known || !by)
		return;
	l->one = memory_grow(l->one, l->n, sizeof(*l->one));
	l->one[l->n++] = (struct layout){
		.benchmark = copy_text(row->benchmark, strlen(row->benchmark)),
		.event = copy_text(row->name, strlen(row->name)),
		.inside = row->kind == RESULT_INSIDE,
		.by = by,
	};
}

/* Takes run number `at`, whose addresses are shifted. */
static int take_shifted(struct measuring *m, const struct runs *runs, size_t at,
			const struct benchmark *benchmark, const struct measured_events *events)
{
	struct gate_results shifted = {0};
	const int status = measure_take(m, runs, at, benchmark, events, false, &shifted);

	for (size_t i = 0; i < shifted.n && !status; i++)
		if (shifted.row[i].kind == RESULT_EVENT || shifted.row[i].kind == RESULT_INSIDE)
			note_layout(m, &shifted.row[i]);
	gate_results_free(&shifted);
	return status;
}

static int take_all_shifted(struct measuring *m, const struct runs *runs, size_t first,
			    const struct benchmark *benchmark, struct measured_events *events)
{
	int status = 0;

	for (size_t i = 0; i < RUN_SHIFTS && !status; i++)
		status = take_shifted(m, runs, first + i, benchmark, events);
	return status;
}

/* Only the first list of events is measured. The lists live as long as the runs. */
static void add_shifted(const struct measuring *m, struct runs *runs,
			const struct benchmark *benchmark, struct measured_events *events)
{
	struct gate_lists *lists = &events->lists;

	measure_find_events(m, benchmark, events);
	while (lists->n > 1)
		free(lists->list[--lists->n]);
	for (unsigned shift = 1; shift <= RUN_SHIFTS; shift++)
		runs_add(runs, benchmark, lists->list[0], (struct run_settings){.shift = shift});
}

/* Measures the first ones of `n` benchmarks; returns their number. */
static size_t measure_shifted_line(struct measuring *m, struct measured_benchmark *of, size_t n,
				   int *status)
{
	struct measured_events *events = memory_checked(calloc(n, sizeof(*events)));
	struct runs runs = {0};
	size_t count = 0, done = 0;

	while (count < n && runs_have_room(&runs, of[count].benchmark, RUN_SHIFTS)) {
		add_shifted(m, &runs, of[count].benchmark, &events[count]);
		count++;
	}
	*status = runs_do(&runs, m->options, m->profile);
	for (; done < count && (!done || runs_has_begun(&runs, done * RUN_SHIFTS)); done++)
		of[done].status = take_all_shifted(m, &runs, done * RUN_SHIFTS, of[done].benchmark,
						   &events[done]);
	for (size_t i = 0; i < count; i++)
		gate_events_free(&events[i].lists);
	free(events);
	runs_free(&runs);
	return done;
}

int layouts_measure(struct measuring *m, struct measured_benchmark *of, size_t n)
{
	int status = 0;

	for (size_t i = 0; i < n && !measure_ends(status);)
		i += measure_shifted_line(m, of + i, n - i, &status);
	return measure_ends(status) ? status : 0;
}

void layouts_free(struct layouts *layouts)
{
	for (size_t i = 0; i < layouts->n; i++) {
		free(layouts->one[i].benchmark);
		free(layouts->one[i].event);
	}
	free(layouts->one);
}
