/* SPDX-License-Identifier: BSD-2-Clause */
/* pmu_read.h - the values of events, and their accuracy. pmu.h has the rules of use. */
#ifndef PMU_API_PMU_READ_H
#define PMU_API_PMU_READ_H

#include "pmu/api/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * pmu_event_read() - the present values; stops nothing. Returns 0, or -ENODATA for a pinned event
 * in the error state, whose values are meaningless.
 */
int pmu_event_read(struct pmu_event *e, struct pmu_value *value);

/*
 * pmu_event_read_format() - writes the result of read(2) for attr.read_format to the `size` bytes
 * at `buffer`: one value, or with PERF_FORMAT_GROUP those of the whole group, leader first, of one
 * moment of ring 0. Returns the number of bytes; 0 for an event in the error state; -ENOSPC where
 * there is no room for all.
 */
int pmu_event_read_format(struct pmu_event *e, void *buffer, size_t size);

/*
 * pmu_event_read_count() - the same in few instructions, for an event whose read_format has the
 * count alone. False: a full read is needed, and *count is not changed. Interrupts off.
 */
bool pmu_event_read_count(const struct pmu_event *e, uint64_t *count);

/*
 * pmu_event_read_of_task() - the part of its value that the running task counted itself, without
 * its children. False: the event is for other tasks. Interrupts off.
 */
bool pmu_event_read_of_task(const struct pmu_event *e, struct pmu_value *value);

#define PMU_ERROR_UNKNOWN UINT32_MAX

/* The ways to scale a count to the whole time: slices.c has both. */
enum pmu_estimator { PMU_ESTIMATE_INTERPOLATED, PMU_ESTIMATE_RATIO };

struct pmu_estimate {
	uint64_t count;
	uint32_t error; /* half of the 95 % confidence interval, in 1/10,000 of `count` */
};

/*
 * pmu_event_estimate() - estimates the count of the event, and of all that inherits from it, as if
 * they had counted whenever they were enabled since opening or reset. An error of 0: they did.
 * PMU_ERROR_UNKNOWN: they counted in at most one slice, or nothing occurred. Called when the task
 * does not run.
 */
void pmu_event_estimate(const struct pmu_event *e, enum pmu_estimator how, struct pmu_estimate *to);

/*
 * pmu_event_log_slices() - appends each slice in which the event, or one inherited from it, counts,
 * to `log` as it ends; NULL: stops. Called before the event counts. pmu_event_end_slices() ends the
 * last slice, when the task does not run.
 */
void pmu_event_log_slices(struct pmu_event *e, struct pmu_slice_log *log);
void pmu_event_end_slices(struct pmu_event *e);

/*
 * pmu_event_books() - the balance of the event and of all that was inherited from it, including
 * ended tasks. Task context.
 */
struct pmu_books pmu_event_books(const struct pmu_event *e);

/* pmu_event_set_name() - the name of the event in messages; the pointer is kept. Task context. */
void pmu_event_set_name(struct pmu_event *e, const char *name);

/* pmu_event_id() - ID and IDENTIFIER of its records; never 0, never reused. */
static inline uint64_t pmu_event_id(const struct pmu_event *e)
{
	return e->id;
}

/* pmu_event_counters() - mask of the counters that can count it; 0 for software events. */
uint64_t pmu_event_counters(const struct pmu_event *e);

#endif
