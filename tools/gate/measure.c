// SPDX-License-Identifier: BSD-2-Clause
/* measure.c - see measure.h. */
#include "tools/gate/measure.h"
#include <stdlib.h>
#include <string.h>

#include "tools/gate/gate_events.h"
#include "tools/gate/layouts.h"
#include "tools/gate/region_counts.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

#define NO_EVENT "dummy" /* of `stat`, which wants one */

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
		if (text[i] && tolerances_find(text[i], region_counts_event(event), &tolerance))
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

/* Adds the counts of `stat`. */
static int take_counts(const struct measuring *m, const struct benchmark *benchmark,
		       const struct stream_command *command, struct gate_results *into)
{
	struct buf scratch = {0};
	int status = 0;

	for (size_t i = 0; i < command->ncounts && !status; i++) {
		const struct wire_count *c = &command->counts[i].count;
		const char *event = gate_events_name(
			command->counts[i].name, m->options->machine.vpmu.uarch->name, &scratch);
		const char *why = why_uncounted(c);

		if (why) {
			message("perf0 gate: %s: %s: %s", benchmark->name, event, why);
			status = STATUS_USAGE;
		} else if (strcmp(event, NO_EVENT) != 0 &&
			   !has_event(into, benchmark->name, event)) {
			gate_results_add_count(into, benchmark->name, event, c->value,
					       c->truth < TRUTH_KINDS ? (enum truth)c->truth
								      : TRUTH_KINDS);
		}
	}
	buf_free(&scratch);
	return status;
}

/* --- Functions --- */

static bool measures_regions(const struct benchmark *benchmark)
{
	return benchmark->measure && !strcmp(benchmark->measure, MEASURE_REGIONS);
}

static const char *measured_functions(const struct benchmark *benchmark)
{
	return benchmark->measure && strcmp(benchmark->measure, MEASURE_PROCESS) != 0 &&
			       !measures_regions(benchmark)
		       ? benchmark->measure
		       : NULL;
}

/* Where functions are measured, their counts take the place of the process's. */
static void add_totals(const struct measuring *m, const struct benchmark *benchmark,
		       const struct measured_events *events, const struct profile *profile,
		       struct gate_results *into)
{
	for (size_t i = 0; i < m->profile->nevents; i++) {
		const char *name = m->profile->event[i].name;

		if (events->by_profile[i] && !has_event(into, benchmark->name, name))
			gate_results_add_count(into, benchmark->name, name, profile->total.of[i],
					       TRUTH_EXACT);
	}
}

/* Functions without a loop are those that perf0.toml names. */
static bool must_be_executed(const struct measured_part *measured)
{
	return measured->functions && !measured->loop;
}

static void tell_not_executed(const struct benchmark *benchmark,
			      const struct measured_part *measured)
{
	message("perf0 gate: %s: no function '%s' is executed%s", benchmark->name,
		measured->functions ? measured->functions : measured->loop->begins,
		must_be_executed(measured) ? "" : ": the whole process is measured");
}

/*
 * Adds the functions of run number `at`, and the totals. The loop of a harness may be missing, but
 * not a function that perf0.toml names.
 */
static int take_profile(struct measuring *m, const struct runs *runs, size_t at,
			const struct benchmark *benchmark, const struct measured_events *events,
			bool is_first, struct gate_results *into)
{
	const struct measured_part measured = {benchmark->loop, measured_functions(benchmark)};
	struct profile profile;
	struct reason why;
	bool found;

	if (runs_profile(runs, at, &profile, &why)) {
		message("perf0 gate: %s: %s", benchmark->name, why.text);
		return STATUS_USAGE;
	}
	found = functions_add(into, benchmark->name, &profile, &measured,
			      is_first ? &m->sources : NULL, is_first ? m->stacks : NULL);
	if (!found && is_first)
		tell_not_executed(benchmark, &measured);
	add_totals(m, benchmark, events, &profile, into);
	profile_free(&profile);
	return !found && must_be_executed(&measured) ? STATUS_USAGE : 0;
}

/* Adds the counts of all regions, of all lists of events. */
static void take_regions(const struct measuring *m, const struct runs *runs, size_t first,
			 const struct benchmark *benchmark, size_t nlists, bool is_first,
			 struct gate_results *into)
{
	bool found = false;

	for (size_t i = 0; i < nlists; i++)
		found |= region_counts_add(into, benchmark->name, runs_told(runs, first + i),
					   m->options->machine.vpmu.uarch->name);
	if (!found && is_first)
		message("perf0 gate: %s: no region is marked: the whole process is measured",
			benchmark->name);
}

int measure_take(struct measuring *m, const struct runs *runs, size_t first,
		 const struct benchmark *benchmark, const struct measured_events *events,
		 bool is_first, struct gate_results *into)
{
	int status = 0;

	for (size_t i = 0; i < events->lists.n && !status; i++)
		status = runs_command(runs, first + i) ? 0 : runs_complain(runs, first + i);
	if (!status && runs->profile)
		status = take_profile(m, runs, first, benchmark, events, is_first, into);
	for (size_t i = 0; i < events->lists.n && !status; i++)
		status = take_counts(m, benchmark, runs_command(runs, first + i), into);
	if (!status && measures_regions(benchmark))
		take_regions(m, runs, first, benchmark, events->lists.n, is_first, into);
	return status;
}

