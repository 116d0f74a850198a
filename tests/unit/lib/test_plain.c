// SPDX-License-Identifier: BSD-2-Clause
/* test_plain.c - foreign text is made plain: the result has nothing that a terminal obeys. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "lib/plain.h"

struct pair {
	const char *in, *out;
};

TEST(test_text)
{
	static const struct pair cases[] = {
		{"", ""},
		{"cpu/event=0x3c/u \\x1b", "cpu/event=0x3c/u \\x1b"},
		{"a\nperf0: complete: all is well\r", "a\\x0aperf0: complete: all is well\\x0d"},
		{"\033[2J\t\x7f", "\\x1b[2J\\x09\\x7f"},
		{"\x9b[2J", "\\x9b[2J"},
		{"\xc2\x9b"
		 "2J",
		 "\\xc2\\x9b"
		 "2J"},
		{"gr\xc3\xb6\xc3\x9f"
		 "er \xe2\x82\xac \xf0\x9f\x98\x80",
		 "gr\xc3\xb6\xc3\x9f"
		 "er \xe2\x82\xac \xf0\x9f\x98\x80"},
		{"\xe2\x80\xae", "\\xe2\\x80\\xae"},
		{"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},
		{"\xef\xbb\xbf", "\\xef\\xbb\\xbf"},
		{"\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80"},
		{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
		{"cut \xe2\x82", "cut \\xe2\\x82"},
		{"\xff!", "\\xff!"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(PLAIN(cases[i].in), cases[i].out);
}

/* Each byte before each other byte: the result has only printable characters. */
TEST(test_every_pair_of_bytes)
{
	for (unsigned pair = 0; pair < 0x10000; pair++) {
		const char in[2] = {(char)(pair >> 8), (char)pair};
		char out[16];
		size_t n = plain_copy(out, sizeof(out), in, 2);
		uint32_t code;

		assert_int_equal(strlen(out), n);
		for (size_t at = 0, bytes; at < n; at += bytes) {
			bytes = plain_utf8(out + at, n - at, &code);
			assert_true(bytes > 0);
			assert_true(code >= ' ' && code != 0x7f && (code < 0x80 || code > 0x9f));
		}
	}
}

/* A text that does not fit is cut between characters, at every size. */
TEST(test_cut)
{
	static const char in[] = "ab\033\xe2\x82\xac"
				 "cd";
	static const char all[] = "ab\\x1b\xe2\x82\xac"
				  "cd";
	static const char *const cut[] = {
		[4] = "...",         [5] = "a...",        [6] = "ab...",
		[7] = "ab...",       [8] = "ab...",       [9] = "ab...",
		[10] = "ab\\x1b...", [11] = "ab\\x1b...", [12] = all,
	};

	for (size_t size = 4; size <= sizeof(all); size++) {
		char *out = malloc(size);

		assert_non_null(out);
		plain_copy(out, size, in, sizeof(in) - 1);
		assert_string_equal(out, cut[size]);
		free(out);
	}
}

TEST(test_begun)
{
	assert_true(plain_is_begun("\xe2", 1));
	assert_true(plain_is_begun("\xe2\x82", 2));
	assert_false(plain_is_begun("\xe2\x82\xac", 3));
	assert_false(plain_is_begun("\xe2\x41", 2));
	assert_false(plain_is_begun("a", 1));
	assert_false(plain_is_begun("\x9b", 1));
	assert_false(plain_is_begun("", 0));
}

TEST(test_json)
{
	static const struct pair cases[] = {
		{"\"", "\\\""},
		{"\\", "\\\\"},
		{"\033", "\\u001b"},
		{"\x7f", "\\u007f"},
		{"\xc2\x9b", "\\u009b"},
		{"\xe2\x80\xa8", "\\u2028"},
		{"\x9b", "\\ufffd"},
		{"\xc3\xb6", "\xc3\xb6"},
		{"\xf3\xa0\x80\x81", "\\udb40\\udc01"},
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct plain_step step = plain_json_step(cases[i].in, strlen(cases[i].in));

		assert_int_equal(step.taken, strlen(cases[i].in));
		assert_int_equal(step.made, strlen(cases[i].out));
		assert_memory_equal(step.text, cases[i].out, step.made);
	}
}

TEST(test_csv)
{
	assert_false(plain_csv_quotes("cycles:u", ","));
	assert_true(plain_csv_quotes("cpu/a=1,b=2/", ","));
	assert_false(plain_csv_quotes("cpu/a=1,b=2/", "|"));
	assert_true(plain_csv_quotes("a\"b", "|"));
	assert_true(plain_csv_quotes("a--b", "--"));
	assert_false(plain_csv_quotes("a", ""));
}
