// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_planner_requests.c - requests of a command line: their meaning, and refusals.
 */
#include "tests/unit/plan/planned.h"

#include "tests/unit/test.h"

#define OFFCORE(value) "cpu/event=0xb7,umask=1,offcore_rsp=" #value "/"

#define HSW                    \
	{                      \
		.uarch = "hsw" \
	}

TEST(test_refusals)
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

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(plan_request(rows[i].request, rows[i].events), -EINVAL);
		assert_string_equal(why.text, rows[i].sentence);
	}
}

/* Refused events, each with its own reason. */
TEST(test_not_supported)
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
		{HSW, "cycles,ibs_op//", 1, "haswell has no PMU ibs_op"},
		{HSW, "ibs_fetch/rand_en=1/", 0, "haswell has no PMU ibs_fetch"},
		{{.uarch = "k8"}, "ibs_op//", 0, "k8 has no PMU ibs_op"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct pmu_plan_event *e;

		assert_int_equal(plan_request(rows[i].request, rows[i].events), 0);
		e = &p->plan.events[rows[i].event];
		if (e->status != PMU_PLAN_NOT_SUPPORTED || !strstr(e->why.text, rows[i].reason))
			fail_msg("%s: %u: %s", rows[i].events, e->status, e->why.text);
	}
}

TEST(test_ibs)
{
	static const char *const uarchs[] = {"fam10h", "fam15h", "fam16h", "zen1",
					     "zen2",   "zen3",   "zen4",   "zen5"};

	for (size_t i = 0; i < sizeof(uarchs) / sizeof(uarchs[0]); i++) {
		const struct planner_request request = {.uarch = uarchs[i]};

		assert_int_equal(plan_request(request, "ibs_op//,ibs_fetch//"), 0);
		assert_int_equal(p->plan.events[0].status, PMU_PLAN_COUNTED);
		assert_int_equal(p->plan.events[1].status, PMU_PLAN_COUNTED);
	}
}

/* Events that open but cannot be read: they have no percentage, and the plan gives one reason. */
TEST(test_not_read)
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

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct pmu_plan_event *e = &p->plan.events[rows[i].event];

		assert_int_equal(plan_request((struct planner_request)HSW, rows[i].events), 0);
		assert_int_equal(e->status, PMU_PLAN_NOT_COUNTED);
		assert_false(e->has_percent);
		assert_string_equal(e->why.text, rows[i].reason);
		assert_non_null(strstr(write_by(planner_print), rows[i].reason));
	}
}

/* More events than fit: the message points at the first one that does not. */
TEST(test_too_many)
{
	static char events[3 * (PMU_PLAN_EVENTS + 1)];
	const char *lists[] = {events, "cs,faults"};
	const struct planner_request two = {.uarch = "hsw", .events = lists, .nevents = 2};

	for (unsigned i = 0; i < PMU_PLAN_EVENTS; i++)
		strcat(events, i ? ",cs" : "cs");
	assert_int_equal(plan_request((struct planner_request)HSW, events), 0);
	assert_int_equal(plan_request(two, NULL), -EINVAL);
	assert_string_equal(why.text, "-e: column 1: there are more than 128 events");
	strcat(events, ",cs");
	assert_int_equal(plan_request((struct planner_request)HSW, events), -EINVAL);
	assert_string_equal(why.text, "-e: column 385: there are more than 128 events");
}

/* Resources that events need beside a counter, some shared with the other hyper-thread or core.
 * `counted` has the percentages, one after the other; then comes a part of the first reason. */
TEST(test_shared)
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
		/* One register, and only counter 2. */
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

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char counted[64] = "";
		const char *reason = "";
		size_t at = 0;

		if (plan_request(rows[i].request, rows[i].events))
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

