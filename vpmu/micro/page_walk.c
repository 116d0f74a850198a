// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_walk.c - walks of page tables, as reads of their entries by the caches. The addresses of the
 * guest's tables are not known. So the model has tables of its own, which map themselves: the entry
 * of a page is at a place that the page's number gives, eight bytes for each page, above the
 * first 512 GiB of memory. Entries of upper levels are the entries of lower tables.
 *
 * Each level above the last has a small cache of its own (SDM vol. 3, "Caching Paging-Structure
 * Information"), fully associative, the last used entry first.
 */
#include "vpmu/micro/micro_priv.h"

#include "lib/bits.h"

#define ENTRY_BITS   3  /* eight bytes */
#define INDEX_BITS   9  /* of a table */
#define ADDRESS_BITS 48 /* addresses that differ only above have the same entries */
#define TABLES       (1ull << (MICRO_PHYSICAL_BITS - 1))

_Static_assert(ADDRESS_BITS - MICRO_PAGE_SHIFT + ENTRY_BITS == MICRO_PHYSICAL_BITS - 1,
	       "the tables are the upper half of memory");

/* The tables map themselves from here on. Systems leave the begin of the upper half unused. */
#define OWN_MAP (1ull << (ADDRESS_BITS - 1))

/* The address of the entry for `va` in a table of `level`; 0: the last one. */
static uint64_t entry_of(uint64_t va, unsigned level)
{
	uint64_t at = va & bits_low(ADDRESS_BITS);

	for (unsigned i = 0; i <= level; i++)
		at = ((at >> MICRO_PAGE_SHIFT) << ENTRY_BITS) | (i < level ? OWN_MAP : 0);
	return TABLES | at;
}

static uint64_t number_at(uint64_t va, unsigned level)
{
	return (va & bits_low(ADDRESS_BITS)) >> (MICRO_PAGE_SHIFT + level * INDEX_BITS);
}

static const uint8_t upper_rooms[MICRO_UPPER_LEVELS] = {MICRO_UPPER_ENTRIES, MICRO_UPPER_FEW,
							MICRO_UPPER_FEW};

/* Whether the cache of entries of `level` (1 or more) has that of `va`, which it has then. */
static bool use_upper(struct micro *m, uint64_t va, unsigned level)
{
	uint64_t *list = m->upper[level - 1], number = number_at(va, level), last = number;
	const unsigned room = upper_rooms[level - 1];

	for (unsigned i = 0; i < room; i++) {
		const uint64_t here = list[i];

		list[i] = last;
		if (here == number)
			return true;
		last = here;
	}
	return false;
}

void micro_forget_upper(struct micro *m)
{
	for (unsigned level = 0; level < MICRO_UPPER_LEVELS; level++)
		for (unsigned i = 0; i < MICRO_UPPER_ENTRIES; i++)
			m->upper[level][i] = MICRO_NOTHING;
}

static enum micro_level read_entry(struct micro *m, uint64_t line)
{
	struct micro_look look;

	if (m->geometry->walks_begin != GEOMETRY_WALKS_L1D)
		return micro_request(m, line, MICRO_FOR_WALK);
	look = micro_cache_use(&m->l1d, line, 0);
	m->recent[line & m->recent_mask] = MICRO_NOTHING;
	if (look.hit)
		return MICRO_L1;
	m->counts[EVENTS_L1D_REPLACEMENTS]++;
	micro_note_eviction(m, &look);
	return micro_request(m, line, MICRO_FOR_WALK);
}

static enum micro_level first_level(const struct micro *m)
{
	return m->geometry->walks_begin == GEOMETRY_WALKS_L1D ? MICRO_L1 : MICRO_L2;
}

/* The highest table that is read: those above are known. */
static unsigned top_of(struct micro *m, uint64_t va, unsigned last)
{
	unsigned top = last;

	while (top < MICRO_UPPER_LEVELS && !use_upper(m, va, top + 1))
		top++;
	return top;
}

struct micro_walk micro_walk(struct micro *m, uint64_t va, unsigned last)
{
	struct micro_walk walk = {.level = MICRO_L1, .cycles = m->geometry->stlb_cycles};

	if (m->flags & MICRO_NO_WALK_READS) {
		walk.cycles = (uint16_t)(walk.cycles + micro_level_cycles(m, first_level(m)));
		return walk;
	}
	for (unsigned level = top_of(m, va, last) + 1; level-- > last;) {
		const enum micro_level found =
			read_entry(m, entry_of(va, level) >> MICRO_LINE_SHIFT);

		walk.cycles = (uint16_t)(walk.cycles + micro_level_cycles(m, found));
		if (found > walk.level)
			walk.level = (uint8_t)found;
	}
	return walk;
}
