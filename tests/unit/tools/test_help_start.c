// SPDX-License-Identifier: BSD-2-Clause
/* test_help_start.c - the first page of each command's help names options that the command takes.
 */
#include "tools/help/help_start.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/words/option_words.h"
#include "tools/cmd/cli.h"
#include "tools/util/shellwords.h"

static uint64_t takers_of(const char *name)
{
	return cli_command_takers(name) | (strcmp(name, "list") ? 0 : TAKER_NAMES);
}

static void check_option_word(uint64_t takers, const char *word, const char *example)
{
	const enum option_id id = word[1] == '-'
					  ? option_by_name(takers, word + 2, strcspn(word + 2, "="))
					  : option_by_letter(takers, word[1]);

	if (id == OPTIONS)
		fail_msg("%s: no option %s", example, word);
}

/* Reads words up to `--`: later words belong to a workload. Those of as-callgrind are Valgrind's.
 */
static void check_example(const char *name, const char *example)
{
	struct shellwords words;
	struct reason why;

	if (shellwords_split(&words, example, &why))
		fail_msg("%s: %s", example, why.text);
	assert_true(words.nwords > 1);
	assert_string_equal(words.word[0], "perf0");
	assert_string_equal(words.word[1], name);
	for (size_t i = 2; i < words.nwords && words.word[i] && strcmp(words.word[i], "--"); i++)
		if (words.word[i][0] == '-' && !(takers_of(name) & TAKER_AS_CALLGRIND))
			check_option_word(takers_of(name), words.word[i], example);
	shellwords_free(&words);
}

TEST(test_examples_have_options_of_their_command)
{
	const char *name;

	for (size_t i = 0; (name = cli_command_name(i)); i++) {
		const struct help_start *start = help_start(name);

		if (!start)
			fail_msg("%s: its help has no examples", name);
		for (unsigned e = 0; e < HELP_EXAMPLES; e++)
			check_example(name, start->example[e]);
	}
}

TEST(test_common_options_are_of_their_command)
{
	const char *name;

	for (size_t i = 0; (name = cli_command_name(i)); i++) {
		const struct help_start *start = help_start(name);

		assert_true(start->ncommon <= HELP_COMMON);
		for (unsigned c = 0; c < start->ncommon; c++)
			if (!(option_row(start->common[c])->takers & cli_command_takers(name)))
				fail_msg("%s: option %u is not its own", name, c);
	}
}

TEST(test_the_list_leaves_out_what_stands_elsewhere)
{
	const struct help_start *start = help_start("stat");
	bool hidden[OPTIONS];

	assert_true(help_hidden(start, cli_command_takers("stat"), hidden));
	assert_true(hidden[OPT_EVENT]);
	assert_true(hidden[OPT_QEMU]);
	assert_false(hidden[OPT_FILTER]);
	assert_false(help_hidden(help_start("usb"), cli_command_takers("usb"), hidden));
	assert_false(hidden[OPT_STICK_YES]);
}
