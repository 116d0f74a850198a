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
	uint64_t calls; /* number of completed passes */
	uint64_t ns;    /* total time of all passes */
	struct region_count count[REGION_EVENTS];
};

/*
 * region_watch() - begins to sum the counts of `n` events, at most REGION_EVENTS, by region. There
 * are no regions at first. -ENOMEM. region_events() - sets the events, until the next call: event i
 * of target t is events[t * n + i]. An event is summed over all of its targets; a closed one counts
 * nothing. NULL: no events. With `of_tasks`, a region gets the counts of its own task, otherwise of
 * all CPUs of the events. region_unwatch() - ends that and forgets all regions. Task context, while
 * no program runs.
 *
 * region_at() - region `i`, in the order in which they first began; NULL: there are no more. Task
 * context.
 */
int region_watch(unsigned n);
void region_events(struct pmu_event *events, unsigned ntargets, bool of_tasks);
void region_unwatch(void);
const struct region *region_at(unsigned i);

/*
 * region_begin(), region_end() - begins or ends a region of the task whose open regions `*stack`
 * has; NULL: none yet. 0, or -errno as include/perf0/perf0_syscalls.h says. region_leave() - the
 * task has ended: frees its open regions without counting them. System call context.
 */
int region_begin(struct region_stack **stack, const char *name);
int region_end(struct region_stack **stack, const char *name);
void region_leave(struct region_stack **stack);

#endif
