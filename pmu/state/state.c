// SPDX-License-Identifier: BSD-2-Clause
/* state.c - the variables of the event core: see state.h. */
#include "pmu/state/state.h"

PERCPU struct pmu_core pmu;
struct pmu_shared pmu_shared;
BY_CPU(struct pmu_context, pmu_contexts);
BY_CPU(struct pmu_thread, pmu_threads);
