/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trampoline.h - where things stand in the page in which a CPU starts (trampoline.S), behind its
 * code. Macros only, but for C.
 */
#ifndef ARCH_X86_SMP_TRAMPOLINE_H
#define ARCH_X86_SMP_TRAMPOLINE_H

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

#endif
