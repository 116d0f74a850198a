// SPDX-License-Identifier: BSD-2-Clause
/* test_operands.c - the operands of commands after their options, and lists that people type. */
#include "lib/words/cgroups.h"
#include "lib/words/cpulist.h"
#include "lib/words/operands.h"
#include "lib/words/sampled.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "tests/unit/test.h"

static const struct setting settings[] = {{.name = "a.rate", .least = 1, .most = 10},
					  {.name = "b.poison", .least = 0, .most = 1}};
static const struct {
	const char *name;
	int more;
} rows[] = {{"first", 1}, {"second", 2}};

#define TABLE(rows)                                                              \
	{                                                                        \
		rows, rows + sizeof(rows) / sizeof((rows)[0]), sizeof((rows)[0]) \
	}

static const struct command
	none = {.name = "none"},
	text = {.name = "text", .operands = {.kind = OPERANDS_TEXT}},
	word = {.name = "word", .operands = {.kind = OPERANDS_WORD, .words = "on|off"}},
	needed = {.name = "needed",
		  .operands = {.kind = OPERANDS_WORD, .needed = true, .words = "framed|plain"}},
	number = {.name = "number", .operands = {.kind = OPERANDS_NUMBER, .least = 1, .most = 9}},
	names = {.name = "names", .operands = {.kind = OPERANDS_NAMES, .names = TABLE(rows)}},
	sets = {.name = "sets", .operands = {.kind = OPERANDS_SETTINGS, .names = TABLE(settings)}},
	work = {.name = "work", .operands = {.kind = OPERANDS_WORKLOAD}};

