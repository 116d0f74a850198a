// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_filter.c - filters of tracepoints: the hits that pass, the place of each mistake, and random
 * expressions compared with a second evaluator.
 */
#define TRACE_DEFINE
#include "lib/trace.h"

#include "pmu/names/filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

TRACE_EVENT(test, fields, TRACE_PROTO(const char *text),
	    TRACE_STRUCT(field(uint8_t, u8), field(int8_t, s8), field(uint16_t, u16),
			 field(int16_t, s16), field(uint32_t, u32), field(int32_t, s32),
			 field(uint64_t, u64), field(int64_t, s64), array(char, comm, 16),
			 array(uint64_t, args, 3), string(name)),
	    TRACE_ASSIGN(trace_string(&hit, &entry->name, text);),
	    TRACE_PRINT("u8=%u name=%s", REC->u8, __get_str(name)))

/* A hit that is followed by a string, as trace_string() makes it. */
static struct {
	struct trace_raw_fields f;
	char strings[64];
} hit;

static void make_hit(void)
{
	hit.f = (struct trace_raw_fields){
		.common = {.type = 7, .flags = 1, .pid = 42},
		.u8 = 200,
		.s8 = -100,
		.u16 = 60000,
		.s16 = -30000,
		.u32 = 4000000000,
		.s32 = -2000000000,
		.u64 = 18000000000000000000ull,
		.s64 = -9000000000000000000ll,
		.comm = "hotcold",
		.name = (uint32_t)sizeof(hit.f) | 12u << 16,
	};
	strcpy(hit.strings, "eth0 [up] x");
}

static bool matches(const char *text)
{
	struct pmu_filter f;
	struct pmu_parse_error err;

	if (pmu_filter_parse(&f, &trace_event_fields, text, &err))
		fail_msg("'%s': column %zu: %s", text, err.column, err.text);
	return pmu_filter_match(&f, &(struct pmu_filter_hit){&hit, sizeof(hit), 3, "bench"});
}

TEST(test_numbers)
{
	static const struct {
		const char *text;
		bool holds;
	} rows[] = {
		{"CPU == 3", true},
		{"common_cpu < 3 || cpu & 4", false},
		{"u8 == 200", true},
		{"u8==200", true},
		{" u8 == 0xc8 ", true},
		{"u8 != 200", false},
		{"u8 < 200", false},
		{"u8 <= 200", true},
		{"u8 > 199", true},
		{"u8 >= 201", false},
		{"u8 & 8", true},
		{"u8 & 7", false},
		{"s8 == -100", true},
		{"s8 < 0", true},
		{"s8 > -101", true},
		{"s8 >= -100", true},
		{"s8 <= -101", false},
		{"s8 & 0x1", false},
		{"s8 & 0x4", true},
		{"s8 == -128", false},
		{"s8 != 127", true},
		{"u16 == 60000", true},
		{"u16 > 32767", true},
		{"s16 == -30000", true},
		{"s16 < -29999", true},
		{"u32 == 4000000000", true},
		{"u32 > 0x7fffffff", true},
		{"s32 == -2000000000", true},
		{"s32 > 0", false},
		{"u64 == 18000000000000000000", true},
		{"u64 > 9223372036854775807", true},
		{"u64 < 1", false},
		{"s64 == -9000000000000000000", true},
		{"s64 < 1", true},
		{"s64 >= -9223372036854775808", true},
		{"common_type == 7", true},
		{"common_pid == 42", true},
		{"common_pid > -1", true},
		{"common_flags & 1", true},
		{"common_preempt_count == 0", true},
	};

	make_hit();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (matches(rows[i].text) != rows[i].holds)
			fail_msg("'%s' is %d", rows[i].text, !rows[i].holds);
}

