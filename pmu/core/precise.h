/* SPDX-License-Identifier: BSD-2-Clause */
/* precise.h - precise events of Intel's core PMU: see precise.c. */
#ifndef PMU_CORE_PRECISE_H
#define PMU_CORE_PRECISE_H

#include "pmu/state/state.h"

/*
 * pmu_precise_init() - checks that `e` can be precise, and replaces its event select by one that
 * can be recorded: EOPNOTSUPP, EINVAL.
 * pmu_precise_finish() - called when the event's config is complete.
 * pmu_precise_load() - sets the event's counter. Paused and NMI context.
 * pmu_precise_start(), pmu_precise_stop() - start and stop recording. Paused.
 * pmu_precise_since() - the events since its counter was `prev`; the counter is now `now`. Any
 * context.
 * pmu_precise_arrange() - sets the number of records until the PMI. Called before counting
 * continues.
 * pmu_precise_serve() - makes samples from the records, and returns the bits of `status` for other
 * events. NMI and paused context.
 */
int pmu_precise_init(struct pmu_event *e, uint64_t *select, struct reason *why);

/*
 * pmu_precise_check_group() - checks that the group of `leader` (NULL: none) has the events that
 * `e` needs. -ENODATA with the reason. Task context.
 */
int pmu_precise_check_group(const struct pmu_event *e, const struct pmu_event *leader,
			    struct reason *why);
void pmu_precise_finish(struct pmu_event *e);
void pmu_precise_load(struct pmu_event *e);
void pmu_precise_start(struct pmu_event *e);
void pmu_precise_stop(const struct pmu_event *e);
uint64_t pmu_precise_since(const struct pmu_event *e, uint64_t prev, uint64_t now);
void pmu_precise_arrange(void);
uint64_t pmu_precise_serve(uint64_t status, const struct pmu_regs *now);

#endif