TEST(test_weak_groups)
{
	assert_int_equal(plan_request((struct planner_request)HSW, "{r0e,r0e,r0e,r0e,r0e}:W"), 0);
	check_shares("weak", (uint32_t[]){8000, 8000, 8000, 8000, 8000}, 5);
	/* A group that fits stays a group. */
	assert_int_equal(plan_request((struct planner_request)HSW, "{r0e,r0e,r0e}:W,{r0e,r0e}:W"),
			 0);
	check_shares("weak, fits", (uint32_t[]){5000, 5000, 5000, 5000, 5000}, 5);
	assert_int_equal(p->own.ngroups, 2);
}

/* Several lists form one list, but their groups stay separate. */
TEST(test_lists)
{
	static const char *const lists[] = {"{r0148,cs},cycles", "{r0148,faults}", "{r0148}"};
	const struct planner_request r = {.uarch = "hsw", .events = lists, .nevents = 3};

	assert_int_equal(plan_request(r, NULL), 0);
	assert_int_equal(p->own.ngroups, 4);
	assert_int_equal(p->own.groups[1].n, 1);
	assert_int_equal(p->own.groups[2].n, 2);
	assert_int_equal(p->plan.nevents, 6);
}

TEST(test_precise_counters)
{
	/* Eight counters, of which four sample precisely. */
	assert_int_equal(plan_request((struct planner_request){.uarch = "hsw", .no_ht = true},
				      "r01c2:p,r01c2:p,r01c2:pp,r01c2:pp,r01c2:p"),
			 0);
	check_shares("precise", (uint32_t[]){8000, 8000, 8000, 8000, 8000}, 5);
	/* The highest possible precision, which is none. */
	assert_int_equal(
		plan_request((struct planner_request){.uarch = "zen4"}, "cycles:P,cycles:p"), 0);
	check_shares("most precise", (uint32_t[]){10000, 0}, 2);
	assert_int_equal(plan_request((struct planner_request){.uarch = "hsw", .no_ht = true},
				      "r01c2:P,r01c2:P,r01c2:P,r01c2:P,r01c2:P"),
			 0);
	check_shares("most precise", (uint32_t[]){8000, 8000, 8000, 8000, 8000}, 5);
}

/* An event that needs the whole PMU takes turns with the others; Linux does not know that it needs
 * it. */
TEST(test_alone)
{
	assert_int_equal(
		plan_request((struct planner_request){.uarch = "snb"}, "{r01c0:p,cs},r0e,r0f"), 0);
	check_shares("alone", (uint32_t[]){3333, 3333, 3333, 6667}, 4);
	assert_non_null(strstr(p->plan.events[2].why.text, "exclusive"));
	assert_int_equal(plan_request((struct planner_request){.uarch = "snb", .kernel = "4.20"},
				      "r01c0,r0e,r0f"),
			 0);
	check_shares("with others", (uint32_t[]){10000, 10000, 10000}, 3);
}

#define ICL .uarch = "icl"

/* A metric takes no counter, but its leader takes the only counter of slots. */
TEST(test_metrics)
{
	const struct planner_request own = {ICL}, newer = {ICL, .kernel = "6.1"};
	const struct planner_request old = {ICL, .kernel = "5.9"}, small = {.uarch = "gracemont"};

	assert_int_equal(plan_request(own, "{slots,topdown-retiring,topdown-be-bound},r0e"), 0);
	check_shares("metrics", (uint32_t[]){10000, 10000, 10000, 10000}, 4);
	assert_non_null(strstr(write_by(planner_print), "  metric    topdown-retiring\n"));
	assert_int_equal(plan_request(own, "{slots,topdown-retiring},{slots,topdown-fe-bound}"), 0);
	check_shares("take turns", (uint32_t[]){5000, 5000, 5000, 5000}, 4);
	assert_int_equal(plan_request(own, "{cycles,topdown-retiring},topdown-retiring"), 0);
	check_shares("led by another", (uint32_t[]){0, 0, 0}, 3);
	assert_non_null(strstr(p->plan.events[1].why.text, "only in a group that slots leads"));
	assert_non_null(strstr(p->plan.events[2].why.text, "only in a group that slots leads"));
	assert_int_equal(plan_request(own, "{slots,topdown-retiring,topdown-retiring}"), 0);
	check_shares("twice", (uint32_t[]){10000, 10000, 10000}, 3);
	assert_int_equal(plan_request(newer, "{slots,topdown-retiring,topdown-retiring}"), 0);
	assert_non_null(strstr(p->plan.events[2].why.text, "once in a group"));
	assert_int_equal(plan_request(newer, "{slots,topdown-retiring,topdown-bad-spec}"), 0);
	check_shares("in Linux", (uint32_t[]){10000, 10000, 10000}, 3);
	assert_int_equal(plan_request(old, "{slots,topdown-retiring}"), 0);
	check_shares("before Linux 5.10", (uint32_t[]){0, 0}, 2);
	assert_int_not_equal(plan_request(small, "{slots,topdown-retiring}"), 0);
}

