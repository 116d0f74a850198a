/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event_pool.h - storage for inherited events, for struct pmu_host: from the page allocator, in
 * pieces of some pages, which are reused. When the last event is returned, all pieces but one
 * are freed. Any CPU; task context.
 */
#ifndef LINUX_PERF_EVENT_POOL_H
#define LINUX_PERF_EVENT_POOL_H

struct pmu_event;

/* event_pool_init() - allocates the piece that is always kept. Once, at start-up. */
void event_pool_init(void);

/* event_pool_take() - storage for one event, not cleared; NULL: no memory. event_pool_give() -
 * returns it. */
struct pmu_event *event_pool_take(void);
void event_pool_give(struct pmu_event *e);

#endif
