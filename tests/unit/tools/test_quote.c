// SPDX-License-Identifier: BSD-2-Clause
/* test_quote.c - command lines for the image: quoted words, which the image splits again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "include/perf0/handoff.h"
#include "rt/portable/cmdline.h"
#include "tools/util/quote.h"

#define MAX_WORDS 16

static size_t count_quoted(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

static struct buf quote(const char *const *words)
{
	struct buf line = {0};
	struct reason why = {""};

	if (quote_words(&line, words, count_quoted(words), &why))
		fail_msg("%s", why.text);
	buf_text(&line);
	return line;
}

static const struct {
	const char *words[MAX_WORDS];
	const char *line;
} cases[] = {
	{{NULL}, ""},
	{{"stat", "-e", "cycles:u,{r01d1,cpu/event=0x3c,umask=1/k}", "--", "loop", "5"},
	 "stat -e cycles:u,{r01d1,cpu/event=0x3c,umask=1/k} -- loop 5"},
	{{"a b"}, "'a b'"},
	{{""}, "''"},
	{{"it's"}, "\"it's\""},
	{{"say \"hi\""}, "'say \"hi\"'"},
	{{"it's \"so\""}, "\"it's \\\"so\\\"\""},
	{{"\\EFI\\BOOT"}, "'\\EFI\\BOOT'"},
	{{"'\\"}, "\"'\\\\\""},
	{{"a;b"}, "'a;b'"},
	{{"caps", command_separator, "list"}, "caps ; list"},
	{{"find", "-exec", "true", ";"}, "find -exec true ';'"},
	{{";;"}, "';;'"},
	{{"$HOME", "`x`", "#", "*"}, "$HOME `x` # *"},
};

TEST(test_lines)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf line = quote(cases[i].words);

		assert_string_equal(buf_text(&line), cases[i].line);
		buf_free(&line);
	}
}

/* The image gets the original words, in commands separated by `;`. */
static void check_split(const char *const *words)
{
	struct buf line = quote(words);
	char *rest = (char *)line.data;
	struct cmdline_error error;
	struct cmdline split;

	while (rest) {
		assert_int_equal(cmdline_split(rest, &split, &error), 0);
		for (int i = 0; i < split.argc; i++)
			assert_string_equal(split.argv[i], *words++);
		rest = split.rest;
		if (rest)
			assert_ptr_equal(*words++, command_separator);
	}
	assert_null(*words);
	buf_free(&line);
}

TEST(test_the_image_splits_it_back)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_split(cases[i].words);
}

/* Every word of up to four critical characters, between two other words. */
TEST(test_every_troublesome_word)
{
	static const char letters[] = " '\"\\;a\t";
	const size_t n = sizeof(letters) - 2; /* a tab is no printable ASCII */

	for (size_t i = 0; i < n * n * n * n; i++) {
		char word[5] = {letters[i % n], letters[i / n % n], letters[i / n / n % n],
				letters[i / n / n / n], '\0'};

		for (const char *tail = word; *tail; tail++) {
			const char *words[] = {"x", tail, "y", NULL};

			check_split(words);
		}
	}
}

TEST(test_only_printable_ascii)
{
	static const char *const bad[] = {"a\tb", "\n", "\x7f", "\xc3\xa4", "\x01"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *words[] = {"fine", bad[i]};
		struct buf line = {0};
		struct reason why;

		assert_int_not_equal(quote_words(&line, words, 2, &why), 0);
		assert_non_null(strstr(why.text, "argument 2"));
		buf_free(&line);
	}
}

/* The longest line that the image accepts is accepted; one more character is refused. */
TEST(test_longest)
{
	static char word[COMMAND_LINE_MAX + 2];
	const char *words[] = {word};
	struct buf line = {0};
	struct reason why;

	memset(word, 'x', COMMAND_LINE_MAX);
	assert_int_equal(quote_words(&line, words, 1, &why), 0);
	assert_int_equal(line.size, COMMAND_LINE_MAX);
	line.size = 0;
	word[COMMAND_LINE_MAX] = 'x';
	assert_int_equal(quote_words(&line, words, 1, &why), -E2BIG);
	assert_string_equal(why.text, "the command line has 65536 characters, more than 65535");
	buf_free(&line);
}

/* `;` separates commands. With backslashes before it, it is a word with one backslash fewer. */
TEST(test_semicolons)
{
	const char *words[] = {"a", ";", "b;", "\\;", "\\\\;", "", ";", "\\", NULL};

	split_at_semicolons(words);
	assert_ptr_equal(words[1], command_separator);
	assert_string_equal(words[2], "b;");
	assert_string_equal(words[3], ";");
	assert_false(is_separator(words[3]));
	assert_string_equal(words[4], "\\;");
	assert_string_equal(words[5], "");
	assert_ptr_equal(words[6], command_separator);
	assert_string_equal(words[7], "\\");
	assert_int_equal(count_commands(words), 3);
}
