// SPDX-License-Identifier: BSD-2-Clause
/* test_reported.c - figures, charts and pages from lines of -j. No line, however wrong, becomes
 * markup, or makes the tool hang or crash. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "tools/picture/chart_svg.h"
#include "tools/picture/markup.h"
#include "tools/picture/reported.h"
#include "tools/picture/results_page.h"

#define PAGE_MOST 4000000

static void read_text(struct reported *r, const char *text)
{
	reported_read(r, text, strlen(text));
}

TEST(test_stat_row)
{
	struct reported r;

	read_text(
		&r,
		"{\"counter-value\" : \"1997325.000000\", \"unit\" : \"\", \"event\" : \"a\", "
		"\"event-runtime\" : 7, \"pcnt-running\" : 75.50, \"scaling-error\" : 5.58, "
		"\"metric-value\" : 3.993855, \"metric-unit\" : \"insn per cycle\", "
		"\"truth\" : \"exact\"}\n"
		"{\"counter-value\" : \"<not counted>\", \"unit\" : \"msec\", \"event\" : \"b\"}\n");
	assert_int_equal(r.n, 2);
	assert_string_equal(r.row[0].count.text, "1997325");
	assert_true(r.row[0].count.is_number);
	assert_string_equal(r.row[0].share.text, "75.5");
	assert_string_equal(r.row[0].error.text, "5.58");
	assert_string_equal(r.row[0].metric.text, "3.993855");
	assert_string_equal(r.row[0].truth, "exact");
	assert_string_equal(r.row[1].count.text, "<not counted>");
	assert_false(r.row[1].count.is_number);
	assert_string_equal(r.row[1].truth, "");
	reported_free(&r);
}

TEST(test_bench_row)
{
	struct charts charts = {0};
	struct reported r;

	read_text(&r, "{\"benchmark\" : \"x\", \"event\" : \"cycles\", \"min\" : -0.249000, "
		      "\"median\" : 1.000000, \"mean\" : 1.5, \"max\" : 2.000000, "
		      "\"measurements\" : 100, \"times\" : 1000, \"pass\" : 2, "
		      "\"histogram\" : [[-0.249, -0.249, 1], [1.0, 1.0, 98], [2, 2, 1]]}\n");
	assert_int_equal(r.n, 1);
	assert_string_equal(r.row[0].figure[BENCH_MIN].text, "-0.249");
	assert_string_equal(r.row[0].figure[BENCH_MAX].text, "2");
	assert_int_equal(r.row[0].nhistogram, 3);
	assert_true(r.row[0].pass.value == 2);
	reported_charts(&r, &charts);
	assert_int_equal(charts.n, 1);
	assert_int_equal(charts.chart[0].kind, CHART_BARS);
	assert_int_equal(charts.chart[0].series[0].n, 3);
	assert_true(charts.chart[0].series[0].point[1].mid == 98);
	charts_free(&charts);
	reported_free(&r);
}

/* The last interval is shorter: the chart divides its counts by its length. */
TEST(test_intervals)
{
	struct charts charts = {0};
	struct reported r;

	read_text(
		&r,
		"{\"interval\" : 0.010, \"counter-value\" : \"1000.0\", \"event\" : \"a\"}\n"
		"{\"interval\" : 0.010, \"counter-value\" : \"5.0\", \"event\" : \"b\"}\n"
		"{\"interval\" : 0.015, \"counter-value\" : \"500.0\", \"event\" : \"a\"}\n"
		"{\"interval\" : 0.015, \"counter-value\" : \"<not counted>\", \"event\" : \"b\"}\n");
	reported_charts(&r, &charts);
	assert_int_equal(charts.n, 2);
	assert_int_equal(charts.chart[0].series[0].n, 2);
	assert_true(fabs(charts.chart[0].series[0].point[0].mid - 100) < 1e-9);
	assert_true(fabs(charts.chart[0].series[0].point[1].mid - 100) < 1e-6);
	assert_int_equal(charts.chart[1].series[0].n, 1);
	charts_free(&charts);
	reported_free(&r);
}

TEST(test_trace)
{
	struct charts charts = {0};
	struct reported r;

	read_text(&r, "{\"benchmark\" : \"x\", \"event\" : \"a\", \"cycle\" : 1, \"min\" : 0, "
		      "\"median\" : 1, \"max\" : 2}\n"
		      "{\"benchmark\" : \"x\", \"event\" : \"b\", \"cycle\" : 1, \"min\" : 0, "
		      "\"median\" : 1, \"max\" : 2}\n"
		      "{\"benchmark\" : \"x\", \"event\" : \"a\", \"cycle\" : 2, \"min\" : 3, "
		      "\"median\" : 4, \"max\" : 9}\n");
	reported_charts(&r, &charts);
	assert_int_equal(charts.n, 2);
	assert_int_equal(charts.chart[0].kind, CHART_LINES);
	assert_true(charts.chart[0].series[0].has_band);
	assert_int_equal(charts.chart[0].series[0].n, 2);
	assert_true(charts.chart[0].series[0].point[1].high == 9);
	charts_free(&charts);
	reported_free(&r);
}

