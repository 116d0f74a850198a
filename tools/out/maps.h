/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * maps.h - tracks the memory maps of all tasks. A later map covers the parts of earlier maps that
 * it overlaps. Adding n maps takes O(n log n) steps, a lookup O((log n)^2).
 */
#ifndef TOOLS_OUT_MAPS_H
#define TOOLS_OUT_MAPS_H

#include <stdint.h>

#include "tools/util/buf.h"

#define MAPS_LEVELS 48

struct program;

struct map_range {
	uint32_t pid;
	const struct program *program; /* the mapped file; NULL: the image */
	uint64_t start, last;          /* first and last address */
	uint64_t offset;               /* offset of `start` in the file */
};

/*
 * The maps of all tasks. Level i was merged from 2^i maps, or is empty; a lower level is newer. A
 * zeroed struct has no maps.
 */
struct maps {
	struct buf levels[MAPS_LEVELS]; /* struct map_range, disjoint, sorted by pid and address */
};

/* maps_add() - adds `range` as the newest map. */
void maps_add(struct maps *maps, const struct map_range *range);

/* maps_find() - returns the map of process `pid` that contains `address`; NULL: none. */
const struct map_range *maps_find(const struct maps *maps, uint32_t pid, uint64_t address);

void maps_free(struct maps *maps);

#endif
