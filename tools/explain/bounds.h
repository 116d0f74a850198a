/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bounds.h - why code takes the cycles that it takes in a model of a core (vpmu/core/): the cycles
 * of an iteration, and the bound by each part of the core alone. The largest bound binds.
 */
#ifndef TOOLS_EXPLAIN_BOUNDS_H
#define TOOLS_EXPLAIN_BOUNDS_H

#include "vpmu/core/core_steady.h"

#include "tools/explain/hot_code.h"

enum bound {
	BOUND_PREDECODE,
	BOUND_DECODE,
	BOUND_CACHE,
	BOUND_WIDTH,
	BOUND_UNITS,
	BOUND_DIVIDER,
	BOUND_LATENCY,
	BOUND_BUFFERS, /* of loads and stores, and of what waits to retire: all else is ideal */
	BOUNDS
};

struct bounds {
	double cycles; /* an iteration */
	double of[BOUNDS];
	enum bound order[BOUNDS]; /* those that apply, the largest first */
	unsigned n;
	unsigned unit;              /* the unit that is used most */
	double unit_uses;           /* an iteration */
	uint16_t chain[CORE_CHAIN]; /* instructions of the longest chain, each once, in order */
	unsigned nchain;
	enum core_source source;
	unsigned unknown; /* instructions that the core's table lacks */
};

/* bounds_of() - false: the code cannot be modelled. */
bool bounds_of(struct bounds *bounds, const struct core_model *model, const struct hot_code *hot,
	       uint64_t va);

/* bound_name() - "predecoder", "dependencies", ... */
const char *bound_name(enum bound bound);

#endif
