/* SPDX-License-Identifier: BSD-2-Clause */
/* probes.h - constants that probes.S and self_check.c share. */
#ifndef VPMU_SVM_PROBES_H
#define VPMU_SVM_PROBES_H

#define CHECK_LEAF        0x4fff0000 /* VPMU_CPUID_LEAF */
#define CHECK_SUBLEAF     1          /* VPMU_CPUID_INSTRUCTIONS */
#define CHECK_SHORT       100
#define CHECK_LONG        400
#define CHECK_LOOPS       100000
#define CHECK_LOOP_INSNS  8
#define CHECK_REPEATS     3 /* iterations of a string instruction */
#define CHECK_PROBE_INSNS 4 /* instructions of a probe beside the ones that it tests */

#endif
