// SPDX-License-Identifier: BSD-2-Clause
/* reference.c - see reference.h. */
#include "tools/help/reference.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/words/eventhelp.h"
#include "lib/words/option_words.h"
#include "lib/words/rules.h"
#include "tools/help/tool_help.h"
#include "tools/help/paragraph.h"
#include "tools/util/buf.h"
#include "tools/util/image_names.h"
#include "tools/util/status.h"

#define REFERENCE_WIDTH 100

/* Escapes markup outside of `...`, and every bar, so that a bar never ends a column. */
static void escape_text(struct buf *out, const char *text)
{
	bool is_code = false;

	for (; *text; text++) {
		is_code ^= *text == '`';
		if (*text == '|' || (!is_code && strchr("<>*_[]\\", *text)))
			buf_add(out, "\\", 1);
		if (*text != '\n')
			buf_add(out, text, 1);
		else if (text[1])
			buf_add(out, " ", 1);
	}
}

static void put_text(const char *text)
{
	struct buf escaped = {0};

	escape_text(&escaped, text);
	fputs(buf_text(&escaped), stdout);
	buf_free(&escaped);
}

/* Prints the summary with a capital letter, and then `more`, as lines of text. */
static void put_summary(const char *summary, const char *more)
{
	struct buf escaped = {0};

	escape_text(&escaped, (char[]){(char)toupper(summary[0]), '\0'});
	escape_text(&escaped, summary + 1);
	buf_printf(&escaped, ". ");
	escape_text(&escaped, more);
	paragraph_put(buf_text(&escaped), REFERENCE_WIDTH);
	buf_free(&escaped);
}

static void print_code(const char *text)
{
	putchar('`');
	for (; *text; text++) {
		if (*text == '|')
			putchar('\\');
		putchar(*text);
	}
	putchar('`');
}

/* Prints a code block, with the text's own lines. */
static void put_lines(const char *text)
{
	printf("\n```text\n%s%s```\n", text, text[strlen(text) - 1] == '\n' ? "" : "\n");
}

static void put_usage(const char *usage)
{
	if (strlen(usage) + 2 > REFERENCE_WIDTH) {
		printf("```text\n%s\n```\n\n", usage);
		return;
	}
	print_code(usage);
	fputs("\n\n", stdout);
}

static bool has_letter(uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);

	return row->letter && option_by_letter(takers, row->letter) == id;
}

static bool has_name(uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);

	return row->name && option_by_name(takers, row->name, strlen(row->name)) == id;
}

static void put_option_name(uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);
	char code[128];

	snprintf(code, sizeof(code), "%.*s%s%s%s%s%s%s", has_letter(takers, id) ? 2 : 0,
		 (char[]){'-', row->letter, '\0'},
		 has_letter(takers, id) && has_name(takers, id) ? ", " : "",
		 has_name(takers, id) ? "--" : "", has_name(takers, id) ? row->name : "",
		 option_may_be_bare(row) ? "[="
		 : row->operand          ? " "
					 : "",
		 row->operand ? row->operand : "", option_may_be_bare(row) ? "]" : "");
	print_code(code);
}

static void put_option(uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);

	fputs("| ", stdout);
	put_option_name(takers, id);
	fputs(" | ", stdout);
	put_text(row->help);
	fputs(" | ", stdout);
	if (row->kind == OPTION_NUMBER && row->max < OPTION_PERIOD_MOST)
		printf("%llu to %llu", (unsigned long long)row->min, (unsigned long long)row->max);
	fputs(" | ", stdout);
	if (row->fallback)
		print_code(row->fallback);
	puts(" |");
}

static void begin_options(void)
{
	puts("\n| option | | from, to | default |\n|---|---|---|---|");
}

/* Returns whether the option belongs to the machine, whichever command starts the machine. */
static bool is_of_machine(const struct option_row *row)
{
	return (row->takers & TAKERS_MACHINE) == TAKERS_MACHINE;
}

/* Prints the options of the machine, or all other options. */
static void put_options(uint64_t takers, bool of_machine)
{
	bool any = false;

	for (unsigned i = 0; i < OPTIONS; i++) {
		const enum option_id id = (enum option_id)i;
		const struct option_row *row = option_row(id);

		if (!(row->takers & takers) || is_of_machine(row) != of_machine ||
		    (!has_letter(takers, id) && !has_name(takers, id)))
			continue;
		if (!any)
			begin_options();
		any = true;
		put_option(takers, id);
	}
}

