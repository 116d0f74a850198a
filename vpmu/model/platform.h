/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * platform.h - what a machine counts beside the PMUs of its cores: clocks of each CPU, energy, and
 * the counters that the cores of a package share.
 *
 * Pure, as model.h is: state, elapsed progress and a register go in, its value comes out. Nothing
 * here raises an interrupt, so a counter is updated only when a register of its package is
 * accessed.
 *
 * Sources: Intel SDM vol. 4 "Model-Specific Registers" and vol. 3 "Power and Thermal Management";
 * Intel Xeon Processor Scalable Family Uncore Performance Monitoring Reference Manual; AMD PPR of
 * family 19h models 10h-1Fh.
 */
#ifndef VPMU_MODEL_PLATFORM_H
#define VPMU_MODEL_PLATFORM_H

#include "include/perf0/faults.h"
#include "vpmu/model/model.h"

#define VPMU_CHAS         4 /* CHAs of skx */
#define VPMU_CHA_COUNTERS 4
#define VPMU_CHA_FILTERS  2
#define VPMU_UBOX         2 /* counters */
#define VPMU_CHANNELS     6 /* memory channels */
#define VPMU_IMC_COUNTERS 4
#define VPMU_L3_COUNTERS  6
#define VPMU_L2_COUNTERS  4  /* if the L2 is the last level */
#define VPMU_DF_COUNTERS  16 /* from PerfMonV2 on */
#define VPMU_NB_COUNTERS  4  /* before that, also those of the northbridge */
#define VPMU_PERFS        2  /* MPERF, APERF */
#define VPMU_POWER_MOST   32 /* registers of power and frequency that a personality may have */

/* Progress since the machine began. */
struct vpmu_elapsed {
	uint64_t tsc;          /* ticks, also while CPUs sleep */
	uint64_t cycles;       /* cycles of the accessing CPU, while it does not sleep */
	uint64_t instructions; /* likewise */
	uint64_t core_instructions, package_instructions;
};

/* The state of one CPU. */
struct vpmu_thread {
	uint64_t tsc_offset;             /* from the machine's TSC to its own */
	uint64_t perf[VPMU_PERFS];       /* MPERF, APERF: the differences to the cycles */
	uint64_t hwcr, irperf;           /* added to the instructions, or a total, as HWCR says */
	uint64_t power[VPMU_POWER_MOST]; /* registers of model_power.c, as differences to their
					    reset values */
	uint64_t prefetchers_off;        /* enum geometry_prefetchers, by those registers */
	uint64_t boosted, settled; /* cycles that APERF is ahead of MPERF, and the cycle up to which
				      this holds */
};

struct vpmu_uncore_counter {
	uint64_t select, value, rest;
};

/* The state of a package; all zero at reset. One CPU at a time may use it. */
struct vpmu_package {
	struct vpmu_elapsed settled; /* progress up to which counters are updated */
	bool frozen;
	struct vpmu_uncore_counter clock, ubox[VPMU_UBOX];
	struct {
		bool frozen;
		uint64_t filter[VPMU_CHA_FILTERS];
		struct vpmu_uncore_counter counters[VPMU_CHA_COUNTERS];
	} cha[VPMU_CHAS];
	struct {
		bool frozen;
		struct vpmu_uncore_counter clock, counters[VPMU_IMC_COUNTERS];
	} imc[VPMU_CHANNELS];
	uint64_t power[VPMU_POWER_MOST]; /* the same for registers that a package has once */
	struct vpmu_uncore_counter l3[VPMU_L3_COUNTERS], df[VPMU_DF_COUNTERS];
};

struct vpmu_platform {
	const struct vpmu_uarch *uarch;
	struct vpmu_thread *thread;
	struct vpmu_package *package;
	const struct vpmu_faults *faults; /* NULL: none */
	bool no_turbo;                    /* IA32_MISC_ENABLE of the accessing CPU says so */
	struct vpmu_elapsed now;
};

/* vpmu_platform_settle() - updates APERF by the present registers; call it before one of them
 * changes. vpmu_platform_refuses() - a fault lets any access to `msr` raise #GP. */
void vpmu_platform_settle(const struct vpmu_platform *p);
bool vpmu_platform_refuses(const struct vpmu_faults *faults, uint32_t msr);

/* vpmu_platform_names() - `msr` belongs to the platform of this personality; it may raise #GP. */
bool vpmu_platform_names(const struct vpmu_uarch *uarch, uint32_t msr);

/* vpmu_platform_rdmsr(), _wrmsr() - as vpmu_model_rdmsr(). vpmu_platform_try(): the result of the
 * write, which is not done. */
enum vpmu_access vpmu_platform_rdmsr(const struct vpmu_platform *p, uint32_t msr, uint64_t *v);
enum vpmu_access vpmu_platform_wrmsr(const struct vpmu_platform *p, uint32_t msr, uint64_t v);
enum vpmu_access vpmu_platform_try(const struct vpmu_platform *p, uint32_t msr, uint64_t v);

/* vpmu_platform_counts() - RDPMC with `ecx` reads a counter of the platform. vpmu_platform_rdpmc()
 * - as vpmu_model_rdpmc(). */
bool vpmu_platform_counts(const struct vpmu_uarch *uarch, uint32_t ecx);
enum vpmu_access vpmu_platform_rdpmc(const struct vpmu_platform *p, uint32_t ecx, uint64_t *v);

#endif
