/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modelled.h - which events a PMU counts that is no silicon.
 */
#ifndef PMU_DRIVER_MODELLED_H
#define PMU_DRIVER_MODELLED_H

#include "pmu/api/pmu.h"

/*
 * pmu_check_modelled() - some general counter of this CPU counts the event with event select
 * `select`. -ENOENT: vpmu plays the CPU, and knows no such event. Task context, on the CPU in
 * question.
 */
int pmu_check_modelled(uint64_t select, struct reason *why);

/* pmu_modelled_truth() - what kind of number its count is: enum truth. Context as above. */
uint8_t pmu_modelled_truth(uint64_t select);

/* pmu_modelled_sources() - samples tell where data came from and how long that took. False: vpmu
 * plays the CPU, and knows nothing of that. Context as above. */
bool pmu_modelled_sources(void);

/* pmu_time_is_hosts() - under vpmu, on a machine whose time does not go by what it executes. Any
 * CPU. */
bool pmu_time_is_hosts(void);

/* pmu_time_is_instructions() - under vpmu, on a machine whose time goes by what is executed, vpmu's
 * own instructions included. Any CPU. */
bool pmu_time_is_instructions(void);

/* pmu_modelled_skid() - how many instructions behind an overflow its interrupt came at most, so
 * far, on any CPU, where vpmu plays them; else 0. Any CPU. */
uint32_t pmu_modelled_skid(void);

/* pmu_modelled_begin() - a measurement begins: what is modelled of caches and predictors is empty.
 * Task context. */
void pmu_modelled_begin(void);

/* pmu_modelled_align() - counting begins with a whole cycle, whatever was counted before: on
 * silicon that is so behind what serializes. Any context. */
void pmu_modelled_align(void);

#endif
