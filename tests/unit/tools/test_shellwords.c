// SPDX-License-Identifier: BSD-2-Clause
/* test_shellwords.c - lines of perf0 shell, split as a shell splits them. */
#include "tools/util/shellwords.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

/* Returns words as [a][b], with a bar after each command. */
static void expect_words(const char *line, const char *wanted)
{
	struct shellwords words;
	struct buf got = {0};
	struct reason why;

	if (shellwords_split(&words, line, &why))
		fail_msg("%s: %s", line, why.text);
	for (size_t i = 0; i < words.nwords; i++)
		buf_printf(&got, words.word[i] ? "[%s]" : "|", words.word[i]);
	assert_string_equal(buf_text(&got), wanted);
	buf_free(&got);
	shellwords_free(&words);
}

static void check_refusal(const char *line, int err, const char *what)
{
	struct shellwords words;
	struct reason why;

	assert_int_equal(shellwords_split(&words, line, &why), err);
	if (!strstr(why.text, what))
		fail_msg("%s: '%s', wanted '%s'", line, why.text, what);
	shellwords_free(&words);
}

TEST(test_words)
{
	expect_words("", "");
	expect_words(" \t ", "");
	expect_words("stat -e cycles,instructions:u  --\tloop 10",
		     "[stat][-e][cycles,instructions:u][--][loop][10]|");
	expect_words("a ''", "[a][]|");
	expect_words("a '' \"\" b", "[a][][][b]|");
	expect_words("-e sched:* {a,b}:u (x) [y] !?", "[-e][sched:*][{a,b}:u][(x)][[y]][!?]|");
}

TEST(test_quotes)
{
	expect_words("--filter 'left < 3' x", "[--filter][left < 3][x]|");
	expect_words("'a\\b\"c'", "[a\\b\"c]|");
	expect_words("\"a \\\"b\\\" \\\\ \\$x 'y'\"", "[a \"b\" \\ $x 'y']|");
	expect_words("\"a\\b\"", "[a\\b]|");
	expect_words("a\\ b \\' \\; \\#", "[a b]['][;][#]|");
	expect_words("pre'mid'\"dle\"post", "[premiddlepost]|");
	check_refusal("stat 'abc", -EINVAL, "column 6: the quote is not closed");
	check_refusal("\"abc\\\"", -EINVAL, "column 1: the quote is not closed");
	check_refusal("\"abc\\", -EINVAL, "column 1: the quote is not closed");
}

TEST(test_commands)
{
	expect_words("a b; c;d ;; e;", "[a][b]|[c]|[d]|[e]|");
	expect_words("a ';' b", "[a][;][b]|");
	expect_words("run -- caps \\; list", "[run][--][caps][;][list]|");
}

TEST(test_comments)
{
	expect_words("# all of it", "");
	expect_words("a b # rest 'of it", "[a][b]|");
	expect_words("a#b", "[a#b]|");
	expect_words("a;#b", "[a]|");
}

TEST(test_home)
{
	setenv("HOME", "/home/me", 1);
	expect_words("~/a ~ a~/b '~/c' ~you", "[/home/me/a][/home/me][a~/b][~/c][~you]|");
}

TEST(test_what_is_no_word)
{
	check_refusal("a | b", -EINVAL, "column 3: there are no pipes here");
	check_refusal("a >b", -EINVAL, "column 3: there are no redirections here");
	check_refusal("a b<c", -EINVAL, "column 4: there are no redirections here");
	check_refusal("a &", -EINVAL, "column 3: nothing runs in the background");
	check_refusal("a $HOME", -EINVAL, "column 3: there are no variables here");
	check_refusal("\"a $HOME\"", -EINVAL, "column 4: there are no variables here");
	check_refusal("`a`", -EINVAL, "column 1: commands are not replaced");
	expect_words("'|<>&$`' \\| \\$", "[|<>&$`][|][$]|");
}

TEST(test_lines_that_go_on)
{
	check_refusal("stat \\", -EAGAIN, "a backslash at the end");
	expect_words("stat \\\\", "[stat][\\]|");
	expect_words("stat # \\", "[stat]|");
}

TEST(test_where_the_last_word_begins)
{
	assert_int_equal(shellwords_begin(""), 0);
	assert_int_equal(shellwords_begin("st"), 0);
	assert_int_equal(shellwords_begin("stat "), 5);
	assert_int_equal(shellwords_begin("stat -e cyc"), 8);
	assert_int_equal(shellwords_begin("caps;st"), 5);
	assert_int_equal(shellwords_begin("record -o a\\ b"), 10);
}
