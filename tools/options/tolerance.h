/* SPDX-License-Identifier: BSD-2-Clause */
/* tolerance.h - the amount by which a count may be worse; and shards of all benchmarks. */
#ifndef TOOLS_OPTIONS_TOLERANCE_H
#define TOOLS_OPTIONS_TOLERANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"

#define TOLERANCE_PERCENT_MOST 1000

/* A zeroed struct tolerates nothing. */
struct tolerance {
	uint64_t events;     /* or: */
	uint64_t millionths; /* of the old count */
};

/* tolerance_parse() - "5" events, or "0.5%". False: it is neither. */
bool tolerance_parse(const char *text, struct tolerance *out);

/* tolerance_covers() - whether `got` instead of `old` is within the tolerance. */
bool tolerance_covers(const struct tolerance *tolerance, uint64_t old, uint64_t got);

/*
 * A text of several, separated by commas: "instructions:u=0,cycles:u=1%,5". An item with a name is
 * for that event, the one without for all others.
 */
struct tolerance_item {
	const char *event; /* in the text, `nevent` characters; 0: all other events */
	size_t nevent;
	struct tolerance tolerance;
};

/*
 * tolerances_next() - takes the next item from `*text` and returns 1. 0: there is none; -EINVAL: it
 * is wrong, and `*text` stays at it.
 */
int tolerances_next(const char **text, struct tolerance_item *out);

/* tolerances_check() - checks a whole text: -EINVAL with the column and the reason. */
int tolerances_check(const char *text, struct reason *why);

/* tolerances_find() - finds the tolerance for an event in a checked text. False: there is none. */
bool tolerances_find(const char *text, const char *event, struct tolerance *out);

#define SHARDS_MOST 10000

/* shard_parse() - "2/3": the second of three. False: the text is no shard. */
bool shard_parse(const char *text, unsigned *shard, unsigned *shards);

#endif
