/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * distrust.h - features of the PMU that a self-test found wrong: nothing uses them until the next
 * boot, and an event that needs them is refused with the reason.
 */
#ifndef PMU_CORE_DISTRUST_H
#define PMU_CORE_DISTRUST_H

#include <stddef.h>
#include <stdint.h>

enum pmu_feature {
	PMU_FEATURE_NONE,     /* nothing is refused */
	PMU_FEATURE_COUNTERS, /* the counters of a mask: general from bit 0, fixed from bit 32 */
	PMU_FEATURE_PEBS,
	PMU_FEATURE_LBR,
	PMU_FEATURE_IBS,
};

/*
 * pmu_distrust() - refuses `feature` on all CPUs from now on; of counters those in `counters`.
 * `check` is the self-test's name for the reason. No events may be open. Task context.
 *
 * pmu_distrusted() - the counters that are refused on this CPU. Any context.
 */
void pmu_distrust(enum pmu_feature feature, uint64_t counters, const char *check);
uint64_t pmu_distrusted(void);

#endif
