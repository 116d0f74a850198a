// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_plan.c - the planner, by the worked examples of "The Linux perf Event Scheduling Algorithm"
 * and further cases: a table of event sets, machines and outcomes. The masks are written down by
 * hand, so that the tables of pmu/uarch/ are not compared with themselves.
 */
#include "lib/bits.h"
#include "pmu/sched/explain.h"
#include "pmu/plan/plan.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

#define GROUPS  8
#define EVENTS  8
#define CONFIGS 32
#define F(n)    (1ull << (PMU_FIRST_FIXED + (n)))
#define OUT     0xffff /* <not supported> */
#define UNREAD  0xfffe /* <not counted> without a percentage */

/*
 * Events by letter. Lower case: as below; a group is a run of letters, groups are separated by
 * commas, ":D" pins a group, ":c" puts it on the CPU, ":x" makes it exclusive.
 *	p  L1D_PEND_MISS.PENDING before Skylake, and CYCLE_ACTIVITY.STALLS_L1D_PENDING: counter 2
 *	m  a corrupting memory event: counters 0 to 3
 *	l  the same where it does not corrupt
 *	a  any general counter
 *	i  instructions: fixed counter 0 or any
 *	y  cycles: fixed counter 1 or any
 *	t  counter 3 alone
 *	s  a software event
 *	n  no counter at all
 */
static struct pmu_tick_event event(char letter)
{
	static const struct {
		char letter;
		uint64_t counters;
		bool corrupting;
		const char *name;
	} rows[] = {
		{'p', 0x4, false, "l1d_pend_miss.pending"},
		{'m', 0xf, true, "mem_load_uops_retired.l1_hit"},
		{'l', 0xf, false, "mem_load_retired.l1_hit"},
		{'a', 0xff, false, "dtlb_load_misses.walk_completed"},
		{'i', 0xff | F(0), false, "instructions"},
		{'y', 0xff | F(1), false, "cycles"},
		{'t', 0x8, false, "mem_trans_retired"},
		{'n', 0, false, "nowhere"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].letter == letter)
			return (struct pmu_tick_event){
				.name = rows[i].name,
				.constraint = pmu_constraint(rows[i].counters, false),
				.hardware = true,
				.enabled = true,
				.corrupting = rows[i].corrupting};
	assert_int_equal(letter, 's');
	return (struct pmu_tick_event){.name = "faults", .enabled = true};
}

struct set {
	struct pmu_tick_event events[GROUPS * EVENTS];
	struct pmu_tick_group groups[GROUPS];
	unsigned ngroups, nevents;
};

static void parse_groups(struct set *s, const char *text)
{
	struct pmu_tick_group *g = NULL;

	memset(s, 0, sizeof(*s));
	for (; text && *text; text++) {
		if (!g) {
			g = &s->groups[s->ngroups++];
			*g = (struct pmu_tick_group){.enabled = true};
		}
		if (*text == ',') {
			g = NULL;
		} else if (*text == ':') {
			text++;
			g->pinned |= *text == 'D';
			g->cpu |= *text == 'c';
			g->exclusive |= *text == 'x';
		} else {
			s->events[s->nevents] = event(*text);
			pmu_tick_append(g, &s->events[s->nevents++]);
		}
	}
}

static struct pmu_plan plan;
static struct pmu_plan_config configs[CONFIGS];
static struct pmu_fair fair;

struct machine {
	bool ht, erratum, tfa;
	unsigned general; /* 0: 4 with hyper-threading, 8 without */
	const char *kernel;
	uint64_t watchdog;
	const char *sibling;
	bool fair;
	uint32_t ticks;
	uint64_t sleep_us;
};

static void plan_events(const char *events, const struct machine *m)
{
	static struct set own, sibling;
	struct pmu_plan_job job = {0};
	struct reason why;
	unsigned general = m->general ? m->general : m->ht ? 4 : 8;

	parse_groups(&own, events);
	parse_groups(&sibling, m->sibling);
	job.counters = bits_low(general) | F(0) | F(1) | F(2);
	job.transactions = m->tfa ? 8 : 0;
	job.ht = m->ht;
	job.ht_erratum = m->erratum;
	job.rules = PMU_RULES_NOW;
	if (m->kernel) {
		uint32_t version;

		assert_true(pmu_kernel_parse(m->kernel, &version));
		job.rules = pmu_kernel_rules(version);
	}
	job.groups = own.groups;
	job.ngroups = own.ngroups;
	job.sibling = sibling.groups;
	job.nsibling = sibling.ngroups;
	job.watchdog = m->watchdog;
	job.ticks = m->ticks ? m->ticks : 840;
	job.interval_us = 4000;
	job.sleep_after_us = m->sleep_us;
	memset(&plan, 0, sizeof(plan));
	memset(&fair, 0, sizeof(fair));
	job.fair = m->fair ? &fair : NULL;
	plan.configs = configs;
	plan.max_configs = CONFIGS;
	assert_int_equal(pmu_plan(&job, &plan, &why), 0);
}

