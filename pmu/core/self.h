/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * self.h - what the runtime itself costs: the instructions of ring 0, on a counter of their own
 * that goes on while all others are paused. No event gets this counter meanwhile, and it never
 * interrupts.
 *
 * An interrupt moves it by all that its handler executes, the first instruction and the IRET
 * included; ring 3 does not move it at all. So code of ring 3 that reads it by RDPMC sees what each
 * interrupt cost.
 */
#ifndef PMU_CORE_SELF_H
#define PMU_CORE_SELF_H

#include "pmu/api/event.h"

#include <stdint.h>

/*
 * pmu_self_start() - takes the last counter that counts instructions (a fixed one where there is
 * one), from 0 on. Returns 0, or with the reason: -ENODEV (no PMU), -ENOENT (no counter can),
 * -EBUSY (events are open, or it runs already). Task context.
 */
int pmu_self_start(struct reason *why);

/* pmu_self_stop() - gives the counter back, while it runs. Task context, with no events open. */
void pmu_self_stop(void);

/* pmu_self_read() - instructions of ring 0 since the start. Any context, while it runs. */
uint64_t pmu_self_read(void);

/* pmu_self_rdpmc() - the counter as RDPMC names it, for ring 3. Any context, while it runs. */
uint32_t pmu_self_rdpmc(void);

/* pmu_self_index() - the counter by its bit in counter masks. Any context, while it runs. */
unsigned pmu_self_index(void);

#endif
