/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * isa.h - the levels of x86-64 for which programs are compiled (System V ABI, AMD64,
 * "Micro-Architecture Levels"), and the level of each CPU model of QEMU.
 */
#ifndef TOOLS_PROGRAM_ISA_H
#define TOOLS_PROGRAM_ISA_H

#include "lib/reason.h"
#include "lib/words/isa_level.h"

/*
 * isa_of_cpu() - returns the level of QEMU's CPU model `cpu` under emulation, from 1; 0: unknown.
 */
unsigned isa_of_cpu(const char *cpu);

/*
 * isa_check() - checks whether the model `cpu` (NULL: any CPU) can run a file that needs `level`
 * (0: not declared). -EINVAL with the reason: the missing features, and a CPU that has them.
 */
int isa_check(unsigned level, const char *cpu, struct reason *why);

#endif
