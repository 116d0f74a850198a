/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mtrr.h - memory types by MTRRs have to be the same on all CPUs: SDM vol. 3, "Memory Type Range
 * Registers (MTRRs)". The firmware sees to it; where it has not, the first CPU's hold.
 */
#ifndef ARCH_X86_MEM_MTRR_H
#define ARCH_X86_MEM_MTRR_H

#include <stdbool.h>

/* mtrr_note() - those of this CPU are what all are to have. The first CPU, once. */
void mtrr_note(void);

/* mtrr_follow() - this CPU has the same from now on. True: it had others. Interrupts off. */
bool mtrr_follow(void);

#endif
