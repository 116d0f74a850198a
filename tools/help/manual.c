// SPDX-License-Identifier: BSD-2-Clause
/* manual.c - see manual.h. */
#include "tools/help/manual.h"

#include <stdio.h>
#include <string.h>

#include "include/perf0/version.h"
#include "lib/words/option_words.h"
#include "tools/help/help_start.h"

/* Prints text in which nothing acts as a macro or an escape of roff. */
static void put_roff_text(const char *text)
{
	for (const char *at = text; *at; at++) {
		const int begins_line = at == text || at[-1] == '\n';

		if (begins_line && (*at == '.' || *at == '\''))
			fputs("\\&", stdout);
		if (*at == '\\')
			fputs("\\e", stdout);
		else if (*at == '-')
			fputs("\\-", stdout);
		else
			putchar(*at);
	}
}

/* Prints text and keeps its line breaks. */
static void put_lines(const char *text)
{
	if (!*text)
		return;
	puts(".PP\n.nf");
	put_roff_text(text);
	puts(text[strlen(text) - 1] == '\n' ? ".fi" : "\n.fi");
}

static void put_examples(const struct help_start *start)
{
	puts(".PP\n.nf");
	for (unsigned i = 0; i < HELP_EXAMPLES; i++) {
		put_roff_text(start->example[i]);
		putchar('\n');
	}
	puts(".fi");
}

void manual_begin(void)
{
	puts(".\\\" By `perf0 help --man`, out of the tables that perf0 reads options by.\n"
	     ".TH PERF0 1 \"\" \"perf0 " PERF0_VERSION "\" \"User Commands\"\n"
	     ".SH NAME\n"
	     "perf0 \\- perf_events at ring 0 with nothing else running\n"
	     ".SH SYNOPSIS\n"
	     ".B perf0\n"
	     ".I COMMAND\n"
	     "[\\fIOPTIONS\\fR] ...\n"
	     ".SH DESCRIPTION\n"
	     "Boots a machine in QEMU that runs nothing but a workload and the runtime that "
	     "measures it, with a PMU\n"
	     "that vpmu emulates, deterministic to the instruction; or listens to a real machine "
	     "over a serial line.\n"
	     "Counts, samples and traces come out as perf has them.\n"
	     ".SH COMMANDS");
}

static void put_roff_option(const struct option_row *row)
{
	fputs(".TP\n.B ", stdout);
	if (row->letter)
		printf("\\-%c%s", row->letter, row->name ? ", " : "");
	if (row->name) {
		fputs("\\-\\-", stdout);
		put_roff_text(row->name);
	}
	if (row->operand) {
		fputs(" \\fI", stdout);
		put_roff_text(row->operand);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	put_roff_text(row->help);
	if (row->fallback) {
		fputs(" (default ", stdout);
		put_roff_text(row->fallback);
		putchar(')');
	}
	putchar('\n');
}

/*
 * Returns whether the command takes the row. If two rows have the same name, the first one counts.
 */
static int takes_row(uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);

	if (!(row->takers & takers))
		return 0;
	if (row->name)
		return option_by_name(takers, row->name, strlen(row->name)) == id;
	return option_by_letter(takers, row->letter) == id;
}

void manual_command(const char *name, const char *usage, const char *summary, const char *help,
		    uint64_t takers)
{
	printf(".SS %s\n.B perf0 %s\n", name, name);
	put_roff_text(usage);
	puts("\n.PP");
	put_roff_text(summary);
	puts(".");
	put_roff_text(help);
	putchar('\n');
	put_examples(help_start(name));
	for (unsigned i = 0; i < OPTIONS; i++)
		if (takes_row(takers, (enum option_id)i))
			put_roff_option(option_row((enum option_id)i));
}

void manual_examples(void)
{
	puts(".SH EXAMPLES");
}

void manual_example(const char *name, const char *summary)
{
	fputs(".TP\n.B ", stdout);
	put_roff_text(help_start(name)->example[0]);
	puts("");
	put_roff_text(summary);
	puts(".");
}

void manual_end(const char *statuses)
{
	puts(".SH EXIT STATUS");
	put_lines(statuses);
	puts(".SH FILES\n"
	     ".TP\n"
	     ".I perf.data\n"
	     "what \\fBrecord\\fR writes, for perf(1); an old one becomes \\fIperf.data.old\\fR\n"
	     ".TP\n"
	     ".I $XDG_STATE_HOME/perf0/history\n"
	     "lines that were typed in \\fBshell\\fR, the last 1000 at least "
	     "(~/.local/state/perf0/history without)\n"
	     ".SH SEE ALSO\n"
	     ".BR perf (1),\n"
	     ".BR perf_event_open (2),\n"
	     ".BR qemu (1)");
}
