// SPDX-License-Identifier: BSD-2-Clause
/* test_statfmt.c - the table of perf stat, to the blank. */
#include "apps/portable/statfmt.h"
#include "include/perf0/truth.h"
#include "apps/portable/statmetrics.h"
#include "tests/shim/shim_print.h"

#include <string.h>

#include "tests/unit/test.h"

#define HW(c)                                                           \
	{                                                               \
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##c \
	}

static const struct perf_event_attr clock_attr = {.type = PERF_TYPE_SOFTWARE,
						  .config = PERF_COUNT_SW_TASK_CLOCK};
static const struct perf_event_attr cycles = HW(CPU_CYCLES), instructions = HW(INSTRUCTIONS),
				    branches = HW(BRANCH_INSTRUCTIONS), misses = HW(BRANCH_MISSES);
static const struct perf_event_attr user_instructions = {
	.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS, .exclude_kernel = 1};
static const struct perf_event_attr raw = {.type = PERF_TYPE_RAW, .config = 0x1d1};

static const struct perf_event_attr slots = {.type = PERF_TYPE_RAW, .config = 0x400};
static const struct perf_event_attr backend = {.type = PERF_TYPE_RAW, .config = 0x8300};
static const struct perf_event_attr memory = {.type = PERF_TYPE_RAW, .config = 0x8700};

/* Shares of the slots as perf prints them, to the blank. A share that has a part also has a
 * remainder. */
TEST(test_topdown)
{
	const struct stat_line lines[] = {
		{"slots", &slots, STAT_COUNTED, 2570153, 0, 0, false, 1, 1, 0, false, false, 0,
		 NULL, NULL, 0, 0},
		{"topdown-be-bound", &backend, STAT_COUNTED, 241896, 0, 0, false, 1, 1, 0, false,
		 false, 0, NULL, NULL, 0, 0},
		{"topdown-mem-bound", &memory, STAT_COUNTED, 231817, 0, 0, false, 1, 1, 0, false,
		 false, 0, NULL, NULL, 0, 0},
	};
	const struct stat_time time = {2500000, 0, false, 0, 0};
	struct stat_table t = {.title = "x", .nlines = 3, .runs = 1, .times = &time, .ntimes = 1};

	const char *printed;

	t.lines = lines;
	stat_print(&t);
	printed = shim_printed();
	assert_non_null(strstr(printed,
			       " 241,896      topdown-be-bound                 #      9.4% "
			       "Backend Bound         \n"));
	assert_non_null(strstr(printed,
			       " 231,817      topdown-mem-bound                #      9.0% "
			       "Memory Bound           #      0.4% Core Bound            \n"));
}

TEST(test_one_run)
{
	const struct stat_line lines[] = {
		{"task-clock", &clock_attr, STAT_COUNTED, 2000000, 0, 0, false, 10, 10, 0, false,
		 false, 0, NULL, NULL, 0, 0},
		{"cycles", &cycles, STAT_COUNTED, 4000000, 0, 0, false, 10, 10, 0, false, false, 0,
		 NULL, NULL, 0, 0},
		{"instructions", &instructions, STAT_COUNTED, 3000000, 0, 0, false, 10, 5, 0, false,
		 false, 0, NULL, NULL, 0, 0},
		{"branches", &branches, STAT_COUNTED, 500000, 0, 0, false, 10, 8, 217, true, false,
		 0, NULL, NULL, 0, 0},
		{"branch-misses", &misses, STAT_COUNTED, 1234, 0, 0, false, 10, 10, 0, true, false,
		 0, NULL, NULL, 0, 0},
		{"instructions:u", &user_instructions, STAT_COUNTED, 7, 0, 0, false, 10, 10, 0,
		 false, false, 0, NULL, NULL, 0, 0},
		{"r01d1", &raw, STAT_NOT_COUNTED, 0, 0, 0, false, 10, 0, 0, false, false, 0, NULL,
		 NULL, 0, 0},
		{"r01d1", &raw, STAT_NOT_SUPPORTED, 0, 0, 0, false, 0, 0, 0, false, false, 0, NULL,
		 NULL, 0, 0},
	};
	const struct stat_time time = {2500000, 0, false, 2000000, 500000};
	const struct stat_table t = {.title = "loop 1",
				     .lines = lines,
				     .nlines = 8,
				     .runs = 1,
				     .times = &time,
				     .ntimes = 1};

	stat_print(&t);
	/* clang-format off */
	assert_string_equal(shim_printed(), "\n Performance counter stats for 'loop 1':\n\n"
					    "              2.00 msec task-clock                    "
					    "   #    0.800 CPUs utilized          \n"
					    "         4,000,000      cycles                        "
					    "   #    2.000 GHz                    \n"
					    "         3,000,000      instructions                  "
					    "   #    0.75  insn per cycle           (50.00%)\n"
					    "           500,000      branches                      "
					    "   #  250.000 M/sec                    (80.00%) ±2.17%\n"
					    "             1,234      branch-misses                 "
					    "   #    0.25% of all branches        \n"
					    "                 7      instructions:u                "
					    "   #    3.500 K/sec                  \n"
					    "     <not counted>      r01d1                         "
					    "                                (0.00%)\n"
					    "   <not supported>      r01d1                         "
					    "                              \n"
					    "\n"
					    "       0.002500000 seconds time elapsed\n"
					    "\n"
					    "       0.002000000 seconds user\n"
					    "       0.000500000 seconds sys\n"
					    "\n");
}