static void put_rule(const struct option_rule *rule)
{
	struct buf line = {0};

	buf_printf(&line, "- %s %s %s%s%s", rule->option, rule->needs ? "needs" : "excludes",
		   rule->others, rule->why ? ": " : "", rule->why ? rule->why : "");
	paragraph_put(buf_text(&line), REFERENCE_WIDTH);
	buf_free(&line);
}

static void put_rules(uint64_t takers)
{
	struct option_rule rule;
	bool any = false;

	for (size_t i = 0; option_rule(i, takers, &rule); i++) {
		if (!rule.applies)
			continue;
		if (!any)
			putchar('\n');
		any = true;
		put_rule(&rule);
	}
}

void reference_begin(void)
{
	puts("<!-- By `perf0 help --markdown`, out of the tables that perf0 reads options by\n"
	     "(`make reference`). Not to be edited. -->\n"
	     "# Reference\n\n"
	     "All commands with their options, what excludes what, the workloads and the "
	     "tracepoints.\n"
	     "`perf0 help COMMAND` tells the same. Names of options may be cut short as long as "
	     "they stay one\noption's; a lone `--` ends them.\n\n"
	     "## Commands of the host tool\n\n"
	     "Commands that start a machine take the options of [the machine](#the-machine), too.");
}

void reference_command(const char *name, const char *usage, const char *summary, const char *help,
		       uint64_t takers)
{
	printf("\n### perf0 %s\n\n", name);
	put_usage(usage);
	put_summary(summary, help);
	put_options(takers, false);
	put_rules(takers);
}

static void put_image_command(const struct command *c)
{
	printf("\n### %s\n\n", c->name);
	if (*c->usage)
		put_usage(c->usage);
	put_summary(c->summary, "");
	if (c->help)
		put_lines(c->help);
	if (c->options & (IMAGE_STAT | IMAGE_RECORD | IMAGE_CAPS | IMAGE_LIST)) {
		printf("\nIts options are among those of [perf0 %s](#perf0-%s).\n", c->name,
		       c->name);
		return;
	}
	put_options(c->options, false);
	put_rules(c->options);
}

static void put_workloads(const struct registered *r)
{
	puts("\n## Workloads\n\n| workload | |\n|---|---|");
	for (size_t i = 0; i < r->nworkloads; i++) {
		char code[256];

		snprintf(code, sizeof(code), "%s%s%s", r->workload[i].name,
			 *r->workload[i].usage ? " " : "", r->workload[i].usage);
		fputs("| ", stdout);
		print_code(code);
		fputs(" | ", stdout);
		put_text(r->workload[i].summary);
		puts(" |");
	}
}

static void put_tracepoints(const struct registered *r)
{
	puts("\n## Tracepoints\n\n`perf0 list sched:` lists those of a system. Fields are for "
	     "`--filter`.\n\n| tracepoint | fields |\n|---|---|");
	for (size_t i = 0; i < r->ntracepoints; i++) {
		const struct trace_event *t = &r->tracepoint[i];

		printf("| `%s:%s` | ", t->system, t->name);
		for (unsigned f = 0; f < t->nfields; f++)
			printf("%s`%s`", f ? ", " : "", t->fields[f].name);
		puts(" |");
	}
}

int reference_end(const char *statuses)
{
	const struct registered *r;

	puts("\n### The machine\n\nOptions of the commands that start a machine.");
	put_options(TAKER_RUN, true);
	r = help_registered();
	if (!r)
		return STATUS_FAILED;
	puts("\n## Commands of the image\n\n"
	     "`perf0 run -- COMMAND` runs them, or `perf0 attach DEVICE COMMAND` on a machine that "
	     "runs.");
	for (size_t i = 0; i < r->ncommands; i++)
		put_image_command(&r->command[i]);
	puts("\n## Events");
	put_lines(help_of_events);
	put_workloads(r);
	put_tracepoints(r);
	puts("\n## Exit statuses");
	put_lines(statuses);
	return 0;
}
