// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_planner.c - requests as they stand on a command line: what they mean, what is refused, and
 * the two ways in which a plan is written.
 */
#include "pmu/plan/planner.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct planner *p;
static struct reason why;
static char written[1 << 16];

static int setup(void **state)
{
	(void)state;
	p = malloc(sizeof(*p));
	return p ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	free(p);
	return 0;
}

static int run(struct planner_request r, const char *events)
{
	if (!r.events) {
		r.events = &events;
		r.nevents = events ? 1 : 0;
	}
	memset(p, 0, sizeof(*p));
	return planner_run(p, &r, &why);
}

static void put(void *ctx, const char *text)
{
	(void)ctx;
	assert_true(strlen(written) + strlen(text) < sizeof(written));
	strcat(written, text);
}

static const char *write_by(void (*print)(const struct planner *, const struct planner_sink *))
{
	const struct planner_sink sink = {put, NULL};

	written[0] = '\0';
	print(p, &sink);
	return written;
}

#define OFFCORE(value) "cpu/event=0xb7,umask=1,offcore_rsp=" #value "/"
#define HSW                    \
	{                      \
		.uarch = "hsw" \
	}

static void test_refusals(void **state)
{
	static const struct {
		struct planner_request request;
		const char *events, *sentence;
	} rows[] = {
		{{.uarch = NULL}, "cycles", "--uarch is needed"},
		{{.uarch = ""}, "cycles", "--uarch: there is no microarchitecture ''"},
		{{.uarch = "z80"}, "cycles", "--uarch: there is no microarchitecture 'z80'"},
		{{.uarch = "skylak"},
		 "cycles",
		 "--uarch: there is no microarchitecture 'skylak'; maybe skylake, skylakex"},
		{{.uarch = "Hasswell"},
		 "cycles",
		 "--uarch: there is no microarchitecture 'Hasswell'; maybe haswell, haswellx"},
		{{.uarch = "zen9"},
		 "cycles",
		 "--uarch: there is no microarchitecture 'zen9'; maybe zen1, zen, zen+"},
		{{.uarch = "an.unknown.machine.with.a.name.that.is.long"},
		 "cycles",
		 "--uarch: there is no microarchitecture "
		 "'an.unknown.machine.with.a.name.that.is.long'"},
		{HSW, NULL, "-e is needed: the events to plan"},
		{HSW, "", "-e: column 1: an event is missing"},
		{HSW, "cycles,nope", "-e: column 8: there is no event 'nope'"},
		{{.uarch = "hsw", .sibling = "x"},
		 "cycles",
		 "--sibling: column 1: there is no event 'x'"},
		{{.uarch = "hsw", .no_ht = true, .sibling = "cycles"},
		 "cycles",
		 "--sibling needs hyper-threading, which is off"},
		{{.uarch = "slm", .sibling = "cycles"},
		 "cycles",
		 "--sibling needs hyper-threading, which is off: this microarchitecture has none"},
		{{.uarch = "hsw", .sibling_counter = "PMC0"},
		 "cycles",
		 "--sibling-counter needs --sibling"},
		{{.uarch = "hsw", .sibling = "cycles", .sibling_counter = "PMC4"},
		 "cycles",
		 "--sibling-counter: 'PMC4' is no counter of haswell"},
		{{.uarch = "hsw", .node = "cycles"},
		 "cycles",
		 "--node: the cores of haswell share no counters"},
		{{.uarch = "k8", .node = "x"}, "cycles", "--node: column 1: there is no event 'x'"},
		{{.uarch = "hsw", .watchdog_counter = "FIXED0"},
		 "cycles",
		 "--watchdog-counter: 'FIXED0' is no counter of haswell for cycles"},
		{{.uarch = "hsw", .policy = "Fair"},
		 "cycles",
		 "--policy: 'Fair' is not perf or fair"},
		{{.uarch = "hsw", .kernel = "4"},
		 "cycles",
		 "--kernel: '4' is not a version such as 4.1-rc7"},
		{{.uarch = "hsw", .kernel = "4.4", .policy = "fair"},
		 "cycles",
		 "--kernel: policy fair was in no kernel"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(run(rows[i].request, rows[i].events), -EINVAL);
		assert_string_equal(why.text, rows[i].sentence);
	}
}

/* Events that are refused, each with its own reason. */
static void test_not_supported(void **state)
{
	static const struct {
		struct planner_request request;
		const char *events;
		unsigned event;
		const char *reason; /* a part of it */
	} rows[] = {
		{HSW, "stalled-cycles-backend", 0, "haswell has no such event"},
		{HSW, "node-prefetches", 0, "haswell has no such event"},
		{HSW, "{cycles,branches:D}", 1, "only the leader of a group can be pinned"},
		{HSW, "ref-cycles:p", 0, "can be precise"},
		{HSW, "cache-misses:p", 0, "can be precise"},
		{HSW, "{instructions:p,instructions:pp}", 1, "needs PMC1"},
		{{.uarch = "zen4"}, "cycles:p", 0, "can be precise"},
		{{.uarch = "ivb", .kernel = "3.14"}, "r01d1", 0, "no counter may count it: "},
		{HSW, "{cycles,instructions:e}", 1, "only the leader of a group can be exclusive"},
		{HSW, "mem:0x1000/4:x", 0, "a breakpoint on execution has length 8"},
		{HSW, "mem:0:w,mem:8:w,mem:16:w,mem:24:w,mem:32:w", 4,
		 "there are 4 debug registers only"},
		{HSW, "{r0148,r0148}", 1, "needs PMC2"},
		{HSW, OFFCORE(0x4000000000), 0, "bits 0x4000000000 of config1"},
		{HSW, "cpu/event=0xc4,config1=1/", 0, "needs no register beside its counter"},
		{HSW, "{" OFFCORE(1) "," OFFCORE(2) "," OFFCORE(4) "}", 2,
		 "its group before it need other values there"},
		{{.uarch = "slm"},
		 "{" OFFCORE(0x4000000000) "," OFFCORE(0x4000000001) "}",
		 1,
		 "MSR_OFFCORE_RSP_0, and"},
		{{.uarch = "zen4"},
		 "{r03,r03,r03,r03}",
		 3,
		 "needs PMC0, PMC2, PMC4 with the counter"},
		{HSW, "r01c0", 0, "haswell counts it as a precise event only: with modifier p"},
		{{.uarch = "snb"}, "{r0e,r01c0:p}", 1, "counts only where no other event does"},
		{{.uarch = "snb"}, "{r01c0:p,cs,r0e}", 2, "counts only where no other event does"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct pmu_plan_event *e;

		assert_int_equal(run(rows[i].request, rows[i].events), 0);
		e = &p->plan.events[rows[i].event];
		if (e->status != PMU_PLAN_NOT_SUPPORTED || !strstr(e->why.text, rows[i].reason))
			fail_msg("%s: %u: %s", rows[i].events, e->status, e->why.text);
	}
}

/* Accepted, but not read: neither has a percentage, and there is one way to say why. */
static void test_not_read(void **state)
{
	static const struct {
		const char *events;
		unsigned event;
		const char *reason;
	} rows[] = {
		{"r0148:D,r08a3:D", 1,
		 "it is pinned and found no counters: r08a3:D needs PMC2; held by r0148:D on PMC2"},
		{"{cs,r0148,r0148,cycles}", 0, "its group is not complete: r0148 was refused"},
		{"{cycles,ref-cycles:p}", 0, "its group is not complete: ref-cycles:p was refused"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct pmu_plan_event *e = &p->plan.events[rows[i].event];

		assert_int_equal(run((struct planner_request)HSW, rows[i].events), 0);
		assert_int_equal(e->status, PMU_PLAN_NOT_COUNTED);
		assert_false(e->has_percent);
		assert_string_equal(e->why.text, rows[i].reason);
		assert_non_null(strstr(write_by(planner_print), rows[i].reason));
	}
}

/* More events than there is room for: the first of them is pointed at. */
static void test_too_many(void **state)
{
	static char events[3 * (PMU_PLAN_EVENTS + 1)];
	const char *lists[] = {events, "cs,faults"};
	const struct planner_request two = {.uarch = "hsw", .events = lists, .nevents = 2};

	(void)state;
	for (unsigned i = 0; i < PMU_PLAN_EVENTS; i++)
		strcat(events, i ? ",cs" : "cs");
	assert_int_equal(run((struct planner_request)HSW, events), 0);
	assert_int_equal(run(two, NULL), -EINVAL);
	assert_string_equal(why.text, "-e: column 1: there are more than 128 events");
	strcat(events, ",cs");
	assert_int_equal(run((struct planner_request)HSW, events), -EINVAL);
	assert_string_equal(why.text, "-e: column 385: there are more than 128 events");
}

static void check_shares(const char *text, const uint32_t *percent, unsigned n)
{
	assert_int_equal(p->plan.nevents, n);
	for (unsigned i = 0; i < n; i++)
		if (p->plan.events[i].percent != percent[i])
			fail_msg("%s: event %u: %u", text, i, p->plan.events[i].percent);
}

/* What events take beside a counter, also from the other hyper-thread or core; `counted` in
 * percent, one after the other, and a part of the first reason. */
static void test_shared(void **state)
{
	static const struct {
		struct planner_request request;
		const char *events, *counted, *reason;
	} rows[] = {
		{HSW, OFFCORE(1) "," OFFCORE(1) "," OFFCORE(2), "100 100 100", ""},
		{HSW, OFFCORE(1) "," OFFCORE(2) "," OFFCORE(4) "," OFFCORE(8), "50 50 50 50",
		 "needs 0x1 in MSR_OFFCORE_RSP_0 or MSR_OFFCORE_RSP_1; "},
		{{.uarch = "hsw", .policy = "fair"},
		 OFFCORE(1) "," OFFCORE(2) "," OFFCORE(4) "," OFFCORE(8) ",cycles",
		 "50 50 50 50 100",
		 ""},
		/* One register only, and on counter 2 only. */
		{{.uarch = "nhm"}, OFFCORE(1) "," OFFCORE(1), "50 50", "needs PMC2; held by"},
		{{.uarch = "nhm", .sibling = OFFCORE(1)}, OFFCORE(1), "100", ""},
		{{.uarch = "nhm", .sibling = OFFCORE(1)},
		 OFFCORE(2),
		 "0",
		 "needs 0x2 in MSR_OFFCORE_RSP_0; the other hyper-thread has 0x1 in "
		 "MSR_OFFCORE_RSP_0"},
		{{.uarch = "nhm", .sibling = "cpu/event=0x0b,umask=0x10,ldlat=3/"},
		 "cpu/event=0x0b,umask=0x10,ldlat=4/",
		 "0",
		 "needs 0x4 in MSR_PEBS_LD_LAT; the other hyper-thread has 0x3"},
		{{.uarch = "wsm", .sibling = OFFCORE(1)}, OFFCORE(2), "100", ""},
		{{.uarch = "wsm", .sibling = OFFCORE(1)}, OFFCORE(2) "," OFFCORE(4), "50 50", ""},
		{{.uarch = "wsm", .sibling = OFFCORE(1)}, OFFCORE(2) "," OFFCORE(1), "100 100", ""},
		{{.uarch = "wsm", .sibling = OFFCORE(1) "," OFFCORE(2)}, OFFCORE(4), "0", ""},
		/* From Sandy Bridge on each hyper-thread has its own. */
		{{.uarch = "snb", .sibling = OFFCORE(1) "," OFFCORE(2)},
		 OFFCORE(4) "," OFFCORE(8),
		 "100 100",
		 ""},
		/* A value that fits into one register only. */
		{{.uarch = "slm"},
		 OFFCORE(0x4000000000) "," OFFCORE(0x4000000001),
		 "50 50",
		 "needs 0x4000000000 in MSR_OFFCORE_RSP_0; "},
		{{.uarch = "slm", .policy = "fair"},
		 OFFCORE(1) "," OFFCORE(0x4000000000),
		 "100 100",
		 ""},
		{{.uarch = "zen4"}, "r03,r03,cycles,cycles", "100 100 100 100", ""},
		{{.uarch = "zen4"},
		 "r03,r03,r03,r03",
		 "75 75 75 75",
		 "with the counter above; held by "},
		{{.uarch = "k8", .node = "r01e0,r01e1"}, "r01e0,r01e1,cycles", "100 100 100", ""},
		{{.uarch = "fam10h", .node = "r01e0,r01e0,r01e0"},
		 "r01e0,r01e1,cycles,cycles",
		 "75 25 50 75",
		 "another core of the node has northbridge events on PMC0-2"},
		{{.uarch = "k8", .node = "cycles,cycles,cycles,cycles"},
		 "r01e0,cycles",
		 "100 100",
		 ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char counted[64] = "";
		const char *reason = "";
		size_t at = 0;

		if (run(rows[i].request, rows[i].events))
			fail_msg("row %zu: %s", i, why.text);
		for (unsigned k = 0; k < p->plan.nevents; k++) {
			const struct pmu_plan_event *e = &p->plan.events[k];

			at += (size_t)snprintf(counted + at, sizeof(counted) - at, "%s%u",
					       k ? " " : "", e->percent / 100);
			reason = *reason ? reason : e->why.text;
		}
		if (strcmp(counted, rows[i].counted) || !strstr(reason, rows[i].reason))
			fail_msg("row %zu: %s: %s", i, counted, reason);
	}
}

static void test_weak_groups(void **state)
{
	(void)state;
	assert_int_equal(run((struct planner_request)HSW, "{r0e,r0e,r0e,r0e,r0e}:W"), 0);
	check_shares("weak", (uint32_t[]){8000, 8000, 8000, 8000, 8000}, 5);
	/* Where it fits it stays a group. */
	assert_int_equal(run((struct planner_request)HSW, "{r0e,r0e,r0e}:W,{r0e,r0e}:W"), 0);
	check_shares("weak, fits", (uint32_t[]){5000, 5000, 5000, 5000, 5000}, 5);
	assert_int_equal(p->own.ngroups, 2);
}

/* Several lists are one, and their groups are apart. */
static void test_lists(void **state)
{
	static const char *const lists[] = {"{r0148,cs},cycles", "{r0148,faults}", "{r0148}"};
	const struct planner_request r = {.uarch = "hsw", .events = lists, .nevents = 3};

	(void)state;
	assert_int_equal(run(r, NULL), 0);
	assert_int_equal(p->own.ngroups, 4);
	assert_int_equal(p->own.groups[1].n, 1);
	assert_int_equal(p->own.groups[2].n, 2);
	assert_int_equal(p->plan.nevents, 6);
}

static void test_precise_counters(void **state)
{
	(void)state;
	/* Eight counters, of which four sample precisely. */
	assert_int_equal(run((struct planner_request){.uarch = "hsw", .no_ht = true},
			     "r01c2:p,r01c2:p,r01c2:pp,r01c2:pp,r01c2:p"),
			 0);
	check_shares("precise", (uint32_t[]){8000, 8000, 8000, 8000, 8000}, 5);
	/* As precise as can be, which is not at all. */
	assert_int_equal(run((struct planner_request){.uarch = "zen4"}, "cycles:P,cycles:p"), 0);
	check_shares("most precise", (uint32_t[]){10000, 0}, 2);
	assert_int_equal(run((struct planner_request){.uarch = "hsw", .no_ht = true},
			     "r01c2:P,r01c2:P,r01c2:P,r01c2:P,r01c2:P"),
			 0);
	check_shares("most precise", (uint32_t[]){8000, 8000, 8000, 8000, 8000}, 5);
}

/* What wants the PMU for itself takes turns with the others; Linux does not know that it does. */
static void test_alone(void **state)
{
	(void)state;
	assert_int_equal(run((struct planner_request){.uarch = "snb"}, "{r01c0:p,cs},r0e,r0f"), 0);
	check_shares("alone", (uint32_t[]){3333, 3333, 3333, 6667}, 4);
	assert_non_null(strstr(p->plan.events[2].why.text, "exclusive"));
	assert_int_equal(
		run((struct planner_request){.uarch = "snb", .kernel = "4.20"}, "r01c0,r0e,r0f"),
		0);
	check_shares("with others", (uint32_t[]){10000, 10000, 10000}, 3);
}

/* A kernel that puts an event where it cannot count is told of. */
static void test_idle_counters(void **state)
{
	const struct planner_request r = {.uarch = "skl", .kernel = "4.6", .no_ht = true};

	(void)state;
	assert_int_equal(run(r, "r0e,r0e,r0e,r0e,r01d1"), 0);
	assert_int_equal(p->plan.events[4].percent, 10000);
	assert_true(p->own.idle[4]);
	assert_non_null(
		strstr(write_by(planner_print),
		       "\nr01d1: it stays at zero while it is on PMC4, which cannot count it\n"));
	assert_false(p->own.idle[0]);
	assert_int_equal(run((struct planner_request){.uarch = "skl", .no_ht = true},
			     "r0e,r0e,r0e,r0e,r01d1"),
			 0);
	assert_false(p->own.idle[4]);
}

static void test_facts(void **state)
{
	static const struct planner_facts facts = {1, {{0x10e, {0x30, 0x8}, 0}}};
	const struct planner_request on = {.uarch = "hsw", .facts = &facts};
	const struct planner_request off = {.uarch = "hsw", .facts = &facts, .no_ht = true};

	(void)state;
	assert_int_equal(run(on, "r10e,r10e"), 0);
	check_shares("facts", (uint32_t[]){5000, 5000}, 2);
	assert_int_equal(p->configs[0].counter[0], 3);
	assert_int_equal(run(off, "r10e,r10e"), 0);
	check_shares("facts", (uint32_t[]){10000, 10000}, 2);
	assert_int_equal(p->configs[0].counter[1], 5);
}

static void test_text(void **state)
{
	(void)state;
	assert_int_equal(run(
				 (struct planner_request){
					 .uarch = "icl", .tfa = true, .ticks = 10, .kernel = "5.3"},
				 "cycles,faults"),
			 0);
	assert_string_equal(write_by(planner_print),
			    "icelake, hyper-threading on, policy perf, 10 slices of 4000 us, as "
			    "Linux 5.3\n"
			    "--tfa changes nothing: transactions take no counter there\n"
			    "\n"
			    "           counted  cycles\n"
			    "           counted  faults\n"
			    "\n"
			    "C1: 10 of 10 slices\n"
			    "  FIXED1    cycles\n"
			    "  software  faults\n");
}

static void test_json(void **state)
{
	(void)state;
	assert_int_equal(run((struct planner_request){.uarch = "hsw", .ticks = 2, .watchdog = true},
			     "r0148,r0148"),
			 0);
	assert_string_equal(
		write_by(planner_json),
		"{\"uarch\":\"haswell\",\"hyper_threading\":true,\"policy\":\"perf\",\"kernel\":"
		"null,"
		"\"ticks\":2,\"multiplexed\":true,\n"
		" \"events\":[\n"
		"  {\"name\":\"r0148\",\"status\":\"counted\",\"percent\":50.00,"
		"\"reason\":\"r0148 needs PMC2; held by r0148 on PMC2\"},\n"
		"  {\"name\":\"r0148\",\"status\":\"counted\",\"percent\":50.00,"
		"\"reason\":\"r0148 needs PMC2; held by r0148 on PMC2\"}],\n"
		" \"configs\":[\n"
		"  {\"ticks\":1,\"watchdog\":\"FIXED1\",\"assign\":{\"r0148\":\"PMC2\"},"
		"\"waiting\":{\"r0148#2\":\"r0148 needs PMC2; held by r0148 on PMC2\"}},\n"
		"  {\"ticks\":1,\"watchdog\":\"FIXED1\",\"assign\":{\"r0148#2\":\"PMC2\"},"
		"\"waiting\":{\"r0148\":\"r0148 needs PMC2; held by r0148 on PMC2\"}}],\n"
		" \"other_ticks\":0}\n");
}

/* A namer takes colons and all, and its refusals point at the event. */
static int find(void *ctx, const char *text, size_t n, struct perf_event_attr *attr, size_t *taken,
		struct pmu_parse_error *error)
{
	(void)ctx;
	if (n >= 8 && !memcmp(text, "hsw::BAD", 8)) {
		strcpy(error->text, "this one is bad");
		return -EINVAL;
	}
	if (n < 7 || memcmp(text, "hsw::OK", 7))
		return 0;
	attr->type = PERF_TYPE_RAW;
	attr->config = 0x148;
	attr->exclude_kernel = 1;
	*taken = 7;
	return 1;
}

static void test_namer(void **state)
{
	const struct pmu_namer namer = {.find = find};
	const struct planner_request r = {.uarch = "hsw", .namer = &namer};

	(void)state;
	assert_int_equal(run(r, "{cycles,hsw::OK},hsw::OK:k"), 0);
	assert_string_equal(p->own.specs[1].name, "hsw::OK");
	assert_int_equal(p->own.specs[1].attr.exclude_kernel, 1);
	assert_string_equal(p->own.specs[2].name, "hsw::OK:k");
	assert_int_equal(p->own.specs[2].attr.exclude_kernel, 0);
	assert_int_equal(p->own.specs[2].attr.exclude_user, 1);
	assert_int_equal(p->configs[0].counter[1], 2);
	assert_int_equal(run(r, "cycles,hsw::BAD:k"), -EINVAL);
	assert_string_equal(why.text, "-e: column 8: this one is bad");
	assert_int_equal(run(r, "cycles,hsw::OK:z"), -EINVAL);
	assert_string_equal(why.text, "-e: column 16: there is no modifier 'z'");
	assert_int_equal(run(r, "hsw::OKcycles"), -EINVAL);
	assert_string_equal(why.text, "-e: column 8: 'c' does not belong here");
}

/* Every microarchitecture plans its generic events, on counters that it has. */
static void test_all(void **state)
{
	const struct uarch *u;

	(void)state;
	for (size_t i = 0; (u = uarch_list(i)); i++)
		for (unsigned ht = 0; ht < 2; ht++) {
			uint64_t has = uarch_machine_counters(u, ht);
			const struct planner_request r = {
				.uarch = u->name, .no_ht = !ht, .ticks = 12};

			assert_int_equal(run(r, "cycles,instructions,branches,branch-misses,r0e"),
					 0);
			assert_int_equal(p->plan.events[0].status, PMU_PLAN_COUNTED);
			for (unsigned c = 0; c < p->plan.nconfigs; c++)
				for (unsigned e = 0; e < 5; e++) {
					uint8_t counter = p->configs[c].counter[e];

					assert_true(counter == PMU_PLAN_WAITS ||
						    has >> counter & 1);
				}
		}
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Lists that can be parsed: events, groups, modifiers. */
static void make_list(char *text, size_t size, uint64_t *seed)
{
	static const char *const events[] = {
		"cycles",     "instructions", "ref-cycles",      "faults",
		"branches:u", "cache-misses", "LLC-load-misses", "r0e",
		"r0148",      "rca3",         "r01d1",           "r01d2:k",
		"r81d0",      "r01cd:pp",     "cycles:P",        "r01c0:p",
		"mem:64:w",   "r13c",         "r01b7",           "cpu/event=0xc2,inv,cmask=1/",
	};
	size_t n = 0;
	bool open = false;

	for (unsigned left = 1 + (unsigned)next_random(seed) % 12; left > 0; left--) {
		const char *event =
			events[next_random(seed) % (sizeof(events) / sizeof(events[0]))];
		bool opens = !open && next_random(seed) % 4 == 0;

		n += (size_t)snprintf(text + n, size - n, "%s%s", opens ? "{" : "", event);
		open |= opens;
		if (open && (left == 1 || next_random(seed) % 3 == 0)) {
			static const char *const ends[] = {"}", "}:D", "}:W", "}:e"};

			n += (size_t)snprintf(text + n, size - n, "%s",
					      ends[next_random(seed) % 4]);
			open = false;
		}
		n += (size_t)snprintf(text + n, size - n, "%s", left > 1 ? "," : "");
	}
}

/* No counter twice, each event on one of its own, and no more time than there is. */
static void check_plan(const char *events)
{
	uint32_t ticks = p->plan.other_ticks;

	for (unsigned c = 0; c < p->plan.nconfigs; c++) {
		uint64_t used = p->configs[c].watchdog == PMU_NO_COUNTER
					? 0
					: 1ull << p->configs[c].watchdog;

		ticks += p->configs[c].ticks;
		for (unsigned i = 0; i < p->plan.nevents; i++) {
			uint8_t counter = p->configs[c].counter[i];

			if (counter == PMU_PLAN_WAITS || counter == PMU_PLAN_SOFTWARE)
				continue;
			if (used >> counter & 1 ||
			    !(p->own.events[i].constraint.counters >> counter & 1))
				fail_msg("%s: C%u has event %u on %u", events, c + 1, i, counter);
			used |= 1ull << counter;
		}
	}
	assert_int_equal(ticks, p->job.ticks);
	for (unsigned i = 0; i < p->plan.nevents; i++) {
		const struct pmu_plan_event *e = &p->plan.events[i];

		assert_true(e->percent <= 10000);
		assert_true((e->status == PMU_PLAN_COUNTED) == (e->has_percent && e->running_us));
		assert_true(e->status == PMU_PLAN_COUNTED || e->why.text[0] || !e->has_percent);
	}
}

static void test_random(void **state)
{
	static const char *const uarchs[] = {"snb", "ivb",  "hsw",  "bdw", "skl", "icl", "tgl",
					     "spr", "zen1", "zen4", "k8",  "slm", "glm", "nehalem"};
	static const char *const kernels[] = {NULL,      "2.6.33", "3.2", "3.12",
					      "4.1-rc3", "4.1",    "4.6", "5.3"};
	uint64_t seed = 11;
	char events[512];

	(void)state;
	for (unsigned round = 0; round < 1500; round++) {
		struct planner_request r = {
			.uarch = uarchs[next_random(&seed) % 14],
			.kernel = kernels[next_random(&seed) % 8],
			.no_ht = next_random(&seed) % 2,
			.tfa = next_random(&seed) % 2,
			.watchdog = next_random(&seed) % 2,
			.ticks = 1 + next_random(&seed) % 40,
			.sleep_ms = 0,
		};

		if (next_random(&seed) % 3 == 0) {
			r.policy = "fair";
			r.kernel = NULL;
		}
		if (!r.no_ht && uarch_by_name(r.uarch)->gp_ht && next_random(&seed) % 3 == 0)
			r.sibling = "r01d1,{r0e,r0148},cycles,r81d0";
		make_list(events, sizeof(events), &seed);
		if (run(r, events))
			fail_msg("%s: %s", events, why.text);
		check_plan(events);
		write_by(planner_print);
		write_by(planner_json);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals), cmocka_unit_test(test_not_supported),
		cmocka_unit_test(test_not_read), cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_shared),   cmocka_unit_test(test_weak_groups),
		cmocka_unit_test(test_lists),    cmocka_unit_test(test_precise_counters),
		cmocka_unit_test(test_alone),    cmocka_unit_test(test_idle_counters),
		cmocka_unit_test(test_facts),    cmocka_unit_test(test_text),
		cmocka_unit_test(test_json),     cmocka_unit_test(test_namer),
		cmocka_unit_test(test_all),      cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("planner", tests, setup, teardown);
}
