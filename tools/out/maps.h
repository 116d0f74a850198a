/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * maps.h - what is mapped where, of all tasks, while maps come: a later one covers what it overlaps
 * of earlier ones. Adding n maps takes n log n steps, looking one up log n squared.
 */
#ifndef TOOLS_OUT_MAPS_H
#define TOOLS_OUT_MAPS_H

#include <stdint.h>

#include "tools/util/buf.h"

#define MAPS_LEVELS 48

struct program;

struct map_range {
	uint32_t pid;
	const struct program *program; /* the file that is mapped; NULL: the image */
	uint64_t start, last;          /* addresses, both in it */
	uint64_t offset;               /* in the file, of `start` */
};

/* Level i was made of 2^i maps, or is empty; a lower level is newer. Zeroed: no maps. */
struct maps {
	struct buf levels[MAPS_LEVELS]; /* struct map_range, by pid and address, disjoint */
};

/* maps_add() - `range` is the newest now. */
void maps_add(struct maps *maps, const struct map_range *range);

/* maps_find() - the map that `address` of the task's process is in; NULL: none. */
const struct map_range *maps_find(const struct maps *maps, uint32_t pid, uint64_t address);

void maps_free(struct maps *maps);

#endif
