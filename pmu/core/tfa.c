// SPDX-License-Identifier: BSD-2-Clause
/*
 * tfa.c - TSX_FORCE_ABORT: on Skylake and related CPUs a transaction may change a counter and its
 * control register, unless bit 0 of that MSR makes all transactions abort (erratum "Performance
 * Monitoring General Purpose Counter 3 May Contain Unexpected Values").
 */
#include "pmu/state/state.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/reason.h"
#include "pmu/core/control.h"
#include "pmu/core/schedule.h"
#include "pmu/state/remote.h"
#include "pmu/core/tfa.h"

#include <linux/errno.h>

uint64_t pmu_tfa_counters(void)
{
	const struct uarch_erratum *tsx = uarch_erratum(pmu.uarch, UARCH_TSX_TAKES, 0, UARCH_NOW);

	return tsx && pmu.caps->tsx_force_abort && pmu.driver ? tsx->counters : 0;
}

static bool write_force_abort(bool abort)
{
	uint64_t value;

	if (!rdmsr_safe(MSR_TSX_FORCE_ABORT, &value))
		return false;
	value &= ~TSX_FORCE_ABORT_RTM;
	return wrmsr_safe(MSR_TSX_FORCE_ABORT, value | (abort ? TSX_FORCE_ABORT_RTM : 0));
}

bool pmu_tfa_aborts(void)
{
	uint64_t value;

	return rdmsr_safe(MSR_TSX_FORCE_ABORT, &value) && value & TSX_FORCE_ABORT_RTM;
}

/*
 * Nothing here runs transactions: they are made to abort, as Linux does when it needs the counter.
 */
void pmu_tfa_init(void)
{
	const uint64_t counters = pmu_tfa_counters();

	if (!counters)
		return;
	if (!pmu_tfa_aborts())
		write_force_abort(true);
	pmu.scheduler.tick.taken = pmu_tfa_aborts() ? 0 : counters;
}

/* In either direction, the counter is never in use while transactions run. */
static void set_here(void *arg)
{
	const bool abort = *(const bool *)arg;
	const uint64_t counters = pmu_tfa_counters();
	uint64_t irq = pmu_begin_change();

	if (!abort) {
		pmu.scheduler.tick.taken |= counters;
		pmu_schedule();
	}
	write_force_abort(abort);
	if (pmu_tfa_aborts()) {
		pmu.scheduler.tick.taken = pmu.firmware.borrowed;
		pmu_schedule();
	}
	pmu_end_change(irq);
}

int pmu_set_tfa(bool abort, struct reason *why)
{
	if (!pmu_tfa_counters())
		return refuse(why, ENOENT, "transactions take no counter of this CPU (%s)",
			      pmu.uarch->name);
	pmu_operation_begin();
	pmu_on_each_cpu(set_here, &abort);
	pmu_operation_end();
	if (pmu_tfa_aborts() != abort)
		return refuse(why, EIO, "TSX_FORCE_ABORT does not keep what is written");
	return 0;
}
