/* SPDX-License-Identifier: BSD-2-Clause */
/* rowless.h - instructions for which the tables of the modelled core have no row: time has a cycle
 * for each of them. */
#ifndef PMU_OWN_ROWLESS_H
#define PMU_OWN_ROWLESS_H

#include "pmu/driver/modelled.h"

#define PMU_ROWLESS_NAMED 8 /* the most mnemonics that are told */

struct pmu_rowless_told {
	uint64_t count, instructions; /* without a row, of all */
	char core[PMU_MODELLED_CORE_NAME];
	char mnemonics[PMU_ROWLESS_NAMED * (PMU_MNEMONIC + 1)]; /* the most executed first */
};

/*
 * pmu_rowless_now() - sums over all CPUs since launch, while counters counted modelled time.
 * pmu_rowless_since(): what was executed since then. Task context.
 */
struct pmu_rowless pmu_rowless_now(void);
void pmu_rowless_since(struct pmu_rowless_told *told, const struct pmu_rowless *then);

#endif
