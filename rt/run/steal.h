/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * steal.h - the time in which a CPU was ready and its hypervisor ran something else, as KVM tells
 * it. Each call is for the CPU that it runs on. Task context, or a call by smp_call().
 */
#ifndef RT_RUN_STEAL_H
#define RT_RUN_STEAL_H

#include <stdint.h>

/* steal_begin() - has KVM tell the time from now on. steal_end() - ends that. On other machines
 * both do nothing. */
void steal_begin(void);
void steal_end(void);

/* steal_ns() - ns since an arbitrary moment; NOISE_UNKNOWN: no hypervisor tells. */
uint64_t steal_ns(void);

#endif
