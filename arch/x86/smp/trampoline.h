/* SPDX-License-Identifier: BSD-2-Clause */
/* trampoline.h - the page in which a CPU starts: its contents, and the places of the data behind
 * its code (trampoline.S). */
#ifndef ARCH_X86_SMP_TRAMPOLINE_H
#define ARCH_X86_SMP_TRAMPOLINE_H

#define TRAMPOLINE_VECTOR_SHIFT 12 /* of its address, for a SIPI */

#define TRAMPOLINE_GDTR  0x800 /* limit and base, for LGDT */
#define TRAMPOLINE_FAR32 0x808 /* offset and selector, for the jumps */
#define TRAMPOLINE_FAR64 0x810
#define TRAMPOLINE_CR3   0x818
#define TRAMPOLINE_CR4   0x820
#define TRAMPOLINE_ENTRY 0x828
#define TRAMPOLINE_GDT   0x840 /* four descriptors */

#define TRAMPOLINE_CODE64 0x08
#define TRAMPOLINE_DATA   0x10
#define TRAMPOLINE_CODE32 0x18

#ifndef __ASSEMBLER__

#include <stdint.h>

struct trampoline {
	uint64_t at;    /* the page's physical address, below 1 MiB */
	uint64_t table; /* the value of CR3, below 4 GiB: maps the page at its own address, and the
			   entry */
	uint64_t cr4;
	uint64_t entry; /* the first address in 64-bit mode; there is no stack yet */
};

/* trampoline_fill() - fills the page, which is mapped at `page`. Any context. */
void trampoline_fill(uint8_t *page, const struct trampoline *t);

#endif
#endif
