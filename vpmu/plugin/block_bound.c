// SPDX-License-Identifier: BSD-2-Clause
/*
 * block_bound.c - bounds follow vpmu/micro/data_access.c: an access may span two lines, and each
 * makes prefetchers ask for others, and walks page tables. Time: an instruction can move the end of
 * everything that is under way by its own cycles (most_cycles) and those of an access, and the
 * clock never passes that end. A line waits for another one of the same access, or of one before,
 * so a chain of lines is no longer than that of accesses, and the prefetches of the first.
 */
#include "vpmu/plugin/block_bound.h"

#include "vpmu/micro/micro.h"

#define SYNCHRONIZES    1 /* a micro-operation for the stack pointer, if the stack engine is ahead */
#define EXECUTED_MORE   4 /* for the accesses of an iteration of a string instruction */
#define LINES_OF_ACCESS 2
#define TABLE_LEVELS    4 /* that a walk reads */

void bound_add(struct bound *b, const struct decoded *d, size_t size, const struct core_insn *timed)
{
	for (size_t i = 0; i < TALLY_COUNTS; i++)
		b->tally[i] += d->tally.n[i];
	b->accesses += d->accesses;
	b->bytes += (uint32_t)size;
	b->borders = (b->bytes + GEOMETRY_LINE - 2) / GEOMETRY_LINE;
	b->branches += d->branch != BRANCH_NONE;
	if (!timed)
		return;
	b->uops += timed->issued + SYNCHRONIZES;
	b->executed += timed->nuops + EXECUTED_MORE;
	b->cycles += timed->most_cycles;
}

static void raise_to(uint32_t *most, uint32_t v)
{
	if (v > *most)
		*most = v;
}

void bound_join(struct bound *most, const struct bound *b)
{
	for (size_t i = 0; i < TALLY_COUNTS; i++)
		raise_to(&most->tally[i], b->tally[i]);
	raise_to(&most->accesses, b->accesses);
	raise_to(&most->bytes, b->bytes);
	raise_to(&most->borders, b->borders);
	raise_to(&most->branches, b->branches);
	raise_to(&most->uops, b->uops);
	raise_to(&most->executed, b->executed);
	raise_to(&most->cycles, b->cycles);
}

/* Most code-line fetches: a line may be evicted while the block runs. */
static uint64_t fetches_of(const struct bound *b)
{
	return b->is_fetched ? 0 : 2ull * b->borders + 1;
}

/* With prefetches and walks. */
static uint64_t lines_asked_for(const struct bound *b, const struct geometry *g)
{
	return (uint64_t)(micro_most_lines(g) + TABLE_LEVELS * LINES_OF_ACCESS) * b->accesses;
}

/* Most cycles that a line waits for those before it, each of which came from the same levels. */
static uint64_t line_cycles_of(const struct geometry *g)
{
	return (uint64_t)g->line_cycles + g->llc_line_cycles + g->llc_ahead_cycles +
	       g->l2_line_cycles + g->stlb_lookup_cycles;
}

static uint64_t cycles_of(const struct bound *b, const struct geometry *g)
{
	const uint64_t line = g->memory_cycles + g->llc.cycles;
	const uint64_t walk = (TABLE_LEVELS + 1) * line + g->stlb_cycles;
	const uint64_t chain = b->accesses ? (b->accesses + 1) * walk : 0;

	return chain + lines_asked_for(b, g) * line_cycles_of(g) +
	       fetches_of(b) * (walk + line_cycles_of(g)) + b->cycles + 1;
}

static uint64_t bound_of_exact(const struct bound *b, enum events_count count)
{
	switch (count) {
	case EVENTS_CONDITIONAL_TAKEN:
		return b->tally[EVENTS_CONDITIONAL] + 1;
	case EVENTS_SPLIT_LOADS:
	case EVENTS_SPLIT_STORES:
	case EVENTS_PAGE_SPLIT_LOADS:
	case EVENTS_PAGE_SPLIT_STORES:
	case EVENTS_UNALIGNED:
		return b->accesses;
	default:
		return b->tally[count];
	}
}

/* A block reaches into two pages at most. */
static uint64_t walked_for_code(const struct bound *b)
{
	return b->is_fetched ? 0 : 2 * TABLE_LEVELS;
}

/* Walks or misses that may be under way at a time, where their cycles are summed up. */
static uint64_t under_way(const struct bound *b, enum events_count count)
{
	if (count == EVENTS_WALKING_CODE)
		return fetches_of(b);
	if (count == EVENTS_MISS_SLOTS || count == EVENTS_WALKING_LOADS ||
	    count == EVENTS_WALKING_STORES)
		return b->accesses;
	return 1;
}

static bool counts_slots(enum events_count count)
{
	return count == EVENTS_SLOTS ||
	       (count >= EVENTS_WRONG_PATH && count <= EVENTS_SLOTS_CORE) ||
	       (count >= EVENTS_MISS_SLOTS && count <= EVENTS_PENDING_LLC);
}

/* A load may wait for what is under way, and each of several. */
uint64_t bound_of_ahead(uint64_t cycles, const struct geometry *g, enum events_count count)
{
	if (!g || count < EVENTS_CYCLES || count > EVENTS_PENDING_LLC)
		return 0;
	return cycles * (counts_slots(count) ? g->width : 1);
}

uint64_t bound_of(const struct bound *b, const struct geometry *g, enum events_count count)
{
	if (count < EVENTS_UOPS)
		return bound_of_exact(b, count);
	if (!g)
		return 0;
	switch (count) {
	case EVENTS_UOPS:
	case EVENTS_UOPS_DECODERS ... EVENTS_FUSED_JUMPS:
		return b->uops;
	case EVENTS_EXECUTED ... EVENTS_PORT_11:
		return b->executed;
	case EVENTS_MISPREDICTED:
	case EVENTS_MISPREDICTED_CONDITIONAL:
	case EVENTS_MISPREDICTED_INDIRECT:
	case EVENTS_MISPREDICTED_RETURNS:
		return b->branches + 1;
	case EVENTS_CYCLES ... EVENTS_PENDING_LLC:
		return cycles_of(b, g) * (counts_slots(count) ? g->width : 1) * under_way(b, count);
	case EVENTS_L1I_REFERENCES:
	case EVENTS_L1I_MISSES:
	case EVENTS_L2_CODE_MISSES:
	case EVENTS_LATENT_FETCHES:
	case EVENTS_ITLB_MISSES ... EVENTS_ITLB_WALKS:
		return fetches_of(b);
	case EVENTS_L1D_LOADS ... EVENTS_L1D_STORE_MISSES:
	case EVENTS_L1D_LATE_LOADS:
	case EVENTS_LATENT_LOADS:
	case EVENTS_LOADS_BLOCKED:
	case EVENTS_L2_LOAD_HITS:
	case EVENTS_LLC_LOAD_HITS:
	case EVENTS_LLC_LOAD_MISSES:
	case EVENTS_DTLB_LOAD_MISSES ... EVENTS_DTLB_STORE_WALKS:
		return b->accesses;
	default:
		return lines_asked_for(b, g) + fetches_of(b) + walked_for_code(b);
	}
}