TEST(test_many_runs)
{
	const struct stat_line lines[] = {
		{"instructions", &instructions, STAT_COUNTED, 1000, 0, 123, false, 10, 10, 0, false, false, 0, NULL, NULL, 0, 0},
	};
	const struct stat_time time = {1000000, 250, false, 0, 0};
	const struct stat_table t = {.title = "loop 1",
				     .lines = lines,
				     .nlines = 1,
				     .runs = 5,
				     .times = &time,
				     .ntimes = 1};

	stat_print(&t);
	assert_string_equal(shim_printed(),
			    "\n Performance counter stats for 'loop 1' (5 runs):\n\n"
			    "             1,000      instructions                                  "
			    "                       ( +-  1.23% )\n"
			    "\n"
			    "         0.0010000 +- 0.0000250 seconds time elapsed  ( +-  2.50% )\n"
			    "\n");
}

/* A figure uses counts of the same runs only; otherwise it is missing. */
TEST(test_passes)
{
	const struct stat_line lines[] = {
		{"task-clock", &clock_attr, STAT_COUNTED, 2000000, 0, 50, false, 20, 20, 0, true, false, STAT_EACH_PASS, NULL, NULL, 0, 0},
		{"cycles", &cycles, STAT_COUNTED, 4000000, 0, 0, false, 10, 10, 0, true, false, 0, NULL, NULL, 0, 0},
		{"instructions", &instructions, STAT_COUNTED, 3000000, 0, 0, false, 10, 10, 0, true, false, 0, NULL, NULL, 0, 0},
		{"branches", &branches, STAT_COUNTED, 500000, 0, 0, false, 10, 10, 0, true, false, 0, NULL, NULL, 0, 0},
		{"branch-misses", &misses, STAT_COUNTED, 1000, 0, 0, false, 10, 10, 0, true, false, 1, NULL, NULL, 0, 0},
		{"r01d1", &raw, STAT_NOT_COUNTED, 0, 0, 0, false, 10, 0, 0, false, false, 1, NULL, NULL, 0, 0},
		{"r01d1", &raw, STAT_NOT_SUPPORTED, 0, 0, 0, false, 0, 0, 0, false, false, STAT_EACH_PASS, NULL, NULL, 0, 0},
	};
	const struct stat_time times[] = {{2500000, 0, false, 2000000, 500000}, {1500000, 0, false, 0, 0}};
	struct stat_table t = {.title = "loop 1",
			       .lines = lines,
			       .nlines = 7,
			       .runs = 1,
			       .passes = 2,
			       .least = 2,
			       .times = times,
			       .ntimes = 2};
	const char *text;

	stat_print(&t);
	assert_string_equal(shim_printed(),
			    "\n Performance counter stats for 2 passes of 'loop 1' "
			    "(fewer are not possible):\n\n"
			    "              2.00 msec task-clock                    "
			    "   #    1.000 CPUs utilized            ( +-  0.50% )  [each pass]\n"
			    "         4,000,000      cycles                        "
			    "   #    2.000 GHz                      [pass 1]\n"
			    "         3,000,000      instructions                  "
			    "   #    0.75  insn per cycle           [pass 1]\n"
			    "           500,000      branches                      "
			    "   #  250.000 M/sec                    [pass 1]\n"
			    "             1,000      branch-misses                 "
			    "   #  500.000 K/sec                    [pass 2]\n"
			    "     <not counted>      r01d1                         "
			    "                                (0.00%)  [pass 2]\n"
			    "   <not supported>      r01d1                         "
			    "                              \n"
			    "\n"
			    "       0.002500000 seconds time elapsed in pass 1\n"
			    "       0.001500000 seconds time elapsed in pass 2\n"
			    "\n");
	t.least = 1;
	t.runs = 3;
	stat_print(&t);
	text = shim_printed();
	assert_non_null(strstr(text, " for 2 passes of 'loop 1' (1 is needed at least)"
				     " (3 runs each):\n"));
	assert_non_null(strstr(text, "seconds time elapsed in pass 2  ( +-  0.00% )\n"));
	t.passes = t.ntimes = 1;
	stat_print(&t);
	assert_non_null(strstr(shim_printed(), " for 1 pass of 'loop 1' (3 runs):\n"));
}

