/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * planner.h - converts a command line to a plan: parses events, looks up their counters on a
 * microarchitecture, runs pmu_plan(), and writes the result for people or for programs. The image's
 * `plan` and the tool's use this code.
 *
 * Rules of use: the caller provides the storage, which is large (below 2 MiB), all zeros;
 * planner_run(), then one of the two printers, any number of times. Pure; task context.
 */
#ifndef PMU_PLAN_PLANNER_H
#define PMU_PLAN_PLANNER_H

#include "pmu/names/parse.h"
#include "pmu/plan/plan.h"
#include "pmu/uarch/uarch.h"

#define PLANNER_CONFIGS     64
#define PLANNER_TICKS       2520 /* every share of a group among up to ten is exact */
#define PLANNER_TICKS_MAX   1000000
#define PLANNER_INTERVAL_US 4000
#define PLANNER_SLEEP_MAX   86400000 /* ms */

/* The counters of an event by an event file, which override the tables. */
struct planner_fact {
	uint64_t select;
	uint64_t counters[2]; /* with hyper-threading off and on */
	uint8_t flags;        /* UARCH_OVERLAP, UARCH_PEBS_ONLY, UARCH_ALONE */
};

#define PLANNER_FACTS (2 * PMU_PLAN_EVENTS)
struct planner_facts {
	size_t n;
	struct planner_fact rows[PLANNER_FACTS];
};

/* Texts of the command line; NULL: not given. */
struct planner_request {
	const char *uarch;         /* required */
	const char *const *events; /* lists, at least one */
	unsigned nevents;
	const char *sibling;          /* events of the other hyper-thread */
	const char *sibling_counter;  /* "PMC2": the only counter of these events */
	const char *node;             /* events of another core of the node; excludes `sibling` */
	const char *policy;           /* "perf" or "fair" */
	const char *kernel;           /* "4.1-rc7" */
	const char *watchdog_counter; /* "PMC2": the watchdog's counter */
	bool no_ht, tfa, watchdog;
	uint64_t ticks;    /* 0: PLANNER_TICKS */
	uint64_t sleep_ms; /* 0: never */

	const struct pmu_namer *namer;      /* NULL: none */
	const struct planner_facts *facts;  /* NULL: none; the namer may add facts */
	const struct pmu_plan_watch *watch; /* NULL: none */
	/*
	 * Marks the events to plan, in their order; NULL: all. `ntakes` must be the number of
	 * events.
	 */
	const bool *takes;
	unsigned ntakes;
};

/* The events of one hyper-thread. */
struct planner_side {
	struct pmu_event_spec specs[PMU_PLAN_EVENTS];
	struct reason refused[PMU_PLAN_EVENTS]; /* "": not refused */
	bool alone[PMU_PLAN_EVENTS];            /* split from a weak group that does not fit */
	uint64_t counting[PMU_PLAN_EVENTS];     /* counters that really count it, even if a kernel
						   believes otherwise */
	bool idle[PMU_PLAN_EVENTS]; /* it is on another counter at some time: `why` has the reason
				     */
	unsigned n;
	struct pmu_tick_event events[PMU_PLAN_EVENTS];
	struct pmu_tick_group groups[PMU_PLAN_GROUPS];
	unsigned ngroups;
};

struct planner {
	const struct uarch *uarch;
	bool ht;
	bool in_kvm;     /* in a guest of KVM on `uarch` */
	uint32_t kernel; /* or UARCH_NOW */
	const char *kernel_text;
	const char *note; /* a note about the request, or "" */
	struct planner_side own, sibling;
	uint64_t sibling_counters; /* mask of the counters that its events may use */
	struct pmu_fair fair;
	struct pmu_plan_job job;
	struct pmu_plan plan;
	struct pmu_plan_config configs[PLANNER_CONFIGS];
};

/*
 * planner_run() - returns 0, or -EINVAL with one sentence: an unknown microarchitecture, a mistake
 * in an event list with its column, contradicting options.
 */
int planner_run(struct planner *p, const struct planner_request *r, struct reason *why);

/*
 * planner_counters() - the counters of `select`, for a version of Linux or UARCH_NOW; a fact
 * overrides the tables. 0: none.
 */
uint64_t planner_counters(const struct uarch *uarch, bool ht, uint32_t kernel, uint64_t select,
			  const struct planner_facts *facts);

/* Takes the output piece by piece. */
struct planner_sink {
	void (*put)(void *ctx, const char *text);
	void *ctx;
};

/*
 * planner_print() - prints each event with its share as perf stat does, then the configurations.
 * planner_json() - writes the same as one object:
 *
 *   {"uarch","hyper_threading","policy","kernel","ticks","multiplexed",
 *    "events":[{"name","group","status","percent","reason"}],
 *    "configs":[{"ticks","watchdog","assign":{EVENT:COUNTER},"waiting":{EVENT:REASON}}],
 *    "other_ticks"}
 *
 * A repeated name is followed by #2, #3, ... there.
 */
void planner_print(const struct planner *p, const struct planner_sink *sink);
void planner_json(const struct planner *p, const struct planner_sink *sink);

#endif
