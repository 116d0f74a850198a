/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * region.h - regions that a program marks by name (system calls REGION_BEGIN and REGION_END of
 * include/perf0/perf0_syscalls.h), and the counts of events in them, summed by name over all tasks.
 * The measuring command sets the events; without one, a mark costs a system call and has no effect.
 */
#ifndef LINUX_PERF_REGION_H
#define LINUX_PERF_REGION_H

#include "include/perf0/perf0_syscalls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pmu_event;
struct region_stack;

#define REGIONS_MAX   32 /* names */
#define REGION_EVENTS 64

struct region_count {
	uint64_t value, enabled, running; /* as struct pmu_value */
};

struct region {
	char name[PERF0_REGION_NAME_MAX + 1];
	uint64_t calls; /* number of ended ones */
	uint64_t ns;    /* ns in all of them */
	struct region_count count[REGION_EVENTS];
};

/*
 * region_watch() - from now on marks add up what `n` events count, up to REGION_EVENTS. Begins with
 * no regions. -ENOMEM. region_events() - these are they, until the next call: event i of target t
 * is events[t * n + i], and an event counts for all of its targets; those that are closed count
 * nothing. NULL: there are none. Those `of_tasks` count in a region what its own task does,
 * the others what all their CPUs do. region_unwatch() - no more; what there was is forgotten. Task
 * context, while no program runs.
 *
 * region_at() - one by one in the order of their first begin; NULL past the last. Task context.
 */
int region_watch(unsigned n);
void region_events(struct pmu_event *events, unsigned ntargets, bool of_tasks);
void region_unwatch(void);
const struct region *region_at(unsigned i);

/*
 * region_begin(), region_end() - of the task whose open regions `*stack` has (NULL: none yet).
 * Returns 0, or -errno as include/perf0/perf0_syscalls.h says. region_leave() - the task is gone,
 * and does not end what it began. System call context.
 */
int region_begin(struct region_stack **stack, const char *name);
int region_end(struct region_stack **stack, const char *name);
void region_leave(struct region_stack **stack);

#endif
