/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lend.h - code of ring 3's memory that is lent ring 0: it may use privileged instructions, and
 * comes back whatever it raises.
 */
#ifndef ARCH_X86_CPU_LEND_H
#define ARCH_X86_CPU_LEND_H

#include "arch/x86/cpu/trap_frame.h"

#include <stdbool.h>
#include <stdint.h>

/* The exception that the code raised. */
struct lend_fault {
	uint64_t vector, error, rip;
	uint64_t address; /* of VEC_PF: what was accessed */
};

/*
 * lend_ring0() - calls the function at `address` in ring 3's memory, without arguments, in ring 0:
 * it has its own stack, or uses this one, and SMEP and SMAP are off meanwhile. False: it raised
 * `fault`, and was left there. What else it did to the CPU stays: control registers and MSRs are
 * its caller's affair, x87 and SSE are ring 3's. Interrupts are off, and stay so; task context.
 */
bool lend_ring0(uint64_t address, struct lend_fault *fault);

/* lend_take_fault() - for the handler of exceptions: whether the frame is of such code; then it
 * leads back into lend_ring0(). */
bool lend_take_fault(struct trap_frame *frame);

#endif
