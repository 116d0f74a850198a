// SPDX-License-Identifier: BSD-2-Clause
/* measure.c - see measure.h. */
#include "tools/gate/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/gate/gate_events.h"
#include "tools/gate/compare.h"
#include "tools/gate/functions.h"
#include "tools/machine/boot.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

/* The clocks of a second run begin later by this time, which is no round number in any unit. */
#define LATER "perf0.clock_ahead_ns=100003777123457"
#define NOW   "perf0.clock_ahead_ns=0"

/* Settings for other random numbers than in the first run, and for the same ones. */
#define OTHERS "perf0.seed_added=1000003"
#define SAME   "perf0.seed_added=0"

#define SAID_MOST 200 /* characters shown of a program's last line */

/* A command line of the machine, and its results. */
struct line {
	const char **word;
	size_t n;
	struct stream stream;
	char *said; /* output of programs */
	size_t nsaid;
	FILE *sink, *nowhere;
};

static void add_word(struct line *line, const char *word)
{
	line->word = memory_grow(line->word, line->n, sizeof(*line->word));
	line->word[line->n++] = word;
}

static void add_words(struct line *line, const char *const *words)
{
	for (; *words; words++)
		add_word(line, *words);
}

static int measure_line(const struct options *options, struct line *line)
{
	struct session_files files = {0};
	int status;

	add_word(line, NULL);
	stream_init(&line->stream);
	line->sink = memory_checked(open_memstream(&line->said, &line->nsaid));
	line->nowhere = memory_checked(fopen("/dev/null", "we"));
	files.out = line->nowhere;
	files.programs = files.errors = line->sink;
	status = boot_check(options, line->word);
	if (!status)
		status = boot_image(options, &files, &line->stream);
	fflush(line->sink);
	return status;
}

static void free_line(struct line *line)
{
	stream_free(&line->stream);
	if (line->sink)
		fclose(line->sink);
	if (line->nowhere)
		fclose(line->nowhere);
	free(line->said);
	free(line->word);
}

/* Returns the last line of output that is not empty. */
static void last_words(const struct line *line, char out[SAID_MOST])
{
	size_t end = line->nsaid, begin;

	while (end && strchr(" \n\r", line->said[end - 1]))
		end--;
	for (begin = end; begin && line->said[begin - 1] != '\n';)
		begin--;
	snprintf(out, SAID_MOST, "%.*s", (int)(end - begin), line->said + begin);
}

/* Returns the result of command number `at` of a line; NULL after a message: it failed. */
static const struct stream_command *command_of(const struct line *line, size_t at, int status,
					       const char *benchmark)
{
	const struct stream_command *command =
		at < line->stream.ncommands ? &line->stream.commands[at] : NULL;
	char said[SAID_MOST];

	if (command && command->ended && !command->result.status && !status)
		return command;
	/* the machine or the check of the line has printed the reason */
	if (status == STATUS_TIMEOUT || status == STATUS_MACHINE || !line->stream.ncommands) {
		message("perf0 gate: %s could not be measured", benchmark);
		return NULL;
	}
	last_words(line, said);
	message("perf0 gate: %s fails with status %d%s%s", benchmark,
		command && command->ended && command->result.status ? command->result.status
								    : status,
		*said ? ": " : "", said);
	return NULL;
}

/* --- Counts --- */

static void add_stat(struct line *line, const char *events, const struct benchmark *benchmark)
{
	static const char *const head[] = {"stat", "--quiet", "--no-mux", "-e", NULL};

	add_words(line, head);
	add_word(line, events);
	add_word(line, "--");
	add_words(line, benchmark->word);
}

/* Differences between a run and the first run of a benchmark. */
struct difference {
	bool later, others;
};

/* Adds the command that sets the difference for later commands. */
static void add_difference(struct line *line, struct difference d)
{
	const char *const words[] = {"sysctl", d.later ? LATER : NOW, d.others ? OTHERS : SAME,
				     command_separator, NULL};

	add_words(line, words);
}

static const struct difference no_difference;

/* The second run's. */
static struct difference second_difference(const struct benchmark *benchmark)
{
	return (struct difference){
		.later = !benchmark->same_clock,
		.others = !benchmark->same_seed,
	};
}

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

