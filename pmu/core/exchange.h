/* SPDX-License-Identifier: BSD-2-Clause */
/* exchange.h - a fast switch between two tasks with equal events: see exchange.c. */
#ifndef PMU_CORE_EXCHANGE_H
#define PMU_CORE_EXCHANGE_H

#include "pmu/state/state.h"

/*
 * pmu_exchange() - replaces the events of `from`, which runs, by the events of `to` on the same
 * counters. False: the contexts are not equal, and nothing was changed. Paused.
 */
bool pmu_exchange(struct pmu_context *from, struct pmu_context *to);

#endif
