/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * faults.h - what vpmu's machine has that disturbs measurements: `fault=NAME[:N],...` of its
 * options. lib/words/faults.h reads them, for vpmu and for the host tool.
 */
#ifndef PERF0_FAULTS_H
#define PERF0_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#define VPMU_FAULTS_GP 8

struct vpmu_faults {
	uint64_t smi;                /* an SMI each time the package executed so many; 0: none */
	bool exit;                   /* ExitBootServices() fails, as on some machines */
	bool locked;                 /* the firmware locked MSR_PKG_CST_CONFIG_CONTROL */
	bool thermal;                /* too hot, all the time */
	bool turbo;                  /* CPUs run faster than nominal, now more and now less */
	bool stuck;                  /* MSRs that set frequencies drop what is written */
	uint64_t inuse;              /* counters that the firmware has on at boot, a mask */
	uint64_t steal;              /* it takes one once a CPU has counted so many; 0: never */
	bool crystal;                /* CPUID leaf 0x15 has a ratio and no crystal */
	uint64_t skid;               /* instructions from an overflow to its PMI */
	uint64_t latenmi;            /* another NMI so many instructions behind each PMI; 0: none */
	bool extranmi;               /* another NMI right behind each PMI's */
	bool vmrun;                  /* VMRUN fails behind the first write of CR0 or CR4 */
	unsigned ngp;                /* MSRs that raise #GP */
	uint32_t gp[VPMU_FAULTS_GP]; /* which */
};

#endif