static void note_unsteady(struct unsteady_list *list, struct unsteady u)
{
	list->one = memory_grow(list->one, list->n, sizeof(*list->one));
	list->one[list->n++] = u;
}

/*
 * Returns whether the event has a row already. A list may have it twice; the rows of this benchmark
 * are the last ones.
 */
static bool has_event(const struct measuring *m, const char *benchmark, const char *event)
{
	for (size_t i = m->results->n; i-- && !strcmp(m->results->row[i].benchmark, benchmark);)
		if (!strcmp(m->results->row[i].name, event))
			return true;
	return false;
}

static int take_counts(struct measuring *m, const struct benchmark *benchmark,
		       const struct stream_command *a, const struct stream_command *b)
{
	struct buf scratch = {0};
	int status = 0;

	for (size_t i = 0; i < a->ncounts && !status; i++) {
		const struct wire_count *first = &a->counts[i].count;
		const char *event = gate_events_name(
			a->counts[i].name, m->options->machine.vpmu.uarch->name, &scratch);
		const char *why = why_uncounted(first);
		const uint64_t second = i < b->ncounts ? b->counts[i].count.value : 0;
		struct tolerance tolerance;

		if (why) {
			message("perf0 gate: %s: %s: %s", benchmark->name, event, why);
			status = STATUS_USAGE;
			continue;
		}
		if (has_event(m, benchmark->name, event))
			continue;
		gate_results_add_count(m->results, benchmark->name, event, first->value,
				       first->truth < TRUTH_KINDS ? (enum truth)first->truth
								  : TRUTH_KINDS);
		tolerance = measure_tolerance(m, benchmark, event);
		if (!tolerance_covers(&tolerance, first->value, second))
			note_unsteady(&m->unsteady,
				      (struct unsteady){
					      .benchmark = copy_text(benchmark->name,
								     strlen(benchmark->name)),
					      .event = copy_text(event, strlen(event)),
					      .first = first->value,
					      .second = second,
				      });
	}
	buf_free(&scratch);
	return status;
}

/* --- Functions --- */

static bool has_profile(const struct measuring *m)
{
	return m->profile && m->profile->fd;
}

static void begin_profile(const struct measuring *m)
{
	if (has_profile(m))
		profile_run_clear(m->profile);
}

static const char *measured_functions(const struct benchmark *benchmark)
{
	return benchmark->measure && strcmp(benchmark->measure, MEASURE_PROCESS) != 0
		       ? benchmark->measure
		       : NULL;
}

/* Adds the functions of what ran since begin_profile(). */
static int take_profile(const struct measuring *m, const struct benchmark *benchmark,
			struct sources *sources, struct gate_results *into)
{
	const struct measured_part measured = {benchmark->loop, measured_functions(benchmark)};
	struct profile profile;
	struct reason why;
	bool found;

	if (!has_profile(m))
		return 0;
	if (profile_run_fold(m->profile, &profile, &why)) {
		message("perf0 gate: %s: %s", benchmark->name, why.text);
		return STATUS_USAGE;
	}
	found = functions_add(into, benchmark->name, &profile, &measured, sources,
			      sources ? m->stacks : NULL);
	if (!found && sources)
		message("perf0 gate: %s: no function '%s' is executed: the whole process is "
			"measured",
			benchmark->name,
			measured.functions ? measured.functions : measured.loop->begins);
	profile_free(&profile);
	return 0;
}

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

/* Counts the functions of a run with a difference. Returns 0, or the status. */
static int profile_difference(struct measuring *m, const struct benchmark *benchmark,
			      struct difference difference, struct gate_results *into)
{
	struct line line = {0};
	int status;

	begin_profile(m);
	add_difference(&line, difference);
	add_stat(&line, "instructions:u", benchmark);
	add_word(&line, command_separator);
	add_difference(&line, no_difference);
	status = measure_line(m->options, &line);
	free_line(&line);
	if (!status)
		status = take_profile(m, benchmark, NULL, into);
	gate_results_sort(into);
	return status;
}

/* Finds the functions of `n` unsteady events of a benchmark, by its runs with `difference` and
 * without. */
static void find_unsteady_functions(struct measuring *m, const struct benchmark *benchmark,
				    struct unsteady *u, size_t n, struct difference difference)
{
	struct gate_results of[2] = {0};

