// SPDX-License-Identifier: BSD-2-Clause
/* complete.c - see complete.h. */
#include "rt/console/complete.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/option_words.h"
#include "pmu/names/parse.h"
#include "rt/console/command.h"
#include "linux/program/workload.h"

#include <stdbool.h>
#include <stddef.h>

#define WORD_MOST 64

struct asked {
	const char *line, *word;
	void (*each)(void *ctx, const char *candidate);
	void *ctx;
};

/* Gets the command that `word` belongs to; "" if `word` is the command's name itself. */
static void command_word(const struct asked *a, char name[WORD_MOST])
{
	const char *start = a->line;
	size_t n = 0;

	for (const char *c = a->line; c < a->word; c++)
		if (*c == ';' && c[1] == ' ' && (c == a->line || c[-1] != '\\'))
			start = c + 1;
	while (*start == ' ')
		start++;
	while (start + n < a->word && start[n] != ' ' && n < WORD_MOST - 1)
		n++;
	memcpy(name, start, n);
	name[n] = '\0';
}

/* Is `text` the word before it? */
static bool is_behind(const struct asked *a, const char *text)
{
	const size_t n = strlen(text);
	const char *c = a->word;

	while (c > a->line && c[-1] == ' ')
		c--;
	return (size_t)(c - a->line) > n && !strncmp(c - n, text, n) && c[-(ptrdiff_t)n - 1] == ' ';
}

static void offer_commands(const struct asked *a)
{
	for (const struct command *const *c = __commands_start; c < __commands_end; c++)
		a->each(a->ctx, (*c)->name);
}

static void offer_workloads(const struct asked *a)
{
	for (const struct workload *const *w = __workloads_start; w < __workloads_end; w++)
		a->each(a->ctx, (*w)->name);
}

static void offer_options(const struct asked *a, const struct command *command)
{
	for (int id = 0; id < OPTIONS; id++) {
		const struct option_row *row = option_row((enum option_id)id);
		char text[WORD_MOST];

		if (!(row->takers & command->options) || !row->name)
			continue;
		fmt_print(text, sizeof(text), "--%s", row->name);
		a->each(a->ctx, text);
	}
}

/* Completes the last event of a list. */
static void offer_events(const struct asked *a)
{
	const struct pmu_event_name *e;
	int head = 0;

	for (int i = 0; a->word[i]; i++)
		head = a->word[i] == ',' ? i + 1 : head;
	for (size_t i = 0; (e = pmu_event_names(i)); i++) {
		char text[WORD_MOST];

		if (fmt_print(text, sizeof(text), "%.*s%s", head, a->word, e->name) < WORD_MOST - 1)
			a->each(a->ctx, text);
	}
}

static void offer_words(const struct asked *a, const struct command *command)
{
	if (is_behind(a, "-e") || is_behind(a, "--event"))
		offer_events(a);
	else if (*a->word == '-')
		offer_options(a, command);
	else if (command->options || command->operands.kind == OPERANDS_WORKLOAD)
		offer_workloads(a);
	else if (!strcmp(command->name, "help"))
		offer_commands(a);
}

void complete_line(const char *line, const char *word,
		   void (*each)(void *ctx, const char *candidate), void *ctx)
{
	const struct asked asked = {line, word, each, ctx};
	const struct command *command;
	char name[WORD_MOST];

	command_word(&asked, name);
	command = *name ? command_find(name) : NULL;
	if (!*name)
		offer_commands(&asked);
	else if (command)
		offer_words(&asked, command);
}
