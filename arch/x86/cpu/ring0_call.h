/* SPDX-License-Identifier: BSD-2-Clause */
/* ring0_call.h - runs code of ring 3's memory in ring 0: it may use privileged instructions, and
 * control comes back whatever it raises. */
#ifndef ARCH_X86_CPU_RING0_CALL_H
#define ARCH_X86_CPU_RING0_CALL_H

#include "arch/x86/cpu/trap_frame.h"

#include <stdbool.h>
#include <stdint.h>

/* The exception that the code raised. */
struct lend_fault {
	uint64_t vector, error, rip;
	uint64_t address; /* of VEC_PF: the accessed address */
};

/*
 * lend_ring0() - calls the function at `address` in ring 3's memory, without arguments, in ring 0.
 * It has its own stack, or uses this one, and SMEP and SMAP are off meanwhile. False: it raised
 * `fault`, and was left there. Its other effects on the CPU stay: the caller cares for control
 * registers and MSRs, and x87 and SSE are ring 3's. Interrupts stay off; task context.
 */
bool lend_ring0(uint64_t address, struct lend_fault *fault);

/* lend_take_fault() - for the handler of exceptions: whether lent code raised this one. The frame
 * then leads back into lend_ring0(). */
bool lend_take_fault(struct trap_frame *frame);

#endif
