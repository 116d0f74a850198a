/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uarch.h - facts about microarchitectures, as rows: which models they are, which event select each
 * generic event has there, and which events only some counters can count.
 *
 * Event selects are written as in IA32_PERFEVTSELx and AMD's PERF_CTLx without the enabling bits;
 * 0 means that there is none. A constraint matches where the bits of
 * its mask agree; the first that matches counts; an event without any may use every counter.
 * Counter masks name general counters from bit 0 and fixed counters from bit 32, and are cut down
 * to what CPUID shows.
 */
#ifndef PMU_UARCH_UARCH_H
#define PMU_UARCH_UARCH_H

#include "arch/x86/cpuid.h"
#include "arch/x86/msr.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#define UARCH_SELECT(code, umask) ((uint64_t)(umask) << 8 | (code))
/* AMD's event select has 12 bits: the upper four lie at 35:32. */
#define UARCH_AMD_SELECT(code, umask) \
	((uint64_t)((code) >> 8) << 32 | UARCH_SELECT((code)&0xff, umask))

#define UARCH_CODE  EVTSEL_EVENT
#define UARCH_EXACT (EVTSEL_EVENT | EVTSEL_UMASK)
#define UARCH_FULL  (UARCH_EXACT | EVTSEL_CMASK | EVTSEL_INV)

#define UARCH_FIXED(n) (1ull << (GLOBAL_FIXED_SHIFT + (n)))
#define UARCH_GENERAL  0xffffffffull

struct uarch_constraint {
	uint64_t match, mask;
	uint64_t counters;
	const char *name; /* of the event, or of the events with that code */
};

/* Generic cache events: by cache, operation and result, as in perf_event_open(2). */
struct uarch_cache {
	uint64_t select[PERF_COUNT_HW_CACHE_MAX][PERF_COUNT_HW_CACHE_OP_MAX]
		       [PERF_COUNT_HW_CACHE_RESULT_MAX];
};

struct uarch_model {
	uint16_t family, first, last;
};

struct uarch {
	const char *name;
	enum cpu_vendor vendor;
	struct uarch_model models[8]; /* a family of 0 ends them */
	uint64_t generic[PERF_COUNT_HW_MAX];
	const struct uarch_cache *cache; /* NULL: none */
	const struct uarch_constraint *constraints;
	size_t nconstraints;
	const char *note; /* "" when there is nothing to say */
};

/* SDM vol. 3, "Pre-defined Architectural Performance Events"; ref-cycles by its fixed counter. */
#define UARCH_INTEL_ARCHITECTURAL                                               \
	{                                                                       \
		[PERF_COUNT_HW_CPU_CYCLES] = UARCH_SELECT(0x3c, 0x00),          \
		[PERF_COUNT_HW_INSTRUCTIONS] = UARCH_SELECT(0xc0, 0x00),        \
		[PERF_COUNT_HW_CACHE_REFERENCES] = UARCH_SELECT(0x2e, 0x4f),    \
		[PERF_COUNT_HW_CACHE_MISSES] = UARCH_SELECT(0x2e, 0x41),        \
		[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = UARCH_SELECT(0xc4, 0x00), \
		[PERF_COUNT_HW_BRANCH_MISSES] = UARCH_SELECT(0xc5, 0x00),       \
		[PERF_COUNT_HW_BUS_CYCLES] = UARCH_SELECT(0x3c, 0x01),          \
		[PERF_COUNT_HW_REF_CPU_CYCLES] = UARCH_SELECT(0x00, 0x03),      \
	}

extern const struct uarch uarch_haswell, uarch_skylake, uarch_icelake, uarch_zen4;
extern const struct uarch uarch_intel_generic, uarch_amd_generic;

/* The fixed counters and the events that they have: the same for all of Intel's. */
extern const struct uarch_constraint uarch_intel_fixed[];
extern const size_t uarch_intel_nfixed;

/* uarch_find() - the row of this CPU, or its vendor's architectural fall-back. Any context. */
const struct uarch *uarch_find(const struct pmu_caps *caps);

/* uarch_counters() - where `select` can count, before CPUID has its say. Any context. */
uint64_t uarch_counters(const struct uarch *uarch, uint64_t select);

#endif
