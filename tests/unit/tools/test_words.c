// SPDX-License-Identifier: BSD-2-Clause
/* test_words.c - typed text: command lines, numbers, boot options; and the arithmetic of lib/. */
#include "lib/math.h"
#include "lib/printf.h"
#include "rt/portable/cmdline.h"
#include "lib/words/number.h"
#include "rt/portable/boot_options.h"

#include <errno.h>
#include <string.h>
#include "tests/unit/test.h"

/* `words` separated by `|`; each command of the line ends in `;`. */
static void check_split(const char *line, const char *words)
{
	char copy[256], got[256] = "";
	struct cmdline_error error;
	struct cmdline c;

	strcpy(copy, line);
	for (char *p = copy; p; p = c.rest) {
		assert_int_equal(cmdline_split(p, &c, &error), 0);
		assert_null(c.argv[c.argc]);
		for (int i = 0; i < c.argc; i++) {
			strcat(got, c.argv[i]);
			strcat(got, "|");
		}
		strcat(got, ";");
	}
	assert_string_equal(got, words);
}

TEST(test_cmdline_words)
{
	check_split("", ";");
	check_split("  ", ";");
	check_split("a", "a|;");
	check_split("a b  c ", "a|b|c|;");
	check_split("a ; b", "a|;b|;");
	check_split("a;b;", "a|;b|;;");
	check_split(";;a", ";;a|;");
	check_split("'a b' \"c d\"", "a b|c d|;");
	check_split("x'a'y\"b\"z", "xaybz|;");
	check_split("''", "|;");
	check_split("\"a\\\"b\\\\c\\d\"", "a\"b\\c\\d|;");
	check_split("'a\\'", "a\\|;");
	check_split("a\\ b \\; \\\\ \\'", "a b|;|\\|'|;");
	check_split("\\EFI\\BOOT\\X.EFI run", "\\EFI\\BOOT\\X.EFI|run|;");
	check_split("';' a", ";|a|;");
}

TEST(test_cmdline_errors)
{
	char many[512] = "";
	char unclosed[] = "ab 'cd";
	struct cmdline_error error;
	struct cmdline c;

	assert_int_equal(cmdline_split(unclosed, &c, &error), -EINVAL);
	assert_int_equal(error.column, 4);
	for (int i = 0; i <= CMDLINE_MAX_ARGS; i++)
		strcat(many, "a ");
	assert_int_equal(cmdline_split(many, &c, &error), -E2BIG);
	assert_int_equal(error.column, 2 * CMDLINE_MAX_ARGS + 1);
}

struct number_case {
	const char *text;
	int err;
	uint64_t value;
};

