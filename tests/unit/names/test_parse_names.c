// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_parse_names.c - the event parser: names of a microarchitecture and of others, patterns,
 * room, and random text.
 */
#include "pmu/names/dynamic.h"
#include "tests/unit/names/parsed.h"

#include "tests/unit/test.h"

static int find_foreign(void *ctx, uint8_t core, const char *text, size_t n,
			struct perf_event_attr *attr, size_t *taken, struct pmu_parse_error *error)
{
	(void)ctx;
	(void)core;
	if (n >= 5 && !memcmp(text, "wrong", 5)) {
		snprintf(error->text, sizeof(error->text), "wrong indeed");
		return -EINVAL;
	}
	if (n < 7 || memcmp(text, "foreign", 7))
		return 0;
	attr->type = PERF_TYPE_RAW;
	attr->config = 0x20348;
	*taken = 7;
	return 1;
}

static bool find_tracepoint(void *ctx, const char *text, size_t n, uint64_t *id)
{
	(void)ctx;
	*id = 7;
	return n == 12 && !memcmp(text, "sched:switch", 12);
}

struct known {
	const char *uarch, *text, *name;
	uint32_t type;
	uint64_t config;
	size_t column; /* of the mistake, then `name` is its sentence; 0: none */
};

static void check_known(const struct known *k)
{
	const struct pmu_namer namer = {.find = find_foreign,
					.tracepoint = find_tracepoint,
					.uarch = uarch_by_name(k->uarch)};
	int n = pmu_parse_events_named(k->text, &namer, specs, MAX, &err);

	if (k->column && (n != -EINVAL || err.column != k->column || !strstr(err.text, k->name)))
		fail_msg("%s: %d, column %zu: %s", k->text, n, err.column, err.text);
	if (k->column)
		return;
	if (n != 1)
		fail_msg("%s: %d, column %zu: %s", k->text, n, err.column, err.text);
	assert_string_equal(specs[0].name, k->name);
	assert_int_equal(specs[0].attr.type, k->type);
	assert_int_equal(specs[0].attr.config, k->config);
}

