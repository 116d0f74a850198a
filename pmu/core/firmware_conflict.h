/* SPDX-License-Identifier: BSD-2-Clause */
/* firmware_conflict.h - counters that the firmware takes back: see struct pmu_firmware in
 * pmu/api/host.h. */
#ifndef PMU_CORE_FIRMWARE_CONFLICT_H
#define PMU_CORE_FIRMWARE_CONFLICT_H

#include "pmu/state/state.h"

/*
 * pmu_firmware_init() - notes the counters that are enabled before the driver clears all. Task
 * context.
 */
void pmu_firmware_init(void);

/*
 * pmu_firmware_took() - the counter of `e` was reprogrammed: its count is invalid.
 * pmu_firmware_took_all() - the same for these counters, each of which has an event. Paused.
 */
void pmu_firmware_took(struct pmu_event *e);
void pmu_firmware_took_all(uint64_t counters);

#endif
