// SPDX-License-Identifier: BSD-2-Clause
/* command_options.c - see command_options.h. */
#include "apps/measure/command_options.h"

#include "lib/string.h"
#include "lib/words/operands.h"
#include "rt/console/command.h"
#include "rt/print/print.h"

#include <linux/errno.h>
#include <stddef.h>

struct option_reader {
	uint64_t taker;
	const char *command;
	const struct option_targets *sets;
	unsigned nsets;
	struct option_set *given;
};

/* `value` is the text behind the name in its word, NULL: none. Returns the number of words read. */
static int take_option(const struct option_reader *r, enum option_id id, const char *value,
		       const char *next, struct reason *why)
{
	const struct option_row *row = option_row(id);
	char label[OPTION_LABEL_MAX];
	int words = 1;

	option_label(row, label);
	if (option_is_bare(row) && value)
		return refuse(why, EINVAL, "%s takes no value", label);
	if (!option_is_bare(row) && !option_may_be_bare(row) && !value) {
		if (!next)
			return refuse(why, EINVAL, "%s wants a value", label);
		value = next;
		words = 2;
	}
	value = value ? value : "";
	option_given(r->given, id, value);
	return option_store(r->sets, r->nsets, id, value, why) ? -EINVAL : words;
}

static int take_long(const struct option_reader *r, const char *word, const char *next,
		     struct reason *why)
{
	const char *equals = strchr(word, '=');
	const size_t n = equals ? (size_t)(equals - word) : strlen(word);
	const enum option_id id = option_by_name(r->taker, word + 2, n - 2);

	if (id == OPTIONS)
		return option_unknown(r->taker, word, r->command, why);
	return take_option(r, id, equals ? equals + 1 : NULL, next, why);
}

/* Flags may be followed by other flags in their word. */
static int take_letters(const struct option_reader *r, const char *word, const char *next,
			struct reason *why)
{
	int words = 1;

	for (const char *letter = word + 1; *letter && words > 0; letter++) {
		const enum option_id id = option_by_letter(r->taker, *letter);
		const char typed[] = {'-', *letter, '\0'};

		if (id == OPTIONS)
			return option_unknown(r->taker, typed, r->command, why);
		if (!option_is_bare(option_row(id)))
			return take_option(r, id, letter[1] ? letter + 1 : NULL, next, why);
		words = take_option(r, id, NULL, NULL, why);
	}
	return words;
}

/* The index of the first word behind the options, or -EINVAL. */
static int parse_options(const struct option_reader *r, int argc, char **argv, struct reason *why)
{
	int i = 1;

	while (i < argc && argv[i][0] == '-' && argv[i][1]) {
		const char *next = i + 1 < argc ? argv[i + 1] : NULL;
		int words;

		if (!strcmp(argv[i], "--"))
			return i + 1;
		words = (argv[i][1] == '-' ? take_long : take_letters)(r, argv[i], next, why);
		if (words < 0)
			return words;
		i += words;
	}
	return i;
}

int options_read_noting(uint64_t taker, int argc, char **argv, const struct option_targets *sets,
			unsigned nsets, struct option_set *given)
{
	const struct option_reader r = {
		.taker = taker, .command = argv[0], .sets = sets, .nsets = nsets, .given = given};
	struct reason why;
	int i;

	*given = (struct option_set){0};
	options_defaults(taker, sets, nsets);
	i = parse_options(&r, argc, argv, &why);
	if (i >= 0 && (options_agree(taker, given, false, &why) ||
		       operands_check(command_find(argv[0]), (const char *const *)argv + i, &why)))
		i = -EINVAL;
	if (i < 0)
		err("%s: %s\n", argv[0], why.text);
	return i;
}

int options_read(uint64_t taker, int argc, char **argv, const struct option_targets *sets,
		 unsigned nsets)
{
	struct option_set given;

	return options_read_noting(taker, argc, argv, sets, nsets, &given);
}
