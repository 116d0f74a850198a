// SPDX-License-Identifier: BSD-2-Clause
/* test_parse.c - the event parser: what each text means, and where each bad one is wrong. */
#include "pmu/parse.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX 64

static struct pmu_event_spec specs[MAX];
static struct pmu_parse_error err;

#define HW    PERF_TYPE_HARDWARE
#define SW    PERF_TYPE_SOFTWARE
#define CACHE PERF_TYPE_HW_CACHE
#define RAW   PERF_TYPE_RAW

/* What modifiers set, as letters: U and K exclude user and kernel, H hv, X host, Y guest, D pinned.
 */
static const char *excludes(const struct perf_event_attr *attr)
{
	static char text[16];

	snprintf(text, sizeof(text), "%s%s%s%s%s%s%s", attr->exclude_user ? "U" : "",
		 attr->exclude_kernel ? "K" : "", attr->exclude_hv ? "H" : "",
		 attr->exclude_host ? "X" : "", attr->exclude_guest ? "Y" : "",
		 attr->pinned ? "D" : "", attr->exclusive ? "E" : "");
	return text;
}

struct good {
	const char *text;
	const char *name; /* NULL: the text */
	uint32_t type;
	uint64_t config;
	const char *excludes;
};

static const struct good good[] = {
	{"cycles", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cpu-cycles", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"instructions", NULL, HW, PERF_COUNT_HW_INSTRUCTIONS, ""},
	{"cache-references", NULL, HW, PERF_COUNT_HW_CACHE_REFERENCES, ""},
	{"cache-misses", NULL, HW, PERF_COUNT_HW_CACHE_MISSES, ""},
	{"branches", NULL, HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, ""},
	{"branch-instructions", NULL, HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, ""},
	{"branch-misses", NULL, HW, PERF_COUNT_HW_BRANCH_MISSES, ""},
	{"bus-cycles", NULL, HW, PERF_COUNT_HW_BUS_CYCLES, ""},
	{"stalled-cycles-frontend", NULL, HW, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, ""},
	{"idle-cycles-backend", NULL, HW, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, ""},
	{"ref-cycles", NULL, HW, PERF_COUNT_HW_REF_CPU_CYCLES, ""},
	{"cpu-clock", NULL, SW, PERF_COUNT_SW_CPU_CLOCK, ""},
	{"task-clock", NULL, SW, PERF_COUNT_SW_TASK_CLOCK, ""},
	{"faults", NULL, SW, PERF_COUNT_SW_PAGE_FAULTS, ""},
	{"page-faults", NULL, SW, PERF_COUNT_SW_PAGE_FAULTS, ""},
	{"cs", NULL, SW, PERF_COUNT_SW_CONTEXT_SWITCHES, ""},
	{"migrations", NULL, SW, PERF_COUNT_SW_CPU_MIGRATIONS, ""},
	{"minor-faults", NULL, SW, PERF_COUNT_SW_PAGE_FAULTS_MIN, ""},
	{"dummy", NULL, SW, PERF_COUNT_SW_DUMMY, ""},
	{"L1-dcache-loads", NULL, CACHE, 0x000000, ""},
	{"L1-dcache-load-misses", NULL, CACHE, 0x010000, ""},
	{"L1-dcache-store-misses", NULL, CACHE, 0x010100, ""},
	{"L1-icache-load-misses", NULL, CACHE, 0x010001, ""},
	{"LLC-prefetches", NULL, CACHE, 0x000202, ""},
	{"dTLB-stores", NULL, CACHE, 0x000103, ""},
	{"iTLB-load-misses", NULL, CACHE, 0x010004, ""},
	{"branch-loads", NULL, CACHE, 0x000005, ""},
	{"node-store-misses", NULL, CACHE, 0x010106, ""},
	{"r1a8", NULL, RAW, 0x1a8, ""},
	{"r01d1", NULL, RAW, 0x1d1, ""},
	{"rC0", NULL, RAW, 0xc0, ""},
	{"rffffffffffffffff", NULL, RAW, UINT64_MAX, ""},
	{"cycles:u", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "KH"},
	{"cycles:k", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "UH"},
	{"cycles:h", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "UK"},
	{"cycles:uk", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "H"},
	{"cycles:ukh", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cycles:G", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "X"},
	{"cycles:H", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "Y"},
	{"cycles:GH", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cycles:uD", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "KHD"},
	{"cycles:e", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "E"},
	{"r1a8:u", NULL, RAW, 0x1a8, "KH"},
	{"cpu-clock:u", NULL, SW, PERF_COUNT_SW_CPU_CLOCK, "KH"},
	{"cpu/event=0xc0/", NULL, RAW, 0xc0, ""},
	{"cpu/event=0xc0,umask=0x1/u", NULL, RAW, 0x1c0, "KH"},
	{"cpu/event=192/k", NULL, RAW, 0xc0, "UH"},
	{"cpu/event=0x120,umask=1/", NULL, RAW, 0x100000120, ""},
	{"cpu/event=0xc0,cmask=1,inv,edge,any/", NULL, RAW, 0x1a400c0, ""},
	{"cpu/event=0xc0,inv=0,edge=1/", NULL, RAW, 0x400c0, ""},
	{"cpu/umask=2,event=0xb1/", NULL, RAW, 0x2b1, ""},
	{"cpu/config=0x1a8/", NULL, RAW, 0x1a8, ""},
	{"cpu/event=0xc0,name=my.insns/", "my.insns", RAW, 0xc0, ""},
	{"cpu/name=x,event=0xc0/u", "x:u", RAW, 0xc0, "KH"},
	{"cpu/cycles/", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cpu/branches/u", NULL, HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "KH"},
};

static void test_good(void **state)
{
	(void)state;
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

struct bad {
	const char *text;
	size_t column;
	const char *sentence; /* a part of it */
};

static const struct bad bad[] = {
	{"", 1, "an event is missing"},
	{",", 1, "an event is missing"},
	{"cycles,", 8, "an event is missing"},
	{",cycles", 1, "an event is missing"},
	{"cycles,,cycles", 8, "an event is missing"},
	{" cycles", 1, "an event is missing"},
	{"cycles ", 7, "' ' does not belong here"},
	{"cycles, branches", 8, "an event is missing"},
	{"cycle", 1, "there is no event 'cycle'"},
	{"Cycles", 1, "there is no event 'Cycles'"},
	{"cyclesx", 1, "there is no event 'cyclesx'"},
	{"instructions,nonsense", 14, "there is no event 'nonsense'"},
	{"L1-dcache", 1, "there is no event"},
	{"iTLB-stores", 1, "there is no event"},
	{"cycles;branches", 7, "';' does not belong here"},
	{"cycles}", 7, "'}' does not belong here"},
	{"cycles:", 8, "a modifier is missing"},
	{"cycles:,branches", 8, "a modifier is missing"},
	{"cycles:x", 8, "there is no modifier 'x'"},
	{"cycles:ux", 9, "there is no modifier 'x'"},
	{"cycles:uu", 9, "modifier 'u' is given too often"},
	{"cycles:pppp", 11, "modifier 'p' is given too often"},
	{"cycles:u:k", 9, "there is no modifier ':'"},
	{"cycles:U", 8, "there is no modifier 'U'"},
	{"cycles:S", 8, "modifier 'S'"},
	{"cycles:P", 8, "modifier 'P'"},
	{"cycles:uI", 9, "modifier 'I'"},
	{"cycles:W", 8, "modifier 'W'"},
	{"cycles:b", 8, "modifier 'b'"},
	{"cycles:u branches", 9, "there is no modifier ' '"},
	{"r", 1, "there is no event 'r'"},
	{"rg1", 1, "there is no event 'rg1'"},
	{"r12x", 1, "there is no event 'r12x'"},
	{"r0x12", 1, "there is no event 'r0x12'"},
	{"r11112222333344445", 1, "at most 16 digits"},
	{"R1a8", 1, "there is no event 'R1a8'"},
	{"cpu/", 5, "a term is missing"},
	{"cpu//", 5, "a term is missing"},
	{"cpu", 1, "there is no event 'cpu'"},
	{"cpu/event=0xc0", 15, "',' or '/' is missing"},
	{"cpu/event=0xc0,/", 16, "a term is missing"},
	{"cpu/event/", 10, "'=' is missing after 'event'"},
	{"cpu/event=/", 11, "event takes a decimal or 0x hexadecimal number"},
	{"cpu/event=0x/", 11, "takes a decimal or 0x"},
	{"cpu/event=c0/", 11, "takes a decimal or 0x"},
	{"cpu/event=0xc0g/", 11, "takes a decimal or 0x"},
	{"cpu/event=-1/", 11, "takes a decimal or 0x"},
	{"cpu/event=12a/", 11, "takes a decimal or 0x"},
	{"cpu/event=0x1000/", 11, "event is from 0 to 0xfff"},
	{"cpu/event=0xc0,umask=0x100/", 22, "umask is from 0 to 0xff"},
	{"cpu/event=0xc0,umask=256/", 22, "umask is from 0 to 0xff"},
	{"cpu/event=0xc0,cmask=99999999999999999999999/", 22, "cmask is from 0 to 0xff"},
	{"cpu/event=0xc0,cmask=0x10000000000000000/", 22, "cmask is from 0 to 0xff"},
	{"cpu/event=0xc0,inv=2/", 20, "inv is from 0 to 0x1"},
	{"cpu/event=0xc0,period=0/", 23, "period is from 1"},
	{"cpu/event=0xc0,event=0xc1/", 16, "'event' is one term too many"},
	{"cpu/event=0xc0,inv,inv/", 20, "'inv' is one term too many"},
	{"cpu/event=0xc0,bogus=1/", 16, "there is no term 'bogus'"},
	{"cpu/event=0xc0,cycles/", 16, "a named event takes no other fields"},
	{"cpu/bogus/", 5, "there is no term 'bogus'"},
	{"cpu/cpu-clock/", 5, "there is no term 'cpu-clock'"},
	{"cpu/L1-dcache-loads/", 5, "there is no term 'L1-dcache-loads'"},
	{"cpu/cycles,umask=1/", 12, "a named event takes no other fields"},
	{"cpu/cycles,instructions/", 12, "'instructions' is one term too many"},
	{"cpu/config=1,umask=1/", 14, "config= says it all"},
	{"cpu/umask=1,config=1/", 13, "config= says it all"},
	{"cpu/name=x/", 11, "no event is named here"},
	{"cpu/name=,event=1/", 10, "a name is missing"},
	{"cpu/name=a:b,event=1/", 11, "',' or '/' is missing"},
	{"cpu/event=0xc0/x", 16, "there is no modifier 'x'"},
	{"cpu/event=0xc0/:u", 16, "there is no modifier ':'"},
	{"gpu/event=1/", 1, "there is no PMU 'gpu'"},
	{"uncore_imc_0/cas_count_read/", 1, "there is no PMU 'uncore_imc_0'"},
	{"/event=1/", 1, "an event is missing"},
	{"{", 2, "an event is missing"},
	{"{}", 2, "an event is missing"},
	{"{cycles", 8, "'}' is missing"},
	{"{cycles,}", 9, "an event is missing"},
	{"{cycles,branches", 17, "'}' is missing"},
	{"{cycles}branches", 9, "'b' does not belong here"},
	{"{cycles}u", 9, "'u' does not belong here"},
	{"{cycles}:", 10, "a modifier is missing"},
	{"{cycles}:q", 10, "there is no modifier 'q'"},
	{"{cycles,{branches}}", 9, "groups do not nest"},
	{"{{cycles}}", 2, "groups do not nest"},
	{"{cycles:u,nope}:k", 11, "there is no event 'nope'"},
	{"mem:0x1000:rw", 1, "there is no event 'mem'"},
	{"sched:sched_switch", 1, "there is no event 'sched'"},
	{"cycles\t", 7, "does not belong here"},
	{"cycles\x80", 7, "does not belong here"},
};

static void test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct bad *b = &bad[i];
		int n = pmu_parse_events(b->text, specs, MAX, &err);

		if (n != -EINVAL)
			fail_msg("'%s' gives %d", b->text, n);
		if (err.column != b->column || !strstr(err.text, b->sentence))
			fail_msg("'%s': column %zu: %s", b->text, err.column, err.text);
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

static void test_lists_and_groups(void **state)
{
	(void)state;
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
	check_list("{cycles,branches}:D",
		   (struct listed[]){{"cycles:D", 0, "D"}, {"branches:D", 0, ""}}, 2);
	check_list("{cycles,cpu/event=0xc0,umask=0/}:u",
		   (struct listed[]){{"cycles:u", 0, "KH"}, {"cpu/event=0xc0,umask=0/u", 0, "KH"}},
		   2);
}

static void test_precise_and_period(void **state)
{
	(void)state;
	assert_int_equal(pmu_parse_events("{cycles:ppp}:pp", specs, MAX, &err), 1);
	assert_int_equal(specs[0].attr.precise_ip, 3);
	assert_int_equal(pmu_parse_events("cpu/event=0xc0,period=10007/", specs, MAX, &err), 1);
	assert_int_equal(specs[0].attr.sample_period, 10007);
}

static void test_room(void **state)
{
	char text[512] = "{cycles";

	(void)state;
	assert_int_equal(pmu_parse_events("cycles,cycles", specs, 2, &err), 2);
	assert_int_equal(pmu_parse_events("cycles,cycles", specs, 1, &err), -E2BIG);
	assert_int_equal(err.column, 8);
	assert_int_equal(pmu_parse_events("{cycles,cycles}", specs, 1, &err), -E2BIG);
	assert_int_equal(pmu_parse_events("cycles;", specs, 1, &err), -EINVAL);
	for (unsigned i = 0; i < 48; i++)
		strcat(text, ",r1");
	strcat(text, "}");
	assert_int_equal(pmu_parse_events(text, specs, MAX, &err), -EINVAL);
	assert_non_null(strstr(err.text, "at most 48"));
}

static void test_long_name(void **state)
{
	char text[256] = "cpu/event=0xc0,name=";

	(void)state;
	memset(text + strlen(text), 'n', PMU_SPEC_NAME_MAX - 1);
	strcat(text, "/");
	assert_int_equal(pmu_parse_events(text, specs, MAX, &err), 1);
	assert_int_equal(strlen(specs[0].name), PMU_SPEC_NAME_MAX - 1);
	strcat(text, "u");
	assert_int_equal(pmu_parse_events(text, specs, MAX, &err), -EINVAL);
	assert_non_null(strstr(err.text, "more than 95 characters"));
}

/* Every name that is listed can be parsed, and its alias means the same. */
static void test_names(void **state)
{
	const struct pmu_event_name *name;
	size_t i;

	(void)state;
	for (i = 0; (name = pmu_event_names(i)); i++) {
		assert_int_equal(pmu_parse_events(name->name, specs, MAX, &err), 1);
		assert_int_equal(specs[0].attr.type, name->type);
		assert_int_equal(specs[0].attr.config, name->config);
		if (!name->alias)
			continue;
		assert_int_equal(pmu_parse_events(name->alias, specs, MAX, &err), 1);
		assert_int_equal(specs[0].attr.config, name->config);
	}
	assert_true(i > 40);
	assert_null(pmu_event_names(SIZE_MAX));
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Cut, damaged and spliced texts: an answer, or a column inside of the text; nothing else. */
static void test_random(void **state)
{
	static const char alphabet[] = "{},:/=uk0x9rcpDeventumask-cycles";
	uint64_t seed = 7;

	(void)state;
	for (unsigned round = 0; round < 30000; round++) {
		const char *from = good[next_random(&seed) % 57].text;
		char text[128];
		size_t n = (size_t)snprintf(text, sizeof(text), "{%s,cpu/event=1/}:u,%s", from,
					    good[next_random(&seed) % 57].text);
		char *exact;
		int got;

		for (unsigned k = (unsigned)next_random(&seed) % 4; k > 0; k--)
			text[next_random(&seed) % n] =
				alphabet[next_random(&seed) % (sizeof(alphabet) - 1)];
		text[next_random(&seed) % (n + 1)] = '\0';
		exact = strdup(text); /* so that a read past the end is seen */
		got = pmu_parse_events(exact, specs, MAX, &err);
		if (got < 0)
			assert_true(err.column >= 1 && err.column <= strlen(text) + 1 && *err.text);
		else
			assert_true(got >= 1 && got <= 64);
		free(exact);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_lists_and_groups),
		cmocka_unit_test(test_precise_and_period),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_long_name),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
