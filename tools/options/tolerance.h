/* SPDX-License-Identifier: BSD-2-Clause */
/* tolerance.h - parses tolerances, by which a count may be worse, and shards of benchmarks. */
#ifndef TOOLS_OPTIONS_TOLERANCE_H
#define TOOLS_OPTIONS_TOLERANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"

#define TOLERANCE_PERCENT_MOST 1000

/* A tolerance; a zeroed struct tolerates nothing. */
struct tolerance {
	uint64_t events;     /* a number of events, or: */
	uint64_t millionths; /* a share of the old count */
};

/* tolerance_parse() - parses "5" (events) or "0.5%". Returns false for any other text. */
bool tolerance_parse(const char *text, struct tolerance *out);

/* tolerance_covers() - returns whether the change from `old` to `got` is within the tolerance. */
bool tolerance_covers(const struct tolerance *tolerance, uint64_t old, uint64_t got);

/*
 * An item of a text such as "instructions:u=0,cycles:u=1%,5". A named item applies to that event,
 * the item without a name to all others.
 */
struct tolerance_item {
	const char *event; /* name in the text, of `nevent` characters; 0: all other events */
	size_t nevent;
	struct tolerance tolerance;
};

/*
 * tolerances_next() - takes the next item from `*text` and returns 1. 0: no more items; -EINVAL:
 * the item is wrong, and `*text` stays at it.
 */
int tolerances_next(const char **text, struct tolerance_item *out);

/* tolerances_check() - checks a whole text: -EINVAL with the column and the reason. */
int tolerances_check(const char *text, struct reason *why);

/*
 * tolerances_find() - finds the tolerance for an event in a checked text. Returns false if it has
 * none.
 */
bool tolerances_find(const char *text, const char *event, struct tolerance *out);

#define SHARDS_MOST 10000

/* shard_parse() - parses "2/3", the second of three shards. Returns false for any other text. */
bool shard_parse(const char *text, unsigned *shard, unsigned *shards);

#endif