	if (!has_profile(m))
		return;
	if (!profile_difference(m, benchmark, no_difference, &of[0]) &&
	    !profile_difference(m, benchmark, difference, &of[1]))
		for (size_t i = 0; i < n; i++)
			u[i].function = find_difference(&of[0], &of[1], benchmark->name);
	gate_results_free(&of[0]);
	gate_results_free(&of[1]);
}

static void add_stats(struct line *line, const struct gate_lists *lists,
		      const struct benchmark *benchmark)
{
	for (size_t i = 0; i < lists->n; i++) {
		add_stat(line, lists->list[i], benchmark);
		add_word(line, command_separator);
	}
}

/* --- Differences and their causes --- */

/* Finds the count of an event among commands. */
static bool find_count(const struct measuring *m, const struct stream_command *command, size_t n,
		       const char *event, uint64_t *value)
{
	struct buf scratch = {0};
	bool found = false;

	for (size_t i = 0; i < n && !found; i++)
		for (size_t c = 0; c < command[i].ncounts && !found; c++) {
			found = !strcmp(gate_events_name(command[i].counts[c].name,
							 m->options->machine.vpmu.uarch->name,
							 &scratch),
					event);
			*value = command[i].counts[c].count.value;
		}
	buf_free(&scratch);
	return found;
}

/*
 * Runs the benchmark with the same random numbers. An event that now counts as in the first run
 * depends on random numbers alone.
 */
static int find_chance(struct measuring *m, const struct benchmark *benchmark,
		       const struct gate_lists *lists, size_t from)
{
	const struct difference difference = {.later = !benchmark->same_clock};
	struct line line = {0};
	int status;

	add_difference(&line, difference);
	add_stats(&line, lists, benchmark);
	add_difference(&line, no_difference);
	status = measure_line(m->options, &line);
	for (size_t i = 0; i < lists->n && !status; i++)
		if (!command_of(&line, i + 1, status, benchmark->name))
			status = STATUS_USAGE;
	for (size_t i = from; i < m->unsteady.n && !status; i++) {
		struct unsteady *u = &m->unsteady.one[i];
		const struct tolerance tolerance = measure_tolerance(m, benchmark, u->event);
		uint64_t third = 0;

		u->by_chance =
			find_count(m, line.stream.commands + 1, lists->n, u->event, &third) &&
			tolerance_covers(&tolerance, u->first, third);
		if (!u->by_chance)
			u->second = third;
	}
	free_line(&line);
	return status;
}

static int compare_chance(const void *a, const void *b)
{
	const struct unsteady *x = a, *y = b;

	return x->by_chance - y->by_chance;
}

/* Sorts the unsteady events from `from` on into their lists, and finds their functions. */
static void settle_unsteady(struct measuring *m, const struct benchmark *benchmark, size_t from)
{
	struct unsteady *u = m->unsteady.one + from;
	const size_t n = m->unsteady.n - from;
	size_t steady = 0; /* number of events that do not depend on chance, which come first */

	qsort(u, n, sizeof(*u), compare_chance);
	while (steady < n && !u[steady].by_chance)
		steady++;
	if (steady)
		find_unsteady_functions(m, benchmark, u, steady,
					(struct difference){.later = !benchmark->same_clock});
	if (steady < n && m->explains_chance)
		find_unsteady_functions(m, benchmark, u + steady, n - steady,
					(struct difference){.others = true});
	if (m->strict)
		return;
	for (size_t i = steady; i < n; i++)
		note_unsteady(&m->by_chance, u[i]);
	m->unsteady.n = from + steady;
}

/* The first list runs alone, and has the profile. */
static int measure_first(struct measuring *m, const struct benchmark *benchmark,
			 const struct gate_lists *lists, struct line *line)
{
	int status;

	begin_profile(m);
	add_stat(line, lists->list[0], benchmark);
	status = measure_line(m->options, line);
	if (!command_of(line, 0, status, benchmark->name))
		return status ? status : STATUS_USAGE;
	return take_profile(m, benchmark, &m->sources, m->results);
}

/* The second run of the first list: its counts are those of the second command. */
static int measure_second(struct measuring *m, const struct benchmark *benchmark,
			  const struct gate_lists *lists, struct line *line,
			  struct gate_results *inside)
{
	int status;