TEST(test_noise)
{
	struct reported r;

	read_text(&r, "{\"noise\" : {\"verdict\" : \"PASS\", \"quiet\" : false, \"disturbed_by\" : "
		      "[\"a\", \"b\"], \"smis\" : 0}}\n");
	assert_true(r.has_noise);
	assert_int_equal(r.nnoise, 4);
	assert_string_equal(r.noise[0].value, "PASS");
	assert_string_equal(r.noise[2].value, "a; b");
	assert_string_equal(r.noise[3].value, "0");
	reported_free(&r);
}

/* No coordinate is infinite or no number. */
static void check_coordinates(const char *page)
{
	static const char *const none[] = {"\"nan", "\"-nan", ",nan", ",-nan", "Mnan", "M-nan",
					   "\"inf", "\"-inf", ",inf", ",-inf", "Hnan", "H-nan"};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (strstr(page, none[i]))
			fail_msg("%s: %.80s", none[i], strstr(page, none[i]));
}

/* Makes a page. The caller frees its text. */
static struct buf render_lines(const char *lines)
{
	static const char *const typed[] = {"stat", "a b", "it's", "<i>", NULL};
	static const struct machine_fact facts[] = {{"CPU", "</dd><script>\033[2J\xff"}};
	struct charts charts = {0};
	struct reported r;
	struct buf page = {0};
	struct results_source source = {.typed = typed,
					.title = "<script>&\"'",
					.results = &r,
					.charts = &charts,
					.fact = facts,
					.nfacts = 1,
					.trouble = "<b>"};

	read_text(&r, lines);
	reported_charts(&r, &charts);
	results_page(&page, &source);
	charts_free(&charts);
	reported_free(&r);
	assert_true(page.size < PAGE_MOST);
	check_coordinates(buf_text(&page));
	return page;
}

TEST(test_escaping)
{
	struct buf page = render_lines(
		"{\"counter-value\" : \"<b>1\", \"unit\" : \"<b>\", \"event\" : \"<b>&\\\"'\", "
		"\"region\" : \"<b>\", \"calls\" : \"<b>\", \"cgroup\" : \"<b>\", \"cpu\" : \"<b>\", "
		"\"truth\" : \"<b>\", \"metric-unit\" : \"<b>\", \"metric-value\" : \"<b>\", "
		"\"variance\" : \"<b>\", \"interval\" : 0.1}\n"
		"{\"counter-value\" : \"1\", \"event\" : \"<b>&\\\"'\\u202e\\u0007\\u0000\\u2066\", \"interval\" : 0.2}\n"
		"{\"counter-value\" : \"2\", \"event\" : \"<b>&\\\"'\\u202e\\u0007\\u0000\\u2066\", \"interval\" : 0.3}\n"
		"{\"benchmark\" : \"<b>\", \"event\" : \"<b>\", \"cycle\" : 1, \"min\" : 1, \"median\" : 2, \"max\" : 3}\n"
		"{\"benchmark\" : \"<b>\", \"event\" : \"<b>\", \"cycle\" : 2, \"min\" : 1, \"median\" : 2, \"max\" : 3}\n"
		"{\"benchmark\" : \"<b>\", \"event\" : \"<b>\", \"min\" : \"<b>\", \"times\" : \"<b>\", "
		"\"measurements\" : \"<b>\", \"histogram\" : [[1, 1, 2], [2, 2, 1]]}\n"
		"{\"noise\" : {\"verdict\" : \"<b>\", \"<b>\" : \"<b>\", \"c\" : [\"<b>\", {}]}}\n");
	const char *text = (const char *)page.data;

	assert_null(strstr(text, "<b>"));
	assert_null(strstr(text, "<script"));
	assert_null(strstr(text, "<i>"));
	assert_null(strchr(text, '\a'));
	assert_null(strchr(text, '\033'));
	assert_null(strchr(text, 0xff));
	assert_int_equal(strlen(text), page.size);
	assert_null(strstr(text, "\xe2\x80\xae"));
	assert_null(strstr(text, "\xe2\x81\xa6"));
	assert_non_null(strstr(text, "&lt;script&gt;&amp;&quot;&#39;"));
	assert_non_null(strstr(
		text,
		"perf0 stat &#39;a b&#39; &#39;it&#39;\\&#39;&#39;s&#39; &#39;&lt;i&gt;&#39;"));
	buf_free(&page);
}