TEST(test_watchdog_hint)
{
	static const char hint[] = "Some events weren't counted. Try disabling the NMI watchdog:\n"
				   "\twatchdog off\n\tstat ...\n\twatchdog on\n";
	const struct perf_event_attr software = {.type = PERF_TYPE_SOFTWARE};
	struct stat_line line = {"a", &instructions, STAT_NOT_COUNTED, 0, 0, 0, false, 10, 0, 0, false, false, 0, NULL, NULL, 0, 0};
	const struct stat_time time = {1000000, 0, false, 0, 0};
	struct stat_table t = {.title = "loop 1",
			       .lines = &line,
			       .nlines = 1,
			       .runs = 1,
			       .times = &time,
			       .ntimes = 1,
			       .watchdog = true};

	stat_print(&t);
	assert_non_null(strstr(shim_printed(), hint));
	t.watchdog = false;
	stat_print(&t);
	assert_null(strstr(shim_printed(), hint));
	t.watchdog = true;
	line.attr = &software;
	stat_print(&t);
	assert_null(strstr(shim_printed(), hint));
	line.attr = &instructions;
	line.state = STAT_COUNTED;
	stat_print(&t);
	assert_null(strstr(shim_printed(), hint));
}

/* The rows that perf 6.1 prints for the same counts. */
TEST(test_rows_for_programs)
{
	const struct stat_line lines[] = {
		{"task-clock", &clock_attr, STAT_COUNTED, 2004567, 0, 0, false, 10, 10, 0, false, false, 0, NULL, NULL, 0, 0},
		{"cycles", &cycles, STAT_COUNTED, 4009134, 0, 0, false, 10, 10, 0, false, false, 0, NULL, NULL, 0, 0},
		{"instructions", &instructions, STAT_COUNTED, 3000000, 0, 0, false, 10, 5, 0, false, false, 0, NULL, NULL, 0, 0},
		{"branches", &branches, STAT_COUNTED, UINT64_C(1) << 50, 0, 0, false, 10, 8, 217, true, false, 0, NULL, NULL, 0, 0},
		{"branch-misses", &misses, STAT_COUNTED, 1234, 0, 0, false, 10, 10, 0, true, false, 0, NULL, NULL, 0, 0},
		{"r01d1", &raw, STAT_NOT_COUNTED, 0, 0, 0, false, 10, 10, 0, false, false, 0, NULL, NULL, 0, 0},
		{"say \"x\"", &raw, STAT_NOT_SUPPORTED, 0, 0, 0, false, 0, 0, 0, false, false, 0, NULL, NULL, 0, 0},
	};
	const struct stat_time time = {2500000, 0, false, 2000000, 500000};
	const struct stat_table t = {.lines = lines, .nlines = 7, .runs = 1, .times = &time,
				     .ntimes = 1};
	const char *json;

	stat_print_csv(&t, ";");
	assert_string_equal(shim_printed(), "2.00;msec;task-clock;10;100.00;0.802;CPUs utilized\n"
					    "4009134;;cycles;10;100.00;2.000;GHz\n"
					    "3000000;;instructions;5;50.00;0.75;insn per cycle\n"
					    "1125899906842624;;branches;8;80.00;561667385.946;G/sec\n"
					    "1234;;branch-misses;10;100.00;0.00;of all branches\n"
					    "<not counted>;;r01d1;0;0.00;;\n"
					    "<not supported>;;\"say \"\"x\"\"\";0;100.00;;\n");
	stat_print_json(&t);
	json = shim_printed();
	assert_ptr_equal(
		strstr(json,
		"{\"counter-value\" : \"2.004567\", \"unit\" : \"msec\", \"event\" : "
		"\"task-clock\", \"event-runtime\" : 10, \"pcnt-running\" : 100.00, "
		"\"metric-value\" : 0.801827, \"metric-unit\" : \"CPUs utilized\"}\n"), json);
	assert_non_null(strstr(json, "\n{\"counter-value\" : \"1125899906842624.000000\", "
				     "\"unit\" : \"\", \"event\" : \"branches\", "));
	assert_non_null(strstr(
		json, "\n{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : "
		      "\"say \\\"x\\\"\", \"event-runtime\" : 0, \"pcnt-running\" : 100.00, "
		      "\"metric-value\" : 0.000000, \"metric-unit\" : \"\"}\n"));
}