const struct result *measure_find(const struct gate_results *results, const struct result *as)
{
	for (size_t i = results->n; i-- && !strcmp(results->row[i].benchmark, as->benchmark);)
		if (results->row[i].kind == as->kind && !strcmp(results->row[i].name, as->name))
			return &results->row[i];
	return NULL;
}

static bool has_inside(const struct gate_results *results)
{
	for (size_t i = 0; i < results->n; i++)
		if (results->row[i].kind == RESULT_INSIDE)
			return true;
	return false;
}

/* Notes the counts that differ in the second run. Where functions are measured, those of the
 * process are not judged. */
static void compare_second(const struct measuring *m, const struct benchmark *benchmark,
			   const struct gate_results *second, struct unsteady_list *unsteady)
{
	const enum result_kind judged = has_inside(second) ? RESULT_INSIDE : RESULT_EVENT;

	for (size_t i = 0; i < second->n; i++) {
		const struct result *b = &second->row[i], *a = measure_find(m->results, b);
		const struct tolerance tolerance = measure_tolerance(m, benchmark, b->name);

		if (b->kind == judged && a && !tolerance_covers(&tolerance, a->value, b->value))
			unsteady_note(unsteady, benchmark->name, b->name, a->value, b->value);
	}
}

/* --- Lines --- */

/* A benchmark in a line. Its runs are those of its lists; then the same with other settings. */
struct twice {
	const struct benchmark *benchmark;
	struct measured_events events;
	size_t first; /* the number of its first run */
	struct unsteady_list unsteady;
	bool is_inside; /* functions are measured */
};

/* The index of the profile's event of ring 3 with the name of `n` characters; -1: none. */
static int find_profiled(const struct measuring *m, const char *name, size_t n)
{
	for (size_t i = 0; m->profile && m->profile->fd && i < m->profile->nevents; i++)
		if (m->profile->event[i].user && strlen(m->profile->event[i].name) == n &&
		    !memcmp(m->profile->event[i].name, name, n))
			return (int)i;
	return -1;
}

/* Appends the events that `stat` has to count, without groups: those stay whole. */
static void leave_to_stat(const struct measuring *m, const char *list,
			  struct measured_events *events, struct buf *out)
{
	while (*list) {
		const size_t n = gate_events_item(list);
		const int at = find_profiled(m, list, n);

		if (at >= 0)
			events->by_profile[at] = true;
		else
			buf_printf(out, "%s%.*s", out->size ? "," : "", (int)n, list);
		list += n + (list[n] == ',');
	}
}

/*
 * `stat` counts all events of a process that is measured as a whole: exits move its clock. Where
 * `stat` needs counters in any case, the profile spares no exits.
 */
void measure_find_events(const struct measuring *m, const struct benchmark *benchmark,
			 struct measured_events *events)
{
	const struct guest_uarch *uarch = m->options->machine.vpmu.uarch;
	const char *list = benchmark->events ? benchmark->events : m->events;
	struct buf left = {0}, expanded = {0};

	*events = (struct measured_events){0};
	if (benchmark->loop || measured_functions(benchmark))
		leave_to_stat(m, list, events, &left);
	else
		buf_printf(&left, "%s", list);
	gate_events_expand(&expanded, left.size ? buf_text(&left) : NO_EVENT, uarch->name);
	if (gate_events_need_counters(buf_text(&expanded), uarch)) {
		memset(events->by_profile, 0, sizeof(events->by_profile));
		expanded.size = 0;
		gate_events_expand(&expanded, list, uarch->name);
	}
	gate_events_split(&events->lists, buf_text(&expanded), uarch);
	buf_free(&left);
	buf_free(&expanded);
}

/* Returns whether there was room. */
static bool add_twice(const struct measuring *m, struct runs *runs, struct twice *t,
		      const struct benchmark *benchmark)
{
	const struct run_settings settings[2] = {
		{0}, {.later = !benchmark->same_clock, .others = !benchmark->same_seed}};
	const struct gate_lists *lists = &t->events.lists;

	measure_find_events(m, benchmark, &t->events);
	if (!runs_have_room(runs, benchmark, 2 * lists->n)) {
		gate_events_free(&t->events.lists);
		return false;
	}
	t->benchmark = benchmark;
	t->first = runs->n;
	for (size_t i = 0; i < 2 * lists->n; i++)
		runs_add(runs, benchmark, lists->list[i % lists->n], settings[i / lists->n]);
	return true;
}

static int take_twice(struct measuring *m, const struct runs *runs, struct twice *t)
{
	struct gate_results second = {0};
	int status = measure_take(m, runs, t->first, t->benchmark, &t->events, true, m->results);

	if (!status)
		status = measure_take(m, runs, t->first + t->events.lists.n, t->benchmark,
				      &t->events, false, &second);
	if (!status) {
		compare_second(m, t->benchmark, &second, &t->unsteady);
		t->is_inside = has_inside(&second);
	}
	gate_results_free(&second);
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
	gate_events_free(&t->events.lists);
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
