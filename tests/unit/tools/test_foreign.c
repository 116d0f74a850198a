// SPDX-License-Identifier: BSD-2-Clause
/* test_foreign.c - the machine's text on a terminal: it has no control characters, and does not
 * look like the tool's text. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/plain.h"
#include "tools/util/foreign.h"

/* `pieces` end with NULL. */
static void check_shown(bool echoes, const char *const *pieces, const char *wanted)
{
	struct foreign foreign = {.echoes = echoes};
	struct buf out = {0};

	for (; *pieces; pieces++)
		foreign_add(&foreign, &out, *pieces, strlen(*pieces));
	foreign_end(&foreign, &out);
	assert_string_equal(buf_text(&out), wanted);
	buf_free(&out);
}

#define CHECK(echoes, wanted, ...) \
	check_shown(echoes, (const char *const[]){__VA_ARGS__, NULL}, wanted)

TEST(test_characters)
{
	CHECK(false, "a\tb\nc\n", "a\tb\nc\n");
	CHECK(false, "a\\x0db\\x1b[2Jc\\x07\\x9b1m\n",
	      "a\rb\033[2Jc\a\x9b"
	      "1m\n");
	CHECK(false, "a\\x08b", "a\bb");
	CHECK(true, "a\b \bb", "a\b \bb");
	CHECK(true, "\\x07", "\a");
	CHECK(false, "\xe2\x82\xac|\xe2\x82\xac|", "\xe2", "\x82", "\xac|\xe2\x82", "\xac|");
	CHECK(false, "\\xe2\\x82", "\xe2\x82");
	CHECK(false, "\\xe2\\x82|", "\xe2\x82", "|");
	CHECK(false, "\\xc2\\x9b", "\xc2", "\x9b");
}

TEST(test_posing)
{
	CHECK(false, ">perf0: complete\n>[ perf0: wrote\n", "perf0: complete\n[ perf0: wrote\n");
	CHECK(false, ">perf0:\tcomplete\n", "perf0:\tcomplete\n");
	/* In pieces: text that may still become such a line is delayed, except for a keyboard's
	 * echo. */
	CHECK(false, ">perf0: complete\n", "perf0", ": complete\n");
	CHECK(false, ">[ perf0: wrote\n", "[", " ", "perf0:", " wrote\n");
	CHECK(false, "a\nperf0> x\n", "a\npe", "rf0", "> x\n");
	CHECK(false, "xperf0: y", "x", "perf0: y");
	CHECK(false, "perf0", "perf0");
	CHECK(true, "perf0>: complete\n", "perf0", ": complete\n");
	CHECK(true, "[ perf0>: wrote\n", "[", " ", "perf0:", " wrote\n");
	CHECK(false, " perf0: no\nthe perf0: no\n", " perf0: no\nthe perf0: no\n");
	CHECK(false, "[ perf0 record: 4 samples ]\n", "[ perf0 record: 4 samples ]\n");
	CHECK(false, "perf0> x\n>perf0: y", "perf0> x\nperf0: y");
	/* A line that results from overwriting other text. */
	CHECK(true, "perf0X\b>: no\n", "perf0X\b: no\n");
	CHECK(true, "x\b>perf0: no\n", "x\bperf0: no\n");
	CHECK(true, "\tx\b\b\b\b\b\b\b\b\b\b", "\tx\b\b\b\b\b\b\b\b\b\b");
}

/* A terminal of one line, which obeys the remaining control characters. */
struct glass {
	char line[64];
	size_t column;
};

static void show(struct glass *glass, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		switch (text[i]) {
		case '\n':
			*glass = (struct glass){.column = 0};
			break;
		case '\b':
			glass->column -= glass->column > 0;
			break;
		case '\t':
			glass->column += 8 - glass->column % 8;
			break;
		default:
			if (glass->column < sizeof(glass->line))
				glass->line[glass->column++] = text[i];
		}
		assert_true(glass->column <= sizeof(glass->line));
		assert_memory_not_equal(glass->line, "perf0:", 6);
		assert_memory_not_equal(glass->line, "[ perf0:", 8);
	}
}

/* Random text of the relevant characters, in random pieces. */
TEST(test_random_posing)
{
	static const char alphabet[] = "perf0:[ \b\b\b\n\t";

	srand(1);
	for (unsigned round = 0; round < 20000; round++) {
		struct foreign foreign = {.echoes = round % 2};
		struct glass glass = {.column = 0};

		for (unsigned piece = 0; piece < 8; piece++) {
			static const char *const words[] = {
				"perf0:", "[ ", "erf0:", "perf", "0", ":"};
			struct buf text = {0}, out = {0};
			const unsigned n = (unsigned)rand() % 4;

			for (unsigned i = 0; i < n; i++)
				if (rand() % 2)
					buf_printf(&text, "%s", words[rand() % 6]);
				else
					buf_add(&text,
						&alphabet[(size_t)rand() % (sizeof(alphabet) - 1)],
						1);
			foreign_add(&foreign, &out, (const char *)text.data, text.size);
			show(&glass, (const char *)out.data, out.size);
			buf_free(&text);
			buf_free(&out);
			if (glass.column > 32)
				break;
		}
	}
}
