/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mtrr.h - keeps the MTRRs, and so the memory types, equal on all CPUs: SDM vol. 3, "Memory Type
 * Range Registers (MTRRs)". Firmware should ensure that; if it did not, the other CPUs get the
 * first CPU's MTRRs.
 */
#ifndef ARCH_X86_MEM_MTRR_H
#define ARCH_X86_MEM_MTRR_H

#include <stdbool.h>

/* mtrr_note() - notes this CPU's MTRRs as those of all CPUs. The first CPU, once. */
void mtrr_note(void);

/* mtrr_follow() - gives this CPU the noted MTRRs. True: it had others. Interrupts off. */
bool mtrr_follow(void);

#endif
