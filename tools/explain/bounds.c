// SPDX-License-Identifier: BSD-2-Clause
/* bounds.c - see bounds.h. A bound is the time in a core of which all other parts are ideal. */
#include "tools/explain/bounds.h"

#include <stdlib.h>

#include "tools/util/memory.h"

#define LEAST 0.05 /* cycles of a bound that is told */

struct bound_row {
	const char *name;
	unsigned part; /* enum core_part */
};

static const struct bound_row rows[BOUNDS] = {
	[BOUND_PREDECODE] = {"predecoder", CORE_PART_PREDECODE},
	[BOUND_DECODE] = {"decoders", CORE_PART_DECODE},
	[BOUND_CACHE] = {"op cache", CORE_PART_CACHE},
	[BOUND_WIDTH] = {"width", CORE_PART_WIDTH},
	[BOUND_UNITS] = {"execution units", CORE_PART_UNITS},
	[BOUND_DIVIDER] = {"divider", CORE_PART_DIVIDER},
	[BOUND_LATENCY] = {"dependencies", CORE_PART_LATENCY},
	[BOUND_BUFFERS] = {"buffers", 0},
};

const char *bound_name(enum bound bound)
{
	return rows[bound].name;
}

static double an_iteration(const struct core_steady *steady)
{
	return (double)steady->cycles / (double)steady->rounds;
}

static void note_units(struct bounds *b, const struct core_steady *steady,
		       const struct core_table *table)
{
	for (unsigned u = 0; u < 32; u++)
		if (!(table->dividers >> u & 1) && steady->uses[u] > steady->uses[b->unit])
			b->unit = u;
	b->unit_uses = (double)steady->uses[b->unit] / (double)steady->all_rounds;
}

/* The chain is listed from its end; each instruction of it is told once. */
static void note_chain(struct bounds *b, const struct core_steady *steady, unsigned n)
{
	bool *seen = memory_checked(calloc(n, sizeof(*seen)));

	for (unsigned i = 0; i < steady->nchain; i++)
		seen[steady->chain[i]] = true;
	for (unsigned i = 0; i < n && b->nchain < CORE_CHAIN; i++)
		if (seen[i])
			b->chain[b->nchain++] = (uint16_t)i;
	free(seen);
}

/* Parts of the front end that do not deliver the code are no bounds. Buffers limit all others. */
static bool bound_applies(const struct bounds *b, enum bound i)
{
	switch (i) {
	case BOUND_PREDECODE:
	case BOUND_DECODE:
		if (b->source != CORE_FROM_DECODERS)
			return false;
		break;
	case BOUND_CACHE:
		if (b->source != CORE_FROM_CACHE)
			return false;
		break;
	case BOUND_BUFFERS:
		return b->of[i] > LEAST;
	default:
		break;
	}
	return b->of[i] > b->of[BOUND_BUFFERS] + LEAST;
}

static void order_bounds(struct bounds *b)
{
	for (unsigned i = 0; i < BOUNDS; i++) {
		unsigned at = b->n;

		if (!bound_applies(b, (enum bound)i))
			continue;
		for (; at && b->of[b->order[at - 1]] < b->of[i]; at--)
			b->order[at] = b->order[at - 1];
		b->order[at] = (enum bound)i;
		b->n++;
	}
}

bool bounds_of(struct bounds *b, const struct core_model *model, const struct hot_code *hot,
	       uint64_t va)
{
	struct core_piece *piece = memory_checked(malloc(sizeof(*piece)));
	struct core_steady steady;
	bool done = core_piece_describe(piece, model, hot->code, hot->bytes) &&
		    core_steady_run(&steady, piece, va, hot->loop, 0);

	*b = (struct bounds){0};
	if (done) {
		b->cycles = an_iteration(&steady);
		b->source = steady.source;
		b->unknown = piece->unknown;
		note_units(b, &steady, model->table);
	}
	for (unsigned i = 0; done && i < BOUNDS; i++) {
		done = core_steady_run(&steady, piece, va, hot->loop, CORE_PARTS & ~rows[i].part);
		b->of[i] = an_iteration(&steady);
		if (i == BOUND_LATENCY)
			note_chain(b, &steady, piece->n);
	}
	order_bounds(b);
	free(piece);
	return done;
}
