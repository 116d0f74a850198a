/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.h - the chain of callers, by frame pointers: [RBP] is the caller's RBP, [RBP + 8] the
 * return address.
 *
 * Addresses in a chain only ascend. A chain ends where addresses do not ascend, where it leaves its
 * memory, and at a return address that cannot be code. So any contents of RBP and of ring 3's stack
 * are safe: faults are handled, and the walk terminates. Any context, NMI too: CR2 is left as it
 * was found.
 */
#ifndef ARCH_X86_CPU_UNWIND_H
#define ARCH_X86_CPU_UNWIND_H

#include "arch/x86/cpu/trap_frame.h"

#include <stdint.h>

/*
 * unwind_user() - stores the return addresses of ring 3's chain from frame pointer `fp` on,
 * innermost first, up to `most` of them, at `to`. Returns the number stored. It reads ring 3's
 * memory, so a caller that may run inside of a #DB handler must not have a breakpoint armed.
 */
unsigned unwind_user(uint64_t fp, uint64_t *to, unsigned most);

/* unwind_kernel() - the same for ring 0, whose registers are `frame`, within its stack. Where the
 * chain ends in ring 3, *user_fp becomes ring 3's frame pointer at that time, else 0. */
unsigned unwind_kernel(const struct trap_frame *frame, uint64_t *to, unsigned most,
		       uint64_t *user_fp);

#endif
