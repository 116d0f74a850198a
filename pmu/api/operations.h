/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operations.h - opening and closing events, and what can be done with one that is open. Its
 * output: output.h; its values: read.h. The rules of use are pmu.h's.
 */
#ifndef PMU_API_OPERATIONS_H
#define PMU_API_OPERATIONS_H

#include "lib/reason.h"
#include "pmu/api/event.h"

#include <stdbool.h>
#include <stdint.h>

struct pmu_filter;

/*
 * pmu_event_open() - as perf_event_open(2). The targets:
 *
 *      task      cpu
 *      0         -1     the task that runs, on any CPU
 *      0         n      the task that runs, while it is on CPU n
 *      tid       -1, n  that task, likewise
 *      -1        n      CPU n, whatever it runs
 *      -1        -1     EINVAL
 *      set       n      with PERF_FLAG_PID_CGROUP: CPU n, while it runs a task of that set
 *
 * `group_leader` NULL: a group of its own. `flags`: with PERF_FLAG_FD_OUTPUT its records go where
 * the leader's go; with PERF_FLAG_FD_NO_GROUP that is all the leader is for, and the group is its
 * own; PERF_FLAG_FD_CLOEXEC means nothing here. `attr` is copied. Siblings follow their leader in
 * being pinned or exclusive; those that are opened disabled need not fit into the group.
 *
 * Errors: EMFILE (PMU_MAX_EVENTS), ENOSPC (a fifth breakpoint), EINVAL (no counter for it, or none
 * left in its group; contradictions in `attr`; neither task nor cpu; no such CPU), ENOENT (this CPU
 * or runtime has no such event), EOPNOTSUPP (not possible here), E2BIG (attr.size), ESRCH. Fields
 * of samples that the event cannot give are zeros, as on Linux: pmu_event_missing().
 */
int pmu_event_open(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		   struct pmu_event *group_leader, unsigned long flags, struct reason *why);

/*
 * pmu_event_check() - what of pmu_event_open()'s arguments means nothing on any machine, whatever
 * asks: EINVAL, E2BIG. For code that decides what may be opened, and comes after that. Task
 * context.
 */
int pmu_event_check(const struct perf_event_attr *attr, int task, int cpu, unsigned long flags,
		    struct reason *why);

/* pmu_event_missing() - the PERF_SAMPLE_ bits that its samples have, but not from the event: 0 is
 * in their place, or what says itself that it is not available. Task context. */
uint64_t pmu_event_missing(const struct pmu_event *e);

/* pmu_event_close() - stops and forgets it, and what was inherited from it; as with disabling, that
 * alone does not schedule. Siblings of a closed leader become groups of one. */
void pmu_event_close(struct pmu_event *e);

/*
 * Operations on an event do the same to all that was inherited from it, and its values include
 * theirs.
 *
 * pmu_event_enable(), pmu_event_disable() - this event alone; enabling schedules, also after an
 * error. Disabling does not: the counter is free from then on, but an event that waits for it goes
 * on waiting until something else schedules. Nor does it end an error.
 */
void pmu_event_enable(struct pmu_event *e);
void pmu_event_disable(struct pmu_event *e);

/*
 * pmu_event_modify_attributes() - as PERF_EVENT_IOC_MODIFY_ATTRIBUTES: another address, type or
 * length for a breakpoint. It is enabled afterwards, which schedules, unless attr.disabled is set;
 * its count goes on. Errors, which change nothing: EINVAL (another type, other differences, not
 * possible with debug registers), EOPNOTSUPP (no breakpoint; not to be watched), E2BIG.
 */
int pmu_event_modify_attributes(struct pmu_event *e, const struct perf_event_attr *attr,
				struct reason *why);

/* pmu_event_reset() - its count becomes 0; times go on. */
void pmu_event_reset(struct pmu_event *e);

/* pmu_group_enable(), ... - the same for each event of the group that `e` is in, in one moment. */
void pmu_group_enable(struct pmu_event *e);
void pmu_group_disable(struct pmu_event *e);
void pmu_group_reset(struct pmu_event *e);

/* pmu_event_refresh() - `n` more overflows, then it disables itself; enables. -EINVAL: not
 * sampling. */
int pmu_event_refresh(struct pmu_event *e, uint64_t n);

/*
 * pmu_event_hung_up() - it came to its limit, or was stopped for good because its samples left the
 * code under it no time, and was not enabled since: what poll(2) has POLLHUP for. Any context.
 */
static inline bool pmu_event_hung_up(const struct pmu_event *e)
{
	return __atomic_load_n(&e->hung_up, __ATOMIC_RELAXED);
}

/* pmu_event_is_orphan() - its task is gone: it counts no more. Any context. */
bool pmu_event_is_orphan(const struct pmu_event *e);

/*
 * pmu_event_set_period() - from now on; for an event with attr.freq, the frequency. -EINVAL: 0,
 * above 2^63 - 1 or the largest sample rate, or the event was not sampling.
 */
int pmu_event_set_period(struct pmu_event *e, uint64_t period);

/*
 * pmu_event_set_filter() - as PERF_EVENT_IOC_SET_FILTER: from now on only hits count that `filter`
 * (filter.h) lets through; NULL: all. It must stay. EINVAL: no tracepoint, or not this one.
 */
int pmu_event_set_filter(struct pmu_event *e, const struct pmu_filter *filter, struct reason *why);

/*
 * pmu_event_set_page() - keeps the control page `page` up to date from now on, as for mmap(2) of an
 * event: lock, index, offset, times, what can be done with them, and how. It may be that of a ring,
 * whose own fields are left alone. Reading it: include/perf0/selfread.h. NULL: no more; closing the
 * event does that, too. -EINVAL: attr.inherit, for a page has the count of one task only.
 */
int pmu_event_set_page(struct pmu_event *e, struct perf_event_mmap_page *page);

#endif
