// SPDX-License-Identifier: BSD-2-Clause
/* sanity.c - tests whether the PMU that CPUID reports works. See driver.h. */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/cpuid.h"
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
		return refuse(why, ENODEV, "MSR 0x%x does not keep what is written to it: %s", msr,
			      cpuid_is_kvm()
				      ? "KVM has no PMU here (on the host: perf0 doctor --kvm)"
				      : "no PMU, or a hypervisor that hides it");
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

/* The event select by which a counter is checked: instructions, or a fixed counter's own event. */
static uint64_t counted_by(unsigned counter, uint64_t select)
{
	return (counter < GLOBAL_FIXED_SHIFT ? select : 0) | EVTSEL_OS | EVTSEL_USR;
}

/*
 * All counters at once. A general counter has counted at least the turns of the loop; fixed ones
 * may count cycles of a slow clock.
 */
uint64_t pmu_sanity_still(const struct pmu_hardware *hw, uint64_t counters, uint64_t select)
{
	const struct pmu_driver *d = hw->driver;
	uint64_t still = 0, faulting = 0;

	for (uint64_t left = counters; left; left &= left - 1) {
		struct pmu_place place;

		pmu_place_init(hw, bits_first(left), &place);
		if (!wrmsr_safe(place.counter, 0))
			faulting |= 1ull << bits_first(left);
		d->program(&place, counted_by(place.index, select));
	}
	d->start(counters);
	spin_loops();
	d->stop();
	for (uint64_t left = counters; left; left &= left - 1) {
		const unsigned counter = bits_first(left);
		struct pmu_place place;
		uint64_t count = 0;

		pmu_place_init(hw, counter, &place);
		rdpmc_safe(place.rdpmc, &count);
		if (count < (counter < GLOBAL_FIXED_SHIFT ? SPIN_TURNS : 1))
			still |= 1ull << counter;
		d->clear(&place);
		wrmsr_safe(place.counter, 0);
	}
	return still | faulting;
}

static int refuse_register(uint32_t msr, struct reason *why)
{
	return refuse(why, ENODEV,
		      "MSR 0x%x faults, which CPUID promises: a hypervisor that has no whole PMU",
		      msr);
}

/* Registers that are for all counters. A hypervisor may have some of them only. */
static int check_shared_registers(const struct pmu_driver *d, struct reason *why)
{
	const uint32_t read[] = {d->master, d->status, d->fixed_control};

	for (size_t i = 0; i < sizeof(read) / sizeof(read[0]); i++)
		if (read[i] && !pmu_has_msr(read[i]))
			return refuse_register(read[i], why);
	if (d->status_reset && !wrmsr_safe(d->status_reset, 0))
		return refuse_register(d->status_reset, why);
	return 0;
}

static int check_counter_registers(const struct pmu_hardware *hw, uint64_t select,
				   struct reason *why)
{
	int err = 0;

	for (uint64_t left = hw->counters & bits_low(GLOBAL_FIXED_SHIFT); left && !err;
	     left &= left - 1) {
		struct pmu_place place;

		pmu_place_init(hw, bits_first(left), &place);
		err = check_register(place.counter,
				     hw->driver->counter + place.index * hw->driver->stride,
				     PATTERN, "counter", why);
		if (!err)
			err = check_register(place.control, place.control, select, "event select",
					     why);
		if (!err)
			wrmsr(place.control, 0);
	}
	return err;
}

int pmu_sanity_check(struct pmu_hardware *hw, uint64_t select, struct reason *why)
{
	int err = check_shared_registers(hw->driver, why);

	if (!err)
		err = check_counter_registers(hw, select, why);
	if (err)
		return err;
	hw->still = pmu_sanity_still(hw, hw->counters, select);
	if (!(hw->counters & ~hw->still & bits_low(GLOBAL_FIXED_SHIFT)))
		return refuse(why, ENODEV, "no general counter counts instructions");
	hw->counters &= ~hw->still;
	return 0;
}
