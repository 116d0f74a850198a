/* SPDX-License-Identifier: BSD-2-Clause */
/* low_map.h - tables that map memory at its own addresses. head.S fills in those of the first 4 GiB
 * where it comes from 32-bit code. */
#ifndef BOOT_BZ_LOW_MAP_H
#define BOOT_BZ_LOW_MAP_H

#include <stdint.h>

#define LOW_MAP_LEAST (4ull << 30)

/* low_map_reach() - the limit of what the present tables are known to map of what the parameters
 * name: those of a loader of 64 bits map all of it. */
uint64_t low_map_reach(void);

/*
 * low_map_load() - fills the tables in and loads them, of five levels where the CPU has five on.
 * They map the image, and all memory below the limit that is returned: 512 GiB where the CPU has
 * pages of 1 GiB, else LOW_MAP_LEAST.
 */
uint64_t low_map_load(void);

#endif