TEST(test_named)
{
	static const struct known rows[] = {
		{"hsw", "foreign:u", "foreign:u", RAW, 0x20348, 0},
		{"hsw", "foreign/period=9/u", "foreign/period=9/u", RAW, 0x20348, 0},
		{"hsw", "cpu/foreign/", "cpu/foreign/", RAW, 0x20348, 0},
		{"hsw", "cpu/foreign,umask=1/", "cpu/foreign,umask=1/", RAW, 0x20148, 0},
		{"hsw", "cpu/edge,cmask=2,foreign/k", "cpu/edge,cmask=2,foreign/k", RAW, 0x2060348,
		 0},
		{"hsw", "cpu/cycles,cmask=1/", "cpu/cycles,cmask=1/", RAW, 0x100003c, 0},
		{"zen4", "cpu/cycles,umask=1,name=c/", "c", RAW, 0x176, 0},
		{"adl", "cpu_core/cycles/u", "cpu_core/cycles/u", HW,
		 4ull << 32 | PERF_COUNT_HW_CPU_CYCLES, 0},
		{"adl", "cpu_atom/cycles/u", "cpu_atom/cycles/u", HW,
		 (uint64_t)PMU_TYPE_CPU_ATOM << 32 | PERF_COUNT_HW_CPU_CYCLES, 0},
		{"adl", "cpu_core/LLC-loads/", "cpu_core/LLC-loads/", PERF_TYPE_HW_CACHE,
		 4ull << 32 | PERF_COUNT_HW_CACHE_LL, 0},
		/* A term beside a name chooses the row of that kind. */
		{"adl", "cpu_core/cycles,cmask=1/", "cpu_core/cycles,cmask=1/", RAW, 0x100003c, 0},
		{"adl", "cpu_atom/branch-misses,umask=1/", "cpu_atom/branch-misses,umask=1/",
		 PMU_TYPE_CPU_ATOM, 0x1c5, 0},
		{"adl", "cpu_core/event=0xd1,umask=1/", "cpu_core/event=0xd1,umask=1/", RAW, 0x1d1,
		 0},
		{"adl", "cpu/event=0xd1/", "cpu/event=0xd1/", RAW, 0xd1, 0},
		{"grt", "cpu_atom/event=0xd1/", "cpu_atom/event=0xd1/", PMU_TYPE_CPU_ATOM, 0xd1, 0},
		{"adl", "cpu_atom/event=0xd1/k", "cpu_atom/event=0xd1/k", PMU_TYPE_CPU_ATOM, 0xd1,
		 0},
		{"grt", "cpu_core/cycles/", "cpu_core/cycles/", HW, 4ull << 32, 0},
		/* Intel's names; on a hybrid the name of the chosen kind of core, or of the kind
		that has it. */
		{"skx", "cpu_clk_unhalted.thread", "cpu_clk_unhalted.thread", RAW, 0x3c, 0},
		{"skx", "INST_RETIRED:ANY:u", "INST_RETIRED:ANY:u", RAW, 0xc0, 0},
		{"skx", "cpu/L2_RQSTS_MISS,cmask=1/k", "cpu/L2_RQSTS_MISS,cmask=1/k", RAW,
		 0x1003f24, 0},
		{"adl", "inst_retired.prec_dist", "inst_retired.prec_dist", RAW, 0x100, 0},
		{"adl", "topdown_be_bound.all", "topdown_be_bound.all", PMU_TYPE_CPU_ATOM, 0x74, 0},
		{"adl", "cpu_atom/cpu_clk_unhalted.core/", "cpu_atom/cpu_clk_unhalted.core/",
		 PMU_TYPE_CPU_ATOM, 0x3c, 0},
		{"adl", "cpu_core/topdown_be_bound.all/", "there is no term", 0, 0, 10},
		{"hsw", "topdown.slots", "there is no event 'topdown.slots'", 0, 0, 1},
		/* Events of other PMUs, and times of the run. */
		{"hsw", "tsc", "tsc", PMU_TYPE_MSR, 0, 0},
		{"hsw", "energy-pkg", "energy-pkg", PMU_TYPE_POWER, 2, 0},
		{"hsw", "duration_time", "duration_time", SW, PERF_COUNT_SW_DUMMY, 0},
		{"hsw", "sched:switch", "sched:switch", PERF_TYPE_TRACEPOINT, 7, 0},
		{"hsw", "sched:switch:k", "sched:switch:k", PERF_TYPE_TRACEPOINT, 7, 0},
		{"hsw", "sched:switch/name=x/", "x", PERF_TYPE_TRACEPOINT, 7, 0},
		{"hsw", "cycles,sched:wakeup", "no event or tracepoint 'sched:wakeup'", 0, 0, 8},
		{"hsw", "cpu/wrong/", "wrong indeed", 0, 0, 5},
		{"hsw", "cpu/foreign,foreign/", "'foreign' is one term too many", 0, 0, 13},
		{"hsw", "cpu/foreign:u/", "',' or '/' is missing after a term", 0, 0, 12},
		{"hsw", "cpu/foreign,config=1/", "a named event takes no config=", 0, 0, 13},
		{"hsw", "cpu/umask=1,stalled-cycles-backend/", "haswell has no such event", 0, 0,
		 13},
		{"hsw", "cpu_core/cycles/", "it is called cpu where all cores are alike", 0, 0, 1},
		{"spr", "r1,cpu_core/cycles/", "it is called cpu where all cores are alike", 0, 0,
		 4},
		{"spr", "cpu_atom/cycles/", "it is called cpu where all cores are alike", 0, 0, 1},
		{"hsw", "cpu/LLC-loads/", "there is no term 'LLC-loads' of PMU cpu", 0, 0, 5},
		{"nosuch", "cpu_core/cycles/", "it is called cpu where all cores are alike", 0, 0,
		 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_known(&rows[i]);
}

TEST(test_room)
{
	char text[512] = "{cycles";

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

TEST(test_long_name)
{
	char text[256] = "cpu/event=0xc0,name=";

	memset(text + strlen(text), 'n', PMU_SPEC_NAME_MAX - 1);
	strcat(text, "/");
	assert_int_equal(pmu_parse_events(text, specs, MAX, &err), 1);
	assert_int_equal(strlen(specs[0].name), PMU_SPEC_NAME_MAX - 1);
	strcat(text, "u");
	assert_int_equal(pmu_parse_events(text, specs, MAX, &err), -EINVAL);
	assert_non_null(strstr(err.text, "more than 95 characters"));
}

/* Every name that is listed can be parsed, and its alias means the same. */
TEST(test_names)
{
	const struct pmu_event_name *name;
	size_t i;

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

static uint64_t lcg_31_bits(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Cut, damaged and spliced texts give events, or a column inside of the text. */
TEST(test_random)
{
	static const char alphabet[] = "{},:/=uk0x9rcpDeventumask-cycles '.*\t";
	uint64_t seed = 7;

	for (unsigned round = 0; round < 30000; round++) {
		const char *from = good[lcg_31_bits(&seed) % (sizeof(good) / sizeof(good[0]))].text;
		char text[128];
		size_t n = (size_t)snprintf(
			text, sizeof(text), "{%s,cpu/event=1/}:u,%s", from,
			good[lcg_31_bits(&seed) % (sizeof(good) / sizeof(good[0]))].text);
		char *exact;
		int got;

		for (unsigned k = (unsigned)lcg_31_bits(&seed) % 4; k > 0; k--)
			text[lcg_31_bits(&seed) % n] =
				alphabet[lcg_31_bits(&seed) % (sizeof(alphabet) - 1)];
		text[lcg_31_bits(&seed) % (n + 1)] = '\0';
		exact = strdup(text); /* so that a read past the end is seen */
		got = pmu_parse_events(exact, specs, MAX, &err);
		if (got < 0)
			assert_true(err.column >= 1 && err.column <= strlen(text) + 1 && *err.text);
		else
			assert_true(got >= 1 && got <= 64);
		free(exact);
	}
}

/* A pattern stands for all matching tracepoints, with the same modifiers. */
static const char *const some[] = {"irq:a", "sched:aa", "sched:ab", "sched:b"};

static bool match_some(void *ctx, const char *text, size_t n, size_t index, const char **name,
		       uint64_t *id)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		if (!glob_match(some[i], strlen(some[i]), text, n) || index--)
			continue;
		*name = some[i];
		*id = 100 + i;
		return true;
	}
	return false;
}

static bool no_tracepoint(void *ctx, const char *text, size_t n, uint64_t *id)
{
	(void)ctx;
	(void)text;
	(void)n;
	(void)id;
	return false;
}

TEST(test_patterns)
{
	static const struct pmu_namer namer = {.tracepoint = no_tracepoint, .matching = match_some};
	static const struct {
		const char *text, *names;
	} rows[] = {
		{"sched:*", "sched:aa sched:ab+ sched:b+ "},
		{"sched:a?", "sched:aa sched:ab+ "},
		{"sched:[b-z]", "sched:b "},
		{"*:*", "irq:a sched:aa+ sched:ab+ sched:b+ "},
		{"*:*a", "irq:a sched:aa+ "},
		{"?rq:a", "irq:a "},
		{"[is]*:?", "irq:a sched:b+ "},
		{"s*:a*:k", "sched:aa:k sched:ab:k+ "},
		{"cycles, sched:a* ,irq:*:u,cs", "cycles sched:aa sched:ab+ irq:a:u cs "},
		{"{cycles,cs},irq:*", "cycles cs irq:a "},
	};
	static const struct {
		const char *text;
		size_t column;
		const char *why;
	} bad_rows[] = {
		{"sched:x*", 1, "no tracepoint matches 'sched:x*'"},
		{"cycles,nosuch:*", 8, "no tracepoint matches 'nosuch:*'"},
		{"sched:*:q", 9, "'q'"},
		{"sched:*/period=1/", 8, "a pattern of tracepoints takes no settings"},
		{"{cycles,sched:*}", 9, "the tracepoints of a group are named one by one"},
		{"{sched:*}", 2, "the tracepoints of a group are named one by one"},
		{"*", 1, "there is no event ''"},
		{"sched:aaa", 1, "there is no event or tracepoint 'sched:aaa'"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int n = pmu_parse_events_named(rows[i].text, &namer, specs, MAX, &err);
		char names[256] = "";

		for (int k = 0; k < n; k++) {
			size_t at = strlen(names);

			snprintf(names + at, sizeof(names) - at, "%s%s ", specs[k].name,
				 specs[k].more ? "+" : "");
			if (specs[k].attr.type == PERF_TYPE_TRACEPOINT)
				assert_memory_equal(some[specs[k].attr.config - 100], specs[k].name,
						    strlen(some[specs[k].attr.config - 100]));
		}
		if (strcmp(names, rows[i].names))
			fail_msg("%s: '%s', column %zu: %s", rows[i].text, names, err.column,
				 err.text);
	}
	for (size_t i = 0; i < sizeof(bad_rows) / sizeof(bad_rows[0]); i++) {
		int n = pmu_parse_events_named(bad_rows[i].text, &namer, specs, MAX, &err);

		if (n != -EINVAL || err.column != bad_rows[i].column ||
		    !strstr(err.text, bad_rows[i].why))
			fail_msg("%s: %d, column %zu: %s", bad_rows[i].text, n, err.column,
				 err.text);
	}
	assert_int_equal(pmu_parse_events_named("sched:*", &namer, specs, 2, &err), -E2BIG);
}
