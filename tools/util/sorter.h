/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sorter.h - puts any number of items in order, with little memory: SORTER_HELD bytes of items are
 * held, more go into a temporary file in sorted runs, which are merged on the way out. The file has
 * no name, is in $TMPDIR (/var/tmp without), and goes with the sorter. A disk that is full ends the
 * program with one line.
 *
 *	struct sorter sorter = {.compare = ...};
 *	sorter_add(&sorter, ...) for each item
 *	while ((item = sorter_next(&sorter, &n))) ...
 *	sorter_free(&sorter);
 */
#ifndef TOOLS_UTIL_SORTER_H
#define TOOLS_UTIL_SORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/util/buf.h"

#define SORTER_HELD (16u << 20) /* bytes */

struct sorter {
	/* Less than 0, 0 or more, as for qsort(); equal items come in any order. */
	int (*compare)(const void *a, const void *b);
	size_t held;      /* bytes of items in memory; 0: SORTER_HELD */
	struct buf items; /* each at a multiple of 8, behind its size */
	struct buf order; /* uint64_t, the places of items in `items` */
	struct buf runs;  /* struct sorter_run, in the file */
	struct buf
		merged; /* uint64_t, numbers of runs with more items: a heap by their next item */
	int file;       /* valid when there are runs */
	uint64_t file_size;
	size_t next; /* of `order`, when there are no runs */
	bool is_sorted, is_taken;
};

/* sorter_add() - copies an item. Must not follow sorter_next(). */
void sorter_add(struct sorter *sorter, const void *item, size_t n);

/*
 * sorter_next() - the next item, aligned to 8, and its size; valid until the next call. NULL: there
 * are no more.
 */
const void *sorter_next(struct sorter *sorter, size_t *n);

void sorter_free(struct sorter *sorter);

#endif
