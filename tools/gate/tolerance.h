/* SPDX-License-Identifier: BSD-2-Clause */
/* tolerance.h - by how much a count may be worse; and parts of all benchmarks. */
#ifndef TOOLS_GATE_TOLERANCE_H
#define TOOLS_GATE_TOLERANCE_H

#include <stdbool.h>
#include <stdint.h>

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

#define SHARDS_MOST 10000

/* shard_parse() - "2/3": the second of three. False: it is no such thing. */
bool shard_parse(const char *text, unsigned *shard, unsigned *shards);

#endif
