// SPDX-License-Identifier: BSD-2-Clause
/* test_valgrind_options.c - a command line of Valgrind, and the names of its files. */
#include "tools/options/valgrind_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define WORDS_MOST 24

static char copy[512];
static const char *words[WORDS_MOST];
static struct valgrind_options options;

/* Splits `line` at blanks. */
static int read_words_of_line(const char *line, struct reason *why)
{
	size_t n = 0;

	strcpy(copy, line);
	for (char *rest = copy, *word; (word = strsep(&rest, " "));)
		words[n++] = word;
	words[n] = NULL;
	return valgrind_options_read(&options, words, why);
}

static void read_good(const char *line)
{
	struct reason why;

	if (read_words_of_line(line, &why))
		fail_msg("%s: %s", line, why.text);
}

TEST(test_defaults)
{
	read_good("--tool=callgrind ./prog -x --tool=none");
	assert_int_equal(options.tool, VALGRIND_CALLGRIND);
	assert_true(options.starts_instrumented && options.starts_collecting && options.by_line);
	assert_true(options.compresses_names && !options.combines_parts && !options.is_quiet);
	assert_string_equal(options.program[0], "./prog");
	assert_string_equal(options.program[1], "-x");
	assert_string_equal(options.program[2], "--tool=none");
	assert_null(options.program[3]);
	valgrind_options_free(&options);
}

/* The words that gungraun types. */
TEST(test_runner)
{
	read_good("--tool=callgrind --error-exitcode=0 --trace-children=yes --fair-sched=try "
		  "--vgdb=no --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 --cache-sim=yes "
		  "--compress-strings=no --compress-pos=no --dump-line=yes --dump-instr=no "
		  "--combine-dumps=no --separate-threads=yes --toggle-collect=*::a::* "
		  "--toggle-collect=b --callgrind-out-file=out.#%p --log-file=log.#%p prog");
	assert_true(options.counts_accesses && options.separates_threads);
	assert_false(options.compresses_names || options.by_instruction);
	assert_false(options.starts_collecting);
	assert_string_equal(options.toggle[0], "*::a::*");
	assert_string_equal(options.toggle[1], "b");
	assert_null(options.toggle[2]);
	assert_null(options.own[0]);
	assert_string_equal(options.callgrind_file, "out.#%p");
	assert_string_equal(options.log_file, "log.#%p");
	valgrind_options_free(&options);
}

TEST(test_order_and_own)
{
	read_good("--toggle-collect=f --collect-atstart=yes --dump-line=no --tool=cachegrind "
		  "--uarch=hsw -q --instr-atstart=no --smp=2 -- prog");
	assert_true(options.starts_collecting && options.is_quiet && options.by_line);
	assert_false(options.starts_instrumented);
	assert_int_equal(options.tool, VALGRIND_CACHEGRIND);
	assert_string_equal(options.own[0], "--uarch=hsw");
	assert_string_equal(options.own[1], "--smp=2");
	assert_null(options.own[2]);
	assert_string_equal(options.program[0], "prog");
	valgrind_options_free(&options);
	read_good("--dump-line=no --dump-instr=yes --tool=callgrind prog");
	assert_true(options.by_instruction && !options.by_line);
	valgrind_options_free(&options);
	read_good("--version");
	assert_true(options.asks_version);
	valgrind_options_free(&options);
}

TEST(test_refused_words)
{
	static const char *const cases[][2] = {
		{"prog", "--tool= is missing"},
		{"--tool=memcheck prog", "--tool=memcheck"},
		{"--tool=none", "no program"},
		{"--tool=none --", "no program"},
		{"--tool=callgrind --dump-instr=maybe prog", "'maybe' is not yes or no"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct reason why = {""};

		assert_int_equal(read_words_of_line(cases[i][0], &why), -EINVAL);
		assert_non_null(strstr(why.text, cases[i][1]));
		valgrind_options_free(&options);
	}
}

static int name_file(const char *pattern, struct buf *name)
{
	struct reason why;

	name->size = 0;
	return valgrind_file_name(name, pattern, 42, &why);
}

TEST(test_file_names)
{
	struct buf name = {0};

	setenv("VALGRIND_NAME", "value", true);
	assert_int_equal(name_file("a.%p-%p%%.%q{VALGRIND_NAME}x", &name), 0);
	assert_string_equal(buf_text(&name), "a.42-42%.valuex");
	unsetenv("VALGRIND_NAME");
	assert_int_equal(name_file("%q{VALGRIND_NAME}", &name), -EINVAL);
	assert_int_equal(name_file("%q{VALGRIND", &name), -EINVAL);
	assert_int_equal(name_file("%x", &name), -EINVAL);
	assert_int_equal(name_file("a%", &name), -EINVAL);
	buf_free(&name);
}
