// SPDX-License-Identifier: BSD-2-Clause
/* measure.c - see measure.h. */
#include "tools/gate/measure.h"

#include <stdlib.h>
#include <string.h>

#include "tools/gate/gate_events.h"
#include "tools/gate/layouts.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

/* --- Counts --- */

/* Returns the reason why an event has no count; NULL: it has one. */
static const char *why_uncounted(const struct wire_count *c)
{
	if (c->error)
		return "this machine can not count it";
	if (c->time_running < c->time_enabled)
		return "it was not counted all the time";
	return NULL;
}

struct tolerance measure_tolerance(const struct measuring *m, const struct benchmark *benchmark,
				   const char *event)
{
	const char *const text[] = {benchmark->tolerance, m->tolerance[0], m->tolerance[1]};
	struct tolerance tolerance = {0};

	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		if (text[i] && tolerances_find(text[i], event, &tolerance))
			break;
	return tolerance;
}

/*
 * Returns whether the event has a row already. A list may have it twice; the rows of this benchmark
 * are the last ones.
 */
static bool has_event(const struct gate_results *results, const char *benchmark, const char *event)
{
	for (size_t i = results->n; i-- && !strcmp(results->row[i].benchmark, benchmark);)
		if (!strcmp(results->row[i].name, event))
			return true;
	return false;
}

int measure_counts(const struct measuring *m, const struct benchmark *benchmark,
		   const struct stream_command *a, const struct stream_command *b,
		   struct unsteady_list *unsteady, struct gate_results *into)
{
	struct buf scratch = {0};
	int status = 0;

	for (size_t i = 0; i < a->ncounts && !status; i++) {
		const struct wire_count *first = &a->counts[i].count;
		const char *event = gate_events_name(
			a->counts[i].name, m->options->machine.vpmu.uarch->name, &scratch);
		const char *why = why_uncounted(first);
		const uint64_t second = b && i < b->ncounts ? b->counts[i].count.value : 0;
		struct tolerance tolerance;

		if (why) {
			message("perf0 gate: %s: %s: %s", benchmark->name, event, why);
			status = STATUS_USAGE;
			continue;
		}
		if (has_event(into, benchmark->name, event))
			continue;
		gate_results_add_count(into, benchmark->name, event, first->value,
				       first->truth < TRUTH_KINDS ? (enum truth)first->truth
								  : TRUTH_KINDS);
		tolerance = measure_tolerance(m, benchmark, event);
		if (b && !tolerance_covers(&tolerance, first->value, second))
			unsteady_note(unsteady, benchmark->name, event, first->value, second);
	}
	buf_free(&scratch);
	return status;
}

/* --- Functions --- */

static const char *measured_functions(const struct benchmark *benchmark)
{
	return benchmark->measure && strcmp(benchmark->measure, MEASURE_PROCESS) != 0
		       ? benchmark->measure
		       : NULL;
}

int measure_functions(struct measuring *m, const struct runs *runs, size_t at,
		      const struct benchmark *benchmark, bool is_first, struct gate_results *into)
{
	const struct measured_part measured = {benchmark->loop, measured_functions(benchmark)};
	struct profile profile;
	struct reason why;
	bool found;

	if (!runs->profile)
		return 0;
	if (runs_profile(runs, at, &profile, &why)) {
		message("perf0 gate: %s: %s", benchmark->name, why.text);
		return STATUS_USAGE;
	}
	found = functions_add(into, benchmark->name, &profile, &measured,
			      is_first ? &m->sources : NULL, is_first ? m->stacks : NULL);
	if (!found && is_first)
		message("perf0 gate: %s: no function '%s' is executed: the whole process is "
			"measured",
			benchmark->name,
			measured.functions ? measured.functions : measured.loop->begins);
	profile_free(&profile);
	return 0;
}

/* The row of the same count inside of functions; NULL: none. The rows of this benchmark are the
 * last ones. */
static const struct result *find_inside(const struct gate_results *results, const struct result *as)
{
	for (size_t i = results->n; i-- && !strcmp(results->row[i].benchmark, as->benchmark);)
		if (results->row[i].kind == RESULT_INSIDE &&
		    !strcmp(results->row[i].name, as->name))
			return &results->row[i];
	return NULL;
}

/* Are functions measured, whose counts are to be the same in both runs? Then those of the process
 * are not judged. */
static bool compare_inside(const struct measuring *m, const struct benchmark *benchmark,
			   const struct gate_results *second, struct unsteady_list *unsteady)
{
	bool any = false;

	for (size_t i = 0; i < second->n; i++) {
		const struct result *b = &second->row[i], *a;
		const struct tolerance tolerance = measure_tolerance(m, benchmark, b->name);

		if (b->kind != RESULT_INSIDE)
			continue;
		if (!any)
			unsteady_clear(unsteady);
		any = true;
		a = find_inside(m->results, b);
		if (a && !tolerance_covers(&tolerance, a->value, b->value))
			unsteady_note(unsteady, benchmark->name, b->name, a->value, b->value);
	}
	return any;
}

