/* SPDX-License-Identifier: BSD-2-Clause */
/* upper.h - the way into ring 0's half of the address space (arch/x86/mem/direct.h), and back. */
#ifndef BOOT_UPPER_H
#define BOOT_UPPER_H

#include "arch/x86/mem/direct.h"

#include <stdint.h>

/* in_upper_half() - the upper half's address of `here`, an address in the lower half.
 * in_lower_half() - the reverse. */
static inline uint64_t in_upper_half(const void *here)
{
	return (uintptr_t)here + DIRECT_MAP;
}

static inline void *in_lower_half(uint64_t there)
{
	return (void *)(uintptr_t)(there - DIRECT_MAP);
}

/*
 * upper_map() - maps the firmware's memory in the upper half, too, and relocates the image's
 * addresses to it. Interrupts off. upper_unmap() - restores CR3 and the image. `lower_root` is
 * the root whose lower half was in use; it is not used afterwards. 0: there was none.
 */
void upper_map(void);
void upper_unmap(uint64_t lower_root);

/* upper_old_root() - CR3 before upper_map(). */
uint64_t upper_old_root(void);

#endif
