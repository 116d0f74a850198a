// SPDX-License-Identifier: BSD-2-Clause
/* needs.c - see needs.h. */
#include "pmu/sched/needs.h"

#include "lib/reason.h"

#include <linux/errno.h>

_Static_assert(UARCH_OFFCORE_0 < PMU_EXTRAS && UARCH_OFFCORE_1 < PMU_EXTRAS &&
		       UARCH_LOAD_LATENCY < PMU_EXTRAS && UARCH_FRONTEND < PMU_EXTRAS &&
		       UARCH_SNOOP_0 < PMU_EXTRAS && UARCH_SNOOP_1 < PMU_EXTRAS &&
		       UARCH_LBR_SELECT < PMU_EXTRAS,
	       "registers go by their numbers in the tables");

/* The other register serves if it has all bits of the value. */
static uint8_t registers_for(const struct uarch *uarch, uint64_t select, uint64_t value)
{
	const struct uarch_extra *own = uarch_extra(uarch, select);
	const struct uarch_extra *other = uarch_alternative(uarch, &select);
	unsigned registers = 1u << own->reg;

	if (other && !(value & ~other->valid))
		registers |= 1u << other->reg;
	return (uint8_t)registers;
}

static int find_extra(const struct uarch *uarch, uint64_t select, uint64_t config1,
		      struct pmu_extra *extra, struct reason *why)
{
	const struct uarch_extra *row = uarch_extra(uarch, select);

	*extra = (struct pmu_extra){.value = config1};
	if (!row && config1)
		return refuse(why, EINVAL,
			      "config1 0x%llx has no meaning for event 0x%llx, which needs no "
			      "register beside its counter",
			      (unsigned long long)config1, (unsigned long long)select);
	if (!row)
		return 0;
	if (config1 & ~row->valid)
		return refuse(why, EINVAL,
			      "bits 0x%llx of config1 0x%llx are not in the register of %s "
			      "(MSR 0x%x), which takes 0x%llx",
			      (unsigned long long)(config1 & ~row->valid),
			      (unsigned long long)config1, row->name, row->msr,
			      (unsigned long long)row->valid);
	extra->registers = registers_for(uarch, select, config1);
	extra->reg = row->reg;
	return 0;
}

uint64_t pmu_register_value(const struct uarch *uarch, const struct perf_event_attr *attr)
{
	const uint64_t c = attr->config;

	if (attr->type != PERF_TYPE_HW_CACHE)
		return attr->config1;
	return uarch_cache_value(uarch, c & 0xff, c >> 8 & 0xff, c >> 16 & 0xff);
}

int pmu_find_needs(const struct uarch *uarch, uint64_t select, uint64_t config1, uint32_t version,
		   struct pmu_tick_event *e, struct reason *why)
{
	const struct uarch_constraint *row = uarch_constraint(uarch, select, version);

	e->pair = row && row->flags & UARCH_PAIR;
	e->northbridge = row && row->flags & UARCH_SHARED_NB;
	return find_extra(uarch, select, config1, &e->extra, why);
}
