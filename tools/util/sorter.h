/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sorter.h - sorts any number of items in little memory. SORTER_HELD bytes of items stay in memory.
 * Further ones go to a temporary file in sorted runs, which are merged when the items are read. The
 * file has no name, lies in $TMPDIR (default: /var/tmp), and disappears with the sorter. A full
 * disk ends the program with a message.
 *
 *   struct sorter sorter = {.compare = ...};
 *   sorter_add(&sorter, ...) for each item
 *   while ((item = sorter_next(&sorter, &n))) ...
 *   sorter_free(&sorter);
 */
#ifndef TOOLS_UTIL_SORTER_H
#define TOOLS_UTIL_SORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/util/buf.h"

#define SORTER_HELD (16u << 20) /* bytes */

struct sorter {
	/* Returns less than 0, 0 or more, as for qsort(). Equal items have no fixed order. */
	int (*compare)(const void *a, const void *b);
	size_t held;       /* bytes of items in memory; 0: SORTER_HELD */
	struct buf items;  /* each at a multiple of 8, after its size */
	struct buf order;  /* uint64_t: offsets of items in `items` */
	struct buf runs;   /* struct sorter_run of the file */
	struct buf merged; /* uint64_t: numbers of unfinished runs, as a heap by their next item */
	int file;          /* valid if there are runs */
	uint64_t file_size;
	size_t next; /* index in `order`, if there are no runs */
	bool is_sorted, is_taken;
};

/* sorter_add() - copies an item. Must not follow sorter_next(). */
void sorter_add(struct sorter *sorter, const void *item, size_t n);

/*
 * sorter_next() - returns the next item, aligned to 8, and its size; valid until the next call.
 * NULL: no more items.
 */
const void *sorter_next(struct sorter *sorter, size_t *n);

void sorter_free(struct sorter *sorter);

#endif