#define HSW_HT                              \
	{                                   \
		.ht = true, .erratum = true \
	}
#define HSW                     \
	{                       \
		.erratum = true \
	}
#define SKL_HT             \
	{                  \
		.ht = true \
	}
#define SKL                 \
	{                   \
		.ht = false \
	}
#define WATCHDOG (F(1) | 0xff)

/* Percentages in hundredths, in the order of the letters. */
static const struct row {
	const char *what, *events;
	struct machine machine;
	uint32_t percent[EVENTS + 1];
} rows[] = {
	/* The first command: two events, one counter. */
	{"1, before Skylake, HT", "p,p", HSW_HT, {5000, 5000}},
	{"1, before Skylake", "p,p", HSW, {5000, 5000}},
	{"1, watchdog on its fixed counter",
	 "p,p",
	 {.ht = true, .erratum = true, .watchdog = WATCHDOG},
	 {5000, 5000}},
	{"1, watchdog on counter 2", "p,p", {.ht = true, .erratum = true, .watchdog = 4}, {0, 0}},
	{"1, corrupting event on the sibling's counter 2",
	 "p,p",
	 {.ht = true, .erratum = true, .sibling = "aam"},
	 {5000, 5000}},
	{"1, corrupting events on three of the sibling's",
	 "p,p",
	 {.ht = true, .erratum = true, .sibling = "pm:D", .kernel = "4.0"},
	 {5000, 5000}},
	{"1, Skylake", "l,l", SKL_HT, {10000, 10000}},
	{"1, Skylake with TFA and watchdog",
	 "l,l",
	 {.ht = true, .tfa = true, .watchdog = 0xf},
	 {10000, 10000}},
	/* The second: one of them pinned. */
	{"2, before Skylake", "p,p:D", HSW_HT, {0, 10000}},
	{"2, Skylake", "l,l:D", SKL_HT, {10000, 10000}},
	/* The third: a group with a software event. */
	{"3, before Skylake", "ps,p:D,m", HSW_HT, {0, 0, 10000, 5000}},
	{"3, before Skylake, no HT", "ps,p:D,m", HSW, {0, 0, 10000, 5000}},
	{"3, 4.1-rc1 with watchdog",
	 "ps,p:D,m",
	 {.ht = true, .erratum = true, .kernel = "4.1-rc3", .watchdog = WATCHDOG},
	 {0, 0, 10000, 0}},
	{"3, 4.1-rc1 without",
	 "ps,p:D,m",
	 {.ht = true, .erratum = true, .kernel = "4.1-rc3"},
	 {0, 0, 10000, 5000}},
	{"3, Skylake", "ls,l:D,l", SKL_HT, {10000, 10000, 10000, 10000}},
	{"3, fair", "ps,p:D,m", {.ht = true, .erratum = true, .fair = true}, {0, 0, 10000, 10000}},
	/* The fourth: three corrupting events. */
	{"4, HT", "m,m,m", HSW_HT, {6667, 6667, 6667}},
	{"4, no HT", "m,m,m", HSW, {10000, 10000, 10000}},
	{"4, before 4.1",
	 "m,m,m",
	 {.ht = true, .erratum = true, .kernel = "4.0"},
	 {10000, 10000, 10000}},
	{"4, Skylake", "l,l,l", SKL_HT, {10000, 10000, 10000}},
	{"the group that weights make possible", "mmmp", HSW, {10000, 10000, 10000, 10000}},
	{"the same, before 2.6.34",
	 "mmmp",
	 {.erratum = true, .kernel = "2.6.33"},
	 {UNREAD, UNREAD, UNREAD, OUT}},
	/* The fifth: five of them. */
	{"5, HT", "m,m,m,m,m", HSW_HT, {4000, 4000, 4000, 4000, 4000}},
	{"5, Skylake", "l,l,l,l,l", SKL, {8000, 8000, 8000, 8000, 8000}},
	{"5, Skylake, TFA", "l,l,l,l,l", {.tfa = true}, {6000, 6000, 6000, 6000, 6000}},
	{"5, Skylake, TFA before 5.1",
	 "l,l,l,l,l",
	 {.tfa = true, .kernel = "5.0"},
	 {8000, 8000, 8000, 8000, 8000}},
	{"5, Skylake, fair", "l,l,l,l,l", {.fair = true}, {8000, 8000, 8000, 8000, 8000}},
	/* The sixth and seventh: six events, alone and as a group. */
	{"6, HT", "a,a,a,a,a,a", SKL_HT, {6667, 6667, 6667, 6667, 6667, 6667}},
	{"6, no HT", "a,a,a,a,a,a", SKL, {10000, 10000, 10000, 10000, 10000, 10000}},
	{"6, Sunny Cove", "l,l,l,l,l,l", SKL, {6667, 6667, 6667, 6667, 6667, 6667}},
	{"7, four counters", "aaaaaa", SKL_HT, {UNREAD, UNREAD, UNREAD, UNREAD, OUT, OUT}},
	{"7, eight counters", "aaaaaa", SKL, {10000, 10000, 10000, 10000, 10000, 10000}},
	{"7, Sunny Cove", "llllll", SKL, {UNREAD, UNREAD, UNREAD, UNREAD, OUT, OUT}},
	/* The eighth: a task that sleeps before the first rotation. */
	{"8, sleep",
	 "i,a,a,a,a,a,a",
	 {.ht = true, .sleep_us = 1000},
	 {10000, 10000, 10000, 10000, 10000, 0, 0}},
	{"8, no HT",
	 "i,a,a,a,a,a,a",
	 {.sleep_us = 1000},
	 {10000, 10000, 10000, 10000, 10000, 10000, 10000}},
	{"sleeps in the third slice", "p,p", {.ht = true, .sleep_us = 10000}, {6000, 4000}},
	/* Other messages of the text. */
	{"no counter", "n,a", SKL, {OUT, 10000}},
	{"no counter for a leader", "na", SKL, {OUT, OUT}},
	{"pinned, no room: error", "p:D,p:D,a", SKL, {10000, UNREAD, 10000}},
	{"a pinned one that fails stops those behind",
	 "p:D,p:D,a:D,a",
	 SKL,
	 {10000, UNREAD, UNREAD, 10000}},
	{"but not those of the other context", "p:D:c,a:D", SKL, {10000, 10000}},
	{"CPU before task", "p,p:c", SKL, {0, 10000}},
	{"a failure on the CPU does not stop the task", "p:c,p:c,a", SKL, {5000, 5000, 10000}},
	{"software behind a failure counts, and has no turn", "p,p,s", SKL, {5000, 5000, 10000}},
	{"software between", "p,s,p", SKL, {5000, 10000, 5000}},
	{"software before, twice", "s,s,p,p", SKL, {10000, 10000, 5000, 5000}},
	{"software before, fair", "s,s,p,p", {.fair = true}, {10000, 10000, 5000, 5000}},
	{"software of the CPU", "s:c,s:c,p:c,p:c", SKL, {10000, 10000, 5000, 5000}},
	{"a group of software", "ss,p,p", SKL, {10000, 10000, 5000, 5000}},
	{"software that leads hardware has turns", "sp,p", SKL, {5000, 5000, 5000}},
	{"hardware that leads software has turns", "ps,p", SKL, {5000, 5000, 5000}},
	{"fixed first", "i,a,a,a,a", SKL_HT, {10000, 10000, 10000, 10000, 10000}},
	{"exclusive", "a:x,a", SKL, {5000, 5000}},
	{"exclusive, fair", "a:x,a", {.fair = true}, {5000, 5000}},
	{"TFA takes the only counter", "t", {.tfa = true}, {OUT}},
	{"TFA, not known yet", "t", {.tfa = true, .kernel = "5.0"}, {10000}},
	{"a group beyond the limit opens and never runs", "mmm", HSW_HT, {0, 0, 0}},
	{"software sibling before 4.18", "sas", {.kernel = "4.17"}, {UNREAD, UNREAD, OUT}},
	{"software sibling since", "sas", {.kernel = "4.18"}, {10000, 10000, 10000}},
	{"sibling corrupts all it may",
	 "a,a,a",
	 {.ht = true, .erratum = true, .sibling = "mm:D"},
	 {6667, 6667, 6667}},
	{"sibling's corrupting events, not known yet",
	 "a,a,a,a",
	 {.ht = true, .erratum = true, .sibling = "mm:D", .kernel = "3.9"},
	 {10000, 10000, 10000, 10000}},
	{"sibling has all: no place for a corrupting one",
	 "m,a",
	 {.ht = true, .erratum = true, .sibling = "aaaa:D"},
	 {0, 5000}},
	{"the same, fair",
	 "m,a",
	 {.ht = true, .erratum = true, .sibling = "aaaa:D", .fair = true},
	 {0, 10000}},
	{"greedy loses half", "ps,p:D,l", SKL, {0, 0, 10000, 5000}},
	{"fair loses nothing", "ps,p:D,l", {.fair = true}, {0, 0, 10000, 10000}},
};

