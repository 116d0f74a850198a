/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * isa.h - the levels of x86-64 that programs are compiled for (System V ABI, AMD64,
 * "Micro-Architecture Levels"), and which of them a CPU of QEMU's has.
 */
#ifndef TOOLS_PROGRAM_ISA_H
#define TOOLS_PROGRAM_ISA_H

#include "lib/reason.h"

#define ISA_LEVELS 4 /* x86-64, x86-64-v2, -v3, -v4 */

/*
 * isa_of_cpu() - the level of QEMU's CPU model `cpu` where QEMU emulates it, from 1; 0: not known.
 */
unsigned isa_of_cpu(const char *cpu);

/*
 * isa_check() - whether the model `cpu` (NULL: any will do) can run what wants `level` (0: it does
 * not say). -EINVAL with the reason: it cannot; what it lacks, and which CPU does not.
 */
int isa_check(unsigned level, const char *cpu, struct reason *why);

#endif
