/* SPDX-License-Identifier: BSD-2-Clause */
/* schedule.h - applies scheduling decisions to the PMU: see schedule.c. */
#ifndef PMU_CORE_SCHEDULE_H
#define PMU_CORE_SCHEDULE_H

#include "pmu/state/state.h"

/*
 * All functions are for the paused state, except pmu_group_check().
 *
 * pmu_schedule() - makes a new decision, and moves only the events that must move.
 * pmu_schedule_in() - a context starts to run.
 * pmu_schedule_out() - the events of a context stop, and it no longer runs.
 * pmu_stop() - stops an event, which remains enabled unless it is at its limit.
 * pmu_settle() - where pmu.hung: turns off the events that have reached their limit.
 */
void pmu_schedule_init(void);
void pmu_schedule(void);
void pmu_schedule_in(struct pmu_context *context);
void pmu_schedule_out(struct pmu_context *context);
void pmu_stop(struct pmu_event *e);
void pmu_settle(void);
void pmu_schedule_link(struct pmu_event *e); /* `e` is open, and in its lists */
void pmu_schedule_unlink(struct pmu_event *e);
void pmu_schedule_regroup(struct pmu_event *e); /* a sibling became a leader: keeps its counter */
void pmu_schedule_note(struct pmu_event *e);    /* its state or name changed */

/*
 * pmu_group_check() - checks that the group of `leader`, with `added` (NULL: none), fits on an idle
 * PMU. 0, or -EINVAL with the reason.
 */
int pmu_group_check(const struct pmu_event *leader, const struct pmu_event *added,
		    struct reason *why);

#endif
