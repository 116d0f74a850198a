/* SPDX-License-Identifier: BSD-2-Clause */
/* reason.h - refusals: an errno and its sentence together. Any context. */
#ifndef PMU_REASON_H
#define PMU_REASON_H

#include "pmu/event.h"

/* pmu_refuse() - writes the sentence where `why` is not NULL, and returns -error. */
int pmu_refuse(struct pmu_reason *why, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
