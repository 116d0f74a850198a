/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibs.h - AMD's Instruction-Based Sampling as two PMUs, `ibs_fetch` and `ibs_op`: each picks one
 * fetch, or one op, after a period and tells exactly which it was and what it did. APM vol. 2,
 * "Instruction-Based Sampling"; PPR of family 19h, IBS_FETCH_CTL and what follows it.
 *
 * They have no counters of the core PMU, count in both rings, and are one each: no turns are taken.
 */
#ifndef PMU_X86_IBS_H
#define PMU_X86_IBS_H

#include "pmu/core/core.h"

#include <stdbool.h>

/* pmu_ibs_start_up() - finds what there is, and has it interrupt by NMI. Once, in pmu_init(). */
void pmu_ibs_start_up(void);

/*
 * pmu_ibs_init() - sets the class of an event of type PMU_TYPE_IBS_FETCH or PMU_TYPE_IBS_OP, or
 * refuses it. pmu_ibs_forward() - the same for a precise event of the core PMU that counts what
 * `select` does. Task context.
 */
int pmu_ibs_init(struct pmu_event *e, struct reason *why);
int pmu_ibs_forward(struct pmu_event *e, uint64_t select, struct reason *why);

/*
 * pmu_ibs_nmi() - serves samples that are there; false: there are none. NMI context.
 * pmu_ibs_pause() - stops, after what is there was served; true: an NMI for it may still come.
 * pmu_ibs_resume() - goes on. Paused context. All three are for when pmu.ibs_active is not 0.
 */
bool pmu_ibs_nmi(const struct pmu_regs *regs);
bool pmu_ibs_pause(const struct pmu_regs *regs);
void pmu_ibs_resume(void);

#endif
