// SPDX-License-Identifier: BSD-2-Clause
/* test_profile_text.c - tables of a profile. */
#include "tools/profile/profile_text.h"

#include "tests/unit/profile/folded_rig.h"

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

	assert_int_equal(profile_text_matching(&out, &rig.profile, "lea?,wor*", &why), 0);
	expect_row("3,000 6,000 20.00% 6,000 leaf /prog");
	expect_row("30,000 99.99% inside of these");
	assert_null(strstr(buf_text(&out), "main"));
	assert_true(profile_text_matching(&out, &rig.profile, "leaf,wrok", &why) < 0);
	assert_non_null(strstr(why.text, "did you mean 'work'?"));
	assert_true(profile_text_matching(&out, &rig.profile, "nothing", &why) < 0);
	assert_non_null(strstr(why.text, "--functions lists them"));
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