TEST(test_rows_of_many_runs)
{
	const struct stat_line lines[] = {
		{"instructions", &instructions, STAT_COUNTED, 1000, 0, 123, false, 40, 40, 0, false, false, 0, NULL, NULL, 0, 0},
	};
	const struct stat_time time = {1000000, 250, false, 0, 0};
	const struct stat_table t = {.lines = lines, .nlines = 1, .runs = 4, .times = &time,
				     .ntimes = 1};

	stat_print_csv(&t, ",");
	assert_string_equal(shim_printed(), "1000,,instructions,1.23%,10,100.00,,\n");
}

/* -A: figures use counts of the same CPU only. */
TEST(test_no_aggregation)
{
	const struct stat_group cpu[] = {{STAT_AGGR_NONE, 0, 0, 0, 1}, {STAT_AGGR_NONE, 12, 0, 6, 1}};
	const struct stat_line lines[] = {
		{"cycles", &cycles, STAT_COUNTED, 1000, 0, 0, false, 10, 10, 0, false, false, 0, &cpu[0], NULL, 0, 0},
		{"cycles", &cycles, STAT_COUNTED, 4000, 0, 0, false, 10, 10, 0, false, false, 0, &cpu[1], NULL, 0, 0},
		{"instructions", &instructions, STAT_COUNTED, 500, 0, 0, false, 10, 10, 0, false, false, 0, &cpu[0], NULL, 0, 0},
		{"instructions", &instructions, STAT_COUNTED, 400, 0, 0, false, 10, 10, 0, false, false, 0, &cpu[1], NULL, 0, 0},
		{"cpu-clock", &clock_attr, STAT_COUNTED, 2000000, 0, 0, false, 10, 10, 0, false, false, 0, &cpu[1], NULL, 0, 0},
	};
	const struct stat_time time = {2000000, 0, false, 0, 0};
	const struct stat_table t = {.title = "system wide",
				     .lines = lines,
				     .nlines = 5,
				     .runs = 1,
				     .times = &time,
				     .ntimes = 1,
.of_cpus = true};

	stat_print(&t);
	/* clang-format off */
	assert_string_equal(shim_printed(), "\n Performance counter stats for 'system wide':\n\n"
		"CPU0                    1,000      cycles                                                             \n"
		"CPU12                   4,000      cycles                           #    0.002 GHz                    \n"
		"CPU0                      500      instructions                     #    0.50  insn per cycle         \n"
		"CPU12                     400      instructions                     #    0.10  insn per cycle         \n"
		"CPU12                    2.00 msec cpu-clock                        #    1.000 CPUs utilized          \n"
		"\n       0.002000000 seconds time elapsed\n\n");
	/* clang-format on */
	stat_print_csv(&t, ",");
	assert_string_equal(shim_printed(),
			    "CPU0,1000,,cycles,10,100.00,,\n"
			    "CPU12,4000,,cycles,10,100.00,0.002,GHz\n"
			    "CPU0,500,,instructions,10,100.00,0.50,insn per cycle\n"
			    "CPU12,400,,instructions,10,100.00,0.10,insn per cycle\n"
			    "CPU12,2.00,msec,cpu-clock,10,100.00,1.000,CPUs utilized\n");
	stat_print_json(&(struct stat_table){
		.lines = &lines[4], .nlines = 1, .runs = 1, .times = &time, .ntimes = 1});
	assert_string_equal(shim_printed(),
			    "{\"cpu\" : \"12\", \"counter-value\" : \"2.000000\", \"unit\" : "
			    "\"msec\", \"event\" : \"cpu-clock\", \"event-runtime\" : 10, "
			    "\"pcnt-running\" : 100.00, \"metric-value\" : 1.000000, "
			    "\"metric-unit\" : \"CPUs utilized\"}\n");
}

TEST(test_cores_and_packages)
{
	const struct stat_group core = {STAT_AGGR_CORE, -1, 0, 1, 2};
	const struct stat_group socket = {STAT_AGGR_SOCKET, -1, 1, 0, 16};
	const struct stat_line lines[] = {
		{"cycles", &cycles, STAT_COUNTED, 4000, 0, 0, false, 10, 10, 0, false, false, 0,
		 &core, NULL, 0, 0},
		{"cycles", &cycles, STAT_COUNTED, 8000, 0, 0, false, 10, 10, 0, false, false, 0,
		 &socket, NULL, 0, 0},
	};
	const struct stat_time time = {2000000, 0, false, 0, 0};
	const struct stat_table t = {.title = "system wide",
				     .lines = lines,
				     .nlines = 2,
				     .runs = 1,
				     .times = &time,
				     .ntimes = 1,
				     .of_cpus = true};

	stat_print(&t);
	/* clang-format off */
	assert_string_equal(shim_printed(), "\n Performance counter stats for 'system wide':\n\n"
		"S0-D0-C1           2              4,000      cycles                                                             \n"
		"S1       16              8,000      cycles                                                             \n"
		"\n       0.002000000 seconds time elapsed\n\n");
	/* clang-format on */
	stat_print_csv(&t, ",");
	assert_string_equal(shim_printed(), "S0-D0-C1,2,4000,,cycles,10,100.00,,\n"
					    "S1,16,8000,,cycles,10,100.00,,\n");
	stat_print_json(&t);
	assert_non_null(strstr(shim_printed(), "{\"core\" : \"S0-D0-C1\", "
					       "\"aggregate-number\" : 2, \"counter-value\""));
	stat_print_json(&t);
	assert_non_null(strstr(shim_printed(), "{\"socket\" : \"S1\", "
					       "\"aggregate-number\" : 16, \"counter-value\""));
}

