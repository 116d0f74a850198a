/* SPDX-License-Identifier: BSD-2-Clause */
/* exchange.h - a switch between two tasks whose events are alike: see exchange.c. */
#ifndef PMU_CORE_EXCHANGE_H
#define PMU_CORE_EXCHANGE_H

#include "pmu/state/state.h"

/* pmu_exchange() - the events of `to` take the places of those of `from`, which runs.
 * False: they are not alike, and nothing was done. Paused. */
bool pmu_exchange(struct pmu_context *from, struct pmu_context *to);

#endif
