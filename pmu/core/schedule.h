/* SPDX-License-Identifier: BSD-2-Clause */
/* schedule.h - from what is decided to what counts: see schedule.c. */
#ifndef PMU_CORE_SCHEDULE_H
#define PMU_CORE_SCHEDULE_H

#include "pmu/state/state.h"

/*
 * Paused, but for pmu_group_check() and pmu_schedule_room().
 *
 * pmu_schedule() decides anew and moves only what has to move. pmu_schedule_out() stops the events
 * of a context, as its time ends. pmu_stop() stops one; it wants to run all the same, unless it
 * came to its limit. pmu_settle(): those that did are off from now on.
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
 * pmu_group_check() - the group of `leader`, with `added` (NULL: none) as one more, fits on an idle
 * PMU. 0, or -EINVAL with the reason.
 */
int pmu_group_check(const struct pmu_event *leader, const struct pmu_event *added,
		    struct reason *why);

#endif