/* Ring 3 may choose any names of regions. */
TEST(test_foreign_names)
{
	const struct stat_line lines[] = {
		{"cpu/a=1,b=2/", &cycles, STAT_COUNTED, 4000, 0, 0, false, 10, 10, 0, false, false,
		 0, NULL, NULL, 0, 0},
	};
	const struct stat_time time = {2000000, 0, false, 0, 0};
	const struct stat_table t = {.title = "a,\"\033[2J\nperf0: b\xff",
				     .calls = 1,
				     .lines = lines,
				     .nlines = 1,
				     .runs = 1,
				     .times = &time,
				     .ntimes = 1};

	stat_print(&t);
	assert_non_null(
		strstr(shim_printed(), " Region 'a,\"\\x1b[2J\\x0aperf0: b\\xff', 1 call:\n"));
	stat_print_csv(&t, ",");
	assert_string_equal(
		shim_printed(),
		"\"a,\"\"\\x1b[2J\\x0aperf0: b\\xff\",1,4000,,\"cpu/a=1,b=2/\",10,100.00,,\n");
	stat_print_csv(&t, "|");
	assert_non_null(strstr(shim_printed(), "|1|4000||cpu/a=1,b=2/|10|"));
	stat_print_json(&t);
	assert_non_null(
		strstr(shim_printed(),
		       "{\"region\" : \"a,\\\"\\u001b[2J\\u000aperf0: b\\ufffd\", \"calls\""));
}

/* The layouts of -I in perf 6.1, by mode: the same rows after a time. */
TEST(test_intervals)
{
	const struct stat_group groups[] = {{STAT_AGGR_NONE, 1, 0, 0, 1},
					    {STAT_AGGR_CORE, -1, 0, 1, 2},
					    {STAT_AGGR_SOCKET, -1, 0, 0, 2}};
	struct stat_line line = {
		"task-clock", &clock_attr, STAT_COUNTED, 102100000, 0, 0, false, 10, 10, 0, false,
		false,        0,           NULL,         NULL,      0, 0};
	const struct stat_time time = {100000000, 0, false, 0, 0};
	struct stat_table t = {.title = "",
			       .lines = &line,
			       .nlines = 1,
			       .runs = 1,
			       .times = &time,
			       .ntimes = 1,
			       .until = 1003692651,
			       .heading = true};

	/* clang-format off */
	stat_print(&t);
	assert_string_equal(shim_printed(),
		"#           time             counts unit events\n"
		"     1.003692651             102.10 msec task-clock                       #    1.021 CPUs utilized          \n");
	t.heading = false;
	stat_print_csv(&t, ",");
	assert_string_equal(shim_printed(), "     1.003692651,102.10,msec,task-clock,10,100.00,1.021,CPUs utilized\n");
	stat_print_json(&t);
	assert_non_null(strstr(shim_printed(), "{\"interval\" : 1.003692651, \"counter-value\" : \"102.100000\", "));
	line.group = &groups[0];
	t.heading = true;
	stat_print(&t);
	assert_string_equal(shim_printed(),
		"#           time CPU                    counts unit events\n"
		"     1.003692651 CPU1                   102.10 msec task-clock                       #    1.021 CPUs utilized          \n");
	line.group = &groups[1];
	stat_print(&t);
	assert_string_equal(shim_printed(),
		"#           time core            cpus             counts unit events\n"
		"     1.003692651 S0-D0-C1           2             102.10 msec task-clock                       #    1.021 CPUs utilized          \n");
	line.group = &groups[2];
	stat_print(&t);
	assert_string_equal(shim_printed(),
		"#           time socket cpus             counts unit events\n"
		"     1.003692651 S0        2             102.10 msec task-clock                       #    1.021 CPUs utilized          \n");
	/* clang-format on */
	line.group = NULL;
	t.until = 0;
	t.is_summary = true;
	stat_print_csv(&t, ",");
	assert_string_equal(shim_printed(),
			    "         summary,102.10,msec,task-clock,10,100.00,1.021,CPUs "
			    "utilized\n");
}

