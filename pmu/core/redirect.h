/* SPDX-License-Identifier: BSD-2-Clause */
/* redirect.h - which ring the records of an event go into: see redirect.c. */
#ifndef PMU_CORE_REDIRECT_H
#define PMU_CORE_REDIRECT_H

#include "pmu/state/state.h"

/* `to` is open; the records of `e` may go where those of `to` go. */
int pmu_check_output(const struct pmu_event *to, struct reason *why);
int pmu_check_redirect(const struct pmu_event *e, const struct pmu_event *to, struct reason *why);

#endif