TEST(test_number_parse)
{
	static const struct number_case cases[] = {
		{"0", 0, 0},
		{"10007", 0, 10007},
		{"0x10", 0, 16},
		{"0XfF", 0, 255},
		{"3k", 0, 3000},
		{"2M", 0, 2000000},
		{"4G", 0, 4000000000},
		{"18446744073709551615", 0, UINT64_MAX},
		{"18446744073709551616", -ERANGE, 0},
		{"18446744073709552k", -ERANGE, 0},
		{"", -EINVAL, 0},
		{"x", -EINVAL, 0},
		{"0x", -EINVAL, 0},
		{"1 ", -EINVAL, 0},
		{"-1", -EINVAL, 0},
		{"1kk", -EINVAL, 0},
		{"1.5", -EINVAL, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t v;

		assert_int_equal(number_parse(cases[i].text, &v), cases[i].err);
		if (!cases[i].err)
			assert_int_equal(v, cases[i].value);
	}
}

TEST(test_number_pages)
{
	static const struct {
		const char *text;
		int err;
		uint64_t pages;
	} cases[] = {
		{"1", 0, 1},
		{"3", 0, 4},
		{"2048", 0, 2048},
		{"1B", 0, 1},
		{"4096B", 0, 1},
		{"4097B", 0, 2},
		{"9K", 0, 4},
		{"8M", 0, 2048},
		{"1G", 0, 1 << 18},
		{"0", -ERANGE, 0},
		{"0M", -ERANGE, 0},
		{"", -EINVAL, 0},
		{"K", -EINVAL, 0},
		{"1k", -EINVAL, 0},
		{"1KB", -EINVAL, 0},
		{"1T", -EINVAL, 0},
		{"-1", -EINVAL, 0},
		{"4503599627370495", 0, 1ull << 52}, /* the last with whole bytes */
		{"4503599627370496", -ERANGE, 0},
		{"17179869183G", 0, 1ull << 52},
		{"17179869184G", -ERANGE, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t pages = 0;

		if (number_pages(cases[i].text, &pages) != cases[i].err)
			fail_msg("'%s'", cases[i].text);
		if (!cases[i].err)
			assert_int_equal(pages, cases[i].pages);
	}
}

TEST(test_number_seconds)
{
	static const struct number_case cases[] = {
		{"1", 0, 1000000000},
		{"0.1", 0, 100000000},
		{"0.000000001", 0, 1},
		{"12.25", 0, 12250000000},
		{"18446744073.709551615", 0, UINT64_MAX},
		{"18446744073.709551616", -ERANGE, 0},
		{"0.0000000001", -EINVAL, 0},
		{"1.", -EINVAL, 0},
		{".5", -EINVAL, 0},
		{"1.x", -EINVAL, 0},
		{"1s", -EINVAL, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t v;

		assert_int_equal(number_seconds(cases[i].text, &v), cases[i].err);
		if (!cases[i].err)
			assert_int_equal(v, cases[i].value);
	}
}

TEST(test_boot_options)
{
	char good[] =
		" mode=own text=framed baud=9600 nmi_watchdog=1 watchdog_thresh=3 dma=quiet home_after=90 "
		"stat -e a=b loop";
	char bad[] = "text=loud nope=1 caps";
	char none[] = "caps", mode[] = "mode=steal caps";
	struct boot_options o;
	struct options_error e;

	assert_string_equal(options_parse(good, &o, &e), "stat -e a=b loop");
	assert_true(o.framed);
	assert_int_equal(o.baud, 9600);
	assert_true(o.nmi_watchdog);
	assert_int_equal(o.watchdog_thresh, 3);
	assert_true(o.quiet_dma);
	assert_int_equal(o.home_after, 90);
	assert_null(e.word);
	assert_string_equal(options_parse(bad, &o, &e), "caps");
	assert_false(o.framed);
	assert_string_equal(e.word, "nope=1");
	assert_string_equal(options_parse(mode, &o, &e), "caps");
	assert_string_equal(e.reason, "wants own or borrow");
	assert_string_equal(options_parse(none, &o, &e), "caps");
	assert_int_equal(o.baud, 0);
	assert_false(o.nmi_watchdog);
	assert_int_equal(o.watchdog_thresh, 10);
}

TEST(test_boot_option_values)
{
	static const char *const bad[] = {"baud=0",
					  "baud=x",
					  "baud=7",
					  "baud=230400",
					  "text=",
					  "baud=",
					  "nmi_watchdog=2",
					  "nmi_watchdog=",
					  "watchdog_thresh=0",
					  "watchdog_thresh=61",
					  "watchdog_thresh=1s",
					  "dma=loud",
					  "home_after=0",
					  "home_after=10000001"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char args[32];
		struct boot_options o;
		struct options_error e;

		strcpy(args, bad[i]);
		options_parse(args, &o, &e);
		assert_string_equal(e.word, bad[i]);
		assert_int_equal(o.baud, 0);
		assert_false(o.framed || o.nmi_watchdog || o.quiet_dma);
		assert_int_equal(o.watchdog_thresh, 10);
		assert_int_equal(o.home_after, 0);
	}
}

static int words_in(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = fmt_vwords(buf, size, format, args);
	va_end(args);
	return n;
}

/* A sentence is never cut within a word, unless the word alone does not fit. */
TEST(test_fmt_words)
{
	static const struct {
		size_t size;
		const char *text, *wanted;
	} cases[] = {
		{16, "one two three", "one two three"}, {14, "one two three", "one two three"},
		{13, "one two three", "one two ..."},   {12, "one two three", "one two ..."},
		{11, "one two three", "one ..."},       {8, "one two three", "one ..."},
		{8, "onetwothree", "one ..."},          {8, "", ""},
	};
	char buf[17];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf[cases[i].size] = '!';
		assert_int_equal(words_in(buf, cases[i].size, "%s", cases[i].text),
				 strlen(cases[i].wanted));
		assert_string_equal(buf, cases[i].wanted);
		assert_int_equal(buf[cases[i].size], '!');
	}
}

static void join_text(void *ctx, const char *text, size_t n)
{
	strncat(ctx, text, n);
}

static void pieces_of(char *joined, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fmt_vpieces(join_text, joined, format, args);
	va_end(args);
}

TEST(test_fmt_pieces)
{
	static char text[5000], joined[6000];

	memset(text, 'x', sizeof(text) - 1);
	for (size_t n = 0; n < sizeof(text); n += 509) {
		text[n] = '\0';
		joined[0] = '\0';
		pieces_of(joined, "<%s|%u>", text, 12345u);
		assert_int_equal(strlen(joined), n + 8);
		assert_memory_equal(joined + 1, text, n);
		assert_string_equal(joined + 1 + n, "|12345>");
		text[n] = 'x';
	}
}

TEST(test_mul_div)
{
	uint64_t x = 88172645463325252ull;

	assert_int_equal(mul_div(6, 7, 2), 21);
	assert_int_equal(mul_div(UINT64_MAX, UINT64_MAX, UINT64_MAX), UINT64_MAX);
	assert_int_equal(mul_div(UINT64_MAX, 2, 1), UINT64_MAX);
	for (int i = 0; i < 10000; i++) {
		uint64_t a, b, c;

		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		a = x;
		b = x * 0x9e3779b97f4a7c15ull >> (i & 63);
		c = (x >> (i % 50)) | 1;
		unsigned __int128 q = (unsigned __int128)a * b / c;
		assert_true(mul_div(a, b, c) == (q >> 64 ? UINT64_MAX : (uint64_t)q));
	}
}

TEST(test_int_sqrt)
{
	assert_int_equal(int_sqrt(0), 0);
	assert_int_equal(int_sqrt(15), 3);
	assert_int_equal(int_sqrt(16), 4);
	assert_int_equal(int_sqrt(UINT64_MAX), UINT32_MAX);
}

TEST(test_fmt_ratio)
{
	static const struct {
		uint64_t num, den;
		unsigned decimals;
		const char *text;
	} cases[] = {
		{1, 3, 3, "0.333"},     {2, 3, 3, "0.667"},
		{999, 1000, 2, "1.00"}, {1, 2, 0, "1"},
		{5, 0, 2, "-"},         {123456789, 1000000000, 9, "0.123456789"},
		{0, 7, 2, "0.00"},      {1ull << 62, 1ull << 63, 2, "0.50"},
	};
	char buf[32];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(
			fmt_ratio(buf, sizeof(buf), cases[i].num, cases[i].den, cases[i].decimals),
			cases[i].text);
}
