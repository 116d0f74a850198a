/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * seed_rows.h - the outcomes of "The Linux perf Event Scheduling Algorithm", a row for each, for
 * test_seed_table.c: commands, machines, kernels, and what comes of them.
 */
#ifndef TESTS_SEED_ROWS_H
#define TESTS_SEED_ROWS_H

#include "pmu/plan/planner.h"

#include <stddef.h>
#include <stdint.h>

/* --- The commands --- */

#define WALKS                                                                   \
	"dtlb_load_misses.walk_completed,dtlb_load_misses.walk_completed_4k,"   \
	"dtlb_store_misses.walk_completed,dtlb_store_misses.walk_completed_4k," \
	"itlb_misses.walk_completed,itlb_misses.walk_completed_4k"

#define OLD_1 "l1d_pend_miss.pending,cycle_activity.stalls_l1d_pending"
#define OLD_2 "l1d_pend_miss.pending,cycle_activity.stalls_l1d_pending:D"
#define OLD_3                                                                 \
	"{l1d_pend_miss.pending,faults},cycle_activity.stalls_l1d_pending:D," \
	"mem_uops_retired.all_loads"
#define OLD_4                                                         \
	"mem_load_uops_retired.l1_hit,mem_load_uops_retired.l1_miss," \
	"mem_load_uops_retired.l2_hit"
#define OLD_5                                                         \
	"mem_load_uops_retired.l1_hit,mem_load_uops_retired.l1_miss," \
	"mem_load_uops_retired.hit_lfb,mem_load_uops_retired.l2_hit," \
	"mem_load_uops_retired.l3_hit"
#define NEW_1 "l1d_pend_miss.pending,cycle_activity.stalls_l1d_miss"
#define NEW_2 "l1d_pend_miss.pending,cycle_activity.stalls_l1d_miss:D"
#define NEW_3                                                              \
	"{l1d_pend_miss.pending,faults},cycle_activity.stalls_l1d_miss:D," \
	"mem_inst_retired.all_loads"
#define NEW_4 "mem_load_retired.l1_hit,mem_load_retired.l1_miss,mem_load_retired.l2_hit"
#define NEW_5                                                                       \
	"mem_load_retired.l1_hit,mem_load_retired.l1_miss,mem_load_retired.fb_hit," \
	"mem_load_retired.l2_hit,mem_load_retired.l3_hit"
#define ANY_6 WALKS
#define ANY_7 "{" WALKS "}"
#define ANY_8 "instructions," WALKS
/* With the blank that the article has in it. */
#define ORDER                                                          \
	"{mem_load_uops_retired.l1_hit,mem_load_uops_retired.l1_miss," \
	"mem_load_uops_retired.l2_hit ,l1d_pend_miss.pending}"

#define LEAKY     "snb snbx ivb ivbx hsw hsx"
#define BROADWELL "bdw bdx bde"
#define OLD       LEAKY " " BROADWELL
#define SKYLAKES  "skl kbl cfl skx clx"
#define NEW       SKYLAKES " icl icx"
#define MIDDLE    "hsw hsx " BROADWELL " " SKYLAKES
#define SUNNYCOVE "icl icx"

/* Kernels; "-": without one. */
#define ANY_KERNEL   "- 3.3 3.9 4.0 4.7 5.0 5.3"
#define UNAWARE      "3.2 3.3 3.9"
#define BLACKLISTED  "3.10-rc1 3.10 3.19 4.0"
#define LIMITS_ALL   "4.1-rc1 4.1-rc6"
#define LIMITS       "- 4.1-rc7 4.1 4.4 4.9 5.3"
#define TOP_COUNTERS "3.11 4.6 4.7-rc6"
#define LOW_COUNTERS "- 4.7-rc7 4.7 5.0"
#define BEFORE_TFA   "4.7 4.20 5.0"
#define WITH_TFA     "- 5.1-rc1 5.1 5.3"

#define OFFCORE(value) "cpu/event=0xb7,umask=1,offcore_rsp=" #value "/"

enum { OFF = 1, ON = 2, EITHER = 3 };

