/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pebs.h - Processor Event Based Sampling: the DS area, its registers, and records of formats 2, 3
 * and 4 to 6 (adaptive) as one struct. SDM vol. 3, "Processor Event Based Sampling".
 *
 * An overflow arms PEBS, and the next event is recorded, with the registers after its instruction.
 * Then the CPU loads the counter's reset value from the DS area. So a period of n events needs a
 * counter that overflows after n - 1. With PEBS a counter raises no PMI of its own: the buffer
 * does, when it is filled to its threshold.
 *
 * Rules of use: each CPU has its own. pmu_pebs_start() and pmu_pebs_stop() are called while nothing
 * counts.
 */
#ifndef PMU_X86_PEBS_H
#define PMU_X86_PEBS_H

#include "arch/x86/portable/cpuid.h"
#include "pmu/api/event.h"

#include <stdbool.h>
#include <stdint.h>

/* The PEBS of a CPU. */
struct pmu_pebs {
	uint8_t format; /* 1 to 6; 0: not usable */
	bool adaptive;  /* "extended" and "adaptive PEBS": all counters, all events */
	bool sources;   /* records contain data sources and latencies */
	uint64_t counters;
	const char *problem; /* format 0: the reason, one sentence */
};

/*
 * General registers, by their numbers in instructions: RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8
 * to R15.
 */
#define PMU_PEBS_GPRS 16

struct pmu_pebs_record {
	uint64_t counters; /* of the record; formats 1 and 2: or that have just overflowed */
	uint64_t ip;       /* of the instruction that caused the event; format 1: `next_ip` */
	uint64_t next_ip;  /* of the following instruction; 0: not recorded */
	bool has_regs;
	uint64_t rflags, gprs[PMU_PEBS_GPRS];
	bool has_memory;
	uint64_t address, source, latency, tsx;
	uint64_t tsc; /* 0: not recorded */
};

/* pmu_pebs_probe() - detects the PEBS of this CPU for `counters`. Once, task context. */
void pmu_pebs_probe(const struct pmu_caps *caps, uint64_t counters, struct pmu_pebs *pebs);

/* pmu_pebs_reset() - turns it off, with an empty buffer. Task context, nothing counts. */
void pmu_pebs_reset(const struct pmu_pebs *pebs);

/*
 * pmu_pebs_set_reload() - sets the value that counter `index` gets after each record.
 * pmu_pebs_start() - starts recording its events; `latency`: as load latencies; `data`: the groups
 * of MSR_PEBS_DATA_CFG that the records need at least.
 * pmu_pebs_stop() - stops recording.
 */
void pmu_pebs_set_reload(const struct pmu_pebs *pebs, unsigned index, uint64_t value);
void pmu_pebs_start(const struct pmu_pebs *pebs, unsigned index, bool latency, uint64_t data);
void pmu_pebs_stop(const struct pmu_pebs *pebs, unsigned index);

/*
 * pmu_pebs_set_threshold() - sets the number of records until the PMI, from 1. Nothing counts, the
 * buffer is empty.
 */
#define PMU_PEBS_MOST 64
void pmu_pebs_set_threshold(const struct pmu_pebs *pebs, unsigned records);

/*
 * pmu_pebs_next() - reads the record at `*at`, which starts as 0, and moves behind it; false: there
 * are no more, or the data is no record. Any context.
 * pmu_pebs_empty() - empties the buffer. Any context.
 */
bool pmu_pebs_next(const struct pmu_pebs *pebs, uint32_t *at, struct pmu_pebs_record *record);
void pmu_pebs_empty(void);

#endif
