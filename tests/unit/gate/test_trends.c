// SPDX-License-Identifier: BSD-2-Clause
/* test_trends.c - checks what `perf0 report` reads from files of results, and what it says. */
#include "tests/unit/test.h"

#include <string.h>

#include "tools/pages/trends.h"
#include "tools/pages/trends_files.h"
#include "tools/pages/trends_page.h"

static struct trends trends;

/* Reads a file of version `name`. Returns whether it has counts. */
static bool reads(const char *name, const char *text)
{
	const size_t version = trends_version(&trends, name, strlen(name));
	struct reason why;

	return !trends_text_read(&trends, version, text, strlen(text), "file", &why);
}

static const struct trend *only_trend(void)
{
	trends_settle(&trends);
	assert_int_equal(trends.nseries, 1);
	return &trends.series[0];
}

static void check_only(const char *text, const char *benchmark, const char *event, double value)
{
	const struct trend *trend;

	assert_true(reads("v", text));
	trend = only_trend();
	assert_string_equal(trend->benchmark, benchmark);
	assert_string_equal(trend->event, event);
	assert_int_equal(trend->n, 1);
	assert_true(trend->point[0].value == value);
	trends_free(&trends);
}

TEST(test_trends_forms)
{
	check_only("{\"counter-value\" : \"2005.000000\", \"event\" : \"e\"}\n", "file", "e", 2005);
	check_only("# started on x\n\n{\"event\" : \"e\", \"counter-value\" : 7}", "file", "e", 7);
	check_only("{\"benchmark\" : \"b\", \"event\" : \"e\", \"median\" : 1.25}", "b", "e", 1.25);
	check_only("{\"instruction\" : \"i\", \"throughput\" : 0.5}", "i", "throughput", 0.5);
	check_only("{\"benchmarks\": [\n {\"name\": \"b\", \"counts\": [{\"event\": \"e\", \"of\": "
		   "\"process\", \"new\": 9, \"verdict\": \"same\"}]}]}",
		   "b", "e", 9);
	check_only(
		"{\"benchmarks\": [{\"name\": \"b\", \"counts\": ["
		"{\"event\": \"e\", \"of\": \"process\", \"new\": 9, \"verdict\": \"not judged\"},"
		"{\"event\": \"e\", \"of\": \"function\", \"new\": 3, \"verdict\": \"same\"},"
		"{\"event\": \"f\", \"of\": \"process\", \"new\": 0, \"verdict\": \"gone\"}]}]}",
		"b", "e", 3);
	check_only("# perf0 gate 2\tversion=1\tuarch=skx\tmachine=x\nb\tevent\te\t5\n"
		   "b\tinside\te\t4\n# end\n",
		   "b", "e", 4);
}

TEST(test_trends_refuse)
{
	static const char *const texts[] = {
		"",
		"x",
		"{",
		"{}",
		"[]",
		"null",
		"{\"event\" : \"e\"}",
		"{\"event\" : \"e\", \"counter-value\" : \"<not counted>\"}",
		"{\"event\" : \"e\", \"counter-value\" : \"nan\"}",
		"{\"event\" : \"e\", \"counter-value\" : \"-1\"}",
		"{\"event\" : \"e\", \"counter-value\" : \"1e999\"}",
		"{\"event\" : \"e\", \"counter-value\" : {}}",
		"{\"interval\" : 1.0, \"event\" : \"e\", \"counter-value\" : \"1\"}",
		"{\"benchmarks\" : 1}",
		"{\"benchmarks\" : [1, null, {}, {\"name\": 1, \"counts\": [1]}]}",
		"# perf0 gate 2\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(reads("v", texts[i]));
	assert_int_equal(trends.nseries, 0);
	trends_free(&trends);
}

static void add_to_b(const char *version, const char *event, double value)
{
	trends_add(&trends, trends_version(&trends, version, strlen(version)), "b", event, value);
}

static const char *text_of_trends(struct buf *out)
{
	out->size = 0;
	trends_text(out, &trends);
	return buf_text(out);
}

TEST(test_trends_tell)
{
	struct buf out = {0};
	size_t next;

	add_to_b("v3", "instructions:u", 30);
	add_to_b("v1", "instructions:u", 40);
	add_to_b("v2", "instructions:u", 20);
	add_to_b("v2", "instructions:u", 50);
	add_to_b("v1", "zeros", 0);
	add_to_b("v2", "zeros", 5);
	trends_settle(&trends);
	assert_int_equal(trends.nversions, 3);
	assert_int_equal(trends.nseries, 2);
	assert_int_equal(trend_largest(&trends.series[0]), 2);
	assert_int_equal(trend_moves(&trends.series[0]), 2);
	assert_true(trend_step(&trends.series[1], 1) == 1);
	assert_int_equal(trends_shown(&trends, 0, &next),
			 0); /* although the other step is larger */
	assert_int_equal(next, 2);
	assert_string_equal(text_of_trends(&out),
			    "benchmark  event           first  last        moved by\n"
			    "b          instructions:u     40    30  -25%  "
			    "v3: -20, the most of 2 changes\n");
	trends_free(&trends);

	add_to_b("v1", "instructions:u", 1000.5);
	add_to_b("v1", "x", 1);
	add_to_b("v2", "instructions:u", 1000.5);
	add_to_b("v2", "x", 3);
	trends_settle(&trends);
	assert_int_equal(trends_shown(&trends, 0, &next), 1); /* the first one did not change */
	trends_free(&trends);
	buf_free(&out);
}

TEST(test_trends_page_is_plain)
{
	struct buf out = {0};

	trends_add(&trends, trends_version(&trends, "<v>", 3), "<b>&\"\033[31m", "<e>", 1);
	trends_add(&trends, trends_version(&trends, "w", 1), "<b>&\"\033[31m", "<e>", 2);
	trends_settle(&trends);
	trends_page(&out, &trends, NULL, "https://x/\"", "index.html");
	buf_text(&out);
	assert_null(strstr((char *)out.data, "<b>"));
	assert_null(strstr((char *)out.data, "<e>"));
	assert_null(strstr((char *)out.data, "<v>"));
	assert_null(strchr((char *)out.data, '\033'));
	trends_free(&trends);
	buf_free(&out);
}
