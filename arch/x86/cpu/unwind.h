/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.h - the chain of callers, by frame pointers: [RBP] is the caller's RBP, [RBP + 8] where it
 * goes on.
 *
 * A chain only climbs, and ends where it does not, where it leaves its memory, and where a return
 * address is no code's. So whatever ring 3 has put into RBP and onto its stack, nothing here faults
 * for good, and nothing goes on for ever. Any context, NMI too: CR2 is left as it was found.
 */
#ifndef ARCH_X86_CPU_UNWIND_H
#define ARCH_X86_CPU_UNWIND_H

#include "arch/x86/cpu/trap_frame.h"

#include <stdint.h>

/*
 * unwind_user() - the return addresses of ring 3's chain from frame pointer `fp` on, innermost
 * first, up to `most` of them into `to`. Returns how many. Reads ring 3's memory: a caller that may
 * run inside of a handler of #DB has no breakpoint armed.
 */
unsigned unwind_user(uint64_t fp, uint64_t *to, unsigned most);

/*
 * unwind_kernel() - the same for ring 0, whose registers are `frame`, within the stack that it was
 * on. Where the chain ends in ring 3, *user_fp becomes the frame pointer with which that was left,
 * else 0.
 */
unsigned unwind_kernel(const struct trap_frame *frame, uint64_t *to, unsigned most,
		       uint64_t *user_fp);

#endif
