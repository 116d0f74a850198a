// SPDX-License-Identifier: BSD-2-Clause
/* options.c - one reader for the options of all commands. */
#include "apps/options.h"

#include "lib/string.h"
#include "rt/portable/number.h"
#include "rt/console/print.h"

#include <linux/errno.h>
#include <stddef.h>

/* Where in `word` the value stands that belongs to `o`; "" where it is the next word. */
static const char *match(const struct option *o, const char *word)
{
	size_t n = strlen(o->name);

	if (o->letter && word[0] == '-' && word[1] == o->letter)
		return word + 2;
	if (word[0] != '-' || word[1] != '-' || strncmp(word + 2, o->name, n))
		return NULL;
	word += 2 + n;
	if (*word == '=')
		return word + 1;
	return *word ? NULL : word;
}

static int store_number(const char *command, const struct option *o, const char *value)
{
	uint64_t v;

	if (number_parse(value, &v) || v < o->min || v > o->max) {
		err("%s: --%s: '%s' is not a number from %llu to %llu\n", command, o->name, value,
		    (unsigned long long)o->min, (unsigned long long)o->max);
		return -EINVAL;
	}
	*(uint64_t *)o->target = v;
	return 0;
}

static int store_list(const char *command, const struct option *o, const char *value)
{
	struct option_list *list = o->target;

	if (list->n == OPTION_LIST_MAX) {
		err("%s: --%s: given more than %d times\n", command, o->name, OPTION_LIST_MAX);
		return -EINVAL;
	}
	list->option[list->n] = o->name;
	list->text[list->n++] = value;
	return 0;
}

static int store(const char *command, const struct option *o, const char *value)
{
	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)o->target = true;
		return 0;
	case OPTION_NUMBER:
		return store_number(command, o, value);
	case OPTION_TEXT:
	case OPTION_MAYBE:
		*(const char **)o->target = value;
		return 0;
	case OPTION_LIST:
		return store_list(command, o, value);
	case OPTION_TABLE:
		break;
	}
	return -EINVAL;
}

/* The row for `word`, and where its value stands; NULL: none. */
static const struct option *find(const struct option *o, const char *word, const char **value)
{
	for (; o->name; o++) {
		const struct option *found = o;

		if (o->kind == OPTION_TABLE)
			found = find(o->target, word, value);
		else
			*value = match(o, word);
		if (found && *value)
			return found;
	}
	return NULL;
}

/* Reads the option at argv[i]; returns how many words it took, or -EINVAL. */
static int read_one(int argc, char **argv, int i, const struct option *options)
{
	const char *value = NULL;
	const struct option *o = find(options, argv[i], &value);
	int words = 1;

	if (!o) {
		err("%s: unknown option '%s'; see `help %s`\n", argv[0], argv[i], argv[0]);
		return -EINVAL;
	}
	if (o->kind == OPTION_FLAG && *value) {
		err("%s: --%s takes no value\n", argv[0], o->name);
		return -EINVAL;
	}
	if (o->kind != OPTION_FLAG && o->kind != OPTION_MAYBE && !*value) {
		if (i + 1 >= argc) {
			err("%s: --%s wants a value\n", argv[0], o->name);
			return -EINVAL;
		}
		value = argv[i + 1];
		words = 2;
	}
	return store(argv[0], o, value) ? -EINVAL : words;
}

int options_read(int argc, char **argv, const struct option *options)
{
	int i = 1;

	while (i < argc && argv[i][0] == '-') {
		int words;

		if (!strcmp(argv[i], "--"))
			return i + 1;
		words = read_one(argc, argv, i, options);
		if (words < 0)
			return words;
		i += words;
	}
	return i;
}
