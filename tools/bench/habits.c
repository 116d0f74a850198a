// SPDX-License-Identifier: BSD-2-Clause
/* habits.c - see habits.h. */
#include "tools/bench/habits.h"

#include <stdbool.h>
#include <string.h>

#include "lib/words/options.h"
#include "tools/util/buf.h"

static bool is_same(char typed, char name)
{
	return typed == name || (typed == '_' && name == '-');
}

static bool begins(const char *name, const char *typed, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!name[i] || !is_same(typed[i], name[i]))
			return false;
	return true;
}

/* The one row whose name is `typed`, or else begins so; NULL: there is none, or more than one. */
static const struct option_row *find_row(const char *typed, size_t n, uint64_t takers)
{
	const struct option_row *found = NULL;

	for (unsigned i = 0; i < OPTIONS; i++) {
		const struct option_row *row = option_row((enum option_id)i);

		if (!(row->takers & takers) || !row->name || !begins(row->name, typed, n) ||
		    option_by_name(takers, row->name, strlen(row->name)) != (enum option_id)i)
			continue;
		if (!row->name[n])
			return row;
		if (found)
			return NULL;
		found = row;
	}
	return found;
}

/* A letter alone, or letters together, are what they are for all commands. */
static const char *rename_option(const char *word, uint64_t takers, bool *has_value)
{
	const size_t dashes = word[1] == '-' ? 2 : 1;
	const size_t n = strcspn(word + dashes, "=");
	const struct option_row *row = n < 2 ? NULL : find_row(word + dashes, n, takers);
	struct buf name = {0};

	*has_value = false;
	if (!row)
		return word;
	*has_value = !option_is_bare(row) && !option_may_be_bare(row) && !word[dashes + n];
	buf_printf(&name, "--%s%s", row->name, word + dashes + n);
	return buf_text(&name);
}

/* The letter's operand is the word behind it. */
static bool wants_word(const char *word, uint64_t takers)
{
	const enum option_id id = option_by_letter(takers, word[1]);

	return word[1] != '-' && !word[2] && id != OPTIONS && !option_is_bare(option_row(id));
}

/* Those that are refused with a reason (perf_option_rows.h), of more than a letter. */
static const char *rename_refused(const char *word)
{
	static const char *const refused[] = {"msr-config", "debug"};
	const char *name = word + (word[1] == '-' ? 2 : 1);
	struct buf renamed = {0};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (strlen(name) > 2 && begins(refused[i], name, strlen(name))) {
			buf_printf(&renamed, "--%s", refused[i]);
			return buf_text(&renamed);
		}
	return word;
}

/* -cpu 1: nanoBench's, where --cpu is QEMU's model. */
static const char *rename_cpu(const char *word, const char *next)
{
	const char *name = word + (word[1] == '-' ? 2 : 1);
	const char *value = next;
	struct buf renamed = {0};

	if (strncmp(name, "cpu", 3) || (name[3] && name[3] != '='))
		return word;
	if (name[3])
		value = name + 4;
	if (!value || !*value || value[strspn(value, "0123456789")])
		return word;
	buf_printf(&renamed, "--on-cpu%s", name + 3);
	return buf_text(&renamed);
}

void habits_options(const char **words, uint64_t takers)
{
	for (; *words && **words == '-' && strcmp(*words, "--"); words++) {
		bool has_value;

		*words = rename_option(rename_refused(rename_cpu(*words, words[1])), takers,
				       &has_value);
		if ((has_value || wants_word(*words, takers)) && words[1])
			words++;
	}
}
