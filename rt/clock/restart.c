// SPDX-License-Identifier: BSD-2-Clause
/* restart.c - see restart.h. */
#include "rt/clock/restart.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/smp/smp.h"

static void restart_clock(void *ticks)
{
	clock_restart(*(const uint64_t *)ticks);
}

void restart_clocks(uint64_t ticks)
{
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		smp_call(cpu, restart_clock, &ticks);
}
