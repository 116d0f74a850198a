// SPDX-License-Identifier: BSD-2-Clause
/* candidates.c - see candidates.h. */
#include "tools/cmd/candidates.h"

#include <dirent.h>
#include <err.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/words/option_words.h"
#include "tools/cmd/cli.h"
#include "tools/help/tool_help.h"
#include "tools/events/eventnames.h"
#include "tools/util/image_names.h"
#include "tools/util/buf.h"
#include "tools/util/shellwords.h"
#include "tools/util/status.h"

/* The typed words, after they were split. */
struct typed {
	const char *const *words; /* words of the last command, without the last one; NULL-ended */
	size_t nwords;
	const char *last; /* the word to complete; "" where it has not begun yet */
	uint64_t takers;  /* bits of the command's options; 0: it has no options */
	const struct guest_uarch *guest;
	struct candidates *out;
};

static void add_candidate(struct candidates *out, const char *text, size_t n)
{
	out->text = reallocarray(out->text, out->n + 1, sizeof(*out->text));
	if (!out->text)
		errx(STATUS_MACHINE, "out of memory");
	out->text[out->n++] = copy_text(text, n);
}

/* Offers `word` if it begins with `typed`. */
static void offer(struct candidates *out, const char *typed, const char *word)
{
	if (!strncmp(word, typed, strlen(typed)))
		add_candidate(out, word, strlen(word));
}

/* Cuts the last word down to `rest`, so that candidates complete `rest` alone. */
static void narrow_to(struct typed *t, const char *rest)
{
	t->out->begin += (size_t)(rest - t->last);
	t->last = rest;
}

/* Cuts the last word down to its last part. Any of `separators` separates parts. */
static void narrow_to_last(struct typed *t, const char *separators)
{
	const char *part = t->last + strlen(t->last);

	while (part > t->last && !strchr(separators, part[-1]))
		part--;
	narrow_to(t, part);
}

static void offer_registered(struct typed *t, bool commands)
{
	const struct registered *r;
	struct reason ignored;

	if (registered_read(&r, &ignored))
		return;
	for (size_t i = 0; commands && i < r->ncommands; i++)
		offer(t->out, t->last, r->command[i].name);
	for (size_t i = 0; !commands && i < r->nworkloads; i++)
		offer(t->out, t->last, r->workload[i].name);
}

static void offer_commands(struct typed *t)
{
	static const char *const others[] = {"exit", "help", "version"};
	const char *name;

	for (size_t i = 0; (name = cli_command_name(i)); i++)
		offer(t->out, t->last, name);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		offer(t->out, t->last, others[i]);
	offer_registered(t, true);
}

static void offer_topics(struct typed *t)
{
	const char *name;

	offer(t->out, t->last, "commands");
	for (size_t i = 0; (name = help_topic_name(i)); i++)
		offer(t->out, t->last, name);
	offer_commands(t);
}

/* --- Files --- */

static bool is_folder(const char *folder, const char *name)
{
	struct buf path = {0};
	struct stat st;
	bool is;

	buf_printf(&path, "%s%s", folder, name);
	is = !stat(buf_text(&path), &st) && S_ISDIR(st.st_mode);
	buf_free(&path);
	return is;
}

/* Offers a file. A name that begins with a dot needs a typed dot. */
static void offer_file(struct candidates *out, const char *folder, const char *typed,
		       const char *name)
{
	struct buf text = {0};

	if ((*name == '.') != (*typed == '.') || strncmp(name, typed, strlen(typed)) ||
	    !strcmp(name, ".") || !strcmp(name, ".."))
		return;
	buf_printf(&text, "%s%s", name, is_folder(folder, name) ? "/" : "");
	add_candidate(out, buf_text(&text), text.size);
	buf_free(&text);
}

static void offer_files(struct typed *t)
{
	const char *name = strrchr(t->last, '/');
	const size_t n = name ? (size_t)(name - t->last) + 1 : 0;
	char folder[PATH_MAX];
	struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%.*s", (int)n, t->last);
	dir = opendir(n ? folder : ".");
	if (!dir)
		return;
	narrow_to(t, t->last + n);
	while ((entry = readdir(dir)))
		offer_file(t->out, folder, t->last, entry->d_name);
	closedir(dir);
}

/* --- Options --- */

static void offer_event(void *ctx, const char *name)
{
	struct typed *t = ctx;

	offer(t->out, t->last, name);
}

static void offer_events(struct typed *t)
{
	t->out->goes_on = true; /* modifiers and more events may follow */
	narrow_to_last(t, ",{");
	event_words_each(t->guest, offer_event, t);
}

static void offer_listed(struct typed *t, const char *list)
{
	for (size_t n; n = strcspn(list, "|"), n; list += n + (list[n] == '|')) {
		if (!strncmp(list, t->last, strlen(t->last)) && strlen(t->last) <= n)
			add_candidate(t->out, list, n);
	}
}

static void offer_operand(struct typed *t, const struct option_row *row)
{
	if (row->kind == OPTION_WORD)
		offer_listed(t, option_words(row));
	else if (row == option_row(OPT_EVENT))
		offer_events(t);
	else if (row->kind == OPTION_TEXT)
		offer_files(t);
}

