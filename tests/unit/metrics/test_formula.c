// SPDX-License-Identifier: BSD-2-Clause
/* test_formula.c - formulas: values, the events that they need, and the places of mistakes. */
#include "pmu/metrics/formula.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static struct formula_pool pool;
static struct reason why;

/* a, b, c are counts 0 to 2; seven is a number of the machine. Other names do not exist. */
static int find_test_name(void *ctx, const char *name, unsigned depth, struct reason *reason)
{
	struct formula_node node = {.op = FORMULA_COUNT};

	(void)ctx;
	(void)depth;
	if (!strcmp(name, "seven") || !strcmp(name, "nought")) {
		node.op = FORMULA_NUMBER;
		node.number = real_of(*name == 's' ? 7 : 0);
	} else if (!strcmp(name, "time")) {
		node.op = FORMULA_TIME;
	} else if (strlen(name) == 1 && *name >= 'a' && *name <= 'c') {
		node.a = (uint16_t)(*name - 'a');
	} else if (!strcmp(name, "branch-misses") || !strcmp(name, "cpu/event=0x3c,umask=1/")) {
		node.a = 3;
	} else {
		return refuse(reason, ENOENT, "no '%s'", name);
	}
	return formula_add(&pool, &node, reason);
}

static const struct formula_names names = {find_test_name, NULL};

static int parse_formula(const char *text, size_t *at)
{
	pool.n = 0;
	why.text[0] = '\0';
	return formula_parse(&pool, text, strlen(text), 0, &names, at, &why);
}

static double formula_result(const char *text)
{
	const struct real counts[] = {real_of(10), real_of(4), real_of(0), real_of(1000)};
	struct real value;
	size_t at;
	const int root = parse_formula(text, &at);
	double d;

	if (root < 0)
		print_error("%s: %zu: %s\n", text, at, why.text);
	assert_true(root >= 0);
	value = formula_value(&pool, (unsigned)root, counts, real_ratio(1, 4));
	memcpy(&d, &value, sizeof(d));
	return d;
}

TEST(test_values)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{"1", 1},
		{" a + b * 2 ", 18},
		{"(a + b) * 2", 28},
		{"a - b - 1", 5},
		{"a / b / 5", 0.5},
		{"-a + 1", -9},
		{"--a", 10},
		{"a*-b", -40},
		{"1.5e1 - .5", 14.5},
		{"1.E-06*(a/b)/time", 1e-6 * (10.0 / 4) / 0.25},
		{"17 % 5", 2},
		{"-17 % 5", -2},
		{"a < b", 0},
		{"a > b", 1},
		{"a >= 10", 1},
		{"a <= 9", 0},
		{"a == 10", 1},
		{"a != 10", 0},
		{"6 & 3", 2},
		{"6 | 3", 7},
		{"6 ^ 3", 5},
		{"1 + 1 < 3", 1},
		{"min(a, b)", 4},
		{"max(a, b * 3)", 12},
		{"d_ratio(a, b)", 2.5},
		{"d_ratio(a, c)", 0},
		{"a if b > 3 else c", 10},
		{"a if b > 4 else c", 0},
		{"1 if c else 2 if a else 3", 2},
		{"(1 if c else 2) * 3", 6},
		{"a if seven else b", 10},
		{"branch\\-misses / a", 100},
		{"cpu@event=0x3c,umask=1@ / a", 100},
		{"cpu@event\\=0x3c\\,umask\\=1@", 1000},
		{"1 if a < b | b < a else 0", 1},
		{"9007199254740993 + 0", 9007199254740992.0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const double got = formula_result(rows[i].text);

		if (got != rows[i].value)
			print_error("%s: %.17g, not %.17g\n", rows[i].text, got, rows[i].value);
		assert_true(got == rows[i].value);
	}
	assert_true(isnan(formula_result("a / c")));
	assert_true(isnan(formula_result("c / c")));
	assert_true(isnan(formula_result("a % c")));
	assert_true(isnan(formula_result("a / nought"))); /* the machine is so, not the text */
	assert_true(formula_result("a % -1") == 0);
}

