// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_parse_attr.c - the event parser: the meaning of each text.
 */
#include "tests/unit/names/parsed.h"

#include "tests/unit/test.h"

TEST(test_good)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const struct good *g = &good[i];
		int n = pmu_parse_events(g->text, specs, MAX, &err);

		if (n != 1)
			fail_msg("%s: %d, column %zu: %s", g->text, n, err.column, err.text);
		if (specs[0].attr.type != g->type || specs[0].attr.config != g->config)
			fail_msg("%s: type %u config 0x%llx", g->text, specs[0].attr.type,
				 (unsigned long long)specs[0].attr.config);
		assert_string_equal(specs[0].name, g->name ? g->name : g->text);
		assert_string_equal(excludes(&specs[0].attr), g->excludes);
		assert_int_equal(specs[0].attr.size, sizeof(struct perf_event_attr));
		assert_int_equal(specs[0].group, PMU_NO_GROUP);
	}
}

struct listed {
	const char *name;
	int group;
	const char *excludes;
};

static void check_list(const char *text, const struct listed *rows, int n)
{
	int got = pmu_parse_events(text, specs, MAX, &err);

	if (got != n)
		fail_msg("%s: %d, column %zu: %s", text, got, err.column, err.text);
	for (int i = 0; i < n; i++) {
		assert_string_equal(specs[i].name, rows[i].name);
		assert_int_equal(specs[i].group, rows[i].group);
		assert_string_equal(excludes(&specs[i].attr), rows[i].excludes);
	}
}

TEST(test_lists_and_groups)
{
	check_list("cycles,instructions:u,cpu-clock",
		   (struct listed[]){{"cycles", PMU_NO_GROUP, ""},
				     {"instructions:u", PMU_NO_GROUP, "KH"},
				     {"cpu-clock", PMU_NO_GROUP, ""}},
		   3);
	check_list("{cycles,branches:u},r1a8,{instructions}:k",
		   (struct listed[]){{"cycles", 0, ""},
				     {"branches:u", 0, "KH"},
				     {"r1a8", PMU_NO_GROUP, ""},
				     {"instructions:k", 1, "UH"}},
		   4);
	check_list("{cycles:u,branches}:k",
		   (struct listed[]){{"cycles:uk", 0, "H"}, {"branches:k", 0, "UH"}}, 2);
	check_list(" { cycles , branches:u } , r1a8 ",
		   (struct listed[]){
			   {"cycles", 0, ""}, {"branches:u", 0, "KH"}, {"r1a8", PMU_NO_GROUP, ""}},
		   3);
	check_list("{cycles} : k, name{ branches } :u",
		   (struct listed[]){{"cycles:k", 0, "UH"}, {"branches:u", 1, "KH"}}, 2);
	check_list("{cycles,branches}:D",
		   (struct listed[]){{"cycles:D", 0, "D"}, {"branches:D", 0, ""}}, 2);
	check_list("{cycles,cpu/event=0xc0,umask=0/}:u",
		   (struct listed[]){{"cycles:u", 0, "KH"}, {"cpu/event=0xc0,umask=0/u", 0, "KH"}},
		   2);
}

TEST(test_group_names)
{
	assert_int_equal(
		pmu_parse_events("a.1{cycles,branches}:u,{r1} , _b {r2},r3", specs, MAX, &err), 5);
	assert_string_equal(specs[0].group_name, "a.1");
	assert_string_equal(specs[1].group_name, "a.1");
	assert_string_equal(specs[2].group_name, "");
	assert_string_equal(specs[3].group_name, "_b");
	assert_string_equal(specs[4].group_name, "");
	assert_int_equal(specs[3].group, 2);
	assert_int_equal(
		pmu_parse_events("abcdefghijklmnopqrstuvwxyz01234{cycles}", specs, MAX, &err), 1);
	assert_string_equal(specs[0].group_name, "abcdefghijklmnopqrstuvwxyz01234");
}

/* --- With a microarchitecture and a table of names --- */

TEST(test_precise_and_period)
{
	assert_int_equal(pmu_parse_events("{cycles:p,branches}:pp", specs, MAX, &err), 2);
	assert_int_equal(specs[0].attr.precise_ip, 3);
	assert_int_equal(specs[1].attr.precise_ip, 2);
	assert_false(specs[0].most_precise);
	assert_int_equal(pmu_parse_events("cycles:P", specs, MAX, &err), 1);
	assert_int_equal(specs[0].attr.precise_ip, 3);
	assert_true(specs[0].most_precise);
	assert_int_equal(pmu_parse_events("cpu/event=0xc0,freq=99/", specs, MAX, &err), 1);
	assert_int_equal(specs[0].attr.sample_freq, 99);
	assert_true(specs[0].attr.freq);
	assert_int_equal(pmu_parse_events("cpu/event=0xc0,period=10007/", specs, MAX, &err), 1);
	assert_int_equal(specs[0].attr.sample_period, 10007);
	assert_int_equal(
		pmu_parse_events("r1/inherit/,r1/no-inherit/,r1/inherit=0/", specs, MAX, &err), 3);
	assert_true(specs[0].attr.inherit);
	assert_false(specs[1].attr.inherit);
	assert_false(specs[2].attr.inherit);
}