static void check_row(const struct row *r)
{
	plan_events(r->events, &r->machine);
	for (unsigned i = 0; i < plan.nevents; i++) {
		const struct pmu_plan_event *e = &plan.events[i];
		uint32_t got = e->status == PMU_PLAN_NOT_SUPPORTED ? OUT
			       : !e->has_percent                   ? UNREAD
								   : e->percent;

		if (got != r->percent[i])
			fail_msg("%s: event %u has %u instead of %u (%s)", r->what, i, got,
				 r->percent[i], e->why.text);
		if (got != UNREAD && got != OUT &&
		    e->status != (got ? PMU_PLAN_COUNTED : PMU_PLAN_NOT_COUNTED))
			fail_msg("%s: event %u has status %u", r->what, i, e->status);
		if ((got == OUT || got < 10000) && !e->why.text[0])
			fail_msg("%s: nobody says why event %u has %u", r->what, i, got);
	}
}

TEST(test_rows)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_row(&rows[i]);
}

/* The ticks of all configurations add up, and each waiting event has a reason. */
TEST(test_configs)
{
	uint32_t ticks = 0;

	plan_events("p,p,i", &(struct machine){.ht = true, .watchdog = WATCHDOG});
	assert_true(plan.multiplexed);
	assert_int_equal(plan.nconfigs, 3);
	assert_int_equal(configs[0].counter[0], 2);
	assert_int_equal(configs[0].counter[1], PMU_PLAN_WAITS);
	assert_int_equal(configs[0].counter[2], PMU_PLAN_WAITS);
	assert_int_equal(configs[0].watchdog, 33);
	assert_string_equal(configs[0].why[1].text, "l1d_pend_miss.pending needs PMC2; held by "
						    "l1d_pend_miss.pending on PMC2");
	assert_string_equal(configs[0].why[2].text,
			    "policy perf tries nothing behind the group of l1d_pend_miss.pending, "
			    "which did not fit");
	for (unsigned c = 0; c < plan.nconfigs; c++)
		ticks += configs[c].ticks;
	assert_int_equal(ticks + plan.other_ticks, 840);
	plan_events("a", &(struct machine){0});
	assert_false(plan.multiplexed);
	assert_int_equal(plan.nconfigs, 1);
	assert_int_equal(configs[0].ticks, 840);
}

