// SPDX-License-Identifier: BSD-2-Clause
/* watchdog_timer.c - see watchdog_timer.h. */
#include "rt/clock/watchdog_timer.h"

#include "arch/x86/cpu/dump.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/world/world.h"
#include "lib/percpu.h"
#include "rt/clock/hrtimer.h"

#include <linux/errno.h>

static uint64_t cycles_per_second(void)
{
	return (uint64_t)tsc_khz() * 1000;
}

static void on_beat(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	(void)frame;
	pmu_watchdog_beat();
}

static void arm_beat(uint64_t ns)
{
	static PERCPU struct hrtimer timer;

	timer.fn = on_beat;
	if (ns)
		hrtimer_start(&timer, ns);
	else
		hrtimer_cancel(&timer);
}

static void report_lockup(const struct pmu_regs *regs, unsigned seconds)
{
	if (smp_ncpus() > 1)
		dump_report(regs->frame,
			    "NMI watchdog: hard lockup on CPU %u: interrupts are held off for %u s",
			    smp_cpu(), seconds);
	else
		dump_report(regs->frame,
			    "NMI watchdog: hard lockup: interrupts are held off for %u s", seconds);
}

int watchdog_on(unsigned seconds, struct reason *why)
{
	static const struct pmu_watchdog_host host = {
		.cycles_per_second = cycles_per_second,
		.beat_arm = arm_beat,
		.report = report_lockup,
	};

	/* While the firmware uses the CPU, the counter would overflow without a heartbeat. */
	if (world_is_lent())
		return refuse(
			why, EOPNOTSUPP,
			"there is no watchdog while the firmware lends the machine (boot option mode=own)");
	return pmu_watchdog_on(&host, seconds, why);
}
