// SPDX-License-Identifier: BSD-2-Clause
/* test_profile_text.c - tables of a profile. */
#include "tools/profile/profile_text.h"

#include "lib/printf.h"
#include "tests/unit/profile/folded_rig.h"
#include "tools/profile/profile_match.h"

/* Checks that a line has these words, separated by any number of blanks. */
static void expect_row(const char *words)
{
	struct buf row = {0};
	bool is_found = false;

	for (const char *at = buf_text(&out); *at && !is_found; at += *at == '\n') {
		row.size = 0;
		for (; *at && *at != '\n'; at++)
			if (*at != ' ')
				buf_add(&row, at, 1);
			else if (row.size && row.data[row.size - 1] != ' ' && at[1] != '\n')
				buf_add(&row, " ", 1);
		is_found = !strcmp(buf_text(&row), words);
	}
	if (!is_found)
		fail_msg("no row '%s' in:\n%s", words, buf_text(&out));
	buf_free(&row);
}

TEST_WITH(test_functions, begin, end)
{
	profile_text_functions(&out, &rig.profile, 1);
	expect_row("calls self % inclusive function object");
	expect_row("1,000 24,000 79.99% 30,000 work /prog");
	expect_row("6,004 20.01% 2 others");
	expect_row("30,004 100.00% total");
	out.size = 0;
	profile_text_functions(&out, &rig.profile, 10);
	expect_row("3,000 6,000 20.00% 6,000 leaf /prog");
	assert_null(strstr(buf_text(&out), "other"));
}

TEST_WITH(test_nameless, begin, end)
{
	rig_piece(&rig, 1, rig_address(&rig, "main") + 4000, 10, 1000);
	rig_piece(&rig, 0, 0x7000, 10, 1000);
	profile_lines_free(&lines);
	profile_free(&rig.profile);
	rig_fold(&rig, NULL);
	rig.profile.nevents = 1;
	profile_text_functions(&out, &rig.profile, 10);
	expect_row("/prog: 20.00% in functions without a symbol, [0xADDRESS]; its debug file has "
		   "names: install it (-dbgsym), or set DEBUGINFOD_URLS");
	expect_row("[unknown]: 20.00% in functions without a symbol, [0xADDRESS]; a JIT compiler's "
		   "perf map has names: --bring /tmp/perf-PID.map");
}

TEST_WITH(test_matching, begin, end)
{
	struct reason why;

	assert_int_equal(profile_text_matching(&out, &rig.profile, &lines, "lea?,wor*", &why), 0);
	expect_row("3,000 6,000 20.00% 6,000 leaf /prog");
	expect_row("30,000 99.99% inside of these");
	assert_null(strstr(buf_text(&out), "main"));
	assert_true(profile_text_matching(&out, &rig.profile, &lines, "leaf,wrok", &why) < 0);
	assert_non_null(strstr(why.text, "did you mean 'work'?"));
	assert_true(profile_text_matching(&out, &rig.profile, &lines, "nothing", &why) < 0);
	assert_non_null(strstr(why.text, "--functions lists them"));
}

/* The self costs of the inlined function are the instructions of its line. */
TEST_WITH(test_inlined, begin, end)
{
	struct buf row = {0};
	struct reason why;
	uint64_t self = 0;
	char text[32];

	for (size_t i = 0; i < lines.n; i++)
		if (lines.line[i].at.line == 2)
			self += lines.line[i].self.of[0];
	assert_true(self > 0);
	fmt_print(text, sizeof(text), "%'llu", (unsigned long long)self);
	assert_int_equal(profile_text_matching(&out, &rig.profile, &lines, "ad?", &why), 0);
	buf_printf(&row, "inlined %s %.2f%% %s add in work /prog", text, (double)self / 300.04,
		   text);
	expect_row(buf_text(&row));
	assert_true(profile_text_matching(&out, &rig.profile, &lines, "ad?,nothing", &why) < 0);
	buf_free(&row);
}

TEST_WITH(test_line, begin, end)
{
	const struct profile_line *inlined = NULL;
	struct profile_sum sum = {{0}};
	struct reason why;

	for (size_t i = 0; i < lines.n; i++) {
		profile_add(&sum, &lines.line[i].self);
		if (lines.line[i].at.inlined)
			inlined = &lines.line[i];
	}
	assert_int_equal(sum.of[0], 30004);
	assert_non_null(inlined);
	assert_string_equal(inlined->at.inlined->name, "add");
	assert_int_equal(inlined->at.inlined->line, 4);
	assert_int_equal(inlined->at.line, 2);
	assert_null(inlined->at.inlined->outer);
	assert_int_equal(profile_text_line(&out, &rig.profile, &lines, "prog.c:2", &why), 0);
	assert_non_null(strstr(buf_text(&out), "add (inlined) < work"));
	assert_int_equal(profile_text_line(&out, &rig.profile, &lines, "prog.c:3", &why), 0);
	expect_row("6,000 20.00% 6,000 leaf /prog");
	assert_true(profile_text_line(&out, &rig.profile, &lines, "prog.c:1", &why) < 0);
	assert_true(profile_text_line(&out, &rig.profile, &lines, "og.c:3", &why) < 0);
	assert_true(profile_text_line(&out, &rig.profile, &lines, "prog.c", &why) < 0);
	assert_true(profile_text_line(&out, &rig.profile, &lines, "prog.c:3x", &why) < 0);
}

TEST_WITH(test_calls, begin, end)
{
	profile_text_calls(&out, &rig.profile, &lines, 2);
	expect_row("1 30,004 100.00% [start] -> main");
	assert_non_null(strstr(buf_text(&out), "main -> work"));
	assert_null(strstr(buf_text(&out), "work -> leaf"));
}

static bool *matches(const char *name, const char *patterns)
{
	static bool is_match[8];
	struct reason why;

	rig.profile.row[0].name = name;
	(void)profile_match(&rig.profile, NULL, patterns, is_match, &why);
	return is_match;
}

TEST_WITH(test_patterns, begin, end)
{
	assert_true(rig.profile.nrows < 8);
	assert_true(*matches("int sum<int>(std::vector<int> const&)", "sum"));
	assert_true(*matches("int sum<int>(std::vector<int> const&)", "sum<int>"));
	assert_true(*matches("int sum<int>(std::vector<int> const&)", "int sum*"));
	assert_false(*matches("int sum<int>(std::vector<int> const&)", "int"));
	assert_true(*matches("A::parse(int, char)", "A::parse(int, char),A*"));
	assert_true(*matches("parse.constprop.0", ",parse,"));
	assert_true(*matches("A::operator>(int)", "A::operator>"));
	assert_false(*matches("parse", ""));
}

TEST_WITH(test_long_name, begin, end)
{
	char name[300];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	memcpy(name + 116, "\xc3\xa4", 2); /* cut before it */
	rig.profile.row[0].name = name;
	profile_text_functions(&out, &rig.profile, 10);
	assert_non_null(strstr(buf_text(&out), "xx...  /prog\n"));
}