/* The plan reports a kernel that puts an event on a counter where it cannot count. */
TEST(test_idle_counters)
{
	const struct planner_request r = {.uarch = "skl", .kernel = "4.6", .no_ht = true};

	assert_int_equal(plan_request(r, "r0e,r0e,r0e,r0e,r01d1"), 0);
	assert_int_equal(p->plan.events[4].percent, 10000);
	assert_true(p->own.idle[4]);
	assert_non_null(
		strstr(write_by(planner_print),
		       "\nr01d1: it stays at zero while it is on PMC4, which cannot count it\n"));
	assert_false(p->own.idle[0]);
	assert_int_equal(plan_request((struct planner_request){.uarch = "skl", .no_ht = true},
				      "r0e,r0e,r0e,r0e,r01d1"),
			 0);
	assert_false(p->own.idle[4]);
}

/* The planner refuses events that KVM shows to no guest, in the words of the image. */
TEST(test_kvm)
{
	static const struct {
		const char *uarch, *event, *sentence; /* "": it counts */
	} rows[] = {
		{"kvm_intel", "cycles", ""},
		{"kvm_intel", "cycles:p", "KVM shows no PEBS to its guests"},
		{"kvm-intel", "instructions:pp", "KVM shows no PEBS to its guests"},
		{"kvm_intel", "cycles:P", ""},
		{"kvm_intel", OFFCORE(0x10001),
		 "event 0x1b7 needs MSR 0x1a6, which this machine does not have: KVM shows it to no "
		 "guest"},
		{"kvm_intel", "power/energy-pkg/",
		 "this CPU has no power/energy-pkg/: KVM shows it to no guest"},
		{"kvm_intel", "msr/smi/", "this CPU has no msr/smi/: KVM shows it to no guest"},
		{"kvm_intel", "msr/tsc/", ""},
		{"kvm_intel", "uncore_cha_0/event=0x35,umask=0x21/", "KVM shows it to no guest"},
		{"kvm_amd", "cycles", ""},
		{"kvm_amd", "cycles:p", "this CPU has no ibs_op: KVM shows it to no guest"},
		{"kvm_amd", "ibs_op//", "this CPU has no ibs_op: KVM shows it to no guest"},
		{"kvm_amd", "cycles:P", ""},
		{"skx", "cycles:p", ""},
		{"skx", OFFCORE(0x10001), ""},
		{"zen3", "ibs_op//", ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct planner_request r = {.uarch = rows[i].uarch};

		assert_int_equal(plan_request(r, rows[i].event), 0);
		if (*rows[i].sentence) {
			assert_int_equal(p->plan.events[0].status, PMU_PLAN_NOT_SUPPORTED);
			assert_non_null(strstr(p->plan.events[0].why.text, rows[i].sentence));
		} else {
			assert_int_equal(p->plan.events[0].percent, 10000);
		}
	}
	assert_int_equal(plan_request((struct planner_request){.uarch = "kvm_amd"}, "cycles"), 0);
	assert_non_null(strstr(write_by(planner_print), "zen3 in KVM, hyper-threading on"));
}

GROUP(setup, teardown);