/* Each line makes a page, quickly. */
static const char *const wrong[] = {
	"",
	"\n\n",
	"no JSON\n",
	"{\n",
	"[]\n",
	"null\n",
	"{\"event\" : null}\n",
	"{\"event\" : {}, \"counter-value\" : []}\n",
	"{\"event\" : \"a\", \"counter-value\" : null}\n",
	"{\"event\" : \"a\", \"counter-value\" : \"nan\"}\n",
	"{\"event\" : \"a\", \"counter-value\" : \"-inf\", \"interval\" : 1}\n",
	"{\"event\" : \"a\", \"counter-value\" : 1e999, \"interval\" : 1e999}\n",
	"{\"event\" : \"a\", \"counter-value\" : 1e308, \"interval\" : 1e-300}\n",
	"{\"event\" : \"a\", \"counter-value\" : 1, \"interval\" : 1}\n"
	"{\"event\" : \"a\", \"counter-value\" : 1, \"interval\" : 0.5}\n",
	"{\"event\" : \"a\", \"counter-value\" : 1, \"interval\" : -1}\n",
	"{\"benchmark\" : \"a\", \"event\" : \"a\"}\n",
	"{\"benchmark\" : null, \"event\" : \"a\", \"histogram\" : {}}\n",
	"{\"benchmark\" : \"\", \"event\" : \"a\", \"histogram\" : []}\n",
	"{\"benchmark\" : \"\", \"event\" : \"a\", \"histogram\" : [1, [], [1], [1, 2], [1, 2, \"x\"], null]}\n",
	"{\"benchmark\" : \"\", \"event\" : \"a\", \"histogram\" : [[1e308, -1e308, 1e308]]}\n",
	"{\"benchmark\" : \"\", \"event\" : \"a\", \"histogram\" : [[-1e308, -1e308, 1], [1e308, 1e308, 1]]}\n",
	"{\"benchmark\" : \"\", \"event\" : \"a\", \"histogram\" : [[1e17, 1e17, 1], [100000000000000016, 100000000000000016, 1]]}\n",
	"{\"benchmark\" : \"\", \"event\" : \"a\", \"histogram\" : [[0, 0, 0], [1e-320, 1e-320, -5]]}\n",
	"{\"benchmark\" : \"\", \"event\" : \"a\", \"cycle\" : 1}\n",
	"{\"benchmark\" : \"\", \"event\" : \"a\", \"cycle\" : \"x\", \"min\" : 2, \"median\" : 1, \"max\" : 0}\n",
	"{\"benchmark\" : \"\", \"event\" : \"a\", \"cycle\" : 1, \"min\" : 1e308, \"median\" : -1e308}\n",
	"{\"noise\" : 7}\n",
	"{\"noise\" : {}}\n",
	"{\"noise\" : {\"verdict\" : null}}\n",
	"{\"event\" : \"a\", \"counter-value\" : \"0000000000000000000000000000000000000000000000000000000000000001\"}\n",
	"{\"event\" : \"a\", \"counter-value\" : \"-\", \"variance\" : \"1e400\"}\n",
	"{\"event\" : \"a\", \"counter-value\" : \".\"}\n{\"event\" : \"a\", \"counter-value\" : \"0.\"}\n",
	"{\"event\" : \"\xff\xfe\", \"counter-value\" : \"\xff\"}\n",
};

TEST(test_wrong_lines)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct buf page = render_lines(wrong[i]);

		if (!strstr((const char *)page.data, "</html>"))
			fail_msg("%zu", i);
		buf_free(&page);
	}
}

/* Lines that were cut anywhere. */
TEST(test_cut_lines)
{
	static const char whole[] =
		"{\"benchmark\" : \"x\", \"event\" : \"cycles\", \"min\" : 1.5, "
		"\"histogram\" : [[1, 1, 2], [2, 2, 1]]}\n";

	for (size_t n = 0; n < sizeof(whole); n++) {
		char *cut = strndup(whole, n);
		struct buf page = render_lines(cut);

		buf_free(&page);
		free(cut);
	}
}

TEST(test_numbers)
{
	static const struct {
		const char *number, *markup;
	} numbers[] = {
		{"1", "1"},
		{"12", "12"},
		{"123", "123"},
		{"1234", "1<span class=\"k\">234</span>"},
		{"1234567.25", "1<span class=\"k\">234</span><span class=\"k\">567</span>.25"},
		{"-123456", "-123<span class=\"k\">456</span>"},
		{"0.1234567", "0.1234567"},
		{"", ""},
		{"-", "-"},
		{"1e5", "1e5"},
		{"12<", "12&lt;"},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct buf out = {0};

		markup_number(&out, numbers[i].number);
		assert_string_equal(buf_text(&out), numbers[i].markup);
		buf_free(&out);
	}
}

TEST(test_fit)
{
	struct buf out = {0};

	assert_int_equal(markup_add_fit(&out, "abcdef", 6), 6);
	assert_string_equal(buf_text(&out), "abcdef");
	out.size = 0;
	assert_int_equal(markup_add_fit(&out, "äbcd<f", 5), 5);
	assert_string_equal(buf_text(&out), "äbcd…");
	buf_free(&out);
}

TEST(test_steps)
{
	assert_true(fabs(chart_step(10, 5) - 2) < 1e-9);
	assert_true(fabs(chart_step(1, 4) - 0.5) < 1e-9);
	assert_true(fabs(chart_step(42, 6) - 10) < 1e-9);
	assert_true(fabs(chart_step(4e9, 4) - 1e9) < 1);
}
