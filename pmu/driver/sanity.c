// SPDX-License-Identifier: BSD-2-Clause
/* sanity.c - tests whether the PMU that CPUID reports works. See driver.h. */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "lib/reason.h"
#include "pmu/driver/driver.h"

#include <linux/errno.h>

#define PATTERN    0x12345670ull /* fits a register of 31 bits and a sign */
#define SPIN_TURNS 1000

static int check_register(uint32_t msr, uint32_t read_by, uint64_t pattern, const char *what,
			  struct reason *why)
{
	uint64_t value;

	if (!wrmsr_safe(msr, pattern) || !rdmsr_safe(read_by, &value))
		return refuse(why, ENODEV, "there is no %s register (MSR 0x%x faults)", what, msr);
	if (value != pattern)
		return refuse(why, ENODEV,
			      "MSR 0x%x does not keep what is written to it: no PMU, or a "
			      "hypervisor that hides it",
			      msr);
	return 0;
}

/* Executes instructions to count; the compiler cannot remove them. */
static void spin_loops(void)
{
	for (unsigned i = 0; i < SPIN_TURNS; i++) {
		rdtsc();
		__asm__ volatile("" : : "r"(i));
	}
}

static uint64_t count_spin(const struct pmu_driver *d, const struct pmu_place *place,
			   uint64_t config)
{
	uint64_t before, after = 0;

	if (!rdpmc_safe(place->rdpmc, &before))
		return 0;
	d->program(place, config);
	d->start(1ull << place->index);
	spin_loops();
	d->stop();
	rdpmc_safe(place->rdpmc, &after);
	d->clear(place);
	return after - before;
}

int pmu_sanity_check(const struct pmu_hardware *hw, uint64_t select, struct reason *why)
{
	const struct pmu_driver *d = hw->driver;
	struct pmu_place place;
	uint32_t read_by;
	int err;

	pmu_place_init(hw, bits_first(hw->counters), &place);
	read_by = d->counter + place.index * d->stride;
	err = check_register(place.counter, read_by, PATTERN, "counter", why);
	if (!err)
		err = check_register(place.control, place.control, select, "event select", why);
	if (err)
		return err;
	wrmsr(place.control, 0);
	if (count_spin(d, &place, select | EVTSEL_OS | EVTSEL_USR) < SPIN_TURNS)
		return refuse(why, ENODEV, "counter %u does not count instructions", place.index);
	wrmsr(place.counter, 0);
	return 0;
}
