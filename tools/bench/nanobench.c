// SPDX-License-Identifier: BSD-2-Clause
/* nanobench.c - see nanobench.h. */
#include "tools/bench/nanobench.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "lib/words/option_words.h"
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

/*
 * nanoBench's options, and the length of the shortest start that selects each. nanoBench's scripts
 * look for -asm_i* before -as*, and for -cod* and -con*. So a name that is the start of another
 * name may be shortened, too.
 */
static const struct {
	const char *name;
	unsigned least;
	bool refused; /* perf_option_rows.h has the reason */
} nanobench[] = {
	{"asm", 2, false},
	{"asm-init", 5, false},
	{"asm-late-init", 5, false},
	{"asm-one-time-init", 5, false},
	{"code", 3, false},
	{"code-init", 6, false},
	{"code-late-init", 6, false},
	{"code-one-time-init", 6, false},
	{"config", 3, false},
	{"fixed-counters", 1, false},
	{"n-measurements", 2, false},
	{"unroll-count", 1, false},
	{"loop-count", 1, false},
	{"warm-up-count", 1, false},
	{"initial-warm-up-count", 1, false},
	{"alignment-offset", 2, false},
	{"df", 1, false},
	{"avg", 2, false},
	{"median", 2, false},
	{"min", 2, false},
	{"max", 2, false},
	{"basic-mode", 1, false},
	{"no-mem", 4, false},
	{"no-normalization", 4, false},
	{"verbose", 1, false},
	{"range", 2, false},
	{"remove-empty-events", 1, false},
	{"usr", 2, false},
	{"os", 2, false},
	{"debug", 2, true},
	{"msr-config", 2, true},
};

#define NANOBENCH (sizeof(nanobench) / sizeof(nanobench[0]))

/* Returns whether the command has the option, or refuses it with a reason. */
static bool is_explained(size_t i, uint64_t takers)
{
	const char *name = nanobench[i].name;

	return (nanobench[i].refused && takers & IMAGE_BENCH) ||
	       option_by_name(takers, name, strlen(name)) != OPTIONS;
}

static const char *find_nanobench(const char *typed, size_t n, uint64_t takers)
{
	for (size_t i = 0; i < NANOBENCH; i++)
		if (n >= nanobench[i].least && begins(nanobench[i].name, typed, n) &&
		    is_explained(i, takers))
			return nanobench[i].name;
	return NULL;
}

/*
 * Returns the row whose name is `typed`, or the only one that begins with it; NULL: none, or
 * several.
 */
static const char *find_option_row(const char *typed, size_t n, uint64_t takers)
{
	const char *found = NULL;
	bool several = false;

	for (unsigned i = 0; i < OPTIONS; i++) {
		const struct option_row *row = option_row((enum option_id)i);

		if (!(row->takers & takers) || !row->name || !begins(row->name, typed, n) ||
		    option_by_name(takers, row->name, strlen(row->name)) != (enum option_id)i)
			continue;
		if (!row->name[n])
			return row->name;
		several |= found != NULL;
		found = row->name;
	}
	return several ? NULL : found;
}

/* Prefers a complete name, then the start of one of nanoBench's names, then any other start. */
static const char *complete_name(const char *typed, size_t n, uint64_t takers)
{
	const char *row = find_option_row(typed, n, takers);
	const char *name = row && !row[n] ? row : find_nanobench(typed, n, takers);

	return name ? name : row;
}

/* Reports a start of several of nanoBench's names that selects none of them. */
static int refuse_start(const char *typed, size_t n, uint64_t takers, struct reason *why)
{
	struct buf names = {0};
	int err = 0;

	for (size_t i = 0; i < NANOBENCH; i++)
		if (begins(nanobench[i].name, typed, n) && is_explained(i, takers))
			buf_printf(&names, "%s--%s", names.size ? ", " : "", nanobench[i].name);
	if (names.size)
		err = refuse(why, EINVAL, "-%.*s may be %s", (int)n, typed, buf_text(&names));
	buf_free(&names);
	return err;
}

/* A letter that is one of the command's options keeps that meaning, alone or with other letters. */
static bool is_of_letters(const char *word, uint64_t takers)
{
	return word[1] != '-' && option_by_letter(takers, word[1]) != OPTIONS;
}

/*
 * Replaces `*word` by the option's long name. `typed` is the word behind its dashes; its first `n`
 * characters are `name` or a start of it.
 */
static bool put_name(const char **word, const char *typed, size_t n, const char *name,
		     uint64_t takers)
{
	const enum option_id id = option_by_name(takers, name, strlen(name));
	const struct option_row *row = id == OPTIONS ? NULL : option_row(id);
	struct buf renamed = {0};

	if (typed != *word + 2 || strncmp(typed, name, n) || name[n]) {
		buf_printf(&renamed, "--%s%s", name, typed + n);
		*word = buf_text(&renamed);
	}
	return row && !option_is_bare(row) && !option_may_be_bare(row) && !typed[n];
}

static int rename_option(const char **word, uint64_t takers, bool *has_value, struct reason *why)
{
	const char *typed = *word + ((*word)[1] == '-' ? 2 : 1);
	const size_t n = strcspn(typed, "=");
	const bool letters = is_of_letters(*word, takers);
	const char *name = n > letters ? complete_name(typed, n, takers) : NULL;

	*has_value = name && put_name(word, typed, n, name, takers);
	return name || letters || !n ? 0 : refuse_start(typed, n, takers, why);
}

/* Returns whether the next word is the letter's value. */
static bool wants_word(const char *word, uint64_t takers)
{
	const enum option_id id = option_by_letter(takers, word[1]);

	return word[1] != '-' && !word[2] && id != OPTIONS && !option_is_bare(option_row(id));
}

/* Turns nanoBench's -cpu 1 into another name, because --cpu is QEMU's CPU model. */
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

int habits_options(const char **words, uint64_t takers, struct reason *why)
{
	int err = 0;

	for (; !err && *words && **words == '-' && strcmp(*words, "--"); words++) {
		bool has_value;

		*words = rename_cpu(*words, words[1]);
		err = rename_option(words, takers, &has_value, why);
		if ((has_value || wants_word(*words, takers)) && words[1])
			words++;
	}
	return err;
}