/* Thousands are separated by commas, also in clocks, or not at all. */
TEST(test_big_numbers)
{
	const struct {
		uint64_t n;
		const char *big, *plain;
	} rows[] = {{999, " 999 ", " 999 "},
		    {1000, " 1,000 ", " 1000 "},
		    {999999, " 999,999 ", " 999999 "},
		    {UINT64_MAX, "18,446,744,073,709,551,615 ", "18446744073709551615 "}};
	struct stat_line line = {"a", &raw,  STAT_COUNTED, 0, 0,    0,    false, 10, 10,
				 0,   false, false,        0, NULL, NULL, 0,     0};
	const struct stat_time time = {1000000, 0, false, 0, 0};
	struct stat_table t = {
		.title = "a", .lines = &line, .nlines = 1, .runs = 1, .times = &time, .ntimes = 1};

	for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		line.mean = rows[i / 2].n;
		t.plain = i % 2;
		stat_print(&t);
		assert_non_null(
			strstr(shim_printed(), t.plain ? rows[i / 2].plain : rows[i / 2].big));
	}
	line.attr = &clock_attr;
	line.mean = 1234567891234;
	stat_print(&t);
	assert_non_null(strstr(shim_printed(), " 1234567.89 msec a"));
	t.plain = false;
	stat_print(&t);
	assert_non_null(strstr(shim_printed(), " 1,234,567.89 msec a"));
}

/* Shares of misses are highlighted from perf's limits on; a row for each figure of -d. */
TEST(test_alarms)
{
	const struct perf_event_attr loads = {.type = PERF_TYPE_HW_CACHE,
					      .config = PERF_COUNT_HW_CACHE_DTLB};
	const struct perf_event_attr load_misses = {
		.type = PERF_TYPE_HW_CACHE,
		.config = PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_RESULT_MISS << 16};
	const struct {
		uint64_t misses;
		const char *figure;
	} rows[] = {{500, " #    5.00% of"},         {501, " # <1>   5.01%</1> of"},
		    {1000, " # <1>  10.00%</1> of"}, {1001, " # <2>  10.01%</2> of"},
		    {2000, " # <2>  20.00%</2> of"}, {2001, " # <3>  20.01%</3> of"},
		    {9999, " # <3>  99.99%</3> of"}};
	struct stat_line lines[] = {
		{"dTLB-loads", &loads, STAT_COUNTED, 10000, 0, 0, false, 10, 10, 0, false, false, 0,
		 NULL, NULL, 0, 0},
		{"dTLB-load-misses", &load_misses, STAT_COUNTED, 0, 0, 0, false, 10, 10, 0, false,
		 false, 0, NULL, NULL, 0, 0},
		{"instructions", &instructions, STAT_COUNTED, 90000, 0, 0, false, 10, 10, 0, false,
		 false, 0, NULL, NULL, 0, 0},
		{"cycles", &cycles, STAT_COUNTED, 10000, 0, 0, false, 10, 10, 0, false, false, 0,
		 NULL, NULL, 0, 0},
	};
	const struct stat_time time = {1000000, 0, false, 0, 0};
	struct stat_table t = {
		.title = "a", .lines = lines, .nlines = 4, .runs = 1, .times = &time, .ntimes = 1};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *text;

		lines[1].mean = rows[i].misses;
		stat_print(&t);
		text = shim_printed();
		assert_non_null(strstr(text, rows[i].figure));
		assert_non_null(strstr(text, " of all dTLB cache accesses"));
		assert_non_null(strstr(text, " #    9.00  insn per cycle"));
	}
}

/* A hint is printed once, after a table with an event that did not count all of the time, if there
 * is a choice. */
TEST(test_turns_hint)
{
	static const char hint[] =
		"\n\nSome events took turns: --passes counts all of them all the time, "
		"--no-mux refuses them.\n";
	struct stat_line line = {"a", &raw,  STAT_COUNTED, 1, 0,    0,    false, 10, 9,
				 0,   false, false,        0, NULL, NULL, 0,     0};
	const struct stat_time time = {1000000, 0, false, 0, 0};
	struct stat_table t = {.title = "a",
			       .lines = &line,
			       .nlines = 1,
			       .runs = 1,
			       .times = &time,
			       .ntimes = 1,
			       .may_pass = true};

	stat_print(&t);
	assert_non_null(strstr(shim_printed(), hint));
	t.may_pass = false;
	stat_print(&t);
	assert_null(strstr(shim_printed(), "took turns"));
	t.may_pass = true;
	line.running = 10;
	stat_print(&t);
	assert_null(strstr(shim_printed(), "took turns"));
	line.state = STAT_NOT_SUPPORTED;
	line.running = 0;
	stat_print(&t);
	assert_null(strstr(shim_printed(), "took turns"));
	line.state = STAT_NOT_COUNTED;
	stat_print(&t);
	assert_non_null(strstr(shim_printed(), hint));
	stat_print_csv(&t, ",");
	stat_print_json(&t);
	assert_null(strstr(shim_printed(), "took turns"));
}

