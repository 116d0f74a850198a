/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * active.h - lists of the active events, linked through pmu_event->next_active. An NMI or an
 * interrupt may read a list at any moment: each change is one store.
 */
#ifndef PMU_SOFT_ACTIVE_H
#define PMU_SOFT_ACTIVE_H

#include "pmu/state/state.h"

static inline void active_store(struct pmu_event **at, struct pmu_event *e)
{
	local_barrier();
	*(struct pmu_event *volatile *)at = e;
}

/* active_add() - puts `e`, which is in no list, at the head of `list`. */
static inline void active_add(struct pmu_event **list, struct pmu_event *e)
{
	e->next_active = *list;
	active_store(list, e);
}

/* active_remove() - takes `e`, which is in `list`, out of it. */
static inline void active_remove(struct pmu_event **list, const struct pmu_event *e)
{
	while (*list != e)
		list = &(*list)->next_active;
	active_store(list, e->next_active);
}

#endif
