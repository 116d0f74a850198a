// SPDX-License-Identifier: BSD-2-Clause
/* self.c - see self.h. The counter is removed from every mask that the event core chooses from. */
#include "pmu/own/self.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "pmu/state/state.h"
#include "lib/reason.h"

#include <linux/errno.h>

static PERCPU struct pmu_place place;
static PERCPU uint64_t taken; /* mask of the counter; 0: none */

static void set_counters(uint64_t counters)
{
	pmu.hw.counters = counters;
	pmu.info.counters = counters;
	pmu.scheduler.tick.counters = counters;
}

static bool any_in_tasks(void)
{
	for (const struct pmu_task *task = pmu_shared.tasks; task; task = task->next)
		if (task->context.nevents)
			return true;
	return false;
}

static int check_self_candidates(uint64_t candidates, struct reason *why)
{
	if (!pmu.driver)
		return refuse(why, ENODEV, "%s", pmu.problem);
	if (pmu.cpu->nevents || any_in_tasks())
		return refuse(why, EBUSY, "events are open");
	if (taken & ~pmu.hw.counters)
		return refuse(why, EBUSY, "it runs already");
	if (!candidates)
		return refuse(why, ENOENT, "no counter of this CPU can count instructions");
	return 0;
}

int pmu_self_start(struct reason *why)
{
	const uint64_t select = uarch_generic(pmu.uarch, PERF_COUNT_HW_INSTRUCTIONS);
	const uint64_t candidates = uarch_counters(pmu.uarch, select) & pmu.hw.counters;
	int err = check_self_candidates(candidates, why);

	if (err)
		return err;
	pmu_place_init(&pmu.hw, bits_last(candidates), &place);
	taken = 1ull << place.index;
	set_counters(pmu.hw.counters & ~taken);
	wrmsr(place.counter, 0);
	pmu_place_keep(pmu.driver, &place, select | EVTSEL_OS);
	return 0;
}

void pmu_self_stop(void)
{
	pmu_place_keep(pmu.driver, &place, 0);
	set_counters(pmu.hw.counters | taken);
	taken = 0;
}

uint64_t pmu_self_read(void)
{
	return rdpmc(place.rdpmc);
}

uint32_t pmu_self_rdpmc(void)
{
	return place.rdpmc;
}

unsigned pmu_self_index(void)
{
	return place.index;
}
