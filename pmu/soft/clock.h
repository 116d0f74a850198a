/* SPDX-License-Identifier: BSD-2-Clause */
/* clock.h - cpu-clock and task-clock. */
#ifndef PMU_SOFT_CLOCK_H
#define PMU_SOFT_CLOCK_H

#include "pmu/state/class.h"

/* In ns; with a sample period by pmu_timer(). */
extern const struct pmu_class pmu_clock_class;

#endif