	begin_profile(m);
	add_difference(line, second_difference(benchmark));
	add_stat(line, lists->list[0], benchmark);
	add_word(line, command_separator);
	add_difference(line, no_difference);
	status = measure_line(m->options, line);
	if (!command_of(line, 1, status, benchmark->name))
		return status ? status : STATUS_USAGE;
	return take_profile(m, benchmark, NULL, inside);
}

/* Both runs of the other lists. */
static int measure_others(struct measuring *m, const struct benchmark *benchmark,
			  const struct gate_lists *lists, struct line *line)
{
	const struct gate_lists others = {.list = lists->list + 1, .n = lists->n - 1};
	int status;

	if (!others.n)
		return 0;
	add_stats(line, &others, benchmark);
	add_difference(line, second_difference(benchmark));
	add_stats(line, &others, benchmark);
	add_difference(line, no_difference);
	status = measure_line(m->options, line);
	for (size_t i = 0; i < others.n; i++) {
		const struct stream_command *a = command_of(line, i, status, benchmark->name);
		const struct stream_command *b =
			a ? command_of(line, others.n + 1 + i, status, benchmark->name) : NULL;
		int err = b ? take_counts(m, benchmark, a, b) : status ? status : STATUS_USAGE;

		if (err)
			return err;
	}
	return 0;
}

/* Are functions measured, whose counts are to be the same in both runs? Then those of the process
 * are not judged. */
static bool compare_inside(struct measuring *m, const struct benchmark *benchmark,
			   const struct gate_results *second, size_t first_unsteady)
{
	bool any = false;

	for (size_t i = 0; i < second->n; i++) {
		const struct result *b = &second->row[i], *a = NULL;
		const struct tolerance tolerance = measure_tolerance(m, benchmark, b->name);

		if (b->kind != RESULT_INSIDE)
			continue;
		if (!any)
			m->unsteady.n = first_unsteady;
		any = true;
		for (size_t k = m->results->n; k-- && !a;)
			if (m->results->row[k].kind == RESULT_INSIDE &&
			    !strcmp(m->results->row[k].benchmark, benchmark->name) &&
			    !strcmp(m->results->row[k].name, b->name))
				a = &m->results->row[k];
		if (a && !tolerance_covers(&tolerance, a->value, b->value))
			note_unsteady(
				&m->unsteady,
				(struct unsteady){.benchmark = copy_text(benchmark->name,
									 strlen(benchmark->name)),
						  .event = copy_text(b->name, strlen(b->name)),
						  .first = a->value,
						  .second = b->value});
	}
	return any;
}

static int measure_twice(struct measuring *m, const struct benchmark *benchmark,
			 const struct gate_lists *lists, bool *is_inside)
{
	const size_t before = m->unsteady.n;
	struct line first = {0}, second = {0}, others = {0};
	struct gate_results inside = {0};
	int status = measure_first(m, benchmark, lists, &first);

	if (!status)
		status = measure_second(m, benchmark, lists, &second, &inside);
	if (!status)
		status = take_counts(m, benchmark, &first.stream.commands[0],
				     &second.stream.commands[1]);
	if (!status)
		status = measure_others(m, benchmark, lists, &others);
	if (!status)
		*is_inside = compare_inside(m, benchmark, &inside, before);
	gate_results_free(&inside);
	free_line(&first);
	free_line(&second);
	free_line(&others);
	return status;
}

/* The benchmark's events, in lists that the counters hold. */
static struct gate_lists lists_of(const struct measuring *m, const struct benchmark *benchmark)
{
	struct gate_lists lists;
	struct buf events = {0};

	gate_events_expand(&events, benchmark->events ? benchmark->events : m->events,
			   m->options->machine.vpmu.uarch->name);
	gate_events_split(&lists, buf_text(&events), m->options->machine.vpmu.uarch);
	buf_free(&events);
	return lists;
}

