// SPDX-License-Identifier: BSD-2-Clause
/*
 * firmware_conflict.c - see firmware_conflict.h. Control registers are compared when an event
 * leaves its counter, and the master switch when counting pauses, except for timers. Both registers
 * are accessed at these times anyway. So the core notices that the firmware has taken a counter,
 * unless something has overwritten the firmware's value.
 */
#include "pmu/core/firmware_conflict.h"

#include "lib/bits.h"
#include "pmu/driver/modelled.h"
#include "pmu/state/remote.h"

void pmu_firmware_init(void)
{
	struct pmu_firmware *f = &pmu.firmware;

	f->at_start = pmu_firmware_counters(&pmu.hw, &f->msr, &f->value);
}

void pmu_firmware_took(struct pmu_event *e)
{
	const unsigned counter = e->place->index;
	struct pmu_event *opened = e->family.ancestor ? e->family.ancestor : e;

	pmu.firmware.borrowed |= 1ull << counter;
	pmu.scheduler.tick.taken |= 1ull << counter;
	pmu.scheduler.tick.borrowed |= 1ull << counter;
	__atomic_store_n(&e->borrowed, (uint8_t)(counter + 1), __ATOMIC_RELAXED);
	__atomic_store_n(&opened->borrowed, (uint8_t)(counter + 1), __ATOMIC_RELAXED);
}

void pmu_firmware_took_all(uint64_t counters)
{
	for (; counters; counters &= counters - 1)
		pmu_firmware_took(pmu.counters.on[bits_first(counters)]);
}

static void add_firmware(void *arg)
{
	struct pmu_firmware *sum = arg;

	if (!sum->at_start) {
		sum->msr = pmu.firmware.msr;
		sum->value = pmu.firmware.value;
	}
	sum->at_start |= pmu.firmware.at_start;
	sum->borrowed |= pmu.firmware.borrowed;
	sum->still |= pmu.hw.still;
}

struct pmu_firmware pmu_firmware(void)
{
	struct pmu_firmware sum = {0};

	pmu_on_each_cpu(add_firmware, &sum);
	return sum;
}

int pmu_counter_borrowed_of(const struct pmu_event *e)
{
	return (int)__atomic_load_n(&e->borrowed, __ATOMIC_RELAXED) - 1;
}

/* Counters in use are left alone: their events would see the loop that is counted. */
static void recheck_here(void *arg)
{
	const uint64_t idle = pmu.hw.counters & ~pmu.counters.used & ~pmu.scheduler.tick.taken;
	uint64_t *all = arg, still;

	if (!pmu.driver || pmu.counters.used)
		return;
	still = pmu_sanity_still(&pmu.hw, idle,
				 uarch_generic(pmu.uarch, PERF_COUNT_HW_INSTRUCTIONS));
	pmu.hw.still |= still;
	pmu.scheduler.tick.taken |= still;
	*all |= still;
}

uint64_t pmu_counters_recheck(void)
{
	uint64_t still = 0;

	if (pmu.caps->hypervisor && !pmu_is_modelled())
		pmu_on_each_cpu(recheck_here, &still);
	return still;
}
