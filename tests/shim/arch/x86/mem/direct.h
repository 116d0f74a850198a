/* SPDX-License-Identifier: BSD-2-Clause */
/* direct.h for the host build: a test's memory is physical memory, at its own addresses. */
#ifndef ARCH_X86_MEM_DIRECT_H
#define ARCH_X86_MEM_DIRECT_H

#define DIRECT_MAP       0ull
#define DIRECT_MAP_BYTES (1ull << 47)

#endif
