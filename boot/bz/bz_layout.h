/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bz_layout.h - the layout of a .bz file, for its assembly. All of it is at fixed places, and the
 * setup part, as loaded by 16-bit loaders, is one segment:
 *
 *   0x0000  boot sector with the setup header, then code of 16 bits
 *   0x0a00  header of a PE image
 *   0x2000  (below) the stack of that code; struct boot_params of <asm/bootparam.h>
 *   0x3000  the protected-mode part: a page with the entries of 32 and 64 bits, then the image from
 *           its second page on, as linker.ld lays it out. A PE loader takes the same bytes.
 */
#ifndef BOOT_BZ_BZ_LAYOUT_H
#define BOOT_BZ_BZ_LAYOUT_H

#define BZ_PE     0x0a00
#define BZ_STACK  0x2000 /* its end */
#define BZ_PARAMS 0x2000
#define BZ_SETUP  0x3000 /* bytes of the setup part */
#define BZ_PAGE   0x1000

/* Places in the protected-mode part. The 64-bit entry is the protocol's, the other is ours. */
#define BZ_ENTRY_64 0x200
#define BZ_HANDOVER 0x400

#define BZ_STACK_BYTES 0x8000 /* of the 64-bit entry */

/* Fields of struct boot_params. */
#define PARAMS_EXT_MEM_K 0x002
#define PARAMS_ALT_MEM_K 0x1e0
#define PARAMS_SCRATCH   0x1e4
#define PARAMS_E820_N    0x1e8
#define PARAMS_HEADER    0x1f1
#define PARAMS_CODE32    0x214
#define PARAMS_E820      0x2d0
#define E820_BYTES       20
#define E820_MOST        128

#endif
