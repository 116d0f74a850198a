/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shake.h - makes threads that play CPUs (shim_smp.h) give up the host's CPU at critical places:
 * where interrupts go off or on, so around each lock; at calls to other CPUs; and at each access to
 * a register. The kernel preempts threads only every few ms. Without shake.h other threads would
 * rarely run between two such places, above all on a host with one CPU.
 */
#ifndef TESTS_SHIM_SHAKE_H
#define TESTS_SHIM_SHAKE_H

#include <stdint.h>

/* shake_begin() - from now on this thread gives up its CPU at one of `one_in` such places, chosen
 * by `seed`; 0: at no place. */
void shake_begin(uint64_t seed, unsigned one_in);

/* shake() - marks such a place. */
void shake(void);

#endif
