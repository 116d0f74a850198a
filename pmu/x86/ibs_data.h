/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibs_data.h - one sample of Instruction-Based Sampling: reads its registers, and translates them
 * into perf's terms.
 */
#ifndef PMU_X86_IBS_DATA_H
#define PMU_X86_IBS_DATA_H

#include "pmu/api/pmu.h"

#include <stdbool.h>
#include <stdint.h>

/* CPUID Fn8000_001B EAX. */
#define IBS_CAP_VALID             (1u << 0)
#define IBS_CAP_FETCH             (1u << 1)
#define IBS_CAP_OP                (1u << 2)
#define IBS_CAP_OPS               (1u << 4) /* the unit can count ops, not only cycles */
#define IBS_CAP_BRANCH_TARGET     (1u << 5)
#define IBS_CAP_OP_COUNT_EXTENDED (1u << 6)
#define IBS_CAP_RIP_INVALID       (1u << 7)
#define IBS_CAP_FETCH_EXTENDED    (1u << 9)
#define IBS_CAP_ZEN4              (1u << 11)
#define IBS_CAP_SLOW_ONLY         (1u << 12) /* filters loads by their latency */
#define IBS_CAP_PAGE_SIZE         (1u << 19) /* a valid physical address implies a valid TLB result */

/* The fields that samples can have. */
#define IBS_FETCH_FIELDS (PERF_SAMPLE_RAW | PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR)
#define IBS_OP_FIELDS    (IBS_FETCH_FIELDS | PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC)

#define IBS_REGISTERS 8

/*
 * The raw data in the format that viewers know: the capabilities, then the registers from the
 * control register on. They begin at `caps`, so that the registers are aligned.
 */
struct ibs_raw {
	uint32_t unused;
	uint32_t caps;
	uint64_t reg[IBS_REGISTERS];
};

struct ibs_sample {
	bool lost;  /* QUIRK_IBS_FETCH_AT_ZERO: this is no sample */
	bool exact; /* `ip` is the address of the tagged instruction */
	uint64_t ip;
	struct pmu_sample_data data;
	struct pmu_raw raw;
	struct ibs_raw bytes;
};

/*
 * ibs_read_op(), ibs_read_fetch() - read a sample; `ctl` is the control register as it was read.
 * NMI context.
 */
void ibs_read_op(struct ibs_sample *s, uint64_t ctl, const struct pmu_caps *cpu);
void ibs_read_fetch(struct ibs_sample *s, uint64_t ctl, const struct pmu_caps *cpu);

#endif
