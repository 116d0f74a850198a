/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * efi_memory.h - the firmware's memory map, and the runtime's part of it: all memory that no
 * running firmware needs (mode=own), or a pool that was allocated (mode=borrow). Before
 * ExitBootServices.
 */
#ifndef BOOT_EFI_MEMORY_H
#define BOOT_EFI_MEMORY_H

#include "boot/efi.h"
#include "include/perf0/handoff.h"

#include <stdbool.h>

/* memory_read_map() - reads the current map into a buffer of the size that it needs. Prints errors.
 * memory_map_key() - that map's key, for ExitBootServices(). */
EFI_STATUS memory_read_map(EFI_SYSTEM_TABLE *st);
UINTN memory_map_key(void);

/*
 * memory_is_callable() - reads the map; whether the function lies in memory that the firmware has
 * in use. Runtime services do not once SetVirtualAddressMap() has got addresses that are not
 * physical ones. The map is then to be read again.
 */
bool memory_is_callable(EFI_SYSTEM_TABLE *st, const void *function);

/* memory_free_piece() - piece `i` of free memory above 1 MiB in the map that was read; false: there
 * are fewer. */
struct memory_piece {
	uint64_t base, bytes;
};
bool memory_free_piece(unsigned i, struct memory_piece *found);

/*
 * memory_take_pool() - allocates most of the memory above 1 MiB. The firmware keeps an eighth, at
 * least 16 MiB and at most 128, of the lowest. EFI_OUT_OF_RESOURCES: there is no memory.
 * memory_give_pool() - frees it, and the map.
 */
EFI_STATUS memory_take_pool(EFI_SYSTEM_TABLE *st);
void memory_give_pool(EFI_SYSTEM_TABLE *st);

/* memory_note() - fills handoff->mem from the map that was read, by handoff->image_base and
 * image_size. Where there is a pool, all other memory is the firmware's. */
void memory_note(struct handoff *handoff);

#endif
