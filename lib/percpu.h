/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * percpu.h - variables of which every CPU has its own copy.
 *
 * In the image they lie in a section of their own. Each CPU's page tables map it at the same
 * address to different memory. So all CPUs run the same code, and no instruction is needed to find
 * out the CPU. In the host build a thread stands for a CPU.
 *
 * Rules: the variables are zero when a CPU starts. Initializers would affect the boot CPU only, so
 * the build refuses them. Each CPU accesses only its own variables. To access those of another CPU,
 * code calls a function on that CPU (smp_call()). An address is valid on its own CPU only, so it is
 * never passed to another CPU. After a task switch code takes the address again.
 *
 * CPU_RELAX() is one round of a wait for another CPU. In the host build one CPU may run both
 * threads, so the waiting thread yields.
 */
#ifndef LIB_PERCPU_H
#define LIB_PERCPU_H

#if __STDC_HOSTED__
#include <sched.h>
#define PERCPU      _Thread_local
#define CPU_RELAX() sched_yield()
#else
#define PERCPU      __attribute__((section(".percpu")))
#define CPU_RELAX() __builtin_ia32_pause()
#endif

#endif
