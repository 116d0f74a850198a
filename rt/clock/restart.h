/* SPDX-License-Identifier: BSD-2-Clause */
/* restart.h - time that is to be in no result, such as a wait for the host. */
#ifndef RT_CLOCK_RESTART_H
#define RT_CLOCK_RESTART_H

#include <stdint.h>

/*
 * restart_clocks() - the clocks of all CPUs show `age` TSC ticks now, and a tick of the HPET
 * begins. No workload runs, and no timer is armed. Task context.
 */
void restart_clocks(uint64_t age);

#endif
