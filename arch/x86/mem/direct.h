/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * direct.h - where ring 0 sees physical memory: at its physical address plus DIRECT_MAP, the first
 * address of the upper half. boot/ moves the image there, paging.h translates; no other place has
 * to know. The host build replaces this file by tests/shim/arch/x86/mem/direct.h.
 */
#ifndef ARCH_X86_MEM_DIRECT_H
#define ARCH_X86_MEM_DIRECT_H

#define DIRECT_MAP       0xffff800000000000ull
#define DIRECT_MAP_BYTES (1ull << 47)

#endif
