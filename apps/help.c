// SPDX-License-Identifier: BSD-2-Clause
/* help.c - help: the commands, the options of one command, the workloads. */
#include "include/perf0/version.h"
#include "lib/string.h"
#include "lib/words/eventhelp.h"
#include "lib/words/option_words.h"
#include "rt/console/command.h"
#include "rt/print/print.h"
#include "linux/program/workload.h"

#include <stdbool.h>
#include <stddef.h>

/* The commands that people want first, in this order. */
static const char *const first_commands[] = {
	"stat",   "record", "bench",  "trace", "doctor",   "caps",   "machine", "list",
	"config", "cpus",   "sysctl", "help",  "poweroff", "reboot", "exit",
};

static bool is_wanted_first(const char *name)
{
	for (size_t i = 0; i < sizeof(first_commands) / sizeof(first_commands[0]); i++)
		if (!strcmp(name, first_commands[i]))
			return true;
	return false;
}

static void list_command(const struct command *c)
{
	out("  %-10s %s\n", c->name, c->summary);
}

static void list_commands(void)
{
	out("perf0 %s: perf_events at ring 0 with nothing else running\n\n", PERF0_VERSION);
	for (size_t i = 0; i < sizeof(first_commands) / sizeof(first_commands[0]); i++)
		if (command_find(first_commands[i]))
			list_command(command_find(first_commands[i]));
	out("\nFor plans, hosts, and tests of perf0 itself:\n\n");
	for (const struct command *const *c = __commands_start; c < __commands_end; c++)
		if (!is_wanted_first((*c)->name))
			list_command(*c);
	out("\n`help COMMAND` tells its options, `help workloads` what there is to measure.\n"
	    "A `;` between blanks separates commands.\n");
}

static void list_workloads(void)
{
	out("Workloads run in ring 3; events with :u count nothing but them.\n\n");
	for (const struct workload *const *w = __workloads_start; w < __workloads_end; w++) {
		out("  %s %s\n", (*w)->name, (*w)->usage);
		out("        %s\n", (*w)->summary);
	}
}

/* Help may be longer than the texts that out() formats. */
static void put_help(void *ctx, const char *text)
{
	(void)ctx;
	out_text(text, strlen(text));
}

static int help_command(const char *name)
{
	const struct command *c = command_find(name);

	if (!c) {
		err("help: unknown command '%s'; `help` lists them\n", name);
		return STATUS_NOT_FOUND;
	}
	out("%s - %s\n\nusage: %s%s%s\n", c->name, c->summary, c->name, *c->usage ? " " : "",
	    c->usage);
	if (c->help) {
		out("\n");
		put_help(NULL, c->help);
	}
	options_help(c->options, NULL, put_help, NULL);
	return 0;
}

static int run_help(int argc, char **argv)
{
	if (argc < 2)
		list_commands();
	else if (!strcmp(argv[1], "workloads"))
		list_workloads();
	else if (!strcmp(argv[1], "events"))
		put_help(NULL, help_of_events);
	else
		return help_command(argv[1]);
	return 0;
}

static const struct command help = {
	.name = "help",
	.usage = "[COMMAND | workloads | events]",
	.summary = "the commands of this prompt, or the options of one",
	.operands = {.kind = OPERANDS_TEXT},
	.run = run_help,
};
COMMAND(help);
