/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.h - simulates how a set of events would count. It opens them as the core does, and lets
 * pmu_tick() decide slice after slice on a described PMU. The result is each event's share of time,
 * and the list of configurations that occur: the counters of the events, and the reasons of those
 * that wait.
 *
 * Rules of use: fill in the job; the caller provides the storage, all zeros. Pure; task context (a
 * plan is large: use static storage). The job sets `name`, `constraint`, `hardware`, `enabled`,
 * `corrupting` of events, and `events`, linked, `n`, `cpu`, `pinned`, `exclusive`, `enabled` of
 * groups. The plan copies them and sets the rest.
 *
 * The model of time: a slice is a multiplexing interval. The other hyper-thread schedules at the
 * same times, by policy perf, just before this one.
 */
#ifndef PMU_PLAN_PLAN_H
#define PMU_PLAN_PLAN_H

#include "lib/reason.h"
#include "pmu/plan/linux_rules.h"
#include "pmu/sched/tick.h"

#define PMU_PLAN_EVENTS 128
#define PMU_PLAN_GROUPS 128

/* Values of `counter` for events without a counter. */
#define PMU_PLAN_SOFTWARE 0xfe /* a software event that counts */
#define PMU_PLAN_WAITS    PMU_NO_COUNTER

struct pmu_plan_job {
	uint64_t counters;     /* counters of the PMU, with the present hyper-threading */
	uint64_t transactions; /* those that RTM uses (TFA, TSX_FORCE_ABORT bit 0 is 0) */
	bool ht;               /* hyper-threading is on */
	bool ht_erratum;       /* the HT erratum exists: see pmu_tick_event.corrupting */
	uint32_t rules;        /* PMU_RULES_NOW, or pmu_kernel_rules() */
	struct pmu_fair *fair; /* policy fair; NULL: policy perf */

	const struct pmu_tick_group *groups; /* in the order of opening */
	unsigned ngroups;
	const struct pmu_tick_group *sibling; /* events of the other hyper-thread */
	unsigned nsibling;
	bool node;         /* `sibling` is another core of the node, not a hyper-thread */
	uint8_t shared;    /* registers beside the counters that hyper-threads share */
	uint64_t watchdog; /* counters for the NMI watchdog's cycles event; 0: it is off */

	uint32_t ticks;          /* slices to simulate, from 1 */
	uint32_t interval_us;    /* length of one */
	uint64_t sleep_after_us; /* the task sleeps from then on; 0: never */
};

enum pmu_plan_status { PMU_PLAN_COUNTED, PMU_PLAN_NOT_COUNTED, PMU_PLAN_NOT_SUPPORTED };

struct pmu_plan_event {
	uint8_t status;   /* enum pmu_plan_status */
	bool has_percent; /* it has a value: not in the error state, nor in a group with refused
			     events */
	uint32_t percent; /* share of its enabled time, in hundredths of a percent */
	uint64_t running_us, enabled_us;
	struct reason why; /* why it was refused, was not read, or first waited */
};

/* A configuration: events as in the job, group after group. */
struct pmu_plan_config {
	uint32_t ticks;                     /* slices with this configuration */
	uint8_t watchdog;                   /* the watchdog's counter, or PMU_NO_COUNTER */
	uint8_t counter[PMU_PLAN_EVENTS];   /* or PMU_PLAN_SOFTWARE, PMU_PLAN_WAITS */
	struct reason why[PMU_PLAN_GROUPS]; /* for groups that wait */
};

/* A slice at its beginning. */
struct pmu_plan_slice {
	uint8_t watchdog;                     /* the watchdog's counter, or PMU_NO_COUNTER */
	const uint8_t *counter;               /* of each event, as in a configuration */
	const struct pmu_plan_config *config; /* NULL: no room for it */
};

/* Callbacks for each slice, in order. */
struct pmu_plan_watch {
	void (*begin)(void *ctx); /* before the first slice; a plan may start over */
	void (*slice)(void *ctx, const struct pmu_plan_slice *slice);
	void *ctx;
};

/* The simulation of one hyper-thread. */
struct pmu_plan_side {
	struct pmu_tick tick;
	struct pmu_tick_context contexts[PMU_TICK_CONTEXTS];
	struct pmu_tick_event events[PMU_PLAN_EVENTS + 1];
	struct pmu_tick_group groups[PMU_PLAN_GROUPS + 1];
	uint8_t origin[PMU_PLAN_EVENTS + 1]; /* index of each event in the job */
	uint8_t group[PMU_PLAN_GROUPS + 1];
	unsigned nevents, ngroups;
};

struct pmu_plan {
	unsigned nevents;
	struct pmu_plan_event events[PMU_PLAN_EVENTS];
	unsigned nconfigs;
	struct pmu_plan_config *configs; /* provided by the caller; in order of first use */
	unsigned max_configs;
	uint32_t other_ticks;               /* slices whose configurations found no room */
	bool multiplexed;                   /* a group had to wait */
	const struct pmu_plan_watch *watch; /* provided by the caller; NULL: none */

	struct pmu_plan_side own, sibling;
};

/*
 * pmu_plan() - simulates the job. `plan` is zero except configs, max_configs and watch. Returns 0,
 * or -EINVAL with the reason: too many events or groups, an empty group, no slices.
 */
int pmu_plan(const struct pmu_plan_job *job, struct pmu_plan *plan, struct reason *why);

#endif