TEST(test_operands)
{
	static const struct {
		const struct command *command;
		const char *words[4];
		const char *wanted; /* NULL: it takes them */
	} cases[] = {
		{&none, {NULL}, NULL},
		{&none, {"x"}, "takes no argument 'x'"},
		{&text, {"any"}, NULL},
		{&text, {"one", "two"}, "takes one argument: 'two' is another"},
		{&word, {NULL}, NULL},
		{&word, {"off"}, NULL},
		{&word, {"offf"}, "there is no 'offf'; did you mean 'off'?"},
		{&word, {"maybe"}, "there is no 'maybe'; there are: on, off"},
		{&word, {"on", "off"}, "takes one argument: 'off' is another"},
		{&needed, {NULL}, "wants one of: framed, plain"},
		{&needed, {"plain"}, NULL},
		{&number, {"9"}, NULL},
		{&number, {"10"}, "'10' is not a number from 1 to 9"},
		{&number, {"x"}, "'x' is not a number from 1 to 9"},
		{&names, {"second", "first", "first"}, NULL},
		{&names, {"first", "secnd"}, "there is no 'secnd'; did you mean 'second'?"},
		{&names, {"third"}, "there is no 'third'; there are: first, second"},
		{&sets, {"a.rate", "b.poison=1"}, NULL},
		{&sets, {"a.rate=11"}, "a.rate is a number from 1 to 10, not '11'"},
		{&sets, {"a.rate="}, "a.rate is a number from 1 to 10, not ''"},
		{&sets, {"a.rat=3"}, "there is no 'a.rat'; did you mean 'a.rate'?"},
		{&sets, {"c"}, "there is no 'c'; there are: a.rate, b.poison"},
		{&work, {"whatever", "x"}, NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct reason why = {""};
		int err = operands_check(cases[i].command, cases[i].words, &why);

		assert_int_equal(err, cases[i].wanted ? -EINVAL : 0);
		assert_string_equal(why.text, cases[i].wanted ? cases[i].wanted : "");
	}
}

/* A list that is too long for one line ends in an ellipsis. */
TEST(test_many_names)
{
	static const char *const many[] = {
		"a-name-that-is-rather-long-01", "a-name-that-is-rather-long-02",
		"a-name-that-is-rather-long-03", "a-name-that-is-rather-long-04",
		"a-name-that-is-rather-long-05", "a-name-that-is-rather-long-06",
		"a-name-that-is-rather-long-07", "a-name-that-is-rather-long-08",
		"a-name-that-is-rather-long-09", "a-name-that-is-rather-long-10",
		"a-name-that-is-rather-long-11", "a-name-that-is-rather-long-12"};
	const struct command c = {.operands = {.kind = OPERANDS_NAMES, .names = TABLE(many)}};
	const char *const words[] = {"x", NULL};
	struct reason why;

	assert_int_equal(operands_check(&c, words, &why), -EINVAL);
	assert_string_equal(why.text + strlen(why.text) - 8, "-10, ...");
}

TEST(test_cpu_lists)
{
	struct cpumask cpus;
	struct reason why;

	assert_int_equal(cpulist_read("0-2,4", 5, &cpus, &why), 0);
	assert_int_equal(cpus.word[0], 0x17);
	assert_int_equal(cpulist_read("0-2,4", 4, &cpus, &why), -EINVAL);
	assert_string_equal(why.text, "'0-2,4': there is no CPU 4");
	assert_int_equal(cpulist_read("2-1", 4, &cpus, &why), -EINVAL);
	assert_string_equal(why.text, "'2-1' is no list of CPUs, as 0-2,4");
}

TEST(test_groups_of_events)
{
	struct cgroup_names groups = {0};
	struct reason why;

	assert_int_equal(cgroup_names_for_events(&groups, "a", 0, &why), -EINVAL);
	assert_string_equal(why.text, "-G a: no event is before it");
	assert_int_equal(cgroup_names_for_events(&groups, "a/b", 2, &why), 0);
	assert_string_equal(cgroup_name_of(&groups, 0), "a/b");
	assert_string_equal(cgroup_name_of(&groups, 1), "a/b");
	assert_int_equal(cgroup_names_for_events(&groups, ",/", 3, &why), 0);
	assert_string_equal(cgroup_name_of(&groups, 0), "a/b");
	assert_null(cgroup_name_of(&groups, 1));
	assert_string_equal(cgroup_name_of(&groups, 2), "/");
	assert_null(cgroup_name_of(&groups, 3));
	assert_int_equal(cgroup_names_for_events(&groups, "c", 3, &why), -EINVAL);
	assert_string_equal(why.text, "-G c: more groups than the 3 events before it");
}

TEST(test_groups_of_all_events)
{
	struct cgroup_names groups;
	char list[2 * CGROUP_NAMES_MOST + 4] = "";
	struct reason why;

	assert_int_equal(cgroup_names_for_each(&groups, ",a,,/b/c,", &why), 0);
	assert_int_equal(groups.n, 2);
	assert_string_equal(groups.name[1], "/b/c");
	assert_int_equal(cgroup_names_times(&groups, 32, 64, &why), 0);
	assert_int_equal(cgroup_names_times(&groups, 33, 64, &why), -EINVAL);
	assert_string_equal(why.text, "33 events of each of 2 groups are more than 64");
	assert_int_equal(cgroup_names_for_each(&groups, ",", &why), -EINVAL);
	assert_int_equal(cgroup_names_for_each(&groups, "a.*", &why), -EINVAL);
	for (unsigned i = 0; i <= CGROUP_NAMES_MOST; i++)
		strcat(list, ",x");
	assert_int_equal(cgroup_names_for_each(&groups, list, &why), -EINVAL);
	assert_string_equal(why.text, "more than 64 groups");
	assert_int_equal(cgroup_names_for_each(&groups, list + 2, &why), 0);
}

TEST(test_names_of_groups)
{
	static const struct {
		const char *name;
		int err;
	} cases[] = {
		{"a", 0},
		{"/", 0},
		{"...", 0},
		{".a/b.", 0},
		{"x y", 0},
		{".", -EINVAL},
		{"a/..", -EINVAL},
		{"cgroup.procs", -EINVAL},
		{"a/cgroup.x", -EINVAL},
		{"cgroups", 0},
		{"a\nb", -EINVAL},
		{"a\x7f", -EINVAL},
	};
	struct cgroup_names groups;
	char name[CGROUP_NAME_MAX + 1];
	struct reason why;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(cgroup_names_for_each(&groups, cases[i].name, &why), cases[i].err);
	memset(name, 'n', CGROUP_NAME_MAX);
	name[CGROUP_NAME_MAX] = '\0';
	assert_int_equal(cgroup_names_for_each(&groups, name, &why), -EINVAL);
	assert_int_equal(cgroup_names_for_each(&groups, name + 1, &why), 0);
}

TEST(test_registers)
{
	struct reason why;
	uint64_t mask;

	assert_int_equal(registers_read("", &mask, &why), 0);
	assert_int_equal(mask, registers_all());
	assert_int_equal(registers_read("ax,R15", &mask, &why), 0);
	assert_int_equal(mask, 1ull << PERF_REG_X86_AX | 1ull << PERF_REG_X86_R15);
	assert_int_equal(registers_read("AX,XX", &mask, &why), -EINVAL);
	assert_memory_equal(why.text, "column 4 of 'AX,XX': ", 21);
	assert_int_equal(registers_read("AX,", &mask, &why), -EINVAL);
	assert_memory_equal(why.text, "column 3 of 'AX,': ", 19);
}

TEST(test_call_graphs)
{
	static const struct {
		const char *how;
		int err;
		struct call_graph graph;
	} cases[] = {
		{"none", 0, {0}},
		{"fp", 0, {.frames = true}},
		{"dwarf", 0, {.stack = 8192}},
		{"dwarf,1", 0, {.stack = 8}},
		{"dwarf,65528", 0, {.stack = 65528}},
		{"dwarf,65529", -EINVAL, {0}},
		{"dwarf,0", -EINVAL, {0}},
		{"dwarf,", -EINVAL, {0}},
		{"dwarfs", -EINVAL, {0}},
		{"lbr", 0, {.calls = true}},
		{"lbr,", -EINVAL, {0}},
		{"", -EINVAL, {0}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct call_graph graph;
		struct reason why;

		assert_int_equal(call_graph_read(cases[i].how, &graph, &why), cases[i].err);
		if (!cases[i].err)
			assert_true(graph.frames == cases[i].graph.frames &&
				    graph.calls == cases[i].graph.calls &&
				    graph.stack == cases[i].graph.stack);
	}
}

TEST(test_branch_filters)
{
	static const struct {
		const char *list;
		uint64_t mask; /* 0: refused */
		const char *column;
	} cases[] = {
		{"any", PERF_SAMPLE_BRANCH_ANY, NULL},
		{"u", PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER, NULL},
		{"u,k",
		 PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL,
		 NULL},
		{"any_call,u", PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER, NULL},
		{"cond,ind_call,ind_jmp",
		 PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_IND_CALL |
			 PERF_SAMPLE_BRANCH_IND_JUMP,
		 NULL},
		{"any_ret,call,save_type",
		 PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_CALL |
			 PERF_SAMPLE_BRANCH_TYPE_SAVE,
		 NULL},
		{"stack,hw_index,no_flags,no_cycles,priv",
		 PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_HW_INDEX |
			 PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES |
			 PERF_SAMPLE_BRANCH_PRIV_SAVE,
		 NULL},
		{"", 0, "column 1 of ''"},
		{"any,", 0, "column 5 of 'any,'"},
		{"any,,u", 0, "column 5 of"},
		{"u,anything", 0, "column 3 of"},
		{"an", 0, "column 1 of"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t mask;
		struct reason why = {""};
		int err = branch_filter_read(cases[i].list, &mask, &why);

		assert_int_equal(err, cases[i].mask ? 0 : -EINVAL);
		if (cases[i].mask)
			assert_int_equal(mask, cases[i].mask);
		else
			assert_non_null(strstr(why.text, cases[i].column));
	}
}
