/* SPDX-License-Identifier: BSD-2-Clause */
/* ring0_call.h - runs code of ring 3's memory in ring 0: it may use privileged instructions, and an
 * exception in it returns to the caller. */
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
 * The function may use this stack or its own. SMEP and SMAP are off during the call. False: the
 * function raised `fault`, which ended it. Its other changes of the CPU remain: the caller restores
 * control registers and MSRs. x87 and SSE registers are ring 3's. Interrupts stay off; task
 * context.
 */
bool lend_ring0(uint64_t address, struct lend_fault *fault);

/* lend_take_fault() - for the handler of exceptions: whether lent code raised this one. The frame
 * then leads back into lend_ring0(). */
bool lend_take_fault(struct trap_frame *frame);

#endif
