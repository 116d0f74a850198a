/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * percpu.h - variables of which every CPU has its own.
 *
 * In the image they lie in a section of their own, which each CPU's page tables map at the same
 * address to other memory: so the code of one CPU serves them all, without one instruction more to
 * find out on which it runs. In the host build a thread stands for a CPU.
 *
 * Rules: they are all zero when a CPU starts (initializers would be the boot CPU's only; the build
 * refuses them). Each is touched by its own CPU alone: code that wants something of another one has
 * that CPU do it (smp_call()). And their addresses mean something on their own CPU only, so none is
 * handed to another one. Code that holds one through a switch of tasks asks again.
 */
#ifndef LIB_PERCPU_H
#define LIB_PERCPU_H

#if __STDC_HOSTED__
#define PERCPU _Thread_local
#else
#define PERCPU __attribute__((section(".percpu")))
#endif

#endif
