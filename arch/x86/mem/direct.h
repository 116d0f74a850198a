/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * direct.h - ring 0's view of physical memory: each byte is at its physical address plus
 * DIRECT_MAP, the first address of the upper half. boot/ moves the image there, and paging.h
 * translates; no other code needs to know. The host build replaces this file by
 * tests/shim/arch/x86/mem/direct.h.
 */
#ifndef ARCH_X86_MEM_DIRECT_H
#define ARCH_X86_MEM_DIRECT_H

#define DIRECT_MAP       0xffff800000000000ull
#define DIRECT_MAP_BYTES (1ull << 47)

#endif
