// SPDX-License-Identifier: BSD-2-Clause
/* option_scan.c - see option_scan.h. */
#include "tools/options/option_scan.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/words/rules.h"

#define LONG 256 /* value of a long option: LONG plus its row */

/* The rows in the format of getopt_long(). */
struct grammar {
	char letters[3 * OPTIONS + 3];
	struct option names[OPTIONS + 1];
};

static void add_letter(char *letters, const struct option_row *row)
{
	size_t n = strlen(letters);

	letters[n++] = row->letter;
	if (!option_is_bare(row))
		letters[n++] = ':';
	if (option_may_be_bare(row))
		letters[n++] = ':';
	letters[n] = '\0';
}

static int needs_value(const struct option_row *row)
{
	return option_is_bare(row)       ? no_argument
	       : option_may_be_bare(row) ? optional_argument
					 : required_argument;
}

/* Fills the grammar. A row whose name or letter an earlier row has is skipped. */
static void make_grammar(struct grammar *g, uint64_t takers, bool anywhere)
{
	size_t n = 0;

	*g = (struct grammar){.letters = ""};
	strcpy(g->letters, anywhere ? ":" : "+:");
	for (unsigned i = 0; i < OPTIONS; i++) {
		const enum option_id id = (enum option_id)i;
		const struct option_row *row = option_row(id);

		if (row->letter && option_by_letter(takers, row->letter) == id)
			add_letter(g->letters, row);
		if (row->name && option_by_name(takers, row->name, strlen(row->name)) == id)
			g->names[n++] = (struct option){.name = row->name,
							.has_arg = needs_value(row),
							.val = LONG + (int)id};
	}
}

static const struct option_row *row_of(uint64_t takers, int value)
{
	return option_row(value >= LONG ? (enum option_id)(value - LONG)
					: option_by_letter(takers, (char)value));
}

static bool is_start_of_name(const struct grammar *g, const char *word)
{
	const size_t n = strcspn(word + 2, "=");

	for (const struct option *o = g->names; o->name; o++)
		if (n && !strncmp(word + 2, o->name, n))
			return true;
	return false;
}

/* Explains the ':' and '?' of getopt_long(). */
static int refuse_option(const struct grammar *g, uint64_t takers, int what, const char *word,
			 struct reason *why)
{
	char label[OPTION_LABEL_MAX], letter[] = {'-', (char)optopt, '\0'};

	if (what == ':')
		return refuse(why, EINVAL, "%s wants a value",
			      option_label(row_of(takers, optopt), label));
	if (optopt >= LONG)
		return refuse(why, EINVAL, "%s takes no value",
			      option_label(row_of(takers, optopt), label));
	if (optopt)
		return option_unknown(takers, letter, NULL, why);
	if (is_start_of_name(g, word))
		return refuse(why, EINVAL, "'%s' may be more than one option", word);
	return option_unknown(takers, word, NULL, why);
}

static int take_one(uint64_t takers, int value, char **argv, const char *word,
		    struct option_set *given,
		    int (*take)(void *ctx, const struct scanned *option, struct reason *why),
		    void *ctx, struct reason *why)
{
	const struct option_row *row = row_of(takers, value);
	const struct scanned option = {
		.id = (enum option_id)(row - option_row((enum option_id)0)),
		.value = optarg ? optarg : "",
		.word = word,
		.is_long = value >= LONG,
		.is_apart = optarg && optarg == argv[optind - 1],
	};
	int err = option.value == optarg ? option_check(row, optarg, why) : 0;

	option_given(given, option.id, option.value);
	return err ? err : take(ctx, &option, why);
}

static int scan_all(const struct grammar *g, uint64_t takers, int argc, char **argv, bool *ended,
		    int (*take)(void *ctx, const struct scanned *option, struct reason *why),
		    void *ctx, struct reason *why)
{
	struct option_set given = {0};
	const char *word = NULL;
	int value, last = 1, err = 0;

	optind = 0; /* restarts getopt_long() */
	opterr = 0;
	while (!err && (value = getopt_long(argc, argv, g->letters, g->names, NULL)) != -1) {
		const bool is_apart = optarg && optind > 1 && optarg == argv[optind - 1];

		/* inside of a word, optind is the index of that word */
		if (optind > last)
			word = argv[optind - 1 - is_apart];
		else if (last == optind)
			word = argv[optind];
		last = optind;
		err = value == ':' || value == '?'
			      ? refuse_option(g, takers, value, argv[optind - 1], why)
			      : take_one(takers, value, argv, word, &given, take, ctx, why);
	}
	*ended = optind > last && !strcmp(argv[optind - 1], "--");
	return err ? err : options_agree(takers, &given, false, why);
}

int scan_options(uint64_t takers, bool anywhere, const char **words, bool *ended,
		 int (*take)(void *ctx, const struct scanned *option, struct reason *why),
		 void *ctx, struct reason *why)
{
	static struct grammar grammar;
	size_t n = 0;
	char **argv;
	int err;

	while (words[n])
		n++;
	argv = calloc(n + 2, sizeof(*argv));
	if (!argv)
		return refuse(why, ENOMEM, "out of memory");
	argv[0] = (char *)"";
	memcpy(argv + 1, words, n * sizeof(*argv));
	make_grammar(&grammar, takers, anywhere);
	err = scan_all(&grammar, takers, (int)n + 1, argv, ended, take, ctx, why);
	if (!err)
		memcpy(words, argv + optind, (n + 2 - (size_t)optind) * sizeof(*words));
	free(argv);
	return err;
}
