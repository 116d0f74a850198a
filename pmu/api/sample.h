/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.h - the data of an overflow: the registers of the interrupted code, and the facts that the
 * kind of event adds for its sample. pmu.h has the rules of use.
 */
#ifndef PMU_API_SAMPLE_H
#define PMU_API_SAMPLE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

struct trap_frame;

/* The interrupted code, as overflow handlers get it. */
struct pmu_regs {
	uint64_t ip;
	bool user;                      /* ring 3 */
	const struct trap_frame *frame; /* all registers; NULL: not available */
};

/* The raw payload of a sample (PERF_SAMPLE_RAW), without its size word. */
struct pmu_raw {
	const void *data;
	uint32_t size; /* bytes */
};

/* Branches for PERF_SAMPLE_BRANCH_STACK, newest first. */
struct pmu_branches {
	uint64_t n;
	uint64_t hw_idx; /* hardware index of the newest one; -1: unknown */
	const struct perf_branch_entry *entry;
};

/*
 * The facts of one overflow beside the registers, from precise hardware, a tracepoint or a
 * breakpoint. A member is valid if its PERF_SAMPLE_ bit is in `fields`. Any other field of a sample
 * is 0, or is determined when the sample is written.
 */
struct pmu_sample_data {
	uint64_t fields;
	bool exact_ip;                       /* PERF_RECORD_MISC_EXACT_IP */
	uint64_t addr;                       /* PERF_SAMPLE_ADDR */
	uint64_t phys_addr;                  /* PERF_SAMPLE_PHYS_ADDR */
	uint64_t time;                       /* PERF_SAMPLE_TIME, ns as of clock_ns() */
	union perf_sample_weight weight;     /* PERF_SAMPLE_WEIGHT and _WEIGHT_STRUCT */
	union perf_mem_data_src data_src;    /* PERF_SAMPLE_DATA_SRC */
	uint64_t transaction;                /* PERF_SAMPLE_TRANSACTION */
	const struct pmu_raw *raw;           /* PERF_SAMPLE_RAW */
	const struct pmu_branches *branches; /* PERF_SAMPLE_BRANCH_STACK */
};

#endif
