/* SPDX-License-Identifier: BSD-2-Clause */
/* soft_clock.h - cpu-clock and task-clock. */
#ifndef PMU_SOFT_SOFT_CLOCK_H
#define PMU_SOFT_SOFT_CLOCK_H

#include "pmu/state/class.h"

/* Counts in ns; pmu_timer() ends its sample periods. */
extern const struct pmu_class pmu_clock_class;

#endif