/* One line names the modelled core, where a count is of it; JSON has it beside each such count. */
TEST(test_modelled_core)
{
	struct stat_line line = {.name = "a",
				 .attr = &raw,
				 .state = STAT_COUNTED,
				 .mean = 1,
				 .enabled = 10,
				 .running = 10,
				 .truth = TRUTH_MODELLED};
	const struct stat_time time = {1000000, 0, false, 0, 0};
	struct stat_table t = {.title = "a",
			       .lines = &line,
			       .nlines = 1,
			       .runs = 1,
			       .times = &time,
			       .ntimes = 1,
			       .core = "[nearest: adl] no silicon"};

	stat_print(&t);
	assert_non_null(strstr(shim_printed(), "\n[modelled]: [nearest: adl] no silicon\n"));
	stat_print_json(&t);
	assert_non_null(strstr(shim_printed(), "\"model\" : \"[nearest: adl] no silicon\""));
	line.truth = TRUTH_EXACT;
	stat_print(&t);
	assert_null(strstr(shim_printed(), "nearest"));
	stat_print_json(&t);
	assert_null(strstr(shim_printed(), "nearest"));
	line.truth = TRUTH_MODELLED;
	t.core = "";
	stat_print(&t);
	assert_null(strstr(shim_printed(), "[modelled]:"));
}

/* Instructions without a row in the core's tables are told below the table; else nothing is. */
TEST(test_rowless)
{
	struct stat_line line = {.name = "cycles",
				 .attr = &raw,
				 .state = STAT_COUNTED,
				 .mean = 1,
				 .enabled = 10,
				 .running = 10,
				 .truth = TRUTH_MODELLED};
	const struct stat_time time = {1000000, 0, false, 0, 0};
	struct stat_rowless rowless = {1234, 12340000, "zen4", "FNSTENV, VERR"};
	struct stat_table t = {.title = "a",
			       .lines = &line,
			       .nlines = 1,
			       .runs = 1,
			       .times = &time,
			       .ntimes = 1,
			       .rowless = &rowless};

	stat_print(&t);
	assert_non_null(strstr(shim_printed(), "\n1,234 instructions (0.01 %) have no row in the "
					       "table of zen4: FNSTENV, VERR\n"));
	stat_print_json(&t);
	assert_non_null(strstr(shim_printed(),
			       ", \"without-row\" : 1234, \"without-row-of\" : 12340000, "
			       "\"without-row-mnemonics\" : \"FNSTENV, VERR\"}"));
	t.runs = 3;
	stat_print(&t);
	assert_non_null(strstr(shim_printed(), "1,234 instructions (0.01 %) of all runs have no"));
	rowless.count = 0;
	stat_print(&t);
	assert_null(strstr(shim_printed(), "no row"));
	stat_print_json(&t);
	assert_null(strstr(shim_printed(), "without-row"));
}

/* --table, as in perf 6.1. */
TEST(test_each_run)
{
	const uint64_t each[] = {1078400, 994700, 911600};
	const struct stat_time time = {994900, 484, false, 0, 0};
	const struct stat_table t = {
		.title = "true", .runs = 3, .times = &time, .ntimes = 1, .each = each};

	stat_print(&t);
	assert_string_equal(shim_printed(),
			    "\n Performance counter stats for 'true' (3 runs):\n\n"
			    "         # Table of individual measurements:\n"
			    "         0.0010784 (+0.0000835) ##\n"
			    "         0.0009947 (-0.0000002) #\n"
			    "         0.0009116 (-0.0000833) ##\n"
			    "\n"
			    "         # Final result:\n"
			    "         0.0009949 +- 0.0000482 seconds time elapsed  ( +-  4.84% )\n"
			    "\n");
}

/* -G, as in perf 6.1: the group after the name, as a column, as a key. Figures use events of one
 * group. */
