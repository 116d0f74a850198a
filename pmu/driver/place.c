// SPDX-License-Identifier: BSD-2-Clause
/* place.c - the registers of a counter; see driver.h. */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "pmu/driver/driver.h"

#define RDPMC_FIXED (1u << 30)

PERCPU uint64_t pmu_kept;

static void init_fixed(struct pmu_place *place)
{
	unsigned fixed = place->index - GLOBAL_FIXED_SHIFT;

	place->rdpmc = RDPMC_FIXED | fixed;
	place->counter = MSR_IA32_FIXED_CTR0 + fixed;
	place->control = MSR_IA32_FIXED_CTR_CTRL;
}

static void init_general(const struct pmu_hardware *hw, struct pmu_place *place)
{
	const struct pmu_driver *d = hw->driver;

	place->rdpmc = place->index;
	place->enable = d->enable;
	place->control = d->control + place->index * d->stride;
	place->counter = hw->full_width_writes ? MSR_IA32_A_PMC0 + place->index
					       : d->counter + place->index * d->stride;
}

void pmu_place_init(const struct pmu_hardware *hw, unsigned index, struct pmu_place *place)
{
	*place = (struct pmu_place){.index = index, .sign = 1ull << (hw->width - 1)};
	if (index >= GLOBAL_FIXED_SHIFT)
		init_fixed(place);
	else
		init_general(hw, place);
}

void pmu_place_keep(const struct pmu_driver *d, const struct pmu_place *place, uint64_t config)
{
	/*
	 * Without a master switch, start() and stop() switch only programmed counters: this one is
	 * switched here.
	 */
	if (!d->has_switch) {
		wrmsr(place->control, config ? config | EVTSEL_EN : 0);
		return;
	}
	if (config)
		d->program(place, config);
	else
		d->clear(place);
	pmu_kept = config ? 1ull << place->index : 0;
	d->stop();
}