TEST(test_events)
{
	size_t at;
	int root;

	root = parse_formula("a + 0 * b", &at);
	assert_int_equal(3, formula_events(&pool, (unsigned)root));
	assert_false(formula_needs_time(&pool, (unsigned)root));
	root = parse_formula("a / time if seven > 6 else b", &at);
	assert_int_equal(1, formula_events(&pool, (unsigned)root));
	assert_true(formula_needs_time(&pool, (unsigned)root));
	root = parse_formula("(a if c else b) if nought else b", &at);
	assert_int_equal(2, formula_events(&pool, (unsigned)root));
	root = parse_formula("7 * 6", &at);
	assert_int_equal(0, formula_events(&pool, (unsigned)root));
}

TEST(test_mistakes)
{
	static const struct {
		const char *text;
		size_t at;
		const char *why;
	} rows[] = {
		{"", 0, "it ends where a value is to be"},
		{"a +", 3, "it ends where a value is to be"},
		{"a b", 2, "'b' stands where an operator or the end is to be"},
		{"a + * b", 4, "'*' stands where a value is to be"},
		{"(a", 2, "it ends where a bracket ) is to be"},
		{"(a b)", 3, "'b' stands where a bracket ) is to be"},
		{"a)", 1, "')' stands where an operator or the end is to be"},
		{"a / 0", 2, "it divides by 0, whatever is counted"},
		{"a / (2 - 2)", 2, "it divides by 0, whatever is counted"},
		{"a % 0.5", 2, "it divides by 0, whatever is counted"},
		{"a + nix", 4, "no 'nix'"},
		{"min(a)", 5, "min() takes two values"},
		{"max(a, b, c)", 8, "max() takes two values"},
		{"min(a b)", 6, "'b' stands where a comma is to be"},
		{"d_ratio(a, b", 12, "it ends where a bracket ) is to be"},
		{"sum(a, b)", 0, "there is no function 'sum'; there are min, max and d_ratio"},
		{"a if b", 6, "it ends where `else` is to be"},
		{"if b else c", 0, "'if' stands where a value is to be: A if CONDITION else B"},
		{"a else c", 2, "'e' stands where an operator or the end is to be"},
		{"1x", 1, "'x' stands behind a number"},
		{"1e99", 0, "a number has at most 19 digits, and is 1e-27 to 1e27"},
		{"123456789012345678901", 0,
		 "a number has at most 19 digits, and is 1e-27 to 1e27"},
		{"a = b", 2, "'=' stands where an operator or the end is to be"},
		{"a ! b", 2, "'!' stands where an operator or the end is to be"},
		{"a$", 1, "'$' stands where an operator or the end is to be"},
		{"cpu@event=1", 0, "the second @ of cpu/event=1 is missing"},
		{"a + \x01", 4, "a byte 0x01 stands where a value is to be"},
		{".", 0, "a number has at most 19 digits, and is 1e-27 to 1e27"},
	};
	size_t at;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(parse_formula(rows[i].text, &at) < 0);
		if (strcmp(rows[i].why, why.text) || at != rows[i].at)
			print_error("%s: %zu: %s\n", rows[i].text, at, why.text);
		assert_string_equal(rows[i].why, why.text);
		assert_int_equal(rows[i].at, at);
	}
}

/* Depth, parts and names of a formula are bounded. */
TEST(test_bounds)
{
	static char text[20000];
	size_t at;

	memset(text, '(', sizeof(text) - 1);
	assert_int_equal(-EINVAL, parse_formula(text, &at));
	assert_string_equal("it is more than 32 brackets and names deep", why.text);
	memset(text, '-', sizeof(text) - 1);
	assert_int_equal(-EINVAL, parse_formula(text, &at));
	for (size_t i = 0; i + 1 < sizeof(text); i++)
		text[i] = i % 2 ? '+' : 'a';
	assert_int_equal(-E2BIG, parse_formula(text, &at));
	assert_string_equal("the formulas together have more than 1024 parts", why.text);
	memset(text, 'a', sizeof(text) - 1);
	assert_true(parse_formula(text, &at) < 0);
	assert_string_equal("a name has at most 159 characters", why.text);
}
