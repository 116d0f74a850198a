/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watchdog_timer.h - the NMI watchdog (pmu/own/watchdog.h) on this machine. An hrtimer is its
 * heartbeat. It reports a lockup at once on the serial line and the screen, whatever code hangs.
 */
#ifndef RT_CLOCK_WATCHDOG_TIMER_H
#define RT_CLOCK_WATCHDOG_TIMER_H

#include "pmu/own/watchdog.h"

/* watchdog_on() - see pmu_watchdog_on(). -EOPNOTSUPP: the firmware uses the CPU at times. Task
 * context. */
int watchdog_on(unsigned seconds, struct reason *why);

#endif