TEST(test_cgroups)
{
	/* clang-format off */
	const struct stat_line lines[] = {
		{"cycles", &cycles, STAT_COUNTED, 2000, 0, 0, false, 10, 10, 0, false, false, 0, NULL, "a", 0, 0},
		{"instructions", &instructions, STAT_COUNTED, 3000, 0, 0, false, 10, 10, 0, false, false, 0, NULL, "a", 0, 0},
		{"instructions", &instructions, STAT_COUNTED, 500, 0, 0, false, 10, 10, 0, false, false, 0, NULL, "", 0, 0},
		{"instructions", &instructions, STAT_NOT_COUNTED, 0, 0, 0, false, 0, 0, 0, false, false, 0, NULL, "b,\"c", 0, 0},
	};
	/* clang-format on */
	const struct stat_time time = {1000000, 0, false, 0, 0};
	const struct stat_table t = {.title = "system wide",
				     .lines = lines,
				     .nlines = 4,
				     .runs = 1,
				     .times = &time,
				     .ntimes = 1,
				     .watchdog = true};
	const char *text;

	stat_print(&t);
	text = shim_printed();
	assert_non_null(strstr(text, "\n             3,000      instructions                     a"
				     " #    1.50  insn per cycle         \n"
				     "               500      instructions                     "
				     "                                   \n"
				     "     <not counted>      instructions              b,\"c"
				     "                                   \n"));
	assert_null(strstr(text, "watchdog"));
	stat_print_csv(&t, ",");
	assert_string_equal(shim_printed(), "2000,,cycles,a,10,100.00,,\n"
					    "3000,,instructions,a,10,100.00,1.50,insn per cycle\n"
					    "500,,instructions,,10,100.00,,\n"
					    "<not counted>,,instructions,\"b,\"\"c\",0,100.00,,\n");
	stat_print_json(&t);
	text = shim_printed();
	assert_non_null(
		strstr(text, "\"event\" : \"cycles\", \"cgroup\" : \"a\", \"event-runtime\""));
	assert_non_null(strstr(text, "\"cgroup\" : \"\", "));
	assert_non_null(strstr(text, "\"cgroup\" : \"b,\\\"c\", "));
}

/* Metrics appear beside the first event of their group, in perf's columns, with errors of scaled
 * counts, in place of other figures. */
TEST(test_metrics)
{
	static struct metrics m;
	static struct metric_choice choice;
	static const char text[] = "metric IPC\nformula a / b\nmetric share\nformula a / (a + b)\n"
				   "unit 100%\nmetric none\nformula a / c\nlet c b - 2 * a\n";
	const struct metrics_world world = {.ncpus = 1};
	const struct stat_metrics metrics = {.choice = &choice, .first = {1}};
	const struct stat_line lines[] = {
		{"cycles", &cycles, STAT_COUNTED, 77, 0, 0, false, 10, 10, 0, true, false, 0, NULL,
		 NULL, 0, 0},
		{"instructions", &instructions, STAT_COUNTED, 1000, 0, 0, false, 10, 5, 300, true,
		 false, 0, NULL, NULL, 0, 1},
		{"cycles", &cycles, STAT_COUNTED, 2000, 0, 0, false, 10, 5, 400, true, false, 0,
		 NULL, NULL, 0, 2},
	};
	const struct stat_time time = {1000000, 0, false, 0, 0};
	const struct stat_table t = {.title = "x",
				     .lines = lines,
				     .nlines = 3,
				     .runs = 1,
				     .times = &time,
				     .ntimes = 1,
				     .metrics = &metrics};
	struct reason why;
	const char *said;

	metrics_begin(&m, NULL);
	assert_int_equal(0, metrics_read(&m, "t", text, sizeof(text) - 1, '\n', &why));
	metrics_choose_begin(&choice);
	assert_int_equal(0, metrics_choose_text(&choice, &m, 0, &world, &why));
	assert_int_equal(0, metrics_choose_end(&choice, &world, &why));
	stat_print(&t);
	said = shim_printed();
	assert_non_null(strstr(said, "                77      cycles         "));
	/* 3 % up of one, 4 % of the other: 0.03^2 + (1 - 1 / 1.04)^2. */
	assert_non_null(strstr(said, " 1,000      instructions                     "
				     "#     0.50 IPC ±4.88%               (50.00%) ±3.00%\n"));
	assert_non_null(strstr(said, "\n                                                         "
				     "#     33.3 %  share ±3.27%        \n"));
	assert_non_null(strstr(said, " #      nan none "));
	stat_print_csv(&t, ",");
	said = shim_printed();
	assert_non_null(strstr(said, "1000,,instructions,5,50.00,0.50,IPC\n,,,,,33.3,%  share\n"
				     ",,,,,nan,none\n2000,,cycles,5,50.00,,\n"));
	stat_print_json(&t);
	said = shim_printed();
	assert_non_null(strstr(said,
			       "\"metric-value\" : 0.500000, \"metric-unit\" : \"IPC\", "
			       "\"metric-error\" : 4.88}\n"
			       "{\"metric-value\" : 33.333333, \"metric-unit\" : \"%  share\""));
	assert_non_null(strstr(said, "{\"metric-value\" : \"nan\", \"metric-unit\" : \"none\"}\n"));
}
