// SPDX-License-Identifier: BSD-2-Clause
/* test_candidates.c - the completions of Tab in perf0 shell, and the shell's history. */
#include "tools/cmd/candidates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tools/machine/history.h"
#include "tools/util/buf.h"

static char folder[] = "/tmp/perf0-test-XXXXXX";

FIXTURE(make_folder)
{
	return mkdtemp(folder) && !chdir(folder) && !mkdir("results", 0777) &&
			       fclose(fopen("report.data", "w")) == 0
		       ? 0
		       : -1;
}

FIXTURE(remove_folder)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

/* Returns the candidates for `begin` after the typed text, separated by blanks. */
static void check_candidates(const char *line, const char *wanted)
{
	struct candidates c;
	struct buf got = {0};

	candidates_find(&c, line, guest_uarch_find("skx"));
	buf_printf(&got, "%.*s", (int)c.begin, line);
	for (size_t i = 0; i < c.n; i++)
		buf_printf(&got, "%s%s", i ? " " : "", c.text[i]);
	assert_string_equal(buf_text(&got), wanted);
	buf_free(&got);
	candidates_free(&c);
}

TEST(test_commands)
{
	check_candidates("sta", "stat");
	check_candidates("ex", "exit explain");
	check_candidates("caps; reco", "caps; record");
	check_candidates("caps ;d", "caps ;decode diff doctor");
	check_candidates("help wo", "help workloads");
	check_candidates("nosuch", "");
}

TEST(test_options)
{
	check_candidates("stat --ua", "stat --uarch");
	check_candidates("record --call", "record --call-chains --call-graph");
	check_candidates("shell --er", "shell --errexit");
	check_candidates(
		"stat --uarch ",
		"stat --uarch adl adl_n arl bde bdw bdx clx cwf emr fam10h fam15h fam16h glm glp "
		"gnr grr hsw hsx icl icx ivb ivbx k8 knl kvm_amd kvm_intel lnl mtl nhm nhmex ptl rkl skl skx slm "
		"snb snbx spr srf tgl tnt wsm wsmex zen1 zen2 zen3 zen4 zen5");
	check_candidates("stat --uarch=z", "stat --uarch=zen1 zen2 zen3 zen4 zen5");
	check_candidates("stat --policy p", "stat --policy perf");
	check_candidates("run --ht o", "run --ht off on");
}

TEST(test_events)
{
	check_candidates("stat -e cpu-clo", "stat -e cpu-clock");
	check_candidates("stat -ve cpu-clo", "stat -ve cpu-clock");
	check_candidates("stat --event=cycles,{cpu-clo", "stat --event=cycles,{cpu-clock");
	check_candidates("stat -e mem_inst_retired.all_l", "stat -e mem_inst_retired.all_loads");
	check_candidates("stat -e cycles,inst_retired.any",
			 "stat -e cycles,inst_retired.any inst_retired.any_p");
}

TEST(test_files)
{
	check_candidates("stat -o re", "stat -o report.data results/");
	check_candidates("decode ./rep", "decode ./report.data");
	check_candidates("stat -- re", "stat -- report.data results/");
	check_candidates("stat -o 'a b", "stat -o 'a ");
}

TEST(test_common_beginning)
{
	struct candidates c;

	candidates_find(&c, "stat -o re", NULL);
	assert_int_equal(candidates_common(&c), 2);
	candidates_free(&c);
	candidates_find(&c, "nosuch", NULL);
	assert_int_equal(candidates_common(&c), 0);
	candidates_free(&c);
}

struct heard {
	size_t n;
	char first[32], last[32];
};

static void hear(void *ctx, const char *line)
{
	struct heard *heard = ctx;

	if (!heard->n++)
		snprintf(heard->first, sizeof(heard->first), "%s", line);
	snprintf(heard->last, sizeof(heard->last), "%s", line);
}

static void add_lines(const char *path, unsigned from, unsigned to)
{
	struct reason why;
	char line[32];

	for (unsigned i = from; i <= to; i++) {
		snprintf(line, sizeof(line), "line %u", i);
		assert_int_equal(history_add(path, line, &why), 0);
	}
}

TEST(test_history)
{
	struct heard heard = {0};
	char path[PATH_MAX];
	struct reason why;
	struct stat before, after;

	setenv("XDG_STATE_HOME", folder, 1);
	assert_int_equal(history_path(path, &why), 0);
	assert_int_equal(history_read(path, hear, &heard, &why), 0);
	assert_int_equal(heard.n, 0);
	add_lines(path, 1, HISTORY_LINES + 1);
	assert_int_equal(history_read(path, hear, &heard, &why), 0);
	assert_int_equal(heard.n, HISTORY_LINES);
	assert_string_equal(heard.first, "line 2");
	assert_string_equal(heard.last, "line 1001");
	add_lines(path, HISTORY_LINES + 2, 2 * HISTORY_LINES + 1);
	stat(path, &before);
	heard.n = 0;
	assert_int_equal(history_read(path, hear, &heard, &why), 0);
	assert_int_equal(heard.n, HISTORY_LINES);
	stat(path, &after);
	assert_true(after.st_size < before.st_size);
	heard.n = 0;
	assert_int_equal(history_read(path, hear, &heard, &why), 0);
	assert_int_equal(heard.n, HISTORY_LINES);
	assert_string_equal(heard.last, "line 2001");
}

TEST(test_history_that_can_not_be_kept)
{
	char path[PATH_MAX];
	struct reason why;

	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	assert_int_equal(history_path(path, &why), -ENOENT);
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	assert_int_equal(history_path(path, &why), -ENOTDIR);
	assert_non_null(strstr(why.text, "/dev/null/perf0: Not a directory"));
	assert_int_equal(history_add("/nosuch/file", "line", &why), -ENOENT);
}

GROUP(make_folder, remove_folder);
