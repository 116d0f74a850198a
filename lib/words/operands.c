// SPDX-License-Identifier: BSD-2-Clause
/* operands.c - see operands.h. */
#include "lib/words/operands.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/near.h"
#include "lib/words/number.h"

#include <linux/errno.h>

#define NAME_MOST 64  /* bytes of an operand, with the terminator */
#define LIST_MOST 320 /* bytes of the list of all names */

/* Copies word `i` of `words`, which bars separate. False: there are fewer. */
static bool copy_nth_word(const char *words, size_t i, char name[NAME_MOST])
{
	const char *bar;

	for (; i && words; i--) {
		words = strchr(words, '|');
		words += words != NULL;
	}
	if (!words)
		return false;
	bar = strchr(words, '|');
	fmt_print(name, NAME_MOST, "%.*s", (int)(bar ? (size_t)(bar - words) : strlen(words)),
		  words);
	return true;
}

static const void *row_at(const struct name_table *table, size_t i)
{
	const char *row = (const char *)table->start + i * table->size;

	return row < (const char *)table->end ? row : NULL;
}

/* Copies name `i` of the operands that `o` takes. False: there are fewer. */
static bool name_at(const struct operands *o, size_t i, char name[NAME_MOST])
{
	const char *const *row;

	if (o->kind == OPERANDS_WORD)
		return copy_nth_word(o->words, i, name);
	row = row_at(&o->names, i);
	if (row)
		fmt_print(name, NAME_MOST, "%s", *row);
	return row;
}

/* The index of the name of `n` characters at `typed`; -1: it is unknown. */
static int find_name(const struct operands *o, const char *typed, size_t n)
{
	char name[NAME_MOST];

	for (size_t i = 0; name_at(o, i, name); i++)
		if (strlen(name) == n && !strncmp(name, typed, n))
			return (int)i;
	return -1;
}

static bool find_near(const struct operands *o, const char *typed, size_t n, char name[NAME_MOST])
{
	for (size_t i = 0; name_at(o, i, name); i++)
		if (near_word(typed, n, name))
			return true;
	return false;
}

/* Writes "a, b, c", with an ellipsis where there is no room for all. */
static void list_names(const struct operands *o, char *list, size_t size)
{
	const size_t room = sizeof(", ...");
	char name[NAME_MOST];
	size_t n = 0;

	list[0] = '\0';
	for (size_t i = 0; name_at(o, i, name); i++) {
		const bool fits = n + strlen(name) + 2 + room < size;

		n += (size_t)fmt_print(list + n, size - n, "%s%s", i ? ", " : "",
				       fits ? name : "...");
		if (!fits)
			return;
	}
}

static int refuse_name(const struct operands *o, const char *typed, size_t n, struct reason *why)
{
	char name[NAME_MOST], list[LIST_MOST];

	if (find_near(o, typed, n, name))
		return refuse(why, EINVAL, "there is no '%.*s'; did you mean '%s'?", (int)n, typed,
			      name);
	list_names(o, list, sizeof(list));
	return refuse(why, EINVAL, "there is no '%.*s'; there are: %s", (int)n, typed, list);
}

static int check_number(const struct operands *o, const char *word, struct reason *why)
{
	uint64_t value;

	if (!number_parse(word, &value) && value >= o->least && value <= o->most)
		return 0;
	return refuse(why, EINVAL, "'%s' is not a number from %llu to %llu", word,
		      (unsigned long long)o->least, (unsigned long long)o->most);
}

static int check_setting(const struct operands *o, const char *word, struct reason *why)
{
	const char *equals = strchr(word, '=');
	const size_t n = equals ? (size_t)(equals - word) : strlen(word);
	const int i = find_name(o, word, n);
	const struct setting *s = i < 0 ? NULL : row_at(&o->names, (size_t)i);
	uint64_t value;

	if (!s)
		return refuse_name(o, word, n, why);
	if (!equals || (!number_parse(equals + 1, &value) && value >= s->least && value <= s->most))
		return 0;
	return refuse(why, EINVAL, "%s is a number from %llu to %llu, not '%s'", s->name,
		      (unsigned long long)s->least, (unsigned long long)s->most, equals + 1);
}

static int check_operand(const struct operands *o, const char *word, struct reason *why)
{
	switch (o->kind) {
	case OPERANDS_NUMBER:
		return check_number(o, word, why);
	case OPERANDS_SETTINGS:
		return check_setting(o, word, why);
	case OPERANDS_WORD:
	case OPERANDS_NAMES:
		return find_name(o, word, strlen(word)) < 0
			       ? refuse_name(o, word, strlen(word), why)
			       : 0;
	default:
		return 0;
	}
}

static size_t most_operands(const struct operands *o)
{
	return o->kind == OPERANDS_NONE                                    ? 0
	       : o->kind == OPERANDS_NAMES || o->kind == OPERANDS_SETTINGS ? SIZE_MAX
									   : 1;
}

static int refuse_number_of(const struct operands *o, const char *extra, struct reason *why)
{
	if (o->kind == OPERANDS_NONE)
		return refuse(why, EINVAL, "takes no argument '%s'", extra);
	return refuse(why, EINVAL, "takes one argument: '%s' is another", extra);
}

int operands_check(const struct command *c, const char *const *words, struct reason *why)
{
	const struct operands *o = &c->operands;
	char list[LIST_MOST];

	if (o->kind == OPERANDS_WORKLOAD)
		return 0;
	if (o->needed && !words[0]) {
		list_names(o, list, sizeof(list));
		return refuse(why, EINVAL, "wants one of: %s", list);
	}
	for (size_t i = 0; words[i]; i++) {
		int err = i < most_operands(o) ? check_operand(o, words[i], why)
					       : refuse_number_of(o, words[i], why);

		if (err)
			return err;
	}
	return 0;
}