/*
 * Outcomes, event after event: percentages; `-` <not counted> without one; `!` <not supported>; `z`
 * for an event that stays at zero on its counter.
 * Counters, of the first configuration: event=counter, events from 0.
 */
struct row {
	const char *place;
	const char *events;
	const char *uarchs;
	int ht, watchdog, tfa;
	const char *kernels;
	const char *outcome;
	const char *counters;         /* NULL: whichever */
	const char *watchdog_counter; /* NULL: its own choice */
	const char *sibling, *sibling_counter;
	uint64_t sleep_ms;
	const struct planner_facts *facts; /* NULL: the tables only */
};

#define ROW(place_, events_, uarchs_, ht_, watchdog_, tfa_, kernels_, outcome_, ...)      \
	{                                                                                 \
		.place = (place_), .events = (events_), .uarchs = (uarchs_), .ht = (ht_), \
		.watchdog = (watchdog_), .tfa = (tfa_), .kernels = (kernels_),            \
		.outcome = (outcome_), __VA_ARGS__                                        \
	}

/* Constraints that no table has: the article's four events on four counters, and one counter that
 * transactions take. */
static const struct planner_facts overlapping = {4,
						 {{0xa0, {0x9, 0x9}, UARCH_OVERLAP},
						  {0xb0, {0x3, 0x3}, UARCH_OVERLAP},
						  {0xc0, {0x7, 0x7}, 0},
						  {0xd0, {0x7, 0x7}, 0}}};
static const struct planner_facts fourth = {1, {{0xa0, {0x8, 0x8}, 0}}};

