/* SPDX-License-Identifier: BSD-2-Clause */
/* firmware.h - counters that the firmware takes back: see pmu/api/host.h, struct pmu_firmware. */
#ifndef PMU_CORE_FIRMWARE_H
#define PMU_CORE_FIRMWARE_H

#include "pmu/state/state.h"

/* pmu_firmware_init() - what is on before the driver clears all counters. Task context. */
void pmu_firmware_init(void);

/* pmu_firmware_took() - the counter of `e` is not as it was set: what it counted means nothing.
 * Paused. */
void pmu_firmware_took(struct pmu_event *e);

/* pmu_firmware_look() - which of the counters `live`, all of them on before, the master switch has
 * off now. Paused, before the driver's stop(). */
void pmu_firmware_look(uint64_t live);

#endif
