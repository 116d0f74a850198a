/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lbr.h - records of the last branches, in the three forms of CPUs: Intel's model-specific ones (a
 * register tells which of the others is the newest), Intel's architectural ones, and AMD's
 * LbrExtV2. SDM vol. 3, "Last Branch, Interrupt, and Exception Recording" and "Architectural Last
 * Branch Records"; PPR of family 19h, "LbrExtV2".
 *
 * Rules of use: each CPU has its own records. All functions may run in NMI context: they loop only
 * over the records. The caller sets the filter register (uarch_branches()). If the same register is
 * the switch, the caller passes its value.
 */
#ifndef PMU_X86_LBR_H
#define PMU_X86_LBR_H

#include "arch/x86/portable/cpuid.h"
#include "pmu/api/pmu_task.h"
#include "pmu/uarch/uarch.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

enum pmu_lbr_kind { PMU_LBR_NONE, PMU_LBR_BY_MODEL, PMU_LBR_ARCHITECTURAL, PMU_LBR_AMD };

/* The branch records of a CPU. */
struct pmu_lbr {
	uint8_t kind;   /* enum pmu_lbr_kind */
	uint8_t depth;  /* number of records */
	uint8_t format; /* model-specific: enum lbr_format */
	bool calls;     /* it can record a call stack */
	bool types;     /* records contain the type of the branch */
	bool erroneous; /* QUIRK_LBR_ERRONEOUS: some records are marked as wrong */
	bool extended;  /* a source's bits 62:61 extend its sign, as there is no TSX */
	uint16_t from, to;
	const char *problem; /* PMU_LBR_NONE: the reason, one sentence */
};

/* Records, newest first. */
struct pmu_lbr_records {
	uint32_t n;
	uint64_t newest; /* number of its register; UINT64_MAX: unknown */
	struct perf_branch_entry entry[PMU_BRANCHES_MOST];
};

/*
 * pmu_lbr_probe() - detects the records of this CPU, and stops and clears them. Once, task context.
 */
void pmu_lbr_probe(const struct pmu_caps *caps, const struct uarch *uarch, struct pmu_lbr *lbr);

/*
 * pmu_lbr_start() - starts recording with the filter `select`, which is already in its register;
 * `freezes`: until a PMI.
 * pmu_lbr_stop() - stops recording.
 * pmu_lbr_clear() - clears all records.
 */
void pmu_lbr_start(const struct pmu_lbr *lbr, uint64_t select, bool freezes);
void pmu_lbr_stop(const struct pmu_lbr *lbr, uint64_t select);
void pmu_lbr_clear(const struct pmu_lbr *lbr);

/* pmu_lbr_read() - reads the records, while recording is stopped; `calls`: as a call stack. */
void pmu_lbr_read(const struct pmu_lbr *lbr, bool calls, struct pmu_lbr_records *records);

/* pmu_lbr_save(), pmu_lbr_restore() - save and restore a call stack, while recording is stopped. */
void pmu_lbr_save(const struct pmu_lbr *lbr, struct pmu_saved_branches *saved);
void pmu_lbr_restore(const struct pmu_lbr *lbr, const struct pmu_saved_branches *saved);

#endif
