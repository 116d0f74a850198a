/* SPDX-License-Identifier: BSD-2-Clause */
/* fields.h - the fields that samples of an event can have: see fields.c. */
#ifndef PMU_ATTR_FIELDS_H
#define PMU_ATTR_FIELDS_H

#include "pmu/state/state.h"

/*
 * pmu_fields_of() - the PERF_SAMPLE_ bits that samples of `e` can provide, once its kind is known.
 * pmu_check_fields() - checks that all fields of attr.sample_type are possible: EOPNOTSUPP,
 * EOVERFLOW.
 * pmu_check_sample_type() - the part of pmu_check_attr() for sample_type. Task context.
 */
uint64_t pmu_fields_of(const struct pmu_event *e);
int pmu_check_fields(const struct pmu_event *e, struct reason *why);
int pmu_check_sample_type(const struct perf_event_attr *attr, struct reason *why);

#endif
