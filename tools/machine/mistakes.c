// SPDX-License-Identifier: BSD-2-Clause
/* mistakes.c - see mistakes.h. */
#include "tools/machine/mistakes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/words/cpulist.h"
#include "lib/words/near.h"
#include "lib/words/operands.h"
#include "lib/words/rules.h"
#include "lib/words/workload_words.h"
#include "pmu/plan/request.h"
#include "rt/portable/cmdline.h"
#include "rt/portable/boot_options.h"
#include "tools/events/chosen.h"
#include "tools/events/suggest.h"
#include "tools/machine/line_programs.h"
#include "tools/options/option_scan.h"
#include "tools/util/quote.h"

/* The command line under check. */
struct checking {
	const struct command_machine *machine;
	const struct registered *image;
	const struct command *command;
	struct option_set given; /* options of the command */
};

/* Checks the values that an option's row alone cannot check. */
static int check_value(struct checking *c, const struct scanned *option, struct reason *why)
{
	struct cpumask ignored;

	switch (option->id) {
	case OPT_EVENT:
		chosen_list(option->value);
		return 0;
	case OPT_FILTER:
		return chosen_filter(option->value, why);
	case OPT_CGROUP:
		return chosen_cgroups(option->value, why);
	case OPT_FOR_EACH_CGROUP:
		return chosen_for_each_cgroup(option->value, why);
	case OPT_CPUS:
		return cpulist_read(option->value, c->machine->ncpus, &ignored, why);
	default:
		return 0;
	}
}

static int take_option(void *ctx, const struct scanned *option, struct reason *why)
{
	struct checking *c = ctx;

	option_given(&c->given, option->id, option->value);
	return check_value(c, option, why);
}

const char *workload_near(const struct registered *r, const char *typed)
{
	for (size_t i = 0; i < r->nworkloads; i++)
		if (near_word(typed, strlen(typed), r->workload[i].name))
			return r->workload[i].name;
	return NULL;
}

static const char *near_command(const struct registered *r, const char *typed)
{
	for (size_t i = 0; i < r->ncommands; i++)
		if (near_word(typed, strlen(typed), r->command[i].name))
			return r->command[i].name;
	return NULL;
}

/* Returns whether the word is a program; programs_command() reports its mistakes. */
static bool is_program(const struct command_machine *machine, const char *word)
{
	if (strchr(word, '/') || (machine->has_file && machine->has_file(machine->files, word)))
		return true;
	return machine->events.image && !registered_workload(machine->events.image, word) &&
	       machine->programs && programs_finds(machine->programs, word);
}

/* No name of a workload has a blank or a semicolon in it. */
static int refuse_workload(const struct command *command, const char *word, struct reason *why)
{
	if (!strpbrk(word, " ;"))
		return refuse(why, EINVAL,
			      "unknown workload '%s'; `perf0 help workloads` lists them", word);
	if (!strcmp(command->name, "bench"))
		return refuse(why, EINVAL,
			      "unknown workload '%s'; code to measure stands behind --asm", word);
	return refuse(why, EINVAL,
		      "unknown workload '%s'; a program and each argument are words of their own",
		      word);
}

/* Checks a workload; words[0] is its name or path. */
static int check_workload(const struct checking *c, const char *const *words, struct reason *why)
{
	const struct registered *r = c->image;
	const struct workload *w;
	uint64_t args[WORKLOAD_MAX_PARAMS];
	const char *near;

	if (!words[0])
		return refuse(why, EINVAL, "no workload given; `perf0 help workloads` lists them");
	if (is_program(c->machine, words[0]))
		return 0;
	w = registered_workload(r, words[0]);
	if (w)
		return workload_args(w, (int)count_words(words) - 1, words + 1, args, why);
	near = workload_near(r, words[0]);
	if (near)
		return refuse(why, EINVAL, "unknown workload '%s'; did you mean '%s'?", words[0],
			      near);
	if (!access(words[0], F_OK))
		return refuse(why, EINVAL, "unknown workload '%s'; the file here is './%s'",
			      words[0], words[0]);
	return refuse_workload(c->command, words[0], why);
}

/* The topic of `help` is a command's name, `workloads` or `events`. */
static int check_topic(const struct registered *r, const char *topic, struct reason *why)
{
	const char *near;

	if (!strcmp(topic, "workloads") || !strcmp(topic, "events") || registered_command(r, topic))
		return 0;
	near = near_command(r, topic);
	if (near)
		return refuse(why, EINVAL, "unknown command '%s'; did you mean '%s'?", topic, near);
	return refuse(why, EINVAL, "unknown command '%s'; `help` lists them", topic);
}

static int check_operands(const struct checking *c, const char *const *words, struct reason *why)
{
	const struct guest_uarch *guest = c->machine->events.uarch;
	int err = operands_check(c->command, words, why);

	if (err)
		return err;
	if (c->command->operands.kind == OPERANDS_WORKLOAD)
		return check_workload(c, words, why);
	if (words[0] && !strcmp(c->command->name, "help"))
		return check_topic(c->image, words[0], why);
	if (words[0] && guest && c->command->options == IMAGE_LIST && strcmp(words[0], "metrics"))
		return event_part_check(words[0], uarch_by_name(guest->name), c->image, why);
	return 0;
}

/* Checks options against the chosen events. */
static int check_chosen(struct checking *c, struct reason *why)
{
	if (!chosen_known())
		return 0;
	if (chosen_fit(why))
		return -EINVAL;
	if (chosen_traces())
		option_fact(&c->given, FACT_TRACES);
	if (c->command->options == IMAGE_TRACE && chosen_tracepoints(why))
		return -EINVAL;
	return options_agree(c->command->options, &c->given, true, why);
}

