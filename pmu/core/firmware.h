/* SPDX-License-Identifier: BSD-2-Clause */
/* firmware.h - counters that the firmware takes back: see pmu/api/host.h, struct pmu_firmware. */
#ifndef PMU_CORE_FIRMWARE_H
#define PMU_CORE_FIRMWARE_H

#include "pmu/state/state.h"

/* pmu_firmware_init() - what is on before the driver clears all counters. Task context. */
void pmu_firmware_init(void);

/*
 * pmu_firmware_took() - the counter of `e` is not as it was set: what it counted means nothing.
 * pmu_firmware_took_all() - nor are these, each of which an event has. Paused.
 */
void pmu_firmware_took(struct pmu_event *e);
void pmu_firmware_took_all(uint64_t counters);

#endif
