/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame_starts.h - the functions of an ELF file by its table for unwinding (.eh_frame_hdr: Linux
 * Standard Base, "Exception Frame Header"), which stripped files have, too.
 */
#ifndef TOOLS_PROFILE_FRAME_STARTS_H
#define TOOLS_PROFILE_FRAME_STARTS_H

#include <libelf.h>
#include <stdint.h>

/*
 * frame_starts_each() - calls `fn` for each function of the table, from low addresses to high ones,
 * with its first address and that of the next one; both are the same for the last one. Entries of
 * procedure linkage tables are left out. A table of another encoding than the linker's is ignored.
 */
void frame_starts_each(Elf *elf, void (*fn)(void *ctx, uint64_t start, uint64_t next), void *ctx);

#endif
