// SPDX-License-Identifier: BSD-2-Clause
/*
 * firmware_held.c - finds counters that the firmware uses: enabled at start-up, or changed while
 * events count. See driver.h. The signs are IA32_PERF_GLOBAL_INUSE (SDM vol. 3,
 * "IA32_PERF_GLOBAL_INUSE MSR") and the control registers.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "pmu/driver/driver.h"

struct found {
	uint64_t counters;
	uint32_t *msr;
	uint64_t *value;
};

static void note_found(struct found *f, uint64_t counters, uint32_t msr, uint64_t value)
{
	if (counters && !f->counters) {
		*f->msr = msr;
		*f->value = value;
	}
	f->counters |= counters;
}

static void look_at_general(const struct pmu_hardware *hw, struct found *f)
{
	for (uint64_t left = hw->counters & bits_low(GLOBAL_FIXED_SHIFT); left; left &= left - 1) {
		const unsigned i = bits_first(left);
		const uint32_t msr = hw->driver->control + i * hw->driver->stride;
		uint64_t v;

		if (rdmsr_safe(msr, &v) && v & EVTSEL_EN)
			note_found(f, 1ull << i, msr, v);
	}
}

static void look_at_fixed(const struct pmu_hardware *hw, struct found *f)
{
	uint64_t v, on = 0;

	if (!(hw->counters >> GLOBAL_FIXED_SHIFT) || !rdmsr_safe(MSR_IA32_FIXED_CTR_CTRL, &v))
		return;
	for (uint64_t left = hw->counters >> GLOBAL_FIXED_SHIFT; left; left &= left - 1)
		if (v >> FIXED_CTRL_SHIFT(bits_first(left)) & (FIXED_CTRL_OS | FIXED_CTRL_USR))
			on |= 1ull << (GLOBAL_FIXED_SHIFT + bits_first(left));
	note_found(f, on, MSR_IA32_FIXED_CTR_CTRL, v);
}

uint64_t pmu_firmware_counters(const struct pmu_hardware *hw, uint32_t *msr, uint64_t *value)
{
	struct found f = {.msr = msr, .value = value};
	uint64_t v;

	look_at_general(hw, &f);
	look_at_fixed(hw, &f);
	if (hw->has_inuse && rdmsr_safe(MSR_IA32_PERF_GLOBAL_INUSE, &v))
		note_found(&f, v & hw->counters, MSR_IA32_PERF_GLOBAL_INUSE, v);
	return f.counters;
}
