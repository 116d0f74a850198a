/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shake.h - has threads that are CPUs (shim_smp.h) lose the host's CPU where it matters: where
 * interrupts go off or on, which is before each lock and behind it, at calls to other CPUs, and at
 * each access to a register. The kernel takes it from them only every few ms, so what can come
 * between two such places hardly ever does, on one host CPU above all.
 */
#ifndef TESTS_SHIM_SHAKE_H
#define TESTS_SHIM_SHAKE_H

#include <stdint.h>

/* shake_begin() - from now on this thread stands aside at one of `one_in` such places, chosen by
 * `seed`; 0: at none. */
void shake_begin(uint64_t seed, unsigned one_in);

/* shake() - such a place. */
void shake(void);

#endif
