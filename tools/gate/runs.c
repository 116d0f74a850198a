// SPDX-License-Identifier: BSD-2-Clause
/*
 * runs.c - see runs.h. A line begins with a command `sysctl`, because the line before may have
 * ended early, with other settings. Another one stands between two runs with different settings.
 */
#include "tools/gate/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

#define SHIFTED "perf0.layout_shift="

#define SAID_MOST  200   /* characters shown of a program's last line */
#define RUNS_MOST  64    /* of a line */
#define BYTES_MOST 32000 /* of a line: half of what the image takes, as words may be quoted */
#define RUN_BYTES  400   /* the other words of a run, and its settings */

struct run {
	const struct benchmark *benchmark;
	size_t command; /* its number in the line */
};

/* --- The line --- */

static size_t bytes_of_run(const struct benchmark *benchmark)
{
	size_t bytes = RUN_BYTES;

	for (const char **word = benchmark->word; *word; word++)
		bytes += strlen(*word) + 1;
	return bytes;
}

static bool has_same_events(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool runs_have_room(const struct runs *runs, const struct benchmark *benchmark, size_t n)
{
	return !runs->n || (runs->n + n <= RUNS_MOST &&
			    runs->bytes + n * bytes_of_run(benchmark) <= BYTES_MOST &&
			    !strcmp(runs->first->word[0], benchmark->word[0]) &&
			    has_same_events(runs->first->events, benchmark->events));
}

static void add_word(struct runs *runs, const char *word)
{
	runs->word = memory_grow(runs->word, runs->nwords, sizeof(*runs->word));
	runs->word[runs->nwords++] = word;
}

static void add_words(struct runs *runs, const char *const *words)
{
	for (; *words; words++)
		add_word(runs, *words);
}

/* Returns the number of the next command. */
static size_t begin_command(struct runs *runs)
{
	if (runs->nwords)
		add_word(runs, command_separator);
	return runs->ncommands++;
}

static void change_settings(struct runs *runs, struct run_settings to)
{
	static const char *const shift[1 + RUN_SHIFTS] = {SHIFTED "0", SHIFTED "1", SHIFTED "2",
							  SHIFTED "7"};
	const char *const words[] = {"sysctl", to.later ? LATER : NOW, to.others ? OTHERS : SAME,
				     shift[to.shift], NULL};
	const struct run_settings *from = &runs->settings;

	if (runs->nwords && from->later == to.later && from->others == to.others &&
	    from->shift == to.shift)
		return;
	begin_command(runs);
	add_words(runs, words);
	runs->settings = to;
}

size_t runs_add(struct runs *runs, const struct benchmark *benchmark, const char *events,
		struct run_settings settings)
{
	const bool has_regions = benchmark->measure && !strcmp(benchmark->measure, MEASURE_REGIONS);
	const char *const head[] = {"stat", has_regions ? "-j" : "--quiet", "--no-mux", "-e", NULL};

	change_settings(runs, settings);
	if (!runs->n)
		runs->first = benchmark;
	runs->one = memory_grow(runs->one, runs->n, sizeof(*runs->one));
	runs->one[runs->n] = (struct run){.benchmark = benchmark, .command = begin_command(runs)};
	runs->bytes += bytes_of_run(benchmark);
	add_words(runs, head);
	add_word(runs, events);
	add_word(runs, "--");
	add_words(runs, benchmark->word);
	return runs->n++;
}

/* --- The machine --- */

/* Takes output of the command that runs. */
static ssize_t take_output(void *ctx, const char *bytes, size_t n)
{
	struct run_output *output = ctx;
	const size_t at = output->runs->stream.ncommands;

	while (output->n <= at) {
		output->of = memory_grow(output->of, output->n, sizeof(*output->of));
		output->n++;
	}
	buf_add(&output->of[at], bytes, n);
	return (ssize_t)n;
}

static FILE *open_output(struct runs *runs, struct run_output *output)
{
	FILE *file = memory_checked(
		fopencookie(output, "w", (cookie_io_functions_t){.write = take_output}));

	*output = (struct run_output){.runs = runs};

	setvbuf(file, NULL, _IONBF, 0);
	return file;
}

int runs_do(struct runs *runs, const struct options *options, struct profile_run *profile)
{
	FILE *said = open_output(runs, &runs->said), *told = open_output(runs, &runs->told);
	const struct session_files files = {.out = told, .programs = said, .errors = said};

	add_word(runs, NULL);
	runs->profile = profile && profile->fd ? profile : NULL;
	if (runs->profile)
		profile_run_clear(runs->profile);
	stream_init(&runs->stream);
	runs->status = boot_check(options, runs->word);
	if (!runs->status)
		runs->status = boot_image(options, &files, &runs->stream);
	fclose(said);
	fclose(told);
	return runs->status;
}

/* --- Results --- */

bool runs_has_begun(const struct runs *runs, size_t at)
{
	return runs->one[at].command < runs->stream.ncommands;
}

static const struct stream_command *begun_command(const struct runs *runs, size_t at)
{
	return runs_has_begun(runs, at) ? &runs->stream.commands[runs->one[at].command] : NULL;
}

/* The results of a machine that ended, or that lost frames, may be incomplete. */
const struct stream_command *runs_command(const struct runs *runs, size_t at)
{
	const struct stream_command *command = begun_command(runs, at);

	return command && command->ended && !command->result.status &&
			       runs->status != STATUS_MACHINE
		       ? command
		       : NULL;
}

static const struct buf *output_of(const struct runs *runs, const struct run_output *output,
				   size_t at)
{
	static const struct buf nothing;
	const size_t number = runs->one[at].command + 1;

	return number < output->n ? &output->of[number] : &nothing;
}

const struct buf *runs_said(const struct runs *runs, size_t at)
{
	return output_of(runs, &runs->said, at);
}

const struct buf *runs_told(const struct runs *runs, size_t at)
{
	return output_of(runs, &runs->told, at);
}

/* Returns the last line of output that is not empty. */
static void last_words(const struct buf *said, char out[SAID_MOST])
{
	const char *text = (const char *)said->data;
	size_t end = said->size, begin;

	while (end && strchr(" \n\r", text[end - 1]))
		end--;
	for (begin = end; begin && text[begin - 1] != '\n';)
		begin--;
	snprintf(out, SAID_MOST, "%.*s", (int)(end - begin), end ? text + begin : "");
}

/* The command that a time limit has ended. */
static bool is_timed_out(const struct runs *runs, size_t at)
{
	return runs->status == STATUS_TIMEOUT &&
	       runs->one[at].command + 1 == runs->stream.ncommands;
}

int runs_complain(const struct runs *runs, size_t at)
{
	const struct stream_command *command = begun_command(runs, at);
	const char *name = runs->one[at].benchmark->name;
	const int status = command && command->ended && command->result.status
				   ? command->result.status & 0xff
				   : runs->status;
	char said[SAID_MOST];

	/* the machine or the check of the line has printed the reason */
	if (runs->status == STATUS_MACHINE || !command || is_timed_out(runs, at)) {
		message("perf0 gate: %s could not be measured", name);
		return runs->status ? runs->status : STATUS_USAGE;
	}
	last_words(runs_said(runs, at), said);
	message("perf0 gate: %s fails with status %d%s%s", name, status, *said ? ": " : "", said);
	return status ? status : STATUS_USAGE;
}

int runs_profile(const struct runs *runs, size_t at, struct profile *profile, struct reason *why)
{
	return profile_run_fold_command(runs->profile, runs->one[at].command, profile, why);
}

static void free_output(struct run_output *output)
{
	for (size_t i = 0; i < output->n; i++)
		buf_free(&output->of[i]);
	free(output->of);
}

void runs_free(struct runs *runs)
{
	free_output(&runs->said);
	free_output(&runs->told);
	stream_free(&runs->stream);
	free(runs->word);
	free(runs->one);
}

int runs_output(const struct options *options, const char *const *words, struct buf *out)
{
	const struct benchmark listed = {.name = (char *)words[0], .word = (const char **)words};
	struct runs runs = {0};
	int status;

	runs_add(&runs, &listed, "dummy", (struct run_settings){0});
	status = runs_do(&runs, options, NULL);
	buf_add(out, runs_said(&runs, 0)->data, runs_said(&runs, 0)->size);
	runs_free(&runs);
	return status;
}
