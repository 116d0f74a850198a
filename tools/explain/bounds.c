// SPDX-License-Identifier: BSD-2-Clause
/* bounds.c - see bounds.h. */
#include "tools/explain/bounds.h"

#include <stdlib.h>

#include "tools/util/memory.h"

#define LEAST 0.05 /* cycles of a bound that is told */

#define NO_SLOTS PROFILE_TIME_SLOTS

/* A bound by a part of the core, or by slots that were lost. */
struct bound_row {
	const char *name;
	unsigned part; /* enum core_part */
	unsigned lost; /* enum profile_time_count; NO_SLOTS: none */
};

static const struct bound_row rows[BOUNDS] = {
	[BOUND_LCP] = {"length-changing prefixes", CORE_PART_PREDECODE, NO_SLOTS},
	[BOUND_PREDECODE] = {"predecoder", CORE_PART_PREDECODE, NO_SLOTS},
	[BOUND_DECODE] = {"decoders", CORE_PART_DECODE, NO_SLOTS},
	[BOUND_CACHE] = {"op cache", CORE_PART_CACHE, NO_SLOTS},
	[BOUND_WIDTH] = {"width", CORE_PART_WIDTH, NO_SLOTS},
	[BOUND_UNITS] = {"execution units", CORE_PART_UNITS, NO_SLOTS},
	[BOUND_DIVIDER] = {"divider", CORE_PART_DIVIDER, NO_SLOTS},
	[BOUND_LATENCY] = {"dependencies", CORE_PART_LATENCY, NO_SLOTS},
	[BOUND_BUFFERS] = {"buffers", 0, NO_SLOTS},
	[BOUND_BLOCKED] = {"store forwarding", 0, PROFILE_TIME_BLOCKED},
	[BOUND_ALIAS] = {"4 KiB aliasing", 0, PROFILE_TIME_ALIAS},
	[BOUND_L1] = {"L1", 0, PROFILE_TIME_L1},
	[BOUND_L2] = {"L2", 0, PROFILE_TIME_L2},
	[BOUND_LLC] = {"LLC", 0, PROFILE_TIME_LLC},
	[BOUND_MEMORY] = {"memory", 0, PROFILE_TIME_MEMORY},
	[BOUND_STORES] = {"store buffer", 0, PROFILE_TIME_STORES},
	[BOUND_SPECULATION] = {"mispredictions", 0, PROFILE_TIME_SPECULATION},
	[BOUND_CODE] = {"late code", 0, PROFILE_TIME_FRONTEND},
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
	case BOUND_LCP:
		if (b->source != CORE_FROM_DECODERS || b->of[i] <= b->of[BOUND_PREDECODE] + LEAST)
			return false;
		break;
	case BOUND_PREDECODE:
	case BOUND_DECODE:
		if (b->source != CORE_FROM_DECODERS)
			return false;
		break;
	case BOUND_CACHE:
		if (b->source != CORE_FROM_CACHE)
			return false;
		break;
	default:
		break;
	}
	if (i == BOUND_BUFFERS || rows[i].lost != NO_SLOTS)
		return b->of[i] > LEAST;
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

/* --- What was lost --- */

static void note_spent(struct bounds *b, const struct bounded_code *code)
{
	const struct hot_times *spent = code->spent;

	if (!spent || !spent->width || !code->times)
		return;
	b->has_run = true;
	for (unsigned i = 0; i < PROFILE_TIME_COUNTS; i++)
		b->counted[i] = (double)spent->count[i] / (double)code->times;
	for (unsigned i = PROFILE_TIME_SLOTS; i <= PROFILE_TIME_ALIAS; i++)
		b->counted[i] /= (double)spent->width;
	b->ran = b->counted[PROFILE_TIME_SLOTS];
}

static double lost_in_steady(const struct core_steady *steady, unsigned cause)
{
	return (double)steady->lost[cause] / (double)steady->width / (double)steady->rounds;
}

/* Code that has not run loses slots in the steady state, too. The front end is late for the code
 * that it lacks where it loses more than there. */
static double lost_cycles(const struct bounds *b, const struct core_steady *steady, unsigned lost)
{
	const double alone = lost_in_steady(steady, lost - PROFILE_TIME_FRONTEND);

	if (lost == PROFILE_TIME_FRONTEND)
		return b->counted[lost] > alone ? b->counted[lost] - alone : 0;
	if (b->has_run)
		return b->counted[lost];
	return lost == PROFILE_TIME_BLOCKED || lost == PROFILE_TIME_ALIAS ? alone : 0;
}

/* --- All bounds --- */

static void clear_prefixes(struct core_piece *piece)
{
	for (unsigned i = 0; i < piece->n; i++)
		piece->places[i].insn.flags &= (uint16_t)~CORE_LCP;
}

static bool bound_by(struct bounds *b, const struct core_piece *piece,
		     const struct bounded_code *code, enum bound i)
{
	struct core_steady steady;

	if (!core_steady_run(&steady, piece, code->va, code->loop, CORE_PARTS & ~rows[i].part))
		return false;
	b->of[i] = an_iteration(&steady);
	if (i == BOUND_LATENCY)
		note_chain(b, &steady, piece->n);
	return true;
}

static bool find_bounds(struct bounds *b, struct core_piece *piece, const struct bounded_code *code)
{
	struct core_steady steady;

	if (!core_steady_run(&steady, piece, code->va, code->loop, 0))
		return false;
	b->cycles = an_iteration(&steady);
	b->source = steady.source;
	b->unknown = piece->unknown;
	note_units(b, &steady, piece->model->table);
	note_spent(b, code);
	for (unsigned i = 0; i < BOUNDS; i++) {
		if (rows[i].lost != NO_SLOTS)
			b->of[i] = lost_cycles(b, &steady, rows[i].lost);
		else if (!bound_by(b, piece, code, (enum bound)i))
			return false;
		if (i == BOUND_LCP)
			clear_prefixes(piece);
	}
	return true;
}

bool bounds_of(struct bounds *b, const struct core_model *model, const struct bounded_code *code)
{
	struct core_piece *piece = memory_checked(malloc(sizeof(*piece)));
	bool done;

	*b = (struct bounds){0};
	done = core_piece_describe(piece, model, code->code, code->bytes) &&
	       find_bounds(b, piece, code);
	if (done)
		order_bounds(b);
	free(piece);
	return done;
}
