/* SPDX-License-Identifier: BSD-2-Clause */
/* read.h - the values of events: see read.c. */
#ifndef PMU_STATE_READ_H
#define PMU_STATE_READ_H

#include "pmu/state/state.h"

/* pmu_count_of() - the event's own count now. Any context. */
static inline uint64_t pmu_count_of(const struct pmu_event *e)
{
	if (e->state != PMU_STATE_ACTIVE || !e->class->count)
		return e->count;
	return e->class->count(e);
}

/*
 * pmu_take_group() - called before any event of its group is read: see struct pmu_class. Interrupts
 * off, or NMI.
 */
static inline void pmu_take_group(const struct pmu_event *e)
{
	struct pmu_event *leader = e->leader;

	if (leader->state == PMU_STATE_ACTIVE && leader->class->take)
		leader->class->take(leader);
}

/*
 * pmu_reads_alone() - true where the event has no children, and cannot get any: its context is
 * active here, and only the running task could create children. Interrupts off. It does not
 * dereference the context: one that is active elsewhere may be gone by now, with its task.
 */
static inline __attribute__((always_inline)) bool pmu_reads_alone(const struct pmu_event *e)
{
	const struct pmu_context *context = __atomic_load_n(&e->context, __ATOMIC_ACQUIRE);

	return ((pmu.task && context == &pmu.task->context) || context == pmu.cpu) &&
	       !__atomic_load_n(&e->leader->family.children, __ATOMIC_ACQUIRE);
}

/* pmu_failed() - true where it is pinned and has no counter, which reading reports. Any context. */
static inline bool pmu_failed(const struct pmu_event *e)
{
	return e->state == PMU_STATE_ERROR;
}

/*
 * The values of PERF_SAMPLE_READ and PERF_RECORD_READ, in the layout of attr.read_format.
 * pmu_read_size() - their bytes. pmu_put_read() - writes them, without those of existing inherited
 * events. Any context.
 */
size_t pmu_read_size(const struct pmu_event *e);
void pmu_put_read(struct rb_writer *w, struct pmu_event *e);
/*
 * pmu_sum_up() - sets `sum` of each event of a group to its value with all inherited events, each
 * at one moment of its CPU.
 * pmu_put_sums() - writes these as pmu_put_read() does.
 * pmu_books_add() - adds books. All within an operation.
 */
void pmu_sum_up(struct pmu_event *leader);
void pmu_put_sums(struct rb_writer *w, struct pmu_event *e);
void pmu_books_add(struct pmu_books *sum, const struct pmu_books *books);

#endif
