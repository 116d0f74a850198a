/* SPDX-License-Identifier: BSD-2-Clause */
/* upper.h - the way into ring 0's half of the address space (arch/x86/mem/direct.h), and back. */
#ifndef BOOT_UPPER_H
#define BOOT_UPPER_H

#include "arch/x86/mem/direct.h"

#include <stdint.h>

/* in_upper_half() - where what is `here` in the lower half is in the upper one. in_lower_half() -
 * and the other way. */
static inline uint64_t in_upper_half(const void *here)
{
	return (uintptr_t)here + DIRECT_MAP;
}

static inline void *in_lower_half(uint64_t there)
{
	return (void *)(uintptr_t)(there - DIRECT_MAP);
}

/*
 * upper_map() - from now on the firmware's map is seen in the upper half, too, and the image's
 * relocated addresses are those there. Interrupts off. upper_unmap() - CR3 is what it was, and so
 * is the image; `lower_root`, of which the lower half was in use meanwhile, is not used any more,
 * 0: none was.
 */
void upper_map(void);
void upper_unmap(uint64_t lower_root);

/* upper_old_root() - CR3 as upper_map() found it. */
uint64_t upper_old_root(void);

#endif
