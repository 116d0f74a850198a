// SPDX-License-Identifier: BSD-2-Clause
/* offline.c - see offline.h. */
#include "tools/events/offline.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `word` is that option; `*value` is what follows its "=", or NULL. A short one takes no "=". */
static bool is_option(const struct offline_option *row, const char *word, const char **value)
{
	size_t n = strlen(row->name);

	*value = NULL;
	if (strncmp(word, row->name, n))
		return false;
	if (word[n] == '=' && row->name[1] == '-')
		*value = word + n + 1;
	return !word[n] || *value;
}

static const struct offline_option *find(const struct offline_option *rows, const char *word,
					 const char **value)
{
	for (; rows->name; rows++)
		if (is_option(rows, word, value))
			return rows;
	return NULL;
}

/* A whole decimal number. */
static int set_number(const struct offline_option *row, const char *value, struct reason *why)
{
	char *end;

	errno = 0;
	*row->number = strtoull(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || *row->number < row->min ||
	    *row->number > row->max)
		return refuse(why, EINVAL, "%s: '%s' is not a number from %" PRIu64 " to %" PRIu64,
			      row->name, value, row->min, row->max);
	return 0;
}

static int set(const struct offline_option *row, const char *value, struct reason *why)
{
	if (row->number)
		return set_number(row, value, why);
	if (!row->list) {
		*row->text = value;
		return 0;
	}
	if (row->list->n == OFFLINE_LIST_MAX)
		return refuse(why, EINVAL, "%s may be given %u times", row->name, OFFLINE_LIST_MAX);
	row->list->text[row->list->n++] = value;
	return 0;
}

/* `*next` is the word behind the option; it moves when the option takes it. */
static int apply(const struct offline_option *row, const char *value, const char ***next,
		 struct reason *why)
{
	if (!row->operand) {
		if (value)
			return refuse(why, EINVAL, "%s takes no value", row->name);
		*row->flag = true;
		return 0;
	}
	if (!value && !**next)
		return refuse(why, EINVAL, "%s needs a value: %s", row->name, row->operand);
	return set(row, value ? value : *(*next)++, why);
}

int offline_options_read(const struct offline_option *rows, const char **words, struct reason *why)
{
	while (*words) {
		const char *word = *words++, *value;
		const struct offline_option *row = find(rows, word, &value);
		int err;

		if (!row)
			return refuse(
				why, EINVAL, "%s '%s'",
				word[0] == '-' ? "unknown option" : "takes no operand:", word);
		err = apply(row, value, &words, why);
		if (err)
			return err;
	}
	return 0;
}

void offline_options_help(const struct offline_option *rows)
{
	char left[32];

	for (; rows->name; rows++) {
		snprintf(left, sizeof(left), "%s %s", rows->name,
			 rows->operand ? rows->operand : "");
		printf("  %-20s %s\n", left, rows->help);
	}
}
