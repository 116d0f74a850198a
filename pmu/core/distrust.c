// SPDX-License-Identifier: BSD-2-Clause
/* distrust.c - see distrust.h. */
#include "pmu/core/distrust.h"

#include "lib/printf.h"
#include "pmu/state/remote.h"
#include "pmu/state/state.h"

#define TEXT_MOST 96

static PERCPU struct {
	uint64_t counters;
	char text[TEXT_MOST]; /* of PEBS, branch records, IBS: they share the last reason */
} distrusted;

struct finding {
	enum pmu_feature feature;
	uint64_t counters;
	const char *check;
};

static void refuse_counters(uint64_t counters)
{
	distrusted.counters |= counters & pmu.hw.counters;
	pmu.hw.counters &= ~counters;
	pmu.hw.pebs.counters &= ~counters;
	pmu.info.counters = pmu.hw.counters;
	pmu.scheduler.tick.counters = pmu.hw.counters;
}

static void refuse_here(void *arg)
{
	const struct finding *f = arg;

	if (!pmu.driver)
		return;
	fmt_print(distrusted.text, sizeof(distrusted.text),
		  "the self-test found it wrong (doctor: %s)", f->check);
	switch (f->feature) {
	case PMU_FEATURE_COUNTERS:
		refuse_counters(f->counters);
		break;
	case PMU_FEATURE_PEBS:
		pmu.hw.pebs.format = 0;
		pmu.hw.pebs.problem = distrusted.text;
		pmu.info.max_precise = 0;
		break;
	case PMU_FEATURE_LBR:
		pmu.hw.lbr = (struct pmu_lbr){.problem = distrusted.text};
		break;
	case PMU_FEATURE_IBS:
		if (pmu.unit)
			pmu.unit->distrust(distrusted.text);
		break;
	case PMU_FEATURE_NONE:
		break;
	}
}

void pmu_distrust(enum pmu_feature feature, uint64_t counters, const char *check)
{
	struct finding f = {.feature = feature, .counters = counters, .check = check};

	pmu_on_each_cpu(refuse_here, &f);
}

uint64_t pmu_distrusted(void)
{
	return distrusted.counters;
}
