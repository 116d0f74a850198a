// SPDX-License-Identifier: BSD-2-Clause
/* this_cpu.c - see this_cpu.h. */
#include "arch/x86/cpu/this_cpu.h"

PERCPU unsigned smp_this_cpu;

static unsigned ncpus = 1;

unsigned smp_ncpus(void)
{
	return __atomic_load_n(&ncpus, __ATOMIC_ACQUIRE);
}

void smp_add_cpu(void)
{
	__atomic_store_n(&ncpus, ncpus + 1, __ATOMIC_RELEASE);
}