static void offer_options(struct typed *t)
{
	for (unsigned i = 0; i < OPTIONS; i++) {
		const enum option_id id = (enum option_id)i;
		const struct option_row *row = option_row(id);
		char label[OPTION_LABEL_MAX];

		if (!row->name || option_by_name(t->takers, row->name, strlen(row->name)) != id)
			continue;
		offer(t->out, t->last, option_label(row, label));
	}
}

/*
 * Returns the option row whose value is the next word. NULL: `word` is no option, takes no value,
 * or contains its value already.
 */
static const struct option_row *row_before(const struct typed *t, const char *word)
{
	const bool is_name = !strncmp(word, "--", 2);
	enum option_id id;

	if (word[0] != '-' || !word[1] || strchr(word, '='))
		return NULL;
	id = is_name ? option_by_name(t->takers, word + 2, strlen(word + 2))
		     : option_by_letter(t->takers, word[strlen(word) - 1]);
	if (id == OPTIONS || !option_row(id)->operand || option_may_be_bare(option_row(id)))
		return NULL;
	return option_row(id);
}

/* Completes VALUE of --name=VALUE. */
static bool offer_behind_equals(struct typed *t)
{
	const char *equals = strchr(t->last, '=');
	enum option_id id;

	if (strncmp(t->last, "--", 2) != 0 || !equals)
		return false;
	id = option_by_name(t->takers, t->last + 2, (size_t)(equals - t->last) - 2);
	narrow_to(t, equals + 1);
	if (id != OPTIONS)
		offer_operand(t, option_row(id));
	return true;
}

/* --- Operands of commands --- */

static void offer_image_commands(struct typed *t)
{
	offer_registered(t, true);
}

/* Commands that measure take a workload or the file of a program. */
static void offer_workloads(struct typed *t)
{
	if (t->takers & IMAGE_MEASURES)
		offer_registered(t, false);
	offer_files(t);
}

/* The operands of commands that take no workload. */
static const struct {
	const char *command;
	void (*offer)(struct typed *t);
} operands[] = {
	{"help", offer_topics},
	{"run", offer_image_commands},
	{"decode", offer_files},
	{"attach", offer_files},
};

static void offer_operands(struct typed *t)
{
	for (size_t i = 0; i < sizeof(operands) / sizeof(operands[0]); i++)
		if (!strcmp(t->words[0], operands[i].command)) {
			operands[i].offer(t);
			return;
		}
	offer_workloads(t);
}

static bool is_behind_dashes(const struct typed *t)
{
	for (size_t i = 0; i < t->nwords; i++)
		if (!strcmp(t->words[i], "--"))
			return true;
	return false;
}

static void offer_all(struct typed *t)
{
	const struct option_row *row;

	if (!t->nwords) {
		offer_commands(t);
		return;
	}
	t->takers = cli_command_takers(t->words[0]);
	if (is_behind_dashes(t)) {
		offer_operands(t);
		return;
	}
	row = row_before(t, t->words[t->nwords - 1]);
	if (row)
		offer_operand(t, row);
	else if (offer_behind_equals(t))
		return;
	else if (*t->last == '-')
		offer_options(t);
	else
		offer_operands(t);
}

/* Returns whether `before` ends with a `;` that separates commands. */
static bool begins_command(const char *before)
{
	size_t n = strlen(before);

	while (n && before[n - 1] == ' ')
		n--;
	return n && before[n - 1] == ';' && (n == 1 || before[n - 2] != '\\');
}

/* Keeps the words of the last command in `words`. */
static void take_last_command(struct typed *t, const struct shellwords *words)
{
	size_t first = words->nwords ? words->nwords - 1 : 0;

	while (first && words->word[first - 1])
		first--;
	t->words = words->word ? words->word + first : NULL;
	t->nwords = words->nwords ? words->nwords - 1 - first : 0;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_each_once(struct candidates *out)
{
	size_t n = 0;

	if (!out->n)
		return;
	qsort(out->text, out->n, sizeof(*out->text), compare_texts);
	for (size_t i = 0; i < out->n; i++) {
		if (n && !strcmp(out->text[n - 1], out->text[i]))
			free(out->text[i]);
		else
			out->text[n++] = out->text[i];
	}
	out->n = n;
}

void candidates_find(struct candidates *out, const char *line, const struct guest_uarch *guest)
{
	struct typed t = {.guest = guest, .out = out};
	struct shellwords words;
	struct reason ignored;
	char *before;

	*out = (struct candidates){.begin = shellwords_begin(line)};
	before = copy_text(line, out->begin);
	t.last = line + out->begin;
	if (!shellwords_split(&words, before, &ignored)) {
		if (!begins_command(before))
			take_last_command(&t, &words);
		offer_all(&t);
		shellwords_free(&words);
	}
	free(before);
	sort_each_once(out);
}

void candidates_free(struct candidates *candidates)
{
	for (size_t i = 0; i < candidates->n; i++)
		free(candidates->text[i]);
	free(candidates->text);
	*candidates = (struct candidates){0};
}

size_t candidates_common(const struct candidates *c)
{
	size_t n = c->n ? strlen(c->text[0]) : 0;

	for (size_t i = 1; i < c->n; i++) {
		size_t same = 0;

		while (same < n && c->text[i][same] == c->text[0][same])
			same++;
		n = same;
	}
	return n;
}
