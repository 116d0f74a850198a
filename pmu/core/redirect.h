/* SPDX-License-Identifier: BSD-2-Clause */
/* redirect.h - decides which ring gets the records of an event: see redirect.c. */
#ifndef PMU_CORE_REDIRECT_H
#define PMU_CORE_REDIRECT_H

#include "pmu/state/state.h"

/*
 * pmu_check_output() - checks that `to` is open.
 * pmu_check_redirect() - checks that the records of `e` may go to the ring of `to`.
 */
int pmu_check_output(const struct pmu_event *to, struct reason *why);
int pmu_check_redirect(const struct pmu_event *e, const struct pmu_event *to, struct reason *why);

#endif