/* perf's names of Intel's memory events, on microarchitectures that have these events. */
TEST(test_memory_names)
{
	static const struct {
		const char *text;
		uint64_t config, config1;
	} rows[] = {
		{"cpu/mem-loads/P", 0x01cd, 3},           {"cpu/mem-loads,ldlat=30/P", 0x01cd, 30},
		{"cpu/ldlat=30,mem-loads/P", 0x01cd, 30}, {"mem-loads:P", 0x01cd, 3},
		{"cpu/mem-stores/P", 0x82d0, 0},
	};
	struct pmu_namer namer = {.uarch = uarch_by_name("skx")};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(pmu_parse_events_named(rows[i].text, &namer, specs, MAX, &err), 1);
		assert_int_equal(specs[0].attr.type, PERF_TYPE_RAW);
		assert_int_equal(specs[0].attr.config, rows[i].config);
		assert_int_equal(specs[0].attr.config1, rows[i].config1);
		assert_true(specs[0].most_precise);
		assert_int_equal(pmu_parse_events(rows[i].text, specs, MAX, &err), -EINVAL);
	}
	namer.uarch = uarch_by_name("zen4");
	assert_int_equal(pmu_parse_events_named("mem-loads", &namer, specs, MAX, &err), -EINVAL);
}

/* Sixteen bits of umask, and EQ: architectural perfmon 6. */
TEST(test_later_fields)
{
	static const struct {
		const char *text;
		uint64_t config, config1;
	} rows[] = {
		{"cpu/event=0xc0,umask=0x1234/", 0x1200000034c0, 0},
		{"cpu/event=0xc0,umask=0xff,eq/", 0x100000ffc0, 0},
		{"cpu/event=0xc0,cmask=3,eq=1/", 0x10030000c0, 0},
		{"cpu/event=0x27,umask=1,snoop_rsp=0x77/", 0x127, 0x77},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(pmu_parse_events(rows[i].text, specs, MAX, &err), 1);
		assert_true(specs[0].attr.config == rows[i].config);
		assert_true(specs[0].attr.config1 == rows[i].config1);
	}
}

TEST(test_group_modifiers)
{
	assert_int_equal(pmu_parse_events("{cycles,branches}:SW,r1", specs, MAX, &err), 3);
	for (unsigned i = 0; i < 2; i++) {
		assert_true(specs[i].weak);
		assert_int_equal(specs[i].attr.sample_type, PERF_SAMPLE_READ);
	}
	assert_false(specs[2].weak);
	assert_int_equal(specs[2].attr.sample_type, 0);
	assert_int_equal(pmu_parse_events("{cycles,branches:D}:e", specs, MAX, &err), 2);
	assert_false(specs[0].attr.pinned);
	assert_true(specs[1].attr.pinned); /* which opening refuses */
	assert_true(specs[0].attr.exclusive);
	assert_false(specs[1].attr.exclusive);
}

TEST(test_registers)
{
	static const struct {
		const char *text;
		uint64_t config1, config2;
	} rows[] = {
		{"cpu/event=0xb7,umask=1,offcore_rsp=0x3f80400091/", 0x3f80400091, 0},
		{"cpu/event=0xcd,umask=1,ldlat=30/", 30, 0},
		{"cpu/event=0xc6,umask=1,frontend=0x400106/", 0x400106, 0},
		{"cpu/config=1,config1=2,config2=3/", 2, 3},
		{"ibs_op/cnt_ctl,ldlat=200/", 200, 0},
		{"cpu/cycles,config1=0xffffffffffffffff/", UINT64_MAX, 0},
		{"r1b7/offcore_rsp=0x10001/", 0x10001, 0},
		{"cycles/config1=1,config2=2/u", 1, 2},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(pmu_parse_events(rows[i].text, specs, MAX, &err), 1);
		assert_int_equal(specs[0].attr.config1, rows[i].config1);
		assert_int_equal(specs[0].attr.config2, rows[i].config2);
	}
}

TEST(test_breakpoints)
{
	static const struct {
		const char *text, *name, *excludes;
		uint64_t address, length;
		uint32_t type;
	} rows[] = {
		{"mem:0x1000", NULL, "", 0x1000, 4, HW_BREAKPOINT_RW},
		{"mem:4096:rw", NULL, "", 0x1000, 4, HW_BREAKPOINT_RW},
		{"mem:0x1001/1:w", NULL, "", 0x1001, 1, HW_BREAKPOINT_W},
		{"mem:0x1002/2:r", NULL, "", 0x1002, 2, HW_BREAKPOINT_R},
		{"mem:0x1008/8:wr", NULL, "", 0x1008, 8, HW_BREAKPOINT_RW},
		{"mem:0x1003:x", NULL, "", 0x1003, 8, HW_BREAKPOINT_X},
		{"mem:0x1000:xwr", NULL, "", 0x1000, 8, HW_BREAKPOINT_RW | HW_BREAKPOINT_X},
		{"mem:0x1000/4:w:u", NULL, "KH", 0x1000, 4, HW_BREAKPOINT_W},
		{"{mem:0xfffffffffffffff8/8:w}:kD", "mem:0xfffffffffffffff8/8:w:kD", "UHD",
		 0xfffffffffffffff8, 8, HW_BREAKPOINT_W},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (pmu_parse_events(rows[i].text, specs, MAX, &err) != 1)
			fail_msg("%s: column %zu: %s", rows[i].text, err.column, err.text);
		assert_string_equal(specs[0].name, rows[i].name ? rows[i].name : rows[i].text);
		assert_string_equal(excludes(&specs[0].attr), rows[i].excludes);
		assert_int_equal(specs[0].attr.type, PERF_TYPE_BREAKPOINT);
		assert_int_equal(specs[0].attr.bp_addr, rows[i].address);
		assert_int_equal(specs[0].attr.bp_len, rows[i].length);
		assert_int_equal(specs[0].attr.bp_type, rows[i].type);
	}
}