static int find_mistakes(struct checking *c, const char **words, struct reason *why)
{
	bool ended;
	int err = 0;

	chosen_begin(&c->machine->events);
	if (c->command->options)
		err = scan_options(c->command->options, false, words, &ended, take_option, c, why);
	if (!err)
		err = check_chosen(c, why);
	return err ? err : check_operands(c, words, why);
}

static int unknown_command(const struct registered *r, const char *name, struct reason *why)
{
	const char *near = near_command(r, name);

	if (near)
		return refuse(why, ENOENT, "unknown command '%s'; did you mean '%s'?", name, near);
	if (strchr(name, ' '))
		return refuse(why, ENOENT,
			      "unknown command '%s': it is one word; leave out its quotes", name);
	return refuse(why, ENOENT, "unknown command '%s'; `help` lists them", name);
}

bool boot_option_is(const char *word)
{
	return strchr(word, '=') && word[0] != '-' && !strchr(word, '/');
}

static int check_boot_option(const char *word, unsigned *ncpus, struct reason *why)
{
	struct boot_options options;
	struct options_error error;
	char *copy = strdup(word);
	int err = 0;

	if (!copy)
		return 0;
	options_parse(copy, &options, &error);
	if (error.word)
		err = refuse(why, EINVAL, "boot option %s: it %s", word, error.reason);
	else if (options.cpus < *ncpus)
		*ncpus = options.cpus;
	free(copy);
	return err;
}

int boot_option_mistakes(const char ***words, struct command_machine *machine, struct reason *why)
{
	int err = 0;

	for (; **words && boot_option_is(**words) && !err; ++*words)
		err = check_boot_option(**words, &machine->ncpus, why);
	return err;
}

static int ignore_option(void *ctx, const struct scanned *option, struct reason *why)
{
	(void)ctx;
	(void)option;
	(void)why;
	return 0;
}

/* Counts the words behind the options, which scan_options() leaves. */
static size_t count_operands(const struct command *command, const char *const *words)
{
	const size_t n = count_words(words);
	const char **copy = calloc(n + 1, sizeof(*copy));
	struct reason ignored;
	size_t left = 0;
	bool ended;

	if (!copy)
		return 0;
	memcpy(copy, words, n * sizeof(*copy));
	if (!command->options ||
	    !scan_options(command->options, false, copy, &ended, ignore_option, NULL, &ignored))
		left = count_words(copy);
	free(copy);
	return left;
}

size_t command_workload(const char *const *words, const struct command_machine *machine)
{
	const struct registered *image = machine->events.image;
	const struct command *command = image ? registered_command(image, words[0]) : NULL;
	size_t at = 0;

	if (!image || (command && command->operands.kind != OPERANDS_WORKLOAD))
		return PROGRAMS_NO_WORKLOAD;
	if (command)
		at = count_words(words) - count_operands(command, words + 1);
	return words[at] && is_program(machine, words[at]) ? at : PROGRAMS_NO_WORKLOAD;
}

/*
 * Counts the words of the command line. The arguments of a program are in the pack if they are too
 * many for the line.
 */
static size_t count_line_words(const struct checking *c, const char *const *words)
{
	const size_t workload = command_workload(words, c->machine);

	return workload == PROGRAMS_NO_WORKLOAD ? count_words(words) : workload + 1;
}

static int check_command(struct checking *c, const char *const *words, struct reason *why)
{
	const size_t n = count_words(words);
	const char **copy;
	struct reason what;
	int err;

	c->command = registered_command(c->image, words[0]);
	if (!c->command && is_program(c->machine, words[0]))
		return 0;
	if (!c->command)
		return unknown_command(c->image, words[0], why);
	if (count_line_words(c, words) > CMDLINE_MAX_ARGS)
		return refuse(why, EINVAL, "%s: a command has %d words at most, and this has %zu",
			      c->command->name, CMDLINE_MAX_ARGS, n);
	copy = calloc(n, sizeof(*copy));
	if (!copy)
		return 0;
	memcpy(copy, words + 1, n * sizeof(*copy));
	err = find_mistakes(c, copy, &what);
	free(copy);
	return err ? refuse(why, EINVAL, "%s: %s", c->command->name, what.text) : 0;
}

int command_mistakes(const char *const *words, const struct command_machine *machine,
		     struct reason *why)
{
	struct checking c = {.machine = machine, .image = machine->events.image};

	return c.image ? check_command(&c, words, why) : 0;
}

static int store_option(void *ctx, const struct scanned *option, struct reason *why)
{
	return option_store(ctx, 1, option->id, option->value, why);
}

int plan_mistakes(const char *const *words, struct reason *why)
{
	struct planner_options o = {.json = false};
	const struct option_target targets[] = {PLANNER_TARGETS(o)};
	const struct option_targets set = OPTION_TARGETS(targets);
	const size_t n = count_words(words);
	const char **copy;
	struct planner *planner;
	struct reason what;
	bool ended;
	int err = 0;

	if (strcmp(words[0], "plan"))
		return 0;
	copy = calloc(n, sizeof(*copy));
	planner = calloc(1, sizeof(*planner));
	if (copy && planner) {
		memcpy(copy, words + 1, n * sizeof(*copy));
		err = scan_options(IMAGE_PLAN, false, copy, &ended, store_option, (void *)&set,
				   &what);
		planner_events(&o);
		if (!err)
			err = planner_run(planner, &o.request, &what);
	}
	free(copy);
	free(planner);
	return err ? refuse(why, EINVAL, "plan: %s", what.text) : 0;
}
