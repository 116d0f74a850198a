/* SPDX-License-Identifier: BSD-2-Clause */
/* this_cpu.h - the number of this CPU, and the number of CPUs. smp.h starts the others. */
#ifndef ARCH_X86_CPU_THIS_CPU_H
#define ARCH_X86_CPU_THIS_CPU_H

#include "lib/percpu.h"

extern PERCPU unsigned smp_this_cpu; /* read it by smp_cpu() */

/* smp_cpu() - the number of this CPU. One load; any context. */
static inline unsigned smp_cpu(void)
{
	return smp_this_cpu;
}

/* smp_ncpus() - the number of CPUs online, at least 1. It grows while CPUs start, and never
 * shrinks. Any context. */
unsigned smp_ncpus(void);

/* smp_add_cpu() - counts one more CPU as online, with the next number. Called by the CPU that
 * starts it. */
void smp_add_cpu(void);

#endif