static const struct row rows[] = {
	/* Examples, the first command. */
	ROW("Examples, 1: before Skylake they alternate on the third counter, whatever HT", OLD_1,
	    OLD, EITHER, OFF, OFF, "- 4.7 5.3", "50 50", .counters = "0=PMC2"),
	ROW("Examples, 1: and the watchdog, which has a fixed counter, is not in their way", OLD_1,
	    OLD, EITHER, ON, OFF, "- 4.7 5.3", "50 50"),
	ROW("Examples, 1: unless the watchdog has the third counter: 0.00% each", OLD_1, OLD,
	    EITHER, OFF, OFF, "- 4.1 5.3", "0 0", .watchdog_counter = "PMC2"),
	ROW("Examples, 1: or a corrupting event of the sibling is there, since 4.1-rc1", OLD_1,
	    LEAKY, ON, EITHER, OFF, "- 4.1-rc1 4.1-rc6 4.1-rc7 5.3", "0 0",
	    .sibling = "mem_load_uops_retired.l1_hit", .sibling_counter = "PMC2"),
	ROW("Examples, 1: while that one comes and goes they may not add up to 100%", OLD_1, LEAKY,
	    ON, OFF, OFF, "- 4.1-rc7 5.3", "49.76 50",
	    .sibling = "mem_load_uops_retired.l1_hit,r0e", .sibling_counter = "PMC2"),
	ROW("Examples, 1: and the one may be very different from the other", OLD_1, LEAKY, ON, OFF,
	    OFF, "- 4.1-rc7 5.3", "0 50", .sibling = "mem_load_uops_retired.l1_hit,r0e",
	    .sibling_counter = "PMC2", .sleep_ms = 8),
	ROW("Examples, 1: which earlier kernels do not care about", OLD_1, LEAKY, ON, EITHER, OFF,
	    "3.3 3.9", "50 50", .sibling = "mem_load_uops_retired.l1_hit",
	    .sibling_counter = "PMC2"),
	ROW("Examples, 1: nor does an event that corrupts nothing matter", OLD_1, LEAKY, ON, EITHER,
	    OFF, "- 4.1 5.3", "50 50", .sibling = "dtlb_load_misses.walk_completed",
	    .sibling_counter = "PMC2"),
	ROW("Examples, 1: Skylake and later never multiplex, whatever HT and watchdog", NEW_1, NEW,
	    EITHER, EITHER, OFF, ANY_KERNEL, "100 100"),
	ROW("Examples, 1: even with TFA and the watchdog on a general counter", NEW_1, NEW, EITHER,
	    OFF, ON, ANY_KERNEL, "100 100", .watchdog_counter = "PMC0"),

	/* The second. */
	ROW("Examples, 2: the pinned one always, the other never", OLD_2, OLD, EITHER, EITHER, OFF,
	    "- 4.7 5.3", "0 100", .counters = "1=PMC2"),
	ROW("Examples, 2: makes no difference on Skylake and later", NEW_2, NEW, EITHER, EITHER,
	    EITHER, ANY_KERNEL, "100 100"),

	/* The third. */
	ROW("Examples, 3: the group never, the pinned event always, the last half of the time",
	    OLD_3, OLD, EITHER, EITHER, OFF, "- 4.1-rc7 4.7 5.3", "0 0 100 50"),
	ROW("Examples, 3: the last is blacklisted on Ivy Bridge from 3.10-rc1 to 4.1-rc1", OLD_3,
	    "ivb ivbx", EITHER, EITHER, OFF, BLACKLISTED, "0 0 100 !"),
	ROW("Examples, 3: but not on the others", OLD_3, "snb snbx hsw hsx " BROADWELL, EITHER,
	    EITHER, OFF, BLACKLISTED, "0 0 100 50"),
	ROW("Examples, 3: nor before", OLD_3, "ivb ivbx", EITHER, EITHER, OFF, UNAWARE,
	    "0 0 100 50"),
	ROW("Examples, 3: 4.1-rc1 to rc6 with HT, watchdog: a third counter is one too many", OLD_3,
	    LEAKY, ON, ON, OFF, LIMITS_ALL, "0 0 100 0"),
	ROW("Examples, 3: without watchdog there is one more", OLD_3, LEAKY, ON, OFF, OFF,
	    LIMITS_ALL, "0 0 100 50"),
	ROW("Examples, 3: and without HT no limit", OLD_3, LEAKY, OFF, EITHER, OFF, LIMITS_ALL,
	    "0 0 100 50"),
	ROW("Examples, 3: 4.1-rc7 and later, the sibling may take all the counters from it", OLD_3,
	    LEAKY, ON, EITHER, OFF, LIMITS, "0 0 100 0", .sibling = "{r0e,r0e,r0e,r0e}"),
	ROW("Examples, 3: Skylake and later, no multiplexing whatever watchdog and HT", NEW_3, NEW,
	    EITHER, EITHER, OFF, ANY_KERNEL, "100 100 100 100"),
	ROW("Examples, 3: Skylake with more groups, before 4.7-rc7: zero on one of the top "
	    "counters",
	    "r0e,r0e,r0e,r0e," NEW_3, SKYLAKES, OFF, OFF, OFF, TOP_COUNTERS,
	    "100 100 100 100 100 100 100 100z", .counters = "7=PMC6"),
	ROW("Examples, 3: since then it is kept off these", "r0e,r0e,r0e,r0e," NEW_3, SKYLAKES, OFF,
	    OFF, OFF, LOW_COUNTERS, "100 100 100 100 100 100 100 100", .counters = "7=PMC0"),

	/* The fourth. */
	ROW("Examples, 4: with HT two of three corrupting events at a time, since 4.1-rc7", OLD_4,
	    LEAKY, ON, EITHER, OFF, LIMITS, "66.67 66.67 66.67"),
	ROW("Examples, 4: Broadwell has no such erratum", OLD_4, BROADWELL, ON, EITHER, OFF, LIMITS,
	    "100 100 100"),
	ROW("Examples, 4: without HT there is no multiplexing", OLD_4, OLD, OFF, EITHER, OFF,
	    LIMITS, "100 100 100"),
	ROW("Examples, 4: 4.1-rc1 to rc6 with HT: two of any kind", OLD_4, LEAKY, ON, OFF, OFF,
	    LIMITS_ALL, "66.67 66.67 66.67"),
	ROW("Examples, 4: of which the watchdog has one", OLD_4, LEAKY, ON, ON, OFF, LIMITS_ALL,
	    "33.33 33.33 33.33"),
	ROW("Examples, 4: before 3.10-rc1 nothing is known of it", OLD_4, OLD, EITHER, EITHER, OFF,
	    UNAWARE, "100 100 100"),
	ROW("Examples, 4: then Ivy Bridge refuses them all until 4.1-rc1", OLD_4, "ivb ivbx",
	    EITHER, EITHER, OFF, BLACKLISTED, "! ! !"),
	ROW("Examples, 4: and the others do not", OLD_4, "snb snbx hsw hsx " BROADWELL, EITHER,
	    EITHER, OFF, BLACKLISTED, "100 100 100"),
	ROW("Examples, 4: Skylake and later, no multiplexing", NEW_4, NEW, EITHER, EITHER, OFF,
	    ANY_KERNEL, "100 100 100"),
	ROW("Examples, 4: the group whose most constrained event comes first in the assignment",
	    ORDER, "hsw", OFF, EITHER, OFF, "- 3.2 4.1 5.3", "100 100 100 100",
	    .counters = "3=PMC2"),
	ROW("The Scheduling Algorithm: before 2.6.34-rc1 in order of creation, which fails", ORDER,
	    "hsw", OFF, OFF, OFF, "2.6.33", "- - - !"),
	ROW("The Scheduling Algorithm: since then by weight", ORDER, "hsw", OFF, OFF, OFF,
	    "2.6.34-rc1", "100 100 100 100"),

	/* The fifth. */
	ROW("Examples, 5: with HT two of five: 40% each", OLD_5, LEAKY, ON, EITHER, OFF, LIMITS,
	    "40 40 40 40 40"),
	ROW("Examples, 5: all are constrained to the bottom four: 80% without HT", OLD_5, LEAKY,
	    OFF, EITHER, OFF, "- 4.7-rc7 5.3", "80 80 80 80 80"),
	ROW("Examples, 5: Broadwell, bottom four, whatever HT, since 4.7-rc7", OLD_5, BROADWELL,
	    EITHER, EITHER, OFF, LOW_COUNTERS, "80 80 80 80 80"),
	ROW("Event Constraints Calculation: Broadwell before 4.7-rc7 may use the top counters",
	    OLD_5, BROADWELL, OFF, EITHER, OFF, TOP_COUNTERS, "100 100 100 100 100z",
	    .counters = "4=PMC4"),
	ROW("Examples, 5: Skylake and later, four of five: 80% each, whatever HT", NEW_5, NEW,
	    EITHER, EITHER, OFF, LOW_COUNTERS, "80 80 80 80 80"),
	ROW("Examples, 5: before 4.7-rc7 without HT no multiplexing, and the last counts nothing",
	    NEW_5, SKYLAKES, OFF, EITHER, OFF, TOP_COUNTERS, "100 100 100 100 100z",
	    .counters = "4=PMC4"),
	ROW("Examples, 5: with HT there were four counters then, too", NEW_5, SKYLAKES, ON, EITHER,
	    OFF, TOP_COUNTERS, "80 80 80 80 80"),
	ROW("Examples, 5: TFA takes one of the four since 5.1-rc1: 60% each", NEW_5, SKYLAKES,
	    EITHER, EITHER, ON, WITH_TFA, "60 60 60 60 60"),
	ROW("Examples, 5: and did not before", NEW_5, SKYLAKES, EITHER, EITHER, ON, BEFORE_TFA,
	    "80 80 80 80 80"),
	ROW("Event Constraints Calculation: Sunny Cove does not have TFA", NEW_5, SUNNYCOVE, EITHER,
	    EITHER, ON, WITH_TFA, "80 80 80 80 80"),

	/* The sixth. */
	ROW("Examples, 6: earlier than Sunny Cove, eight counters without HT: no multiplexing",
	    ANY_6, MIDDLE, OFF, EITHER, OFF, ANY_KERNEL, "100 100 100 100 100 100"),
	ROW("Examples, 6: with HT there are four", ANY_6, MIDDLE, ON, EITHER, OFF, "- 4.0 4.7 5.3",
	    "66.67 66.67 66.67 66.67 66.67 66.67"),
	ROW("Examples, 6: Sunny Cove has them on the bottom four, whatever HT", ANY_6, SUNNYCOVE,
	    EITHER, EITHER, OFF, ANY_KERNEL, "66.67 66.67 66.67 66.67 66.67 66.67"),
	ROW("Event Constraints Calculation: with TFA and HT there are three", ANY_6, SKYLAKES, ON,
	    EITHER, ON, WITH_TFA, "50 50 50 50 50 50"),
	ROW("Event Constraints Calculation: and seven without HT", ANY_6, SKYLAKES, OFF, EITHER, ON,
	    WITH_TFA, "100 100 100 100 100 100"),
	ROW("Event Constraints Calculation: 4.1-rc1 to rc6, HT: half of the general counters",
	    ANY_6, "hsw", ON, OFF, OFF, LIMITS_ALL, "33.33 33.33 33.33 33.33 33.33 33.33"),

	/* The seventh. */
	ROW("Examples, 7: four counters for six: validation fails at the fifth", ANY_7, MIDDLE, ON,
	    EITHER, OFF, ANY_KERNEL, "- - - - ! !"),
	ROW("Examples, 7: eight without HT are enough", ANY_7, MIDDLE, OFF, EITHER, OFF, ANY_KERNEL,
	    "100 100 100 100 100 100"),
	ROW("Examples, 7: Sunny Cove, bottom four, whatever HT", ANY_7, SUNNYCOVE, EITHER, EITHER,
	    OFF, ANY_KERNEL, "- - - - ! !"),
	ROW("Examples, 7: with TFA there are three", ANY_7, SKYLAKES, ON, EITHER, ON, WITH_TFA,
	    "- - - ! ! !"),

	/* The eighth. */
	ROW("Examples, 8: sleeps before the first rotation: those in front, and nothing else",
	    ANY_8, MIDDLE, ON, EITHER, OFF, "- 3.3 4.0 4.5 4.7 5.3", "100 100 100 100 100 0 0",
	    .counters = "0=FIXED0 1=PMC0 4=PMC3", .sleep_ms = 1),
	ROW("Examples, 8: on Sunny Cove whatever HT", ANY_8, SUNNYCOVE, EITHER, EITHER, OFF,
	    ANY_KERNEL, "100 100 100 100 100 0 0", .sleep_ms = 1),
	ROW("Examples, 8: where there are counters for all there is no multiplexing", ANY_8, MIDDLE,
	    OFF, EITHER, OFF, ANY_KERNEL, "100 100 100 100 100 100 100", .sleep_ms = 1),
	ROW("Examples, 8: had it run on, they would take turns", ANY_8, SUNNYCOVE, EITHER, OFF, OFF,
	    "- 5.3", "71.43 71.43 71.43 71.43 71.43 57.14 57.14"),

	/* The text before the examples. */
	ROW("Event Groups: software and hardware events in one group", "{faults,cycles,cs}", NEW,
	    EITHER, EITHER, OFF, "- 5.3", "100 100 100"),
	ROW("Event Groups: more events than counters in a group", "{r0e,r0e,r0e,r0e,r0e}", SKYLAKES,
	    ON, EITHER, OFF, "- 4.20", "- - - - !"),
	ROW("Event Groups: more than both kinds of counters",
	    "{cycles,instructions,ref-cycles,r0e,r0e,r0e,r0e,r0e}", SKYLAKES, ON, OFF, OFF,
	    "- 4.20", "- - - - - - - !"),
	ROW("The Scheduling Algorithm: pinned and flexible in one group are EINVAL",
	    "{cycles,instructions:D}", OLD " " NEW, EITHER, EITHER, OFF, "- 3.3 5.3", "- !"),
	ROW("The NMI Watchdog: pinned on the CPU comes before pinned in the task", "cycles:D",
	    OLD " " NEW, EITHER, ON, OFF, ANY_KERNEL, "100", .counters = "0=PMC0"),
	ROW("The NMI Watchdog: enabled late it may have a general counter", "cycles,r0e,r0e,r0e",
	    OLD " " NEW, ON, OFF, OFF, "- 4.0 5.3", "100 100 100 100", .watchdog_counter = "PMC3"),
	ROW("The NMI Watchdog: which is one less", "r0e,r0e,r0e,r0e", OLD " " SKYLAKES, ON, OFF,
	    OFF, "- 4.0 5.3", "75 75 75 75", .watchdog_counter = "PMC3"),
	ROW("The NMI Watchdog: it has the fixed counter, so that cycles get a general one",
	    "cycles", "snb hsw skl icl", EITHER, ON, OFF, ANY_KERNEL, "100", .counters = "0=PMC0"),
	ROW("The Scheduling Algorithm: fixed counters are preferred since 3.3-rc1",
	    "cycles,instructions", "snb hsw skl", EITHER, OFF, OFF, "- 3.3-rc1 3.3 5.3", "100 100",
	    .counters = "0=FIXED1 1=FIXED0"),
	ROW("The Scheduling Algorithm: and were not before", "cycles,instructions", "snb hsw skl",
	    EITHER, OFF, OFF, "3.2", "100 100", .counters = "0=PMC0 1=PMC1"),
	ROW("The Scheduling Algorithm: which may result in multiplexing unnecessarily",
	    "instructions,cycles,cycles,r0e,r0e,r0e", "snb hsw skl", ON, OFF, OFF, "3.2",
	    "100 100 99.76 99.76 99.76 99.76"),
	ROW("The Scheduling Algorithm: as it does not since",
	    "instructions,cycles,cycles,r0e,r0e,r0e", "snb hsw skl", ON, OFF, OFF,
	    "- 3.3-rc1 3.9 5.3", "100 100 100 100 100 100"),
	ROW("The Scheduling Algorithm: nor fails a group",
	    "{instructions,cycles,cycles,r0e,r0e,r0e}", "snb hsw skl", ON, OFF, OFF,
	    "- 3.3-rc1 3.9 5.3", "100 100 100 100 100 100"),
	ROW("The Scheduling Algorithm: that failed before",
	    "{instructions,cycles,cycles,r0e,r0e,r0e}", "snb hsw skl", ON, OFF, OFF, "3.2",
	    "- - - - - !"),
	ROW("The Scheduling Algorithm: a group is validated without the limit, and never runs",
	    "{" OLD_4 "}", LEAKY, ON, EITHER, OFF, LIMITS, "0 0 0"),
	ROW("The Scheduling Algorithm: before 4.13-rc2 a pinned group may have no priority",
	    "l1d_pend_miss.pending,{cycle_activity.stalls_l1d_pending,faults}:D", OLD, EITHER, OFF,
	    OFF, "4.11-rc1 4.12 4.13-rc1", "50 50 50"),
	ROW("The Scheduling Algorithm: where it has",
	    "l1d_pend_miss.pending,{cycle_activity.stalls_l1d_pending,faults}:D", OLD, EITHER, OFF,
	    OFF, "- 4.9 4.10 4.13-rc2 4.13 5.3", "0 100 100"),
	ROW("The Scheduling Algorithm: before 4.6-rc2 an event may falsely be at zero percent",
	    OLD_1, OLD, EITHER, OFF, OFF, "4.5-rc6 4.5 4.6-rc1", "0 100"),
	ROW("The Scheduling Algorithm: where it is not", OLD_1, OLD, EITHER, OFF, OFF,
	    "- 4.4 4.5-rc5 4.6-rc2 4.6", "50 50"),
	ROW("The Scheduling Algorithm: and may then as well at all of it", OLD_5, LEAKY, ON, OFF,
	    OFF, "4.5 4.6-rc1", "0 100 100 0 0"),
	ROW("The Scheduling Algorithm: software events are scheduled behind a failure, too",
	    OLD_1 ",faults", OLD, EITHER, EITHER, OFF, "- 5.3", "50 50 100"),
	ROW("The Scheduling Algorithm: a pinned group that fails is not tried again",
	    "l1d_pend_miss.pending:D,cycle_activity.stalls_l1d_pending:D", OLD, EITHER, EITHER, OFF,
	    "- 5.3", "100 -"),
	ROW("The Scheduling Algorithm: a software event in a group with both, before 4.18-rc1",
	    "{faults,cycles,cs}", "hsw skl icl", EITHER, OFF, OFF, "4.4 4.17", "- - !"),
	ROW("The Scheduling Algorithm: since then", "{faults,cycles,cs}", "hsw skl icl", EITHER,
	    OFF, OFF, "- 4.18-rc1 5.3", "100 100 100"),
	ROW("Event Constraints Calculation: L1D_PEND_MISS.PENDING on the third counter only",
	    "l1d_pend_miss.pending", OLD, EITHER, EITHER, OFF, ANY_KERNEL, "100",
	    .counters = "0=PMC2"),
	ROW("Event Constraints Calculation: on any one later", "l1d_pend_miss.pending", SKYLAKES,
	    EITHER, OFF, OFF, ANY_KERNEL, "100", .counters = "0=PMC0"),
	ROW("Event Constraints Calculation: eight counters without HT from Sandy Bridge on",
	    "r0e,r0e,r0e,r0e,r0e,r0e,r0e,r0e", "snb ivb hsw bdw skl skx clx", OFF, EITHER, OFF, "-",
	    "100 100 100 100 100 100 100 100"),
	ROW("Event Constraints Calculation: codes 0xd0, 0xd2, 0xcd on Broadwell, top before "
	    "4.7-rc7",
	    "r0e,r0e,r0e,r0e,mem_uops_retired.all_loads,mem_load_l3_hit_retired.xsnp_hit,"
	    "mem_trans_retired.any",
	    BROADWELL, OFF, OFF, OFF, TOP_COUNTERS, "100 100 100 100 100z 100z 100z",
	    .counters = "4=PMC4 5=PMC5 6=PMC6"),
	ROW("Event Constraints Calculation: and 0xc6 on Skylake",
	    "r0e,r0e,r0e,r0e,frontend_retired.any", SKYLAKES, OFF, OFF, OFF, TOP_COUNTERS,
	    "100 100 100 100 100z", .counters = "4=PMC4"),
	ROW("Event Constraints Calculation: where it is right",
	    "r0e,r0e,r0e,r0e,frontend_retired.any", SKYLAKES, OFF, OFF, OFF, LOW_COUNTERS,
	    "100 100 100 100 100", .counters = "4=PMC0"),
	ROW("Event Constraints Calculation: Broadwell before 4.3-rc4, all of 0xa3 on the third",
	    "l1d_pend_miss.pending,cycle_activity.cycles_no_execute", BROADWELL, EITHER, OFF, OFF,
	    "3.19 4.2 4.3-rc3", "50 50"),
	ROW("Event Constraints Calculation: since then not all of it",
	    "l1d_pend_miss.pending,cycle_activity.cycles_no_execute", BROADWELL, EITHER, OFF, OFF,
	    "- 4.3-rc4 5.3", "100 100"),
	ROW("Event Constraints Calculation: Haswell before 4.0-rc7, all of 0xa3 on the third",
	    "l1d_pend_miss.pending,cycle_activity.stalls_l2_pending", "hsw", EITHER, OFF, OFF,
	    "3.11 3.19 4.0-rc6", "50 50"),
	ROW("Event Constraints Calculation: since then some of it",
	    "l1d_pend_miss.pending,cycle_activity.stalls_l2_pending", "hsw", EITHER, OFF, OFF,
	    "- 4.0-rc7 4.1-rc7 5.3", "100 100"),
	ROW("Event Constraints Calculation: Silvermont before 3.15-rc7, 0x3c/1 on a fixed counter",
	    "r13c,r13c", "slm", OFF, OFF, OFF, "3.14 3.15-rc6", "50z 50z"),
	ROW("Event Constraints Calculation: since then on general ones", "r13c,r13c", "slm", OFF,
	    OFF, OFF, "- 3.15-rc7 5.3", "100 100"),
	ROW("Event Constraints Calculation: an event on the counter that TFA takes cannot be "
	    "measured",
	    "ra0,r0e", SKYLAKES, EITHER, OFF, ON, WITH_TFA, "! 100", .facts = &fourth),
	ROW("Event Constraints Calculation: where it does not, it can", "ra0,r0e", SKYLAKES, EITHER,
	    OFF, ON, BEFORE_TFA, "100 100", .facts = &fourth),
	ROW("Event Constraints Calculation: four overlapping events are found a way",
	    "{ra0,rb0,rc0,rd0}", "fam10h", EITHER, OFF, OFF, "- 3.3-rc1 3.19 4.0",
	    "100 100 100 100", .counters = "0=PMC3 1=PMC0 2=PMC1 3=PMC2", .facts = &overlapping),
	ROW("Event Constraints Calculation: without backtracking the group fails",
	    "{ra0,rb0,rc0,rd0}", "fam10h", EITHER, OFF, OFF, "3.2", "- - - !",
	    .facts = &overlapping),
	ROW("Event Constraints Calculation: the same alone", "ra0,rb0,rc0,rd0", "fam10h", EITHER,
	    OFF, OFF, "- 3.3 4.0", "100 100 100 100", .facts = &overlapping),
	ROW("Event Constraints Calculation: overlapping events of AMD's", "{r2e,r42,r42,r42}",
	    "fam15h", EITHER, OFF, OFF, "- 3.3 4.0", "100 100 100 100"),
	ROW("Event Constraints Calculation: the limit since 4.1-rc7 needs a corrupting event",
	    "r0e,r0e,r0e,r0e", LEAKY, ON, EITHER, OFF, LIMITS, "100 100 100 100"),
	ROW("Event Constraints Calculation: the one before did not", "r0e,r0e,r0e,r0e", LEAKY, ON,
	    OFF, OFF, LIMITS_ALL, "50 50 50 50"),
	ROW("Event Constraints Calculation: nothing goes where the sibling has a corrupting event",
	    "r0e,r0e,r0e,r0e", LEAKY, ON, EITHER, OFF, LIMITS, "75 75 75 75",
	    .sibling = "mem_load_uops_retired.l1_hit"),
	ROW("Event Constraints Calculation: a corrupting one not where it has any",
	    "mem_load_uops_retired.l1_hit", LEAKY, ON, EITHER, OFF, LIMITS, "100",
	    .counters = "0=PMC1", .sibling = "r0e"),
	/* Registers beside the counters. */
	ROW("The Scheduling Algorithm: the threads of Nehalem and Westmere share the off-core MSRs",
	    OFFCORE(2), "nhm nhm_ex wsm_ex", ON, EITHER, OFF, ANY_KERNEL, "0",
	    .sibling = OFFCORE(1)),
	ROW("The Scheduling Algorithm: two of them on Westmere", OFFCORE(2) "," OFFCORE(4), "wsm",
	    ON, EITHER, OFF, ANY_KERNEL, "50 50", .sibling = OFFCORE(1)),
	ROW("The Scheduling Algorithm: with the same value both count", OFFCORE(1),
	    "nhm nhm_ex wsm wsm_ex", ON, EITHER, OFF, ANY_KERNEL, "100", .sibling = OFFCORE(1)),
	ROW("The Scheduling Algorithm: others do not share them", OFFCORE(4) "," OFFCORE(8),
	    OLD " " SKYLAKES " " SUNNYCOVE, ON, EITHER, OFF, ANY_KERNEL, "100 100",
	    .sibling = OFFCORE(1) "," OFFCORE(2)),
	ROW("Event Constraints Calculation: an off-core response event needs one MSR",
	    OFFCORE(1) "," OFFCORE(2) "," OFFCORE(4) "," OFFCORE(8),
	    "wsm " OLD " " SKYLAKES " " SUNNYCOVE, EITHER, OFF, OFF, ANY_KERNEL, "50 50 50 50"),
};

#endif
