/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.h - what a set of events would get, without running anything: opens them as the core does,
 * and has pmu_tick() decide slice after slice on a PMU that is only described. Gives each event its
 * share of time, and the list of the configurations that occur: which event is on which counter,
 * and what each of the others waits for.
 *
 * Rules of use: fill in the job; storage is the caller's, all of it zeroed first. Pure; task
 * context (a plan is large; keep it static). Events: `name`, `constraint`, `hardware`, `enabled`,
 * `corrupting`; groups: `events`, linked, `n`, `cpu`, `pinned`, `exclusive`, `enabled`; the rest is
 * the plan's. They are copied and stay as they are.
 *
 * The model of time: a slice is a multiplexing interval. The other hyper-thread schedules at the
 * same times, by policy perf, and just before this one.
 */
#ifndef PMU_PLAN_PLAN_H
#define PMU_PLAN_PLAN_H

#include "lib/reason.h"
#include "pmu/plan/rules.h"
#include "pmu/sched/tick.h"

#define PMU_PLAN_EVENTS 128
#define PMU_PLAN_GROUPS 128

/* Events of a configuration that have no counter. */
#define PMU_PLAN_SOFTWARE 0xfe /* counts */
#define PMU_PLAN_WAITS    PMU_NO_COUNTER

struct pmu_plan_job {
	uint64_t counters; /* of the PMU, with hyper-threading as it is */
	uint64_t
		transactions; /* of these, those that RTM takes (TFA, TSX_FORCE_ABORT bit 0 is 0) */
	bool ht;              /* hyper-threading is on */
	bool ht_erratum;      /* and mixes up counters: see pmu_tick_event.corrupting */
	uint32_t rules;       /* PMU_RULES_NOW, or pmu_kernel_rules() */
	struct pmu_fair *fair; /* policy fair; NULL: policy perf */

	const struct pmu_tick_group *groups; /* in the order of opening */
	unsigned ngroups;
	const struct pmu_tick_group *sibling; /* of the other hyper-thread */
	unsigned nsibling;
	bool node;         /* not of a hyper-thread: of another core of the node */
	uint8_t shared;    /* registers beside the counters that hyper-threads share */
	uint64_t watchdog; /* where the NMI watchdog's cycles event may count; 0: it is off */

	uint32_t ticks;          /* slices to simulate, from 1 */
	uint32_t interval_us;    /* length of one */
	uint64_t sleep_after_us; /* the task sleeps from then on; 0: never */
};

enum pmu_plan_status { PMU_PLAN_COUNTED, PMU_PLAN_NOT_COUNTED, PMU_PLAN_NOT_SUPPORTED };

struct pmu_plan_event {
	uint8_t status;   /* enum pmu_plan_status */
	bool has_percent; /* it was read: not so in a group of which a part was refused, nor in the
			     error state */
	uint32_t percent; /* of the time it was enabled, in hundredths */
	uint64_t running_us, enabled_us;
	struct reason why; /* refused, or not read, or waited: what for, the first time */
};

/* One configuration: events as in the job, group after group. */
struct pmu_plan_config {
	uint32_t ticks;                     /* slices that began with it */
	uint8_t watchdog;                   /* counter; PMU_NO_COUNTER */
	uint8_t counter[PMU_PLAN_EVENTS];   /* or PMU_PLAN_SOFTWARE, PMU_PLAN_WAITS */
	struct reason why[PMU_PLAN_GROUPS]; /* of groups that wait */
};

/* A slice, as it begins. */
struct pmu_plan_slice {
	uint8_t watchdog;                     /* its counter; PMU_NO_COUNTER */
	const uint8_t *counter;               /* of each event, as in a configuration */
	const struct pmu_plan_config *config; /* NULL: there was no room for this one */
};

/* To be told of each slice, in their order, beside what a plan keeps of them. */
struct pmu_plan_watch {
	void (*begin)(void *ctx); /* before the first one; a plan may begin anew */
	void (*slice)(void *ctx, const struct pmu_plan_slice *slice);
	void *ctx;
};

/* One hyper-thread, as it is simulated. */
struct pmu_plan_side {
	struct pmu_tick tick;
	struct pmu_tick_context contexts[PMU_TICK_CONTEXTS];
	struct pmu_tick_event events[PMU_PLAN_EVENTS + 1];
	struct pmu_tick_group groups[PMU_PLAN_GROUPS + 1];
	uint8_t origin[PMU_PLAN_EVENTS + 1]; /* of each event, in the job */
	uint8_t group[PMU_PLAN_GROUPS + 1];
	unsigned nevents, ngroups;
};

struct pmu_plan {
	unsigned nevents;
	struct pmu_plan_event events[PMU_PLAN_EVENTS];
	unsigned nconfigs;
	struct pmu_plan_config *configs; /* the caller's, in order of first use */
	unsigned max_configs;
	uint32_t other_ticks;               /* with configurations for which there was no room */
	bool multiplexed;                   /* some group had to wait */
	const struct pmu_plan_watch *watch; /* the caller's; NULL: none */

	struct pmu_plan_side own, sibling;
};

/*
 * pmu_plan() - runs it; `plan` zeroed but for configs, max_configs and watch. Returns 0, or -EINVAL
 * with the reason: too many events or groups, an empty group, no slices.
 */
int pmu_plan(const struct pmu_plan_job *job, struct pmu_plan *plan, struct reason *why);

#endif
