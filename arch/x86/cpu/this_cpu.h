/* SPDX-License-Identifier: BSD-2-Clause */
/* this_cpu.h - which CPU this one is, and how many there are. smp.h starts the others. */
#ifndef ARCH_X86_CPU_THIS_CPU_H
#define ARCH_X86_CPU_THIS_CPU_H

#include "lib/percpu.h"

extern PERCPU unsigned smp_this_cpu; /* read it by smp_cpu() */

/* smp_cpu() - the number of this CPU. One load; any context. */
static inline unsigned smp_cpu(void)
{
	return smp_this_cpu;
}

/* smp_ncpus() - how many are online, from 1. Grows while they start, and never shrinks. Any
 * context.
 */
unsigned smp_ncpus(void);

/* smp_add_cpu() - one more is online: the one with the next number. By the CPU that starts it. */
void smp_add_cpu(void);

#endif
