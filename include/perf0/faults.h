/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * faults.h - disturbances of measurements that vpmu's machine simulates: `fault=NAME[:N],...` of
 * its options. lib/words/fault_words.h parses them, for vpmu and for the host tool.
 */
#ifndef PERF0_FAULTS_H
#define PERF0_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#define VPMU_FAULTS_GP       8
#define VPMU_FAULTS_CPU_MOST 1023

/* Errata of PMUs, as bits of a set. A personality has some of them without a fault. */
enum vpmu_erratum {
	VPMU_IBS_FETCH_RESTART = 1 << 0, /* the count of fetches is cleared only while disabled */
	VPMU_IBS_CLEAR_MAXIMUM = 1 << 1, /* disabling with a maximum raises an interrupt */
	VPMU_IBS_FETCH_AT_ZERO = 1 << 2, /* every fourth sample of a fetch is at address 0 */
	VPMU_IBS_FALSE_L2 = 1 << 3,      /* loads that wait for another miss hit L2 */
	VPMU_IBS_SLOW_L3_ONLY = 1 << 4,  /* the filter of latency needs that of L3 misses */
	VPMU_LBR_ERRONEOUS = 1 << 5,     /* the second record is wrong, and marked so */
	VPMU_COUNTERS_RESET = 1 << 6,    /* a programmed counter stands still until a sequence */
	VPMU_C1E_STOPS_APIC = 1 << 7,    /* HLT stops the APIC timer while C1E is on */
	VPMU_COUNTS_ANYWHERE = 1 << 8,   /* events count on counters that the manual forbids */
};

struct vpmu_faults {
	uint64_t smi;   /* an SMI after every so many instructions of the package; 0: none */
	bool exit;      /* ExitBootServices() fails, as on some machines */
	bool locked;    /* the firmware locked MSR_PKG_CST_CONFIG_CONTROL, or C1E */
	bool thermal;   /* too hot all the time */
	bool turbo;     /* CPUs run faster than nominal, by a changing amount */
	bool stuck;     /* MSRs that set frequencies or C1E ignore writes */
	uint64_t inuse; /* mask of the counters that the firmware has enabled at boot */
	uint64_t steal; /* the firmware takes a counter once a CPU has counted so many; 0: never */
	bool crystal;   /* CPUID leaf 0x15 has a ratio but no crystal frequency */
	uint64_t skid;  /* instructions from an overflow to its PMI */
	uint64_t latenmi;            /* another NMI so many instructions after each PMI; 0: none */
	bool extranmi;               /* another NMI right after each PMI */
	uint32_t errata;             /* enum vpmu_erratum */
	uint64_t still;              /* mask of counters that stand still */
	unsigned only_cpu;           /* 1 + the CPU whose counters have faults; 0: all have them */
	bool vmrun;                  /* VMRUN fails after the first write of CR0 or CR4 */
	unsigned ngp;                /* number of MSRs that raise #GP */
	uint32_t gp[VPMU_FAULTS_GP]; /* these MSRs */
};

#endif
