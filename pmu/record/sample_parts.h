/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_parts.h - the fields of a sample that are longer than a word. They are determined first,
 * then room is reserved for all, then they are written. Any context.
 */
#ifndef PMU_RECORD_SAMPLE_PARTS_H
#define PMU_RECORD_SAMPLE_PARTS_H

#include "pmu/record/callchain.h"
#include "pmu/record/output.h"

/* A sample under construction. It is large; only the parts in use are initialized. */
struct pmu_sample {
	struct pmu_event *e;
	const struct pmu_regs *at;  /* the code it is attributed to */
	const struct pmu_regs *was; /* the interrupted code */
	const struct pmu_sample_data *data;
	uint64_t size;  /* bytes so far */
	uint32_t stack; /* bytes of ring 3's stack */
	unsigned nchain;
	uint64_t chain[PMU_MAX_CHAIN];
};

/* pmu_parts_of() - the parts of samples of `attr`, as a set for the functions below. */
uint32_t pmu_parts_of(const struct perf_event_attr *attr);

/*
 * pmu_parts_most() - the largest number of bytes of the parts. Parts whose size only their producer
 * knows (raw data, branches) count as empty.
 */
uint64_t pmu_parts_most(const struct perf_event_attr *attr, uint32_t parts);

/*
 * pmu_parts_measure() - adds their bytes to s->size; ring 3's stack is cut so that the sum is at
 * most RB_MAX_RECORD.
 * pmu_parts_put() - writes exactly these.
 */
void pmu_parts_measure(struct pmu_sample *s, uint32_t parts);
void pmu_parts_put(struct rb_writer *w, struct pmu_sample *s, uint32_t parts);

/* pmu_given() - `value` if the event's kind provides the field; else 0. */
static inline uint64_t pmu_given(const struct pmu_sample_data *data, uint64_t field, uint64_t value)
{
	return data->fields & field ? value : 0;
}

#endif