TEST(test_strings)
{
	static const struct {
		const char *text;
		bool holds;
	} rows[] = {
		{"comm == hotcold", true},
		{"COMM == bench && COMM ~ b*h", true},
		{"COMM == hotcold || COMM != bench", false},
		{"comm == \"hotcold\"", true},
		{"comm == 'hotcold'", true},
		{"comm != hotcold", false},
		{"comm == hot", false},
		{"comm == hotcolder", false},
		{"comm ~ hotcold", true},
		{"comm ~ hot", false},
		{"comm ~ hot*", true},
		{"comm ~ *cold", true},
		{"comm ~ *tc*", true},
		{"comm ~ *", true},
		{"comm ~ **", true},
		{"comm ~ h?t????", true},
		{"comm ~ h?t???", false},
		{"comm ~ h?t?????", false},
		{"comm ~ *o*o*d", true},
		{"comm ~ *o*o*o*", false},
		{"comm ~ h[aou]t*", true},
		{"comm ~ h[a-n]t*", false},
		{"comm ~ h[!a-n]t*", true},
		{"comm ~ h[^o]t*", false},
		{"comm ~ [!]x]*", true},
		{"comm ~ \"\"", false},
		{"comm == \"\"", false},
		{"name == \"eth0 [up] x\"", true},
		{"name ~ \"eth? [[]up] *\"", true},
		{"name ~ 'eth? [[]*[]] x'", true},
		{"name ~ eth*", true},
		{"name ~ eth", false},
		{"name == eth0 || comm == hotcold", true},
	};

	make_hit();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (matches(rows[i].text) != rows[i].holds)
			fail_msg("'%s' is %d", rows[i].text, !rows[i].holds);
	/* An array without a terminator, an empty array, a string beyond the end of the hit. */
	memset(hit.f.comm, 'x', sizeof(hit.f.comm));
	assert_true(matches("comm == xxxxxxxxxxxxxxxx"));
	assert_false(matches("comm == xxxxxxxxxxxxxxxxeth0"));
	hit.f.comm[0] = '\0';
	assert_true(matches("comm == ''"));
	assert_true(matches("comm ~ *"));
	hit.f.name = (uint32_t)sizeof(hit) | 12u << 16;
	assert_true(matches("name == ''"));
	hit.f.name = 0xffff0008;
	assert_true(matches("name == ''"));
}

TEST(test_logic)
{
	static const struct {
		const char *text;
		bool holds;
	} rows[] = {
		/* u8 == 200 holds, u8 == 0 does not. */
		{"u8 == 200 && u16 == 60000", true},
		{"u8 == 0 && u16 == 60000", false},
		{"u8 == 200 && u16 == 0", false},
		{"u8 == 0 || u16 == 60000", true},
		{"u8 == 200||u16 == 0", true},
		{"u8 == 0 || u16 == 0", false},
		/* && binds stronger than ||. */
		{"u8 == 200 || u16 == 0 && u32 == 0", true},
		{"(u8 == 200 || u16 == 0) && u32 == 0", false},
		{"u8 == 0 && u16 == 0 || u8 == 200", true},
		{"u8 == 0 && (u16 == 0 || u8 == 200)", false},
		{"!(u8 == 0)", true},
		{"!u8 == 0", true},
		{"!!(u8 == 0)", false},
		{"! ( u8 == 200 && u16 == 0 )", true},
		{"!(u8 == 200 || u16 == 0)", false},
		{"!(u8 == 0 || u16 == 0) && u32 > 1", true},
		{"!(!(u8 == 200) || !(u16 == 60000))", true},
		{"((((u8 == 200))))", true},
		{"(u8 == 200) && ((u16 == 0) || (u32 > 0 && !(s8 > 0)))", true},
		{"u8 & 8 && u16 != 0", true},
		{"u8 == 0 || u8 == 1 || u8 == 2 || u8 == 200", true},
		{"u8 == 200 && u16 == 60000 && u32 > 1 && s8 > 0", false},
	};

	make_hit();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (matches(rows[i].text) != rows[i].holds)
			fail_msg("'%s' is %d", rows[i].text, !rows[i].holds);
}

/* Makes a random expression as text, and returns its value. */
struct writer {
	char text[1024];
	size_t n;
	unsigned tests, random;
};

static unsigned roll(struct writer *w, unsigned n)
{
	w->random = w->random * 1103515245 + 12345;
	return (w->random >> 16) % n;
}

static void append_expression(struct writer *w, const char *text)
{
	w->n += (size_t)snprintf(w->text + w->n, sizeof(w->text) - w->n, "%s", text);
}

static bool write_expression(struct writer *w, unsigned depth)
{
	bool value, other;

	if (!depth || w->tests > 24 || !roll(w, 4)) {
		value = roll(w, 2);
		append_expression(w, value ? "u8 == 200" : "u8 == 201");
		w->tests++;
		return value;
	}
	if (!roll(w, 4)) {
		append_expression(w, "!(");
		value = !write_expression(w, depth - 1);
		append_expression(w, ")");
		return value;
	}
	append_expression(w, "(");
	value = write_expression(w, depth - 1);
	append_expression(w, roll(w, 2) ? ") && (" : ") || (");
	other = w->text[w->n - 3] == '&';
	return other ? (other = write_expression(w, depth - 1), append_expression(w, ")"),
			value && other)
		     : (other = write_expression(w, depth - 1), append_expression(w, ")"),
			value || other);
}

TEST(test_random)
{
	unsigned yes = 0;

	make_hit();
	for (unsigned seed = 1; seed <= 20000; seed++) {
		struct writer w = {.random = seed * 2654435761u};
		bool value = write_expression(&w, 6);

		if (w.tests > PMU_FILTER_TESTS)
			continue;
		yes += value;
		if (matches(w.text) != value)
			fail_msg("'%s' is %d", w.text, !value);
	}
	assert_in_range(yes, 2000, 18000);
}

