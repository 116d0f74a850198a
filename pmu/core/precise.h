/* SPDX-License-Identifier: BSD-2-Clause */
/* precise.h - precise events of Intel's core PMU: see precise.c. */
#ifndef PMU_CORE_PRECISE_H
#define PMU_CORE_PRECISE_H

#include "pmu/state/state.h"

/*
 * pmu_precise_init() - `e` may be precise, and its event select then becomes one that
 * can be recorded: EOPNOTSUPP, EINVAL. pmu_precise_finish(): its config is complete.
 * pmu_precise_load(), _start(), _stop() - sets its counter, has it recorded, no more. Paused; the
 * first also in NMI context. pmu_precise_since() - what it counted since its counter stood at
 * `prev`, which is `now` at `now`. Any context.
 * pmu_precise_arrange() - before counting goes on: how many records the CPU may write until the
 * PMI. pmu_precise_serve() - makes samples of the records there are, and returns what of `status`
 * is not theirs. NMI and paused context.
 */
int pmu_precise_init(struct pmu_event *e, uint64_t *select, struct reason *why);

/* pmu_precise_check_group() - what `e` needs beside it is in the group of `leader` (NULL: none).
 * -ENODATA with the reason. Task context. */
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
