/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bounds.h - why code takes the cycles that it takes in a model of a core (vpmu/core/): the cycles
 * of an iteration, and the bound by each cause. The largest bound binds.
 *
 * Causes in the code alone: the bound is the cycles of a core of which all other parts are ideal,
 * where accesses hit L1, and branches are predicted. Causes in what happened when the program ran:
 * the bound is the cycles that were lost by them.
 */
#ifndef TOOLS_EXPLAIN_BOUNDS_H
#define TOOLS_EXPLAIN_BOUNDS_H

#include "vpmu/core/core_steady.h"

#include "tools/explain/hot_times.h"

enum bound {
	BOUND_LCP, /* the predecoder, with length-changing prefixes */
	BOUND_PREDECODE,
	BOUND_DECODE,
	BOUND_CACHE,
	BOUND_WIDTH,
	BOUND_UNITS,
	BOUND_DIVIDER,
	BOUND_LATENCY,
	BOUND_BLOCKED, /* loads that wait for a store that cannot forward to them */
	BOUND_ALIAS,   /* loads 4 KiB from a store */
	BOUND_L1,      /* from here on: only when the program ran */
	BOUND_L2,
	BOUND_LLC,
	BOUND_MEMORY,
	BOUND_STORES, /* room in the store buffer */
	BOUND_SPECULATION,
	BOUND_CODE,    /* the front end, more than in the steady state */
	BOUND_BUFFERS, /* of loads and stores, and of what waits to retire: all else is ideal */
	BOUNDS
};

struct bounds {
	double cycles; /* an iteration, in the steady state */
	bool has_run;  /* the next ones are known: an iteration, when the program ran */
	double ran, counted[PROFILE_TIME_COUNTS];
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

/* Code that runs again and again, and what was counted when it ran. */
struct bounded_code {
	const uint8_t *code;
	size_t bytes;
	uint64_t va; /* of the first byte */
	bool loop;
	uint64_t times;                /* its iterations when it ran */
	const struct hot_times *spent; /* in these; NULL: it has not run */
};

/* bounds_of() - false: the code cannot be modelled. */
bool bounds_of(struct bounds *bounds, const struct core_model *model,
	       const struct bounded_code *code);

/* bound_name() - "predecoder", "dependencies", ... */
const char *bound_name(enum bound bound);

#endif