/* Each restriction has its own sentence. */
TEST(test_reasons)
{
	static const struct {
		const char *events;
		unsigned event;
		struct machine machine;
		const char *reason;
	} cases[] = {
		{"m,m,m", 2, HSW_HT,
		 "with hyper-threading on at most 2 general counters may be in use beside a "
		 "corrupting event"},
		{"a,a,a",
		 2,
		 {.ht = true, .erratum = true, .sibling = "mm:D"},
		 "dtlb_load_misses.walk_completed needs PMC0-3; the other hyper-thread's events "
		 "exclude it from PMC0-1; held by dtlb_load_misses.walk_completed on PMC2, "
		 "dtlb_load_misses.walk_completed on PMC3"},
		{"l,l,l,l",
		 3,
		 {.tfa = true},
		 "mem_load_retired.l1_hit needs PMC0-3; transactions use PMC3; held by "
		 "mem_load_retired.l1_hit on PMC0, mem_load_retired.l1_hit on PMC1, "
		 "mem_load_retired.l1_hit on PMC2"},
		{"llll",
		 3,
		 {.tfa = true},
		 "mem_load_retired.l1_hit needs PMC0-3; transactions use PMC3, and the events of "
		 "its group before it need the others"},
		{"ll,ll",
		 2,
		 {.tfa = true},
		 "mem_load_retired.l1_hit needs PMC0-3; transactions use PMC3; held by "
		 "mem_load_retired.l1_hit on PMC0, mem_load_retired.l1_hit on PMC1; its own group "
		 "uses PMC2"},
		{"t", 0, {.tfa = true}, "mem_trans_retired needs PMC3; transactions use PMC3"},
		{"n", 0, SKL, "nowhere cannot count on any counter of this PMU"},
		{"pp", 1, SKL,
		 "l1d_pend_miss.pending needs PMC2, and the events of its group before it need "
		 "those"},
		{"na", 1, SKL, "the leader of its group was refused"},
		{"a:x,a", 1, SKL,
		 "the exclusive group of dtlb_load_misses.walk_completed has the PMU"},
		{"a,a:x", 1, SKL, "it is exclusive, and dtlb_load_misses.walk_completed counts"},
		{"a,a,a",
		 2,
		 {.ht = true, .erratum = true, .kernel = "4.1-rc1"},
		 "with hyper-threading on at most 2 counters may be in use"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		plan_events(cases[i].events, &cases[i].machine);
		assert_string_equal(plan.events[cases[i].event].why.text, cases[i].reason);
	}
}

TEST(test_no_room_for_configs)
{
	static struct set s;
	struct pmu_plan_job job = {
		.counters = 1, .rules = PMU_RULES_NOW, .ticks = 30, .interval_us = 1};
	struct reason why;

	parse_groups(&s, "a,a,a");
	job.groups = s.groups;
	job.ngroups = s.ngroups;
	memset(&plan, 0, sizeof(plan));
	plan.configs = configs;
	plan.max_configs = 2;
	assert_int_equal(pmu_plan(&job, &plan, &why), 0);
	assert_int_equal(plan.nconfigs, 2);
	assert_int_equal(configs[0].ticks, 10);
	assert_int_equal(configs[1].ticks, 10);
	assert_int_equal(plan.other_ticks, 10);
	assert_int_equal(plan.events[2].percent, 3333);
}

TEST(test_refusals)
{
	struct pmu_tick_group many[PMU_PLAN_GROUPS + 1] = {{0}};
	struct pmu_plan_job job = {.groups = many, .ngroups = 1, .ticks = 1, .interval_us = 1};
	struct reason why;

	memset(&plan, 0, sizeof(plan));
	assert_true(pmu_plan(&job, &plan, &why) < 0);
	assert_string_equal(why.text, "group 1 has no events");
	job.ngroups = PMU_PLAN_GROUPS + 1;
	assert_true(pmu_plan(&job, &plan, &why) < 0);
	job.ngroups = 0;
	job.ticks = 0;
	assert_true(pmu_plan(&job, &plan, &why) < 0);
	job.ticks = 1;
	assert_int_equal(pmu_plan(&job, &plan, &why), 0);
}

TEST(test_versions)
{
	static const char *const good[] = {"2.6.33",  "2.6.34-rc1", "3.2", "3.3-rc1", "3.10-rc1",
					   "4.1-rc1", "4.1-rc7",    "4.1", "4.1-rc7", "5.3"};
	static const char *const bad[] = {"",         "4",       "4.",     "4.1-",
					  "4.1-rc",   "4.1-rc0", "v4.1",   "4.1 ",
					  "4.1-rc7x", "4.1.2.3", "1000.1", "-1.2"};
	uint32_t before = 0, version;

	for (size_t i = 0; i < 8; i++) {
		assert_true(pmu_kernel_parse(good[i], &version));
		assert_true(version > before);
		before = version;
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (pmu_kernel_parse(bad[i], &version))
			fail_msg("'%s' is taken for a version", bad[i]);
	assert_true(pmu_kernel_parse("5.3", &version));
	assert_int_equal(pmu_kernel_rules(version), PMU_RULES_NOW | PMU_RULE(LEAK));
	assert_true(pmu_kernel_parse("4.1-rc6", &version));
	assert_true(pmu_kernel_rules(version) & PMU_RULE(LIMIT_TOTAL));
	assert_true(pmu_kernel_parse("4.1-rc7", &version));
	assert_false(pmu_kernel_rules(version) & PMU_RULE(LIMIT_TOTAL));
}
