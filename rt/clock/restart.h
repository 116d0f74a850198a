/* SPDX-License-Identifier: BSD-2-Clause */
/* restart.h - removes time from all results, such as a wait for the host. */
#ifndef RT_CLOCK_RESTART_H
#define RT_CLOCK_RESTART_H

#include <stdint.h>

/*
 * restart_clocks() - sets the clocks of all CPUs to `age` TSC ticks, at the begin of a tick of
 * the HPET. No workload runs, and no timer is armed. Task context.
 */
void restart_clocks(uint64_t age);

/*
 * restart_tsc() - sets the TSC to the same value at each call, at the begin of a tick of the HPET.
 * So the next work finds the machine's clocks as the run before did. clock_ns() is not set back. It
 * does nothing with several CPUs, whose TSCs have to agree, and while a firmware stays in the
 * machine. Task context; timers may be armed.
 */
void restart_tsc(void);

/*
 * restart_set_follower() - `fn` is called on each CPU after its clock was restarted, interrupts
 * off. Once, at start-up.
 */
void restart_set_follower(void (*fn)(void));

#endif
