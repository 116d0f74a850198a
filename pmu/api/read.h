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

/* From what an event counted to what it would have counted all the time: slices.c has both. */
enum pmu_estimator { PMU_ESTIMATE_INTERPOLATED, PMU_ESTIMATE_RATIO };

struct pmu_estimate {
	uint64_t count;
	uint32_t error; /* half of the 95 % confidence interval, in 1/100 of a percent of `count` */
};

/*
 * pmu_event_estimate() - what it and all that inherits from it would have counted since it was
 * opened or reset, had they counted whenever they were enabled. An error of 0: they did;
 * PMU_ERROR_UNKNOWN: they counted in one slice, or in none, or nothing occurred in all of them.
 * Once the task does not run.
 */
void pmu_event_estimate(const struct pmu_event *e, enum pmu_estimator how, struct pmu_estimate *to);

/*
 * pmu_event_log_slices() - `log` has each slice from now on in which it, or what inherits from it,
 * counts, as it ends; NULL: no longer. Before it counts. The last one ends by
 * pmu_event_end_slices(), once the task does not run.
 */
void pmu_event_log_slices(struct pmu_event *e, struct pmu_slice_log *log);
void pmu_event_end_slices(struct pmu_event *e);

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