/* --- Mistakes --- */

struct bad {
	const char *text;
	size_t column;
	const char *why;
};

static void rejects_text(const struct bad *bad)
{
	struct pmu_filter f;
	struct pmu_parse_error err;

	if (!pmu_filter_parse(&f, &trace_event_fields, bad->text, &err))
		fail_msg("'%s' was taken", bad->text);
	if (err.column != bad->column || !strstr(err.text, bad->why))
		fail_msg("'%s': column %zu: '%s', not column %zu: '%s'", bad->text, err.column,
			 err.text, bad->column, bad->why);
}

static const struct bad bad[] = {
	{"", 1, "a field is missing"},
	{"   ", 4, "a field is missing"},
	{"u8", 3, "one of == != < <= > >= & is missing behind 'u8'"},
	{"u8 ", 4, "one of == != < <= > >= & is missing"},
	{"u8 200", 4, "one of == != < <= > >= &"},
	{"u8 = 200", 4, "one of =="},
	{"u8 =< 200", 4, "one of =="},
	{"u8 => 200", 4, "one of =="},
	{"u8 === 200", 6, "a number is expected for 'u8'"},
	{"u8 <> 1", 5, "a number is expected"},
	{"u8 ! 1", 4, "one of =="},
	{"u8 ==", 6, "a number is expected for 'u8'"},
	{"u8 == ", 7, "a number is expected for 'u8'"},
	{"u8 == x", 7, "a number is expected for 'u8'"},
	{"u8 == '200'", 7, "a number is expected for 'u8'"},
	{"u8 == 0x", 7, "decimal or 0x hexadecimal"},
	{"u8 == 200x", 7, "decimal or 0x hexadecimal"},
	{"u8 == 1.5", 7, "decimal or 0x hexadecimal"},
	{"u8 == 1+1", 8, "'+' does not belong to a number"},
	{"u8 == 1'", 8, "''' does not belong to a number"},
	{"u8 == 256", 7, "u8 is from 0 to 0xff"},
	{"u8 == -1", 7, "'u8' is never negative"},
	{"u8 == - 1", 7, "'u8' is never negative"},
	{"s8 == - 1", 8, "a number is expected for 's8'"},
	{"s8 == 128", 7, "s8 is from 0 to 0x7f"},
	{"s8 == -129", 8, "s8 is from 0 to 0x80"},
	{"u16 == 65536", 8, "to 0xffff"},
	{"s16 == 32768", 8, "to 0x7fff"},
	{"s16 == -32769", 9, "to 0x8000"},
	{"u32 == 4294967296", 8, "to 0xffffffff"},
	{"s32 == 2147483648", 8, "to 0x7fffffff"},
	{"s32 == -2147483649", 9, "to 0x80000000"},
	{"u64 == 18446744073709551616", 8, "to 0xffffffffffffffff"},
	{"u64 == -1", 8, "never negative"},
	{"s64 == 9223372036854775808", 8, "to 0x7fffffffffffffff"},
	{"s64 == -9223372036854775809", 9, "to 0x8000000000000000"},
	{"common_type == 65536", 16, "to 0xffff"},
	{"common_flags == 256", 17, "to 0xff"},
	{"common_pid == 2147483648", 15, "to 0x7fffffff"},
	{"nosuch == 1", 1, "test:fields has no field 'nosuch'"},
	{"U8 == 1", 1, "no field 'U8'"},
	{"u == 1", 1, "no field 'u'"},
	{"u88 == 1", 1, "no field 'u88'"},
	{"common_comm == x", 1, "no field 'common_comm'"},
	{"200 == u8", 1, "no field '200'"},
	{"args == 1", 1, "'args' is an array of numbers"},
	{"args & 1", 1, "'args' is an array of numbers"},
	{"args[0] == 1", 1, "'args' is an array of numbers"},
	{"u8[0] == 1", 3, "one of =="},
	{"comm < x", 6, "'<' is not for strings, as 'comm' is"},
	{"comm > x", 6, "'>' is not for strings"},
	{"comm <= x", 6, "'<=' is not for strings"},
	{"comm >= x", 6, "'>=' is not for strings"},
	{"comm & x", 6, "'&' is not for strings"},
	{"comm = x", 6, "one of == != ~ is missing behind 'comm'"},
	{"comm", 5, "one of == != ~ is missing"},
	{"comm x", 6, "one of == != ~"},
	{"comm !~ x", 6, "one of == != ~"},
	{"comm ==", 8, "a text is expected for 'comm'"},
	{"comm == ", 9, "a text is expected"},
	{"comm == )", 9, "a text is expected"},
	{"comm == && u8 == 1", 9, "a text is expected"},
	{"comm == \"x", 9, "quote is not closed"},
	{"comm == 'x", 9, "quote is not closed"},
	{"comm == 'x\"", 9, "quote is not closed"},
	{"comm ~ [", 8, "'[' is not closed"},
	{"comm ~ []", 8, "'[' is not closed"},
	{"comm ~ [!]", 8, "'[' is not closed"},
	{"comm ~ abc[x", 11, "'[' is not closed"},
	{"comm ~ [a]b[", 12, "'[' is not closed"},
	{"comm ~ \"x[a\"", 10, "'[' is not closed"},
	{"name < x", 6, "'<' is not for strings, as 'name' is"},
	{"u8 ~ 1", 4, "'~' is not for numbers, as 'u8' is"},
	{"common_pid ~ 1", 12, "'~' is not for numbers"},
	{"u8 == 1 &&", 11, "a field is missing"},
	{"u8 == 1 ||", 11, "a field is missing"},
	{"&& u8 == 1", 1, "a field is expected, not '&'"},
	{"|| u8 == 1", 1, "a field is expected, not '|'"},
	{"u8 == 1 & u16 == 1", 9, "'&' does not belong here"},
	{"u8 == 1 | u16 == 1", 9, "'|' does not belong here"},
	{"u8 == 1 && && u16 == 1", 12, "a field is expected, not '&'"},
	{"u8 == 1 &&& u16 == 1", 11, "a field is expected, not '&'"},
	{"u8 == 1 ||| u16 == 1", 11, "a field is expected, not '|'"},
	{"u8 == 1 and u16 == 1", 9, "'a' does not belong here"},
	{"u8 == 1 u16 == 1", 9, "'u' does not belong here"},
	{"u8 == 1, u16 == 1", 8, "',' does not belong to a number"},
	{"u8 == 1;", 8, "';' does not belong to a number"},
	{"(u8 == 1", 1, "'(' is not closed"},
	{"((u8 == 1)", 1, "'(' is not closed"},
	{"u8 == 2 && (u8 == 1", 12, "'(' is not closed"},
	{"(u8 == 1 && (u8 == 2)", 1, "'(' is not closed"},
	{"u8 == 1)", 8, "')' closes nothing"},
	{"(u8 == 1))", 10, "')' closes nothing"},
	{")", 1, "a field is expected, not ')'"},
	{"()", 2, "a field is expected, not ')'"},
	{"( )", 3, "a field is expected, not ')'"},
	{"(u8 == 1)(u8 == 2)", 10, "'(' does not belong here"},
	{"(u8) == 1", 4, "one of =="},
	{"(u8 == 1) == 1", 11, "'=' does not belong here"},
	{"!", 2, "a field is missing"},
	{"!!", 3, "a field is missing"},
	{"!()", 3, "a field is expected, not ')'"},
	{"u8 !(1)", 4, "one of =="},
	{"u8 == !1", 7, "a number is expected"},
	{"u8 == (1)", 7, "a number is expected"},
	{"-u8 == 1", 1, "no field '-u8'"},
	{"*u8 == 1", 1, "a field is expected, not '*'"},
	{"\"u8\" == 1", 1, "a field is expected, not '\"'"},
	{"@", 1, "a field is expected, not '@'"},
	{"((((((((((((((((( u8 == 1)))))))))))))))))", 17, "brackets nest at most 16 deep"},
	{"u8 == 1 && comm ~ [a && u16 == 1", 19, "'[' is not closed"},
	{"comm == a b", 11, "'b' does not belong here"},
	{"comm == 'a' 'b'", 13, "''' does not belong here"},
	{"comm == 'a'b", 12, "'b' does not belong here"},
};

TEST(test_refusals)
{
	char text[2048];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		rejects_text(&bad[i]);
	/* The same mistakes after a correct part: the place moves along. */
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct bad later = bad[i];

		if (strstr(bad[i].text, "(((((") || strstr(bad[i].why, "missing") == bad[i].why)
			continue;
		snprintf(text, sizeof(text), "s8 < 0 && %s", bad[i].text);
		later.text = text;
		later.column += 10;
		rejects_text(&later);
	}
	for (unsigned i = 0; i < PMU_FILTER_TESTS; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "u8 == %u || ", i);
	snprintf(text + n, sizeof(text) - n, "u8 == 1");
	rejects_text(&(struct bad){text, n + 1, "at most 32 comparisons"});
	text[n - 4] = '\0';
	make_hit();
	assert_false(matches(text));
	n = (size_t)snprintf(text, sizeof(text), "comm == %0200d || comm == ", 0);
	memset(text + n, 'x', 57);
	text[n + 57] = '\0';
	rejects_text(&(struct bad){text, n + 1, "at most 256 characters"});
	text[n + 56] = '\0';
	assert_false(matches(text));
}
