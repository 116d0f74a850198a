/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lbr.h - records of the last branches, in the three ways in which CPUs have them: Intel's by model
 * (a register tells which of the others is the newest), Intel's architectural ones, and AMD's
 * LbrExtV2. SDM vol. 3, "Last Branch, Interrupt, and Exception Recording" and "Architectural Last
 * Branch Records"; PPR of family 19h, "LbrExtV2".
 *
 * Rules of use: each CPU has its own. All may run in NMI context: no loop but over the records. The
 * register that filters is the caller's (uarch_branches()); where it is the one that switches, too,
 * its value is handed over.
 */
#ifndef PMU_X86_LBR_H
#define PMU_X86_LBR_H

#include "arch/x86/portable/cpuid.h"
#include "pmu/api/task.h"
#include "pmu/uarch/uarch.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

enum pmu_lbr_kind { PMU_LBR_NONE, PMU_LBR_BY_MODEL, PMU_LBR_ARCHITECTURAL, PMU_LBR_AMD };

/* What a machine has. */
struct pmu_lbr {
	uint8_t kind;   /* enum pmu_lbr_kind */
	uint8_t depth;  /* records */
	uint8_t format; /* by model: enum lbr_format */
	bool calls;     /* it can keep a stack of calls */
	bool types;     /* records tell the type of the branch */
	uint16_t from, to;
	const char *problem; /* none: why, one sentence */
};

/* Records, newest first. */
struct pmu_lbr_records {
	uint32_t n;
	uint64_t newest; /* the number of its register; UINT64_MAX: not told */
	struct perf_branch_entry entry[PMU_BRANCHES_MOST];
};

/* pmu_lbr_probe() - what this CPU has, off and empty. Once, task context. */
void pmu_lbr_probe(const struct pmu_caps *caps, const struct uarch *uarch, struct pmu_lbr *lbr);

/*
 * pmu_lbr_start() - branches are recorded from now on, as `select` says, which is in its register
 * already; `freezes`: until a PMI. pmu_lbr_stop(): no more. pmu_lbr_clear(): there are none.
 */
void pmu_lbr_start(const struct pmu_lbr *lbr, uint64_t select, bool freezes);
void pmu_lbr_stop(const struct pmu_lbr *lbr, uint64_t select);
void pmu_lbr_clear(const struct pmu_lbr *lbr);

/* pmu_lbr_read() - the records, while they are stopped; `calls`: of a stack of calls. */
void pmu_lbr_read(const struct pmu_lbr *lbr, bool calls, struct pmu_lbr_records *records);

/* pmu_lbr_save(), pmu_lbr_restore() - a stack of calls; while they are stopped. */
void pmu_lbr_save(const struct pmu_lbr *lbr, struct pmu_saved_branches *saved);
void pmu_lbr_restore(const struct pmu_lbr *lbr, const struct pmu_saved_branches *saved);

#endif
