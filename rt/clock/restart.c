// SPDX-License-Identifier: BSD-2-Clause
/* restart.c - see restart.h. */
#include "rt/clock/restart.h"

#include "arch/x86/dev/hpet.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "rt/perf/pmu_host.h"

static void restart_clock(void *ticks)
{
	clock_restart(*(const uint64_t *)ticks);
	pmu_host_follow_clock();
}

void restart_clocks(uint64_t age)
{
	uint64_t flags = irq_save(), ticks;

	hpet_restart();
	ticks = clock_age() - age;
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		smp_call(cpu, restart_clock, &ticks);
	irq_restore(flags);
}
