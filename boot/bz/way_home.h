/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * way_home.h - prepares the way home to Linux (include/perf0/there.h): its kernel is laid where it
 * can start, with its parameters, and memory for results is set apart.
 */
#ifndef BOOT_BZ_WAY_HOME_H
#define BOOT_BZ_WAY_HOME_H

#include <asm/bootparam.h>

#include "boot/bz/memory_map.h"
#include "lib/reason.h"

#include <stdbool.h>

/* The ranges of the memory map, to which the way home adds its own. */
struct home_ranges {
	struct map_range *range;
	size_t n, most;
};

/* home_is_asked() - does the archive have a kernel to come home to? */
bool home_is_asked(const struct handoff *handoff);

/*
 * home_keep_parameters() - adds what `params` names beside the memory map, as the next kernel needs
 * it, too: the list of setup_data, the firmware's map.
 */
void home_keep_parameters(const struct boot_params *params, uint64_t reach,
			  struct home_ranges *ranges);

/*
 * home_prepare() - takes free memory of handoff->mem below `reach`, adds it to `ranges`, and fills
 * in handoff->home; handoff->archive becomes the programs' pack. -E with the reason: the archive,
 * or the memory, does not do. After map_note(), which has to follow again.
 */
int home_prepare(const struct boot_params *params, struct handoff *handoff, uint64_t reach,
		 struct home_ranges *ranges, struct reason *why);

#endif
