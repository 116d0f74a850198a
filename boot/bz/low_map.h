/* SPDX-License-Identifier: BSD-2-Clause */
/* low_map.h - tables that map the first 4 GiB of memory at their own addresses, and the stack that
 * goes with them: head.S fills them in for 64-bit code, or else low_map_load() does. */
#ifndef BOOT_BZ_LOW_MAP_H
#define BOOT_BZ_LOW_MAP_H

#include <stdint.h>

#define LOW_MAP_END (4ull << 30)

/* low_map_load() - fills the tables in and loads them, of five levels where the CPU has five on. */
void low_map_load(void);

#endif
