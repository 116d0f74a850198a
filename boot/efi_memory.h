/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * efi_memory.h - the firmware's memory map, and what of it is the runtime's: all that no running
 * firmware needs (mode=own), or a pool that was allocated (mode=borrow). Boot services are there.
 */
#ifndef BOOT_EFI_MEMORY_H
#define BOOT_EFI_MEMORY_H

#include "boot/efi.h"
#include "include/perf0/handoff.h"

#include <stdbool.h>

/* memory_read_map() - the map as it is now. Tells what is wrong. memory_map_key() - of that map,
 * for ExitBootServices(). */
EFI_STATUS memory_read_map(EFI_SYSTEM_TABLE *st);
UINTN memory_map_key(void);

/* memory_free_piece() - piece `i` of free memory above 1 MiB, of the map that was read; false:
 * there are not so many. */
struct memory_piece {
	uint64_t base, bytes;
};
bool memory_free_piece(unsigned i, struct memory_piece *found);

/*
 * memory_take_pool() - allocates most of the memory above 1 MiB; the firmware keeps an eighth, at
 * least 16 MiB and at most 128, of the lowest. EFI_OUT_OF_RESOURCES: there is none to be had.
 * memory_give_pool() - frees it.
 */
EFI_STATUS memory_take_pool(EFI_SYSTEM_TABLE *st);
void memory_give_pool(EFI_SYSTEM_TABLE *st);

/* memory_note() - handoff->mem of the map that was read, by handoff->image_base and image_size; all
 * but the pool is the firmware's where there is a pool. */
void memory_note(struct handoff *handoff);

#endif
