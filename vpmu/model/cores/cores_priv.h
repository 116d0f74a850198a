// SPDX-License-Identifier: BSD-2-Clause
/* The parts of the tables, for the files of this folder. */
#ifndef PERF0_VPMU_MODEL_CORES_CORES_PRIV_H
#define PERF0_VPMU_MODEL_CORES_CORES_PRIV_H

#include "vpmu/model/cores/core_tables.h"
#include "vpmu/model/cores/core_counts.h"

/* A row that LLVM lacks or has wrong. */
struct core_correction {
	uint32_t key;
	const char *cores; /* their names */
	struct core_row row;
};

/* A form with registers alone, as it was measured. 0: as the table has it. */
struct core_measured {
	uint32_t key;
	uint16_t latency;
	struct core_use use; /* in place of all that compute */
};

#define MEASURED(key, latency, ports, cycles, count) \
	{                                            \
		key, latency,                        \
		{                                    \
			ports, cycles, count         \
		}                                    \
	}

extern const struct core_measured core_measured_zen4[];
extern const unsigned core_nmeasured_zen4;

extern const uint32_t core_keys[CORE_KEYS];
extern const uint16_t core_form_of[CORE_KEYS];
extern const struct core_table core_snb, core_hsw, core_bdw, core_skl, core_skx, core_icl, core_adl,
	core_zen2, core_zen3, core_zen4;

/* Returns the correction for the form with this key on a core, or NULL. */
const struct core_row *core_corrected(const struct core_table *core, uint32_t key);

/* Changes a row of one of Intel's cores. Its uses may be in `uses` then. */
void core_change_intel(struct core_row *row, struct core_use uses[CORE_USES],
		       const struct core_table *core, uint32_t key);

/* Changes the row where the core was measured. Its units stay if `uses` is NULL. */
void core_take_measured(struct core_row *row, struct core_use *uses, const struct core_table *core,
			uint32_t key);

#endif
