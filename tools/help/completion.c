// SPDX-License-Identifier: BSD-2-Clause
/*
 * completion.c - see completion.h. A script consists of tables, each a function that looks a word
 * up, and of the shell's own functions (completion_shells.c), which find the cursor's place in a
 * command line.
 */
#include "tools/help/completion.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/words/option_words.h"
#include "pmu/names/parse.h"
#include "tools/help/completion_shells.h"
#include "tools/util/buf.h"
#include "tools/util/image_names.h"

#define KEY_MAX 128 /* a command's name, a colon and an option */

static const struct completion_shell *shell;

/* The names of commands, and the rows of the two tables, gathered so far. */
static struct buf commands, options, values;

static bool is_own_name(uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);

	return row->name && option_by_name(takers, row->name, strlen(row->name)) == id;
}

static bool is_own_letter(uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);

	return row->letter && option_by_letter(takers, row->letter) == id;
}

bool completion_begin(const char *name)
{
	shell = completion_shell(name);
	if (!shell)
		return false;
	buf_free(&commands);
	buf_free(&options);
	buf_free(&values);
	return true;
}

/* Returns the values of an option: words, or a name like @events that _perf0_value expands. */
static const char *words_of(const struct option_row *row)
{
	switch (row->kind) {
	case OPTION_FLAG:
	case OPTION_TIMES:
	case OPTION_REGISTERS:
	case OPTION_RANGE:
	case OPTION_MOST:
		return NULL;
	case OPTION_WORD:
		return option_words(row);
	case OPTION_UNWIND:
		return "fp|dwarf|lbr|none";
	case OPTION_CLOCK:
		return "mono|raw|real|boot|tai";
	case OPTION_BRANCHES:
		return "any|any_call|any_ret|ind_call|ind_jmp|call|cond|u|k|save_type|stack";
	case OPTION_RATE:
		return "max";
	case OPTION_LIST:
		return row == option_row(OPT_EVENT)        ? "@events"
		       : row == option_row(OPT_EVENT_FILE) ? "@files"
							   : "@none";
	case OPTION_TEXT:
		return row->what ? "@files" : "@none";
	default:
		return "@none";
	}
}

/* Adds a row of a table: both keys have the words, which a blank or a bar separates. key2: NULL:
 * one key. */
static void add_words_row(struct buf *table, const char *key, const char *key2, const char *words)
{
	buf_printf(table, "%s%s%s%s%s", shell->row, key, key2 ? shell->or : "", key2 ? key2 : "",
		   shell->words);
	for (; *words; words++)
		buf_printf(table, "%c", *words == '|' ? ' ' : *words);
	buf_printf(table, "%s", shell->end);
}

/* Adds the values of an option to the rows. */
static void add_values(const char *name, uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);
	const char *words = words_of(row);
	char by_letter[KEY_MAX], by_name[KEY_MAX];
	const bool has_letter = is_own_letter(takers, id), has_name = is_own_name(takers, id);

	if (!words || (!has_letter && !has_name))
		return;
	snprintf(by_letter, sizeof(by_letter), "%s:-%c", name, row->letter);
	snprintf(by_name, sizeof(by_name), "%s:--%s", name, row->name);
	add_words_row(&values, has_letter ? by_letter : by_name,
		      has_letter && has_name ? by_name : NULL, words);
}

static void add_options(const char *name, uint64_t takers)
{
	struct buf names = {0};

	for (unsigned i = 0; i < OPTIONS; i++)
		if (is_own_name(takers, (enum option_id)i))
			buf_printf(&names, "--%s ", option_row((enum option_id)i)->name);
	add_words_row(&options, name, NULL, buf_text(&names));
	buf_free(&names);
	for (unsigned i = 0; i < OPTIONS; i++)
		add_values(name, takers, (enum option_id)i);
}

void completion_command(const char *name, uint64_t takers)
{
	buf_printf(&commands, "%s ", name);
	add_options(name, takers);
}

/* Adds the words that a command of the image takes as its operands. */
static void add_operands(const char *key, const struct operands *operands)
{
	struct buf names = {0};

	if (operands->kind == OPERANDS_WORD)
		add_words_row(&values, key, NULL, operands->words);
	if (operands->kind != OPERANDS_NAMES && operands->kind != OPERANDS_SETTINGS)
		return;
	for (const char *row = operands->names.start; row < (const char *)operands->names.end;
	     row += operands->names.size)
		buf_printf(&names, "%s ", *(const char *const *)row);
	add_words_row(&values, key, NULL, buf_text(&names));
	buf_free(&names);
}

/* The tables name a command of the image "run:NAME". */
static void add_image_command(const struct command *c)
{
	char name[KEY_MAX], key[KEY_MAX];

	snprintf(name, sizeof(name), "run:%.60s", c->name);
	snprintf(key, sizeof(key), "%.*s:", KEY_MAX - 2, name);
	add_options(name, c->options);
	add_operands(key, &c->operands);
}

/* Prints a variable with its words, and empties `words`. */
static void put_list(const char *name, struct buf *words)
{
	printf(shell->list, name, buf_text(words));
	buf_free(words);
}

static void put_names(const struct registered *r)
{
	struct buf words = {0};

	for (size_t i = 0; i < r->ncommands; i++)
		buf_printf(&words, "%s ", r->command[i].name);
	put_list("_perf0_image", &words);
	for (size_t i = 0; i < r->nworkloads; i++)
		buf_printf(&words, "%s ", r->workload[i].name);
	put_list("_perf0_workloads", &words);
	for (size_t i = 0; i < r->ncommands; i++)
		if (r->command[i].operands.kind == OPERANDS_WORKLOAD)
			buf_printf(&words, "run:%s ", r->command[i].name);
	buf_printf(&words, "stat record top ");
	put_list("_perf0_measures", &words);
}

static void put_events(const struct registered *r)
{
	const struct pmu_event_name *e;
	struct buf words = {0};

	for (size_t i = 0; (e = pmu_event_names(i)); i++)
		buf_printf(&words, "%s ", e->name);
	for (size_t i = 0; i < r->ntracepoints; i++)
		buf_printf(&words, "%s:%s ", r->tracepoint[i].system, r->tracepoint[i].name);
	put_list("_perf0_events", &words);
}

static void put_table(const char *name, struct buf *rows)
{
	printf(shell->table, name, buf_text(rows));
	buf_free(rows);
}

void completion_end(void)
{
	static const struct registered nothing;
	const struct registered *r;
	struct reason ignored;

	if (registered_read(&r, &ignored))
		r = &nothing;
	for (size_t i = 0; i < r->ncommands; i++)
		add_image_command(&r->command[i]);
	puts(shell->head);
	put_list("_perf0_commands", &commands);
	put_names(r);
	put_events(r);
	put_table("_perf0_options", &options);
	put_table("_perf0_values", &values);
	puts(shell->script);
}
