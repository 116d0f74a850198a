/* SPDX-License-Identifier: BSD-2-Clause */
/* modelled.h - facts about a PMU that is not silicon. */
#ifndef PMU_DRIVER_MODELLED_H
#define PMU_DRIVER_MODELLED_H

#include "include/perf0/vpmu.h"
#include "pmu/api/pmu.h"

/* pmu_is_modelled() - true under vpmu, which plays the PMU. Any CPU. */
bool pmu_is_modelled(void);

/*
 * pmu_check_modelled() - checks that some general counter of this CPU can count the event with
 * event select `select`. -ENOENT: vpmu plays the CPU, and does not know the event. Task context, on
 * that CPU.
 */
int pmu_check_modelled(uint64_t select, struct reason *why);

/* pmu_modelled_truth() - the accuracy class of its count: enum truth. Context as above. */
uint8_t pmu_modelled_truth(uint64_t select);

/*
 * pmu_modelled_sources() - true where samples contain data sources and latencies. False: vpmu plays
 * the CPU without modelling them. Context as above.
 */
bool pmu_modelled_sources(void);

/*
 * pmu_time_is_hosts() - true under vpmu, on a machine whose time is not a count of instructions.
 * Any CPU.
 */
bool pmu_time_is_hosts(void);

/* pmu_time_is_modelled() - true under vpmu, where time goes by modelled cycles. Any CPU. */
bool pmu_time_is_modelled(void);

/*
 * pmu_time_is_instructions() - true under vpmu, on a machine whose time is a count of instructions,
 * including vpmu's own. Any CPU.
 */
bool pmu_time_is_instructions(void);

/*
 * pmu_modelled_skid() - the largest distance in instructions from an overflow to its interrupt so
 * far, on any CPU, where vpmu plays them; else 0. Any CPU.
 */
uint32_t pmu_modelled_skid(void);

/*
 * pmu_modelled_core() - writes to `text` what is known about the core that makes modelled counts of
 * time: "[nearest: adl] no silicon to compare with (docs/MODEL.md)"; "": no core is modelled. Task
 * context.
 */
#define PMU_MODELLED_CORE_TEXT 128
void pmu_modelled_core(char text[PMU_MODELLED_CORE_TEXT]);

/* pmu_modelled_core_name() - stores the name of its tables; returns enum vpmu_core. Task context.
 */
#define PMU_MODELLED_CORE_NAME 13
uint32_t pmu_modelled_core_name(char name[PMU_MODELLED_CORE_NAME]);

/* Instructions that were executed while counters counted modelled time. */
#define PMU_ROWLESS  VPMU_CPUID_ROWLESS_KINDS
#define PMU_MNEMONIC 17
struct pmu_rowless {
	uint64_t instructions;
	uint64_t count[PMU_ROWLESS]; /* those without a row in the core's tables, by mnemonic */
};

/*
 * pmu_modelled_rowless() - adds what this CPU has executed so since launch to `sum`; nothing where
 * no core is modelled. pmu_modelled_mnemonic(): the mnemonic of count `i`. Any context.
 */
void pmu_modelled_rowless(struct pmu_rowless *sum);
void pmu_modelled_mnemonic(char name[PMU_MNEMONIC], unsigned i);

/*
 * pmu_modelled_begin() - a measurement begins: clears modelled caches and predictors. Task context.
 */
void pmu_modelled_begin(void);

/*
 * pmu_modelled_align() - makes counting begin with a whole cycle, whatever was counted before, as
 * silicon does after a serializing instruction. Any context.
 */
void pmu_modelled_align(void);

#endif
