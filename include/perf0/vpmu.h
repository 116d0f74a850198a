/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vpmu.h - the contract between boot/vpmu.c, which knows the firmware, and vpmu/, which does not;
 * and the private CPUID leaves by which software can ask vpmu about itself.
 */
#ifndef PERF0_VPMU_H
#define PERF0_VPMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * CPUID leaf of vpmu; ECX chooses the answer. Instructions are counted since launch: their sum is
 * exact, the split by ring only while some counter tells the rings apart.
 */
#define VPMU_CPUID_LEAF         0x4fff0000u
#define VPMU_CPUID_MARK         0 /* EAX = highest subleaf, EBX:ECX:EDX = "perf0 vpmu\0\0" */
#define VPMU_CPUID_INSTRUCTIONS 1 /* EBX:EAX in ring 0, EDX:ECX in ring 3 */
#define VPMU_CPUID_EXITS        2 /* EBX:EAX exits, EDX:ECX PMIs delivered */
#define VPMU_CPUID_SKID         3 /* EAX = largest skid seen, EBX = timer NMIs that came too early */

struct vpmu_config {
	const char *uarch; /* personality's name */
	bool ht_on;        /* hyper-threading: fewer general counters on Haswell and Skylake */
	uint64_t ticks_per_insn; /* of the TSC; 0: not a constant here (QEMU without -icount) */
};

enum vpmu_verdict {
	VPMU_LAUNCHED,         /* the caller is a guest now */
	VPMU_LAUNCHED_INEXACT, /* the same, but its counts are estimates */
	VPMU_NO_SVM,           /* CPUID has no SVM, or the firmware locked it off */
	VPMU_RUNS_ALREADY,
	VPMU_BAD_UARCH,
	VPMU_NO_HPET, /* no comparator that can deliver by FSB */
};

/*
 * vpmu_measure_ticks() - TSC ticks that an instruction takes on this machine; 0 where that is not a
 * constant. Task context.
 */
uint64_t vpmu_measure_ticks(void);

/*
 * vpmu_launch() - puts the CPU under vpmu, in place: on VPMU_LAUNCHED the caller goes on as before,
 * as a guest. The image must already lie, relocated, in memory that nobody will ever reuse. Task
 * context, firmware's page tables, one CPU.
 */
enum vpmu_verdict vpmu_launch(const struct vpmu_config *config);

#endif