/* --- Lines --- */

/* A benchmark in a line. Its runs are those of its lists; then the same with other settings. */
struct twice {
	const struct benchmark *benchmark;
	struct gate_lists lists;
	size_t first; /* the number of its first run */
	struct unsteady_list unsteady;
	bool is_inside; /* functions are measured */
};

struct gate_lists measure_lists(const struct measuring *m, const struct benchmark *benchmark)
{
	struct gate_lists lists;
	struct buf events = {0};

	gate_events_expand(&events, benchmark->events ? benchmark->events : m->events,
			   m->options->machine.vpmu.uarch->name);
	gate_events_split(&lists, buf_text(&events), m->options->machine.vpmu.uarch);
	buf_free(&events);
	return lists;
}

/* Returns whether there was room. */
static bool add_twice(const struct measuring *m, struct runs *runs, struct twice *t,
		      const struct benchmark *benchmark)
{
	const struct run_settings settings[2] = {
		{0}, {.later = !benchmark->same_clock, .others = !benchmark->same_seed}};
	struct gate_lists lists = measure_lists(m, benchmark);

	if (!runs_have_room(runs, benchmark, 2 * lists.n)) {
		gate_events_free(&lists);
		return false;
	}
	*t = (struct twice){.benchmark = benchmark, .lists = lists, .first = runs->n};
	for (size_t i = 0; i < 2 * lists.n; i++)
		runs_add(runs, benchmark, lists.list[i % lists.n], settings[i / lists.n]);
	return true;
}

/* The profile is that of the first list. */
static int take_twice(struct measuring *m, const struct runs *runs, struct twice *t)
{
	const size_t n = t->lists.n, first = t->first, second = t->first + n;
	struct gate_results inside = {0};
	int status = 0;

	for (size_t i = first; i < second + n && !status; i++)
		status = runs_command(runs, i) ? 0 : runs_complain(runs, i);
	if (!status)
		status = measure_functions(m, runs, first, t->benchmark, true, m->results);
	if (!status)
		status = measure_functions(m, runs, second, t->benchmark, false, &inside);
	for (size_t i = 0; i < n && !status; i++)
		status = measure_counts(m, t->benchmark, runs_command(runs, first + i),
					runs_command(runs, second + i), &t->unsteady, m->results);
	if (!status)
		t->is_inside = compare_inside(m, t->benchmark, &inside, &t->unsteady);
	gate_results_free(&inside);
	return status;
}

static int settle_twice(struct measuring *m, struct twice *t)
{
	return t->unsteady.n ? unsteady_settle(m, t->benchmark, &t->unsteady,
					       !t->benchmark->same_seed && !t->is_inside)
			     : 0;
}

static void free_twice(struct twice *t)
{
	unsteady_clear(&t->unsteady);
	gate_events_free(&t->lists);
}

/*
 * Measures the first ones of `n` benchmarks; returns their number, which is not 0. A benchmark that
 * has not begun, because the line ended early, is left to the next line.
 */
static size_t measure_line(struct measuring *m, struct measured_benchmark *of, size_t n,
			   int *status)
{
	struct twice *t = memory_checked(calloc(n, sizeof(*t)));
	struct runs runs = {0};
	size_t count = 0, done = 0;

	while (count < n && add_twice(m, &runs, &t[count], of[count].benchmark))
		count++;
	*status = runs_do(&runs, m->options, m->profile);
	for (; done < count && (!done || runs_has_begun(&runs, t[done].first)); done++)
		of[done].status = take_twice(m, &runs, &t[done]);
	runs_free(&runs);
	for (size_t i = 0; i < done && !measure_ends(*status); i++)
		if (!of[i].status)
			of[i].status = settle_twice(m, &t[i]);
	for (size_t i = 0; i < count; i++)
		free_twice(&t[i]);
	free(t);
	return done;
}

bool measure_ends(int status)
{
	return status == STATUS_MACHINE || status > STATUS_SIGNAL;
}

/* Returns the status of a benchmark, or of the line, that ends the gate; 0: none. */
static int find_end(const struct measured_benchmark *of, size_t n, int line)
{
	for (size_t i = 0; i < n; i++)
		if (measure_ends(of[i].status))
			return of[i].status;
	return measure_ends(line) ? line : 0;
}

int measure_events(struct measuring *m, struct measured_benchmark *of, size_t n)
{
	int status = 0;

	for (size_t i = 0, done; i < n && !status; i += done) {
		done = measure_line(m, of + i, n - i, &status);
		status = find_end(of + i, done, status);
	}
	return status;
}

void measuring_free(struct measuring *m)
{
	unsteady_clear(&m->unsteady);
	unsteady_clear(&m->by_chance);
	sources_free(&m->sources);
	layouts_free(&m->layouts);
}
