// SPDX-License-Identifier: BSD-2-Clause
/* freeze.c - see freeze.h. */
#include "pmu/core/freeze.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "pmu/core/counter.h"
#include "pmu/driver/modelled.h"
#include "pmu/state/state.h"

#include <linux/errno.h>

#define STATUS_VERSION 4 /* the first version of Intel's PMU with a freeze bit in the status */

static PERCPU struct {
	enum pmu_freeze kind;
	const struct pmu_event *clock;
	bool stops;             /* the clock will overflow */
	enum pmu_frozen frozen; /* the state that the NMI found */
	bool was_unusual;       /* pmu.nmi.unusual before the freeze */
	uint64_t set[PMU_COUNTERS], found[PMU_COUNTERS];
} freeze;

/* --- Capabilities of the CPU --- */

static enum pmu_freeze claimed_kind(void)
{
	const struct pmu_caps *caps = pmu.caps;

	if (!pmu.driver || !pmu.driver->has_switch)
		return PMU_FREEZE_NMI;
	if (caps->vendor == CPU_VENDOR_AMD)
		return caps->lbr_pmc_freeze ? PMU_FREEZE_STATUS : PMU_FREEZE_NMI;
	return caps->version >= STATUS_VERSION ? PMU_FREEZE_STATUS : PMU_FREEZE_CONTROL;
}

static bool write_freeze(bool on)
{
	uint64_t was, is;

	if (!rdmsr_safe(MSR_IA32_DEBUGCTL, &was))
		return false;
	is = on ? was | DEBUGCTL_FREEZE_PERFMON : was & ~DEBUGCTL_FREEZE_PERFMON;
	return is == was || wrmsr_safe(MSR_IA32_DEBUGCTL, is);
}

/* Some hypervisors fault here, and others ignore the write. */
static bool takes_freeze(void)
{
	uint64_t now = 0;
	const bool takes = write_freeze(true) && rdmsr_safe(MSR_IA32_DEBUGCTL, &now) &&
			   now & DEBUGCTL_FREEZE_PERFMON;

	write_freeze(false);
	return takes;
}

enum pmu_freeze pmu_freeze_kind(void)
{
	const enum pmu_freeze kind = claimed_kind();

	return kind != PMU_FREEZE_NMI && !takes_freeze() ? PMU_FREEZE_NMI : kind;
}

static uint64_t live_counters(void)
{
	return pmu.counters.used | pmu.counters.upper;
}

struct pmu_master pmu_freeze_master(void)
{
	return (struct pmu_master){
		.msr = pmu.driver->master,
		.on = live_counters() | pmu_kept,
		.off = pmu_kept,
	};
}

/* --- Begin and start --- */

static void set_to(struct pmu_event *e, uint64_t value)
{
	pmu_counter_update(e);
	e->prev = freeze.set[e->place->index] = value;
	wrmsr(e->place->counter, value);
	if (e->tick.pair)
		wrmsr(e->place->counter + pmu.driver->stride, 0);
}

static void acknowledge(void)
{
	const uint64_t status = pmu.driver->overflowed();

	if (status)
		pmu.driver->ack(status);
}

void pmu_freeze_begin(const struct pmu_event *clock, uint64_t after, enum pmu_freeze kind)
{
	local_store(&pmu.counters.live, 0);
	pmu.driver->stop();
	acknowledge();
	freeze.kind = kind;
	freeze.clock = clock;
	freeze.stops = after;
	freeze.frozen = PMU_FROZEN_NOT;
	freeze.was_unusual = pmu.nmi.unusual;
	for (uint64_t left = pmu.counters.used; left; left &= left - 1) {
		struct pmu_event *e = pmu.counters.on[bits_first(left)];

		set_to(e, e == clock ? -after & pmu.counter_mask : 0);
	}
	pmu_modelled_align();
	if (kind != PMU_FREEZE_NMI)
		write_freeze(true);
	pmu.nmi.unusual = pmu.nmi.freezes = true;
	pmu.host->lvtpc_unmask();
}

void pmu_freeze_start(void)
{
	pmu.driver->start(live_counters());
}

/* --- The overflow --- */

static void find_values(void)
{
	for (uint64_t left = pmu.counters.used; left; left &= left - 1) {
		const unsigned counter = bits_first(left);

		freeze.found[counter] = rdpmc(pmu.counters.places[counter].rdpmc);
	}
}

static bool is_held(void)
{
	switch (freeze.kind) {
	case PMU_FREEZE_STATUS:
		return pmu.driver->overflowed() & GLOBAL_STATUS_CTR_FRZ;
	case PMU_FREEZE_CONTROL:
		return !(pmu.driver->running() & pmu.counters.used);
	case PMU_FREEZE_NMI:
		break;
	}
	return false;
}

/* The counter was set to a negative number. */
static bool has_overflowed(void)
{
	const struct pmu_place *place = freeze.clock->place;

	return freeze.stops && !(rdpmc(place->rdpmc) & place->sign);
}

/* The status stays until the end: acknowledging it would let the counters continue. */
bool pmu_freeze_nmi(void)
{
	if (!has_overflowed())
		return false;
	if (freeze.frozen != PMU_FROZEN_NOT)
		return true;
	freeze.frozen = is_held() ? PMU_FROZEN : PMU_FROZEN_BY_NMI;
	pmu.driver->stop();
	find_values();
	return true;
}

/* --- The end --- */

static void leave_freeze(void)
{
	pmu.nmi.freezes = false;
	pmu.nmi.unusual = freeze.was_unusual;
	if (freeze.kind != PMU_FREEZE_NMI)
		write_freeze(false);
	acknowledge();
	pmu.nmi.served_at = rdtsc();
	pmu.host->lvtpc_unmask();
}

void pmu_freeze_cancel(void)
{
	if (!pmu.nmi.freezes)
		return;
	pmu.driver->stop();
	leave_freeze();
}

static void reload_counters(void)
{
	for (uint64_t left = pmu.counters.used; left; left &= left - 1) {
		struct pmu_event *e = pmu.counters.on[bits_first(left)];

		pmu_counter_update(e);
		pmu_counter_load(e);
	}
}

int pmu_freeze_end(struct pmu_event *const *events, unsigned n, uint64_t *value,
		   enum pmu_frozen *frozen)
{
	if (!pmu.nmi.freezes)
		return -EAGAIN;
	pmu.driver->stop();
	if (freeze.frozen == PMU_FROZEN_NOT)
		find_values();
	if (freeze.frozen == PMU_FROZEN_NOT && has_overflowed())
		freeze.frozen = is_held() ? PMU_FROZEN : PMU_FROZEN_BY_NMI;
	for (unsigned i = 0; i < n; i++) {
		const unsigned counter = events[i]->place->index;

		value[i] = (freeze.found[counter] - freeze.set[counter]) & pmu.counter_mask;
	}
	*frozen = freeze.frozen;
	leave_freeze();
	reload_counters();
	local_store(&pmu.counters.live, live_counters());
	pmu.driver->start(live_counters());
	return 0;
}
