// SPDX-License-Identifier: BSD-2-Clause
/* read_count.c - the fast path for reading the count of one event: with one RDPMC. */
#include "arch/x86/insn.h"
#include "pmu/core/counter.h"
#include "pmu/state/read.h"

static __attribute__((noinline)) bool read_other_count(const struct pmu_event *e, uint64_t *count)
{
	if (e->attr.read_format || !pmu_reads_alone(e) || pmu_failed(e))
		return false;
	pmu_take_group(e);
	*count = e->family.gone.count + pmu_count_of(e);
	return true;
}

bool pmu_event_read_count(const struct pmu_event *e, uint64_t *count)
{
	if (!e->reads_plainly || e->state != PMU_STATE_ACTIVE || !pmu_reads_alone(e))
		return read_other_count(e, count);
	*count = e->family.gone.count + pmu_counter_count(e);
	return true;
}