int measure_events(struct measuring *m, const struct benchmark *benchmark)
{
	const size_t before = m->unsteady.n;
	struct gate_lists lists = lists_of(m, benchmark);
	bool is_inside = false;
	int status;

	status = measure_twice(m, benchmark, &lists, &is_inside);
	if (!status && m->unsteady.n > before && !benchmark->same_seed && !is_inside)
		status = find_chance(m, benchmark, &lists, before);
	gate_events_free(&lists);
	if (!status && m->unsteady.n > before)
		settle_unsteady(m, benchmark, before);
	return status;
}

int measure_output(const struct options *options, const char *const *words, struct buf *out)
{
	static const char *const head[] = {"stat", "--quiet", "-e", "dummy", "--", NULL};
	struct line line = {0};
	int status;

	add_words(&line, head);
	add_words(&line, words);
	status = measure_line(options, &line);
	buf_add(out, line.said, line.nsaid);
	free_line(&line);
	return status;
}

/* --- Addresses --- */

#define SHIFT "perf0.layout_shift="

static void note_layout(struct measuring *m, const struct result *row)
{
	const struct result *was =
		gate_results_find(m->results, row->benchmark, row->kind, row->name);
	const uint64_t old = was ? was->value : row->value,
		       by = row->value > old ? row->value - old : old - row->value;
	struct layouts *l = &m->layouts;

	if (!by)
		return;
	for (size_t i = 0; i < l->n; i++)
		if (l->one[i].inside == (row->kind == RESULT_INSIDE) &&
		    !strcmp(l->one[i].benchmark, row->benchmark) &&
		    !strcmp(l->one[i].event, row->name)) {
			l->one[i].by = by > l->one[i].by ? by : l->one[i].by;
			return;
		}
	l->one = memory_grow(l->one, l->n, sizeof(*l->one));
	l->one[l->n++] = (struct layout){
		.benchmark = copy_text(row->benchmark, strlen(row->benchmark)),
		.event = copy_text(row->name, strlen(row->name)),
		.inside = row->kind == RESULT_INSIDE,
		.by = by,
	};
}

/* Counts at addresses that are shifted, into `shifted`. */
static int measure_shifted(struct measuring *m, const struct benchmark *benchmark,
			   const char *events, const char *shift, struct gate_results *shifted)
{
	const char *const set[] = {"sysctl", shift, command_separator, NULL};
	const char *const reset[] = {"sysctl", SHIFT "0", NULL};
	struct measuring with = *m;
	struct line line = {0};
	int status;

	with.results = shifted;
	with.unsteady = (struct unsteady_list){0};
	begin_profile(m);
	add_words(&line, set);
	add_stat(&line, events, benchmark);
	add_word(&line, command_separator);
	add_words(&line, reset);
	status = measure_line(m->options, &line);
	if (!command_of(&line, 1, status, benchmark->name))
		status = status ? status : STATUS_USAGE;
	if (!status)
		status = take_profile(m, benchmark, NULL, shifted);
	if (!status)
		status = take_counts(&with, benchmark, &line.stream.commands[1],
				     &line.stream.commands[1]);
	free_line(&line);
	return status;
}

int measure_layout(struct measuring *m, const struct benchmark *benchmark)
{
	static const char *const shifts[] = {SHIFT "1", SHIFT "2", SHIFT "7"};
	struct gate_lists lists = lists_of(m, benchmark);
	int status = 0;

	for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]) && !status; i++) {
		struct gate_results shifted = {0};

		status = measure_shifted(m, benchmark, lists.list[0], shifts[i], &shifted);
		for (size_t k = 0; k < shifted.n && !status; k++)
			if (shifted.row[k].kind == RESULT_EVENT ||
			    shifted.row[k].kind == RESULT_INSIDE)
				note_layout(m, &shifted.row[k]);
		gate_results_free(&shifted);
	}
	gate_events_free(&lists);
	return status;
}

static void layouts_free(struct layouts *layouts)
{
	for (size_t i = 0; i < layouts->n; i++) {
		free(layouts->one[i].benchmark);
		free(layouts->one[i].event);
	}
	free(layouts->one);
}

static void unsteady_free(struct unsteady_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->one[i].benchmark);
		free(list->one[i].event);
		free(list->one[i].function);
	}
	free(list->one);
}

void measuring_free(struct measuring *m)
{
	unsteady_free(&m->unsteady);
	unsteady_free(&m->by_chance);
	sources_free(&m->sources);
	layouts_free(&m->layouts);
}
