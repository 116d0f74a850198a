// SPDX-License-Identifier: BSD-2-Clause
/* tool_help.c - see tool_help.h. */
#include "tools/help/tool_help.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lib/words/eventhelp.h"
#include "lib/words/option_words.h"
#include "tools/help/help_start.h"
#include "tools/util/image_names.h"
#include "tools/options/tool_options.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

void help_put(void *ctx, const char *text)
{
	fputs(text, ctx);
}

void help_of_image(enum option_taker taker)
{
	const uint64_t bits = tool_options_takers(taker) & ~(uint64_t)taker;
	const struct registered *r;
	struct reason ignored;

	if (!bits || registered_read(&r, &ignored))
		return;
	for (size_t i = 0; i < r->ncommands; i++)
		if (r->command[i].options & bits && r->command[i].help)
			fputs(r->command[i].help, stdout);
}

const struct registered *help_registered(void)
{
	const struct registered *r;
	struct reason why;

	if (!registered_read(&r, &why))
		return r;
	message("perf0 help: %s", why.text);
	return NULL;
}

static int help_workloads(void)
{
	const struct registered *r = help_registered();

	if (!r)
		return STATUS_FAILED;
	puts("Workloads run in ring 3; events with :u count nothing but them. A word with a slash "
	     "in "
	     "it\nis the path of an ELF file, which is run as a program.\n");
	for (size_t i = 0; i < r->nworkloads; i++)
		printf("  %s %s\n        %s\n", r->workload[i].name, r->workload[i].usage,
		       r->workload[i].summary);
	return 0;
}

static int help_events(void)
{
	fputs(help_of_events, stdout);
	return 0;
}

static int help_machine(void)
{
	fputs("Options of the machine that run, stat, record, top, bench, latency, gate, shell, "
	      "caps, list\nand cache start. boot, linux and qemu-args take those of vpmu and of "
	      "QEMU.\n",
	      stdout);
	options_help_group(TAKER_RUN, GROUP_MACHINE, "", help_put, stdout);
	return 0;
}

static int help_image_command(const char *name)
{
	const struct registered *r;
	const struct command *c;
	struct reason ignored;

	if (registered_read(&r, &ignored))
		return STATUS_NOT_FOUND;
	c = registered_command(r, name);
	if (!c)
		return STATUS_NOT_FOUND;
	printf("usage: perf0 run [OPTIONS] -- %s%s%s\n\n%s.\n%s", c->name, *c->usage ? " " : "",
	       c->usage, c->summary, c->help ? c->help : "");
	options_help(c->options, NULL, help_put, stdout);
	return 0;
}

static const struct {
	const char *name;
	int (*print)(void);
} topics[] = {
	{"workloads", help_workloads},
	{"events", help_events},
	{"machine", help_machine},
};

const char *help_topic_name(size_t index)
{
	return index < sizeof(topics) / sizeof(topics[0]) ? topics[index].name : NULL;
}

static void put_examples(FILE *to, const struct help_start *start)
{
	for (unsigned i = 0; i < HELP_EXAMPLES && start->example[i]; i++)
		fprintf(to, "  %s\n", start->example[i]);
}

void help_overview(FILE *to, const char *(*summary)(const char *name))
{
	static const char *const first[] = {"stat", "record",  "profile", "explain", "bench",
					    "gate", "latency", "shell",   "usb",     "doctor"};
	const struct help_start *start = help_start(HELP_OF_ALL);

	fputs("perf0 counts and samples what a program executes, on a machine that runs nothing "
	      "else.\n\n",
	      to);
	put_examples(to, start);
	fputs("\nThe commands that are used most:\n", to);
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		fprintf(to, "  %-8s %s\n", first[i], summary(first[i]));
	fputs("\nThe options of stat that are used most; many commands have the same:\n", to);
	options_help_of(TAKER_STAT | IMAGE_STAT, start->common, start->ncommon, help_put, to);
	fputs("\n./prog may also be a name: of a program in PATH, or of one of perf0's own workloads.\n"
	      "  perf0 help commands   all commands         perf0 help COMMAND    one, with all options\n"
	      "  perf0 help events     names of events      perf0 help workloads  perf0's own programs\n"
	      "  perf0 help machine    options of the machine                     man perf0\n",
	      to);
}

void help_begin(const char *name, const char *summary, uint64_t takers)
{
	const struct help_start *start = help_start(name);

	printf("%c%s.\n\n", toupper(summary[0]), summary + 1);
	put_examples(stdout, start);
	if (start->ncommon)
		puts("\nThe options that are used most:");
	options_help_of(takers, start->common, start->ncommon, help_put, stdout);
}

void help_options(const char *name, uint64_t takers)
{
	bool hidden[OPTIONS];
	const bool more = help_hidden(help_start(name), takers, hidden);

	options_help(takers, hidden, help_put, stdout);
	if (more)
		puts("\n`perf0 help machine` lists the options of the machine.");
}

int help_topic(const char *name)
{
	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
		if (!strcmp(topics[i].name, name))
			return topics[i].print();
	return help_image_command(name);
}
