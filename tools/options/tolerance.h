/* SPDX-License-Identifier: BSD-2-Clause */
/* tolerance.h - by how much a count may be worse; and parts of all benchmarks. */
#ifndef TOOLS_OPTIONS_TOLERANCE_H
#define TOOLS_OPTIONS_TOLERANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"

#define TOLERANCE_PERCENT_MOST 1000

/* A zeroed struct: nothing. */
struct tolerance {
	uint64_t events;     /* or: */
	uint64_t millionths; /* of the old count */
};

/* tolerance_parse() - "5" events, or "0.5%". False: it is neither. */
bool tolerance_parse(const char *text, struct tolerance *out);

/* tolerance_covers() - whether `got` instead of `old` is within it. */
bool tolerance_covers(const struct tolerance *tolerance, uint64_t old, uint64_t got);

/*
 * A text of several, with commas between them: "instructions:u=0,cycles:u=1%,5". One with a name is
 * of that event, the one without of all others.
 */
struct tolerance_item {
	const char *event; /* inside the text; of `nevent` characters, 0: of all others */
	size_t nevent;
	struct tolerance tolerance;
};

/* tolerances_next() - takes the next one from `*text`: 1; 0: there is none; -EINVAL: it is no such
 * thing, and `*text` stays at it. */
int tolerances_next(const char **text, struct tolerance_item *out);

/* tolerances_check() - the whole of a text: -EINVAL with the column and the reason. */
int tolerances_check(const char *text, struct reason *why);

/* tolerances_find() - what a text that was checked says of an event. False: nothing. */
bool tolerances_find(const char *text, const char *event, struct tolerance *out);

#define SHARDS_MOST 10000

/* shard_parse() - "2/3": the second of three. False: it is no such thing. */
bool shard_parse(const char *text, unsigned *shard, unsigned *shards);

#endif
