/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * region_counts.h - counts of the regions that a program marks (bench/likwid-marker.h), as lines of
 * `stat -j` tell them.
 */
#ifndef TOOLS_GATE_REGION_COUNTS_H
#define TOOLS_GATE_REGION_COUNTS_H

#include <stdbool.h>

#include "tools/gate/gate_results.h"
#include "tools/util/buf.h"

/*
 * region_counts_add() - adds a row RESULT_INSIDE named "REGION: EVENT" for each count of a region
 * in `lines`, where `results` has no such row yet. EVENT is the gate's name on `uarch`. Returns
 * whether there was a region.
 */
bool region_counts_add(struct gate_results *results, const char *benchmark, const struct buf *lines,
		       const char *uarch);

/* region_counts_event() - returns the event of a row's name, with a region or without. */
const char *region_counts_event(const char *name);

#endif
