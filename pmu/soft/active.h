/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * active.h - lists of the events that count now, through pmu_event->next_active. An NMI or an
 * interrupt may look at any moment: lists change by one store each.
 */
#ifndef PMU_SOFT_ACTIVE_H
#define PMU_SOFT_ACTIVE_H

#include "pmu/state/state.h"

static inline void active_store(struct pmu_event **at, struct pmu_event *e)
{
	local_barrier();
	*(struct pmu_event *volatile *)at = e;
}

/* active_add() - `e`, which is in no list, is the first one of `list` from now on. */
static inline void active_add(struct pmu_event **list, struct pmu_event *e)
{
	e->next_active = *list;
	active_store(list, e);
}

/* active_remove() - `e` is in `list`. */
static inline void active_remove(struct pmu_event **list, const struct pmu_event *e)
{
	while (*list != e)
		list = &(*list)->next_active;
	active_store(list, e->next_active);
}

#endif
