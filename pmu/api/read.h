/* SPDX-License-Identifier: BSD-2-Clause */
/* read.h - the values of events, and what they are worth. The rules of use are pmu.h's. */
#ifndef PMU_API_READ_H
#define PMU_API_READ_H

#include "pmu/api/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * pmu_event_read() - the values at this moment; stops nothing. Returns 0, or -ENODATA for a pinned
 * event in the error state, whose values mean nothing.
 */
int pmu_event_read(struct pmu_event *e, struct pmu_value *value);

/*
 * pmu_event_read_format() - what read(2) would give for attr.read_format, into `size` bytes at
 * `buffer`: one value, or with PERF_FORMAT_GROUP those of the whole group, leader first, as of one
 * moment of ring 0. Returns the number of bytes; 0 for an event in the error state; -ENOSPC when
 * there is no room for all.
 */
int pmu_event_read_format(struct pmu_event *e, void *buffer, size_t size);

/* pmu_event_read_count() - the same for an event whose read_format asks for its count alone, in few
 * instructions. False: it cannot be had so; *count is not changed. Interrupts off. */
bool pmu_event_read_count(const struct pmu_event *e, uint64_t *count);

/* pmu_event_read_of_task() - what of it the task that runs here counted by itself, without its
 * children. False: nothing, the event is for others. Interrupts off. */
bool pmu_event_read_of_task(const struct pmu_event *e, struct pmu_value *value);

#define PMU_ERROR_UNKNOWN UINT32_MAX

/*
 * pmu_event_error() - how far the scaled count may be off: half of the 95 % confidence interval, in
 * 1/100 of a percent of the count, from how much the slices differ in which the event counted. 0:
 * it counted all the time. PMU_ERROR_UNKNOWN: less than two slices, or counts from 2^48 on. Once
 * the task does not run.
 */
uint32_t pmu_event_error(const struct pmu_event *e);

/*
 * pmu_event_books() - its books, and those of all that was inherited from it, also of what is gone.
 * Task context.
 */
struct pmu_books pmu_event_books(const struct pmu_event *e);

/* pmu_event_set_name() - what sentences about it call it; kept, not copied. Task context. */
void pmu_event_set_name(struct pmu_event *e, const char *name);

/* pmu_event_id() - what its records carry as ID and IDENTIFIER; never 0, never reused. */
static inline uint64_t pmu_event_id(const struct pmu_event *e)
{
	return e->id;
}

/* pmu_event_counters() - the counters that can count it, as a mask; 0 for software events. */
uint64_t pmu_event_counters(const struct pmu_event *e);

#endif
