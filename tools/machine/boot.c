// SPDX-License-Identifier: BSD-2-Clause
/* boot.c - see boot.h. */
#include "tools/machine/boot.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "tools/events/events.h"
#include "tools/events/metric_names.h"
#include "tools/util/message.h"
#include "tools/machine/mistakes.h"
#include "tools/machine/line_programs.h"
#include "tools/machine/measured_on.h"
#include "tools/machine/standing.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

/* The results of boot_check() for boot_image(). */
static struct {
	struct programs programs;
	uint32_t memory; /* MiB, for the programs */
	struct buf line;
	struct buf boot; /* options that the image gets as it starts */
} checked;

/* Shorter names have too many neighbours. */
#define NEAR_LETTERS 4

/* Tells that a word which resembles a workload's name is the name of a program. */
static void tell_near_workload(const struct command_machine *machine, const char *program)
{
	const char *near;

	if (strchr(program, '/') || strlen(program) < NEAR_LETTERS)
		return;
	near = workload_near(machine->events.image, program);
	if (near)
		message("perf0: '%s' is a program in PATH; the workload is '%s'", program, near);
}

/* Takes the programs of one command. */
static int take_programs(const struct command_machine *machine, const char **words,
			 struct reason *why)
{
	const size_t workload = command_workload(words, machine);
	struct reason what;
	int err;

	if (workload != PROGRAMS_NO_WORKLOAD)
		tell_near_workload(machine, words[workload]);
	err = programs_command(machine->programs, words, workload, &what);

	if (err && workload)
		return refuse(why, EINVAL, "%s: %s", words[0], what.text);
	return err ? refuse(why, EINVAL, "%s", what.text) : 0;
}

/*
 * Calls `check` with the command at `words`, up to its separator. Removes the words that `check`
 * drops from the command's end.
 */
static int with_one_command(int (*check)(const struct command_machine *machine, const char **words,
					 struct reason *why),
			    const struct command_machine *machine, const char **words,
			    struct reason *why)
{
	const char **end = command_end(words), *separator = *end;
	size_t n;
	int err;

	*end = NULL;
	err = check(machine, words, why);
	n = count_words(words);
	*end = separator;
	memmove(words + n, end, (count_words(end) + 1) * sizeof(*end));
	return err;
}

static int check_one_command(const struct command_machine *machine, const char **words,
			     struct reason *why)
{
	int err = command_mistakes(words, machine, why);

	if (!err)
		err = events_encode_words(words, &machine->events, events_tell_refused, why);
	if (!err)
		err = metrics_encode_words(words, &machine->events, NULL, why);
	if (!err && *words)
		err = plan_mistakes(words, why);
	return err ? err : take_programs(machine, words, why);
}

/* With several commands, the complaint says which one is wrong. */
static int check_each_command(struct command_machine *machine, const char **words,
			      struct reason *why)
{
	const size_t several = count_commands(words) > 1;
	size_t number = 0;

	if (!count_commands(words))
		return refuse(why, EINVAL, "run: no command; `perf0 run -- help` lists them");
	if (boot_option_mistakes(&words, machine, why))
		return -EINVAL;
	for (; *words; words = command_next(words)) {
		struct reason what;
		int err;

		if (is_separator(*words))
			continue;
		number++;
		err = with_one_command(check_one_command, machine, words, &what);
		if (err && several)
			return refuse(why, -err, "command %zu: %s", number, what.text);
		if (err)
			return refuse(why, -err, "%s", what.text);
	}
	return 0;
}

/* Moves the boot options from the start of `words` to `checked.boot`. */
static void take_boot_options(const char **words)
{
	size_t n = 0;

	checked.boot.size = 0;
	for (; words[n] && boot_option_is(words[n]); n++)
		buf_printf(&checked.boot, "%s%s", n ? " " : "", words[n]);
	memmove(words, words + n, (count_words(words + n) + 1) * sizeof(*words));
}

static int each_programs(const struct command_machine *machine, const char **words, bool all,
			 struct reason *why)
{
	for (; *words; words = command_next(words)) {
		int err = is_separator(*words)
				  ? 0
				  : with_one_command(take_programs, machine, words, why);

		if (err && !all)
			return err;
		if (err)
			message("perf0: %s", why->text);
	}
	return 0;
}

