// SPDX-License-Identifier: BSD-2-Clause
/*
 * switchless.c - PMUs without global control and status: Intel's architectural version 1 and AMD
 * before PerfMonV2. Each control register switches its own counter, one after the other. A counter
 * has overflowed when its top bit is clear, because it was set to a negative number.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/percpu.h"
#include "lib/bits.h"
#include "pmu/driver/driver.h"

#define MAX_COUNTERS 32

/*
 * The place and control word of each counter in `programmed`, and what its control register was
 * written last. Another value there is the firmware's, which took the counter.
 */
static PERCPU struct {
	uint64_t programmed;
	uint64_t config[MAX_COUNTERS], wrote[MAX_COUNTERS];
	struct pmu_place place[MAX_COUNTERS];
} unit;

void pmu_switchless_program(const struct pmu_place *place, uint64_t config)
{
	unit.config[place->index] = config;
	unit.place[place->index] = *place;
	if (!(unit.programmed >> place->index & 1))
		unit.wrote[place->index] = 0;
	unit.programmed |= 1ull << place->index;
}

void pmu_switchless_clear(const struct pmu_place *place)
{
	unit.programmed &= ~(1ull << place->index);
	wrmsr(place->control, 0);
}

static void switch_one(unsigned i, uint64_t config)
{
	unit.wrote[i] = config;
	wrmsr(unit.place[i].control, config);
}

void pmu_switchless_start(uint64_t counters)
{
	for (counters &= unit.programmed; counters; counters &= counters - 1) {
		const unsigned i = bits_first(counters);

		switch_one(i, unit.config[i] | EVTSEL_EN);
	}
}

/* A counter of the firmware keeps its value, by which holds() notices that it was taken. */
void pmu_switchless_stop(void)
{
	for (uint64_t left = unit.programmed; left; left &= left - 1) {
		const unsigned i = bits_first(left);

		if (pmu_control_is(unit.place[i].control, unit.wrote[i]))
			switch_one(i, unit.config[i]);
		else
			unit.programmed &= ~(1ull << i);
	}
}

/* A stopped counter has no EN bit. */
bool pmu_switchless_holds(const struct pmu_place *place, uint64_t config)
{
	return pmu_control_is(place->control, config & ~EVTSEL_EN);
}

uint64_t pmu_switchless_overflowed(void)
{
	uint64_t status = 0;

	for (uint64_t left = unit.programmed; left; left &= left - 1) {
		unsigned i = bits_first(left);

		if (!(rdpmc(unit.place[i].rdpmc) & unit.place[i].sign))
			status |= 1ull << i;
	}
	return status;
}

/* Reloading the counter acknowledges the overflow. */
void pmu_switchless_ack(uint64_t status)
{
	(void)status;
}
