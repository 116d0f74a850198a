// SPDX-License-Identifier: BSD-2-Clause
/* measure.c - see measure.h. */
#include "tools/gate/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/gate/gate_events.h"
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

#define SAMPLES          200u  /* about so many for a benchmark; each takes 0.5 ms */
#define SAMPLES_UNSTEADY 2000u /* for a benchmark that is not deterministic, which is rare */
#define INSTRUCTIONS     "instructions:u"
#define SAID_MOST        200 /* characters shown of a program's last line */

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

static bool is_prime(uint64_t n)
{
	for (uint64_t d = 2; d * d <= n; d++)
		if (n % d == 0)
			return false;
	return n > 1;
}

/* Returns a prime number, so that no loop of a few instructions runs in step with it. */
static uint64_t period_for(uint64_t instructions, unsigned samples)
{
	uint64_t period = instructions / samples;

	if (period < 2)
		return 1;
	while (!is_prime(period))
		period++;
	return period;
}

static void add_record_words(struct line *line, const char *period,
			     const struct benchmark *benchmark)
{
	static const char *const head[] = {"record", "-e", INSTRUCTIONS, "-c", NULL};

	add_words(line, head);
	add_word(line, period);
	add_word(line, "--");
	add_words(line, benchmark->word);
}

int measure_functions(struct measuring *m, const struct benchmark *benchmark, uint64_t instructions,
		      struct gate_results *into)
{
	const struct stream_command *command;
	const uint64_t period = period_for(instructions, SAMPLES);
	struct line line = {0};
	char text[32];
	int status;

	snprintf(text, sizeof(text), "%" PRIu64, period);
	add_record_words(&line, text, benchmark);
	status = measure_line(m->options, &line);
	command = command_of(&line, 0, status, benchmark->name);
	if (command) {
		gate_results_add(into, benchmark->name, RESULT_PERIOD, INSTRUCTIONS, period);
		functions_add(into, benchmark->name, &line.stream, command, &m->sources);
	}
	free_line(&line);
	return command ? 0 : status ? status : STATUS_USAGE;
}

/*
 * Finds the function in which two recordings differ most, if a shift of one sample cannot explain
 * the difference; NULL: none. The caller frees it.
 */
static char *find_difference(const struct gate_results *a, const struct gate_results *b,
			     uint64_t period)
{
	uint64_t most = period > 1 ? 2 * period - 1 : 0;
	char *name = NULL;

	for (int turn = 0; turn < 2; turn++) {
		const struct gate_results *from = turn ? b : a, *to = turn ? a : b;

		for (size_t i = 0; i < from->n; i++) {
			const struct result *row = &from->row[i], *other;
			uint64_t value, got;

			if (row->kind != RESULT_FUNCTION)
				continue;
			other = gate_results_find(to, row->benchmark, row->kind, row->name);
			value = other ? other->value : 0;
			got = row->value > value ? row->value - value : value - row->value;
			if (got <= most)
				continue;
			most = got;
			free(name);
			name = copy_text(row->name, strlen(row->name));
		}
	}
	return name;
}

/*
 * Samples both runs again, for events that `difference` changes. A failure here is no failure of
 * the gate.
 */
static void find_unsteady_functions(struct measuring *m, const struct benchmark *benchmark,
				    struct unsteady *u, size_t n, struct difference difference)
{
	const struct result *row = NULL;
	struct gate_results of[2] = {0};
	struct line line = {0};
	uint64_t period;
	char text[32];

	for (size_t i = m->results->n;
	     i-- && !strcmp(m->results->row[i].benchmark, benchmark->name);)
		if (!strcmp(m->results->row[i].name, INSTRUCTIONS))
			row = &m->results->row[i];
	period = period_for(row ? row->value : 0, SAMPLES_UNSTEADY);
	snprintf(text, sizeof(text), "%" PRIu64, period);
	add_record_words(&line, text, benchmark);
	add_word(&line, command_separator);
	add_difference(&line, difference);
	add_record_words(&line, text, benchmark);
	add_word(&line, command_separator);
	add_difference(&line, no_difference);
	if (!measure_line(m->options, &line) && line.stream.ncommands == 4) {
		for (int i = 0; i < 2; i++) {
			functions_add(&of[i], benchmark->name, &line.stream,
				      &line.stream.commands[2 * i], &m->sources);
			gate_results_sort(&of[i]);
		}
		for (size_t i = 0; i < n; i++)
			u[i].function = find_difference(&of[0], &of[1], period);
	}
	gate_results_free(&of[0]);
	gate_results_free(&of[1]);
	free_line(&line);
}

static void add_stats(struct line *line, const struct gate_lists *lists,
		      const struct benchmark *benchmark)
{
	for (size_t i = 0; i < lists->n; i++) {
		add_stat(line, lists->list[i], benchmark);
		add_word(line, command_separator);
	}
}

static int take_line_counts(struct measuring *m, const struct benchmark *benchmark,
			    struct line *line, size_t nlists, int status)
{
	for (size_t i = 0; i < nlists; i++) {
		const struct stream_command *first = command_of(line, i, status, benchmark->name);
		const struct stream_command *second =
			first ? command_of(line, nlists + 1 + i, status, benchmark->name) : NULL;
		int err = second   ? take_counts(m, benchmark, first, second)
			  : status ? status
				   : STATUS_USAGE;

		if (err)
			return err;
	}
	return 0;
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

static int measure_twice(struct measuring *m, const struct benchmark *benchmark,
			 const struct gate_lists *lists)
{
	const struct difference difference = {
		.later = !benchmark->same_clock,
		.others = !benchmark->same_seed,
	};
	struct line line = {0};
	int status;

	add_stats(&line, lists, benchmark);
	add_difference(&line, difference);
	add_stats(&line, lists, benchmark);
	add_difference(&line, no_difference);
	status = measure_line(m->options, &line);
	status = take_line_counts(m, benchmark, &line, lists->n, status);
	free_line(&line);
	return status;
}

int measure_events(struct measuring *m, const struct benchmark *benchmark)
{
	const size_t before = m->unsteady.n;
	struct gate_lists lists;
	struct buf events = {0};
	int status;

	gate_events_expand(&events, benchmark->events ? benchmark->events : m->events,
			   m->options->machine.vpmu.uarch->name);
	gate_events_split(&lists, buf_text(&events), m->options->machine.vpmu.uarch);
	status = measure_twice(m, benchmark, &lists);
	if (!status && m->unsteady.n > before && !benchmark->same_seed)
		status = find_chance(m, benchmark, &lists, before);
	gate_events_free(&lists);
	buf_free(&events);
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
}
