/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * self.h - measures the cost of the runtime itself: the instructions of ring 0, on a counter that
 * continues while all others are paused. No event gets this counter meanwhile, and it never
 * interrupts.
 *
 * An interrupt advances it by all instructions of its handler, including the first one and the
 * IRET; ring 3 does not advance it. So code of ring 3 that reads it by RDPMC measures the cost of
 * each interrupt.
 */
#ifndef PMU_OWN_SELF_H
#define PMU_OWN_SELF_H

#include "pmu/api/event.h"

#include <stdint.h>

/*
 * pmu_self_start() - takes the last counter that can count instructions (a fixed one if there is
 * one), and starts it at 0. Returns 0, or with the reason: -ENODEV (no PMU), -ENOENT (no counter
 * can), -EBUSY (events are open, or it runs already). Task context.
 */
int pmu_self_start(struct reason *why);

/* pmu_self_stop() - returns the counter to the event core. Task context, with no events open. */
void pmu_self_stop(void);

/* pmu_self_read() - the instructions of ring 0 since the start. Any context, while it runs. */
uint64_t pmu_self_read(void);

/*
 * pmu_self_rdpmc() - the operand of RDPMC for this counter, for ring 3. Any context, while it runs.
 */
uint32_t pmu_self_rdpmc(void);

/* pmu_self_index() - its bit in counter masks. Any context, while it runs. */
unsigned pmu_self_index(void);

#endif
