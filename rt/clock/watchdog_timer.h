/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watchdog_timer.h - the NMI watchdog on this machine: its heartbeat is an hrtimer, and a lockup is
 * reported on the serial line and the screen at once, whatever code hangs. The watchdog itself:
 * pmu/own/watchdog.h.
 */
#ifndef RT_CLOCK_WATCHDOG_TIMER_H
#define RT_CLOCK_WATCHDOG_TIMER_H

#include "pmu/own/watchdog.h"

/* watchdog_on() - see pmu_watchdog_on(). -EOPNOTSUPP: the firmware has the CPU at times. Task
 * context. */
int watchdog_on(unsigned seconds, struct reason *why);

#endif
