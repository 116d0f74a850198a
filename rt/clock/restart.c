// SPDX-License-Identifier: BSD-2-Clause
/* restart.c - see restart.h. */
#include "rt/clock/restart.h"

#include "arch/x86/dev/hpet.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/world/world.h"
#include "pmu/x86/meter.h"
#include "rt/clock/hrtimer.h"

static void (*follow)(void); /* NULL: no code keeps times of a CPU's clock */

void restart_set_follower(void (*fn)(void))
{
	follow = fn;
}

static void follow_clock(void)
{
	if (follow)
		follow();
}

static void restart_clock(void *ticks)
{
	clock_restart(*(const uint64_t *)ticks);
	follow_clock();
}

#define TSC_AT_START (1ull << 40) /* the TSC of a machine that has run for some minutes */

void restart_tsc(void)
{
	uint64_t flags;
	int64_t ahead;

	/* Firmware that continues may have deadlines by these clocks. */
	if (smp_ncpus() > 1 || world_is_given_back())
		return;
	flags = irq_save();
	/* The order matters: a comparator that was reached would be reached again, if vpmu did not
	 * set it anew. */
	ahead = tsc_move(TSC_AT_START);
	hpet_restart();
	hrtimer_shift(ahead);
	pmu_tsc_moved(ahead);
	follow_clock();
	irq_restore(flags);
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
