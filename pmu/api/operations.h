/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operations.h - opens, changes and closes events. Their output: pmu_output.h; their values:
 * pmu_read.h. pmu.h has the rules of use.
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
 *      0         -1     the running task, on any CPU
 *      0         n      the running task, while it is on CPU n
 *      tid       -1, n  that task, likewise
 *      -1        n      CPU n, whatever it runs
 *      -1        -1     EINVAL
 *      set       n      with PERF_FLAG_PID_CGROUP: CPU n, while it runs a task of that set
 *
 * `group_leader` NULL: a group of its own. `flags`: with PERF_FLAG_FD_OUTPUT its records go to the
 * leader's ring. With PERF_FLAG_FD_NO_GROUP that is the leader's only role, and the event gets a
 * group of its own. PERF_FLAG_FD_CLOEXEC is ignored. `attr` is copied, and is no part of
 * `e`. Siblings are pinned or exclusive if their leader is; siblings that are opened disabled need
 * not fit into the group.
 *
 * Errors: EMFILE (PMU_MAX_EVENTS), ENOSPC (a fifth breakpoint), EINVAL (no counter can count it, or
 * its group leaves none; contradictions in `attr`; neither task nor cpu; no such CPU), ENOENT (this
 * CPU or runtime has no such event), EOPNOTSUPP (not possible here), E2BIG (attr.size), ESRCH.
 * Sample fields that the event cannot provide are zeros, as on Linux: pmu_event_missing().
 */
int pmu_event_open(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		   struct pmu_event *group_leader, unsigned long flags, struct reason *why);

/*
 * pmu_event_check() - refuses arguments of pmu_event_open() that are invalid on any machine and for
 * any caller: EINVAL, E2BIG. For code that checks permissions afterwards. Task context.
 */
int pmu_event_check(const struct perf_event_attr *attr, int task, int cpu, unsigned long flags,
		    struct reason *why);

/*
 * pmu_event_missing() - the PERF_SAMPLE_ bits of fields in its samples that the event cannot
 * provide. They hold 0, or a value that means "not available". Task context.
 */
uint64_t pmu_event_missing(const struct pmu_event *e);

/*
 * pmu_event_close() - stops and removes the event and all that was inherited from it. Like
 * disabling, this alone does not schedule. Siblings of a closed leader become groups of one.
 */
void pmu_event_close(struct pmu_event *e);

/*
 * Operations on an event apply to all events that were inherited from it, and its values include
 * theirs.
 *
 * pmu_event_enable(), pmu_event_disable() - for this event alone. Enabling schedules, also after an
 * error. Disabling frees the counter but does not schedule: an event that waits for it waits until
 * something else schedules. Disabling does not end an error.
 */
void pmu_event_enable(struct pmu_event *e);
void pmu_event_disable(struct pmu_event *e);

/*
 * pmu_event_modify_attributes() - as PERF_EVENT_IOC_MODIFY_ATTRIBUTES: changes address, type or
 * length of a breakpoint. Unless attr.disabled is set it is then enabled, which schedules; its
 * count continues. Errors change nothing: EINVAL (another type, other differences, not possible
 * with debug registers), EOPNOTSUPP (not a breakpoint; the address must not be watched), E2BIG.
 */
int pmu_event_modify_attributes(struct pmu_event *e, const struct perf_event_attr *attr,
				struct reason *why);

/* pmu_event_reset() - sets the count to 0; times continue. */
void pmu_event_reset(struct pmu_event *e);

/* pmu_group_enable(), ... - the same for each event of `e`'s group, at one moment. */
void pmu_group_enable(struct pmu_event *e);
void pmu_group_disable(struct pmu_event *e);
void pmu_group_reset(struct pmu_event *e);

/*
 * pmu_event_refresh() - enables the event for `n` more overflows, after which it disables itself.
 * -EINVAL: it does not sample.
 */
int pmu_event_refresh(struct pmu_event *e, uint64_t n);

/*
 * pmu_event_hung_up() - true where the event has reached its limit and was not enabled since. The
 * same holds for an event that was stopped for good, because its samples left no time for the code
 * under it. poll(2) reports POLLHUP then. Any context.
 */
static inline bool pmu_event_hung_up(const struct pmu_event *e)
{
	return __atomic_load_n(&e->hung_up, __ATOMIC_RELAXED);
}

/* pmu_event_is_orphan() - true where its task has ended: it counts no more. Any context. */
bool pmu_event_is_orphan(const struct pmu_event *e);

/*
 * pmu_event_set_period() - sets the period, or the frequency of an event with attr.freq, from now
 * on. -EINVAL: 0, above 2^63 - 1 or the largest sample rate, or the event does not sample.
 */
int pmu_event_set_period(struct pmu_event *e, uint64_t period);

/*
 * pmu_event_set_filter() - as PERF_EVENT_IOC_SET_FILTER: from now on only hits that match `filter`
 * (filter.h) count; NULL: all. Keeps `filter`. EINVAL: not a tracepoint, or another one.
 */
int pmu_event_set_filter(struct pmu_event *e, const struct pmu_filter *filter, struct reason *why);

/*
 * pmu_event_set_page() - keeps the control page `page` up to date from now on, as for mmap(2) of an
 * event: lock, index, offset, times and capabilities. The page may be that of a ring, whose own
 * fields are not changed. Reading it: include/perf0/selfread.h. NULL or closing the event ends
 * this. -EINVAL: attr.inherit, because a page has the count of one task only.
 */
int pmu_event_set_page(struct pmu_event *e, struct perf_event_mmap_page *page);

#endif