int boot_programs(struct programs *programs, const struct program_options *options,
		  const char **words, bool all, struct reason *why)
{
	struct command_machine machine = {.programs = programs};
	struct reason ignored;
	int err;

	if (registered_read(&machine.events.image, &ignored))
		machine.events.image = NULL;
	programs_begin(programs, options);
	while (*words && boot_option_is(*words))
		words++;
	err = each_programs(&machine, words, all, why);
	return err ? err : programs_end(programs, why);
}

int boot_check(const struct options *options, const char **words)
{
	struct command_machine machine = {
		.events.uarch = options->machine.has_vpmu ? options->machine.vpmu.uarch : NULL,
		.ncpus = options->machine.smp,
		.programs = &checked.programs};
	struct reason why, ignored;
	int err;

	/* Drops what is left of a command that was refused. */
	checked.line.size = 0;
	programs_free(&checked.programs);
	programs_begin(&checked.programs, &options->program);
	if (registered_read(&machine.events.image, &ignored))
		machine.events.image = NULL;
	if (options->keep_going) {
		err = events_encode_words(words, &machine.events, events_tell_refused, &why);
		if (!err)
			err = metrics_encode_words(words, &machine.events, events_tell_refused,
						   &why);
	} else {
		err = check_each_command(&machine, words, &why);
	}
	if (!err && options->keep_going)
		err = boot_programs(&checked.programs, &options->program, words, true, &why);
	else if (!err && programs_end(&checked.programs, &why))
		err = -EINVAL;
	if (!err)
		take_boot_options(words);
	if (!err && !options->machine.memory)
		err = programs_machine(&checked.programs, &checked.memory, &why);
	if (!err)
		err = quote_words(&checked.line, words, count_words(words), &why);
	if (!err)
		return 0;
	message("perf0: %s", why.text);
	return err == -ENOENT ? STATUS_NOT_FOUND : STATUS_USAGE;
}

const char *boot_commands(void)
{
	if (checked.boot.size)
		buf_printf(&checked.boot, " ");
	buf_add(&checked.boot, checked.line.data, checked.line.size);
	checked.line.size = 0;
	return buf_text(&checked.boot);
}

int boot_pack(struct reason *why)
{
	return checked.programs.n ? programs_pack(&checked.programs, why)
				  : refuse(why, ENOENT, "no program was named");
}

uint64_t boot_loaded(void)
{
	return checked.programs.memory;
}

int boot_each_file(int (*take)(void *ctx, const char *path, const char *host), void *ctx)
{
	return programs_each_file(&checked.programs, take, ctx);
}

static uint32_t machine_memory(const struct options *options)
{
	return options->machine.memory ? options->machine.memory : checked.memory;
}

void boot_measured_on(struct buf *out, const struct options *options)
{
	measured_on_json(out, options, machine_memory(options), &checked.programs);
}

static void prepare_memory(struct options *options)
{
	options->machine.memory = machine_memory(options);
	if (options->output.verbose && options->machine.memory != OPTION_MEMORY_MIB)
		message("perf0: a machine with %u MiB of memory", options->machine.memory);
}

static void tell_measured_on(const struct options *options)
{
	static bool is_told;
	struct buf text = {0};

	if (is_told || !options->output.verbose)
		return;
	is_told = true;
	measured_on_text(&text, options, machine_memory(options), &checked.programs);
	message("perf0: %s", buf_text(&text));
	buf_free(&text);
}

int boot_image(const struct options *options, const struct session_files *files,
	       struct stream *stream)
{
	struct options with = *options;
	int status;

	with.machine.programs = &checked.programs;
	with.machine.boot_options = buf_text(&checked.boot);
	if (standing_takes(&with)) {
		status = standing_run(&with, buf_text(&checked.line), files, stream);
	} else {
		tell_measured_on(&with);
		prepare_memory(&with);
		status = session_run(&with, buf_text(&checked.line), files, stream);
	}
	buf_free(&checked.line);
	programs_free(&checked.programs);
	return status;
}
