/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quirks.h - what CPUs do otherwise than their manuals say: one table of errata and of unwritten
 * behaviour, by vendor, family, model, stepping and microcode. pmu_caps_detect() looks them up
 * once, and drivers ask has_quirk().
 *
 * Errata that restrict events and counters are rows of pmu/uarch/, beside the tables of events.
 */
#ifndef ARCH_X86_PORTABLE_QUIRKS_H
#define ARCH_X86_PORTABLE_QUIRKS_H

#include "arch/x86/portable/cpuid.h"

#include <stddef.h>
#include <stdint.h>

enum quirk {
	QUIRK_IBS_FETCH_RESTART, /* a write starts the count of fetches anew only from disabled */
	QUIRK_IBS_CLEAR_MAXIMUM, /* the maximum is to be cleared before the enable bit */
	QUIRK_IBS_FETCH_AT_ZERO, /* a sample of a fetch at address 0 is none */
	QUIRK_IBS_FALSE_L2,      /* loads that wait for another miss are told as hits in L2 */
	QUIRK_IBS_SLOW_L3_ONLY,  /* the filter for slow loads works only with that for L3 misses */
	QUIRK_LBR_ERRONEOUS,     /* LbrExtV2: bit 61 of the target marks an erroneous record */
	QUIRK_LBR_BROKEN,        /* the records of branches do not stop at a PMI */
	QUIRK_COUNTERS_RESET,    /* counters need a sequence of event selects before they count */
	QUIRK_PEBS_BROKEN,       /* PEBS records are wrong */
	QUIRK_IRPERF_WRONG,      /* the counter of retired instructions is inaccurate */
	QUIRK_TSC_DEADLINE,      /* the TSC-deadline timer fails */
	QUIRK_C1E_STOPS_APIC,    /* the local APIC's timer stops when all cores are idle */
	QUIRKS
};

/* A row of the table. Ranges include both ends. */
struct quirk_row {
	enum quirk quirk;
	enum cpu_vendor vendor;
	uint16_t family_first, family_last, model_first, model_last;
	uint8_t stepping_first, stepping_last;
	uint32_t mended_by;  /* the first microcode revision without it; 0: none is known */
	const char *erratum; /* number or title */
	const char *document;
};

/* quirk_name() - a quirk's name, as results have it. Any context. */
const char *quirk_name(enum quirk quirk);

/* quirk_rows() - the table; stores the number of rows. Any context. */
const struct quirk_row *quirk_rows(size_t *n);

/*
 * quirk_row_of() - the row of `quirk` that a CPU matches, whatever its microcode; NULL: the CPU is
 * not affected. Any context.
 */
const struct quirk_row *quirk_row_of(const struct pmu_caps *caps, enum quirk quirk);

/*
 * quirks_find() - the CPU's quirks, a mask by enum quirk. Rows that a microcode revision mends
 * count only below it, and not under a hypervisor, which reports a revision of its choice. Any
 * context.
 */
uint32_t quirks_find(const struct pmu_caps *caps);

static inline bool has_quirk(const struct pmu_caps *caps, enum quirk quirk)
{
	return caps->quirks >> quirk & 1;
}

#endif
