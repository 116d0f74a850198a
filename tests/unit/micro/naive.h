/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * naive.h - a second model of a core's caches and TLBs, slow and simple: each set is a list of
 * numbers, the most recently used first. It shares only the rows with vpmu/micro.
 */
#ifndef TESTS_UNIT_MICRO_NAIVE_H
#define TESTS_UNIT_MICRO_NAIVE_H

#include "vpmu/model/geometry.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NAIVE_NONE UINT64_MAX

struct naive_lists {
	uint64_t *lists;
	uint64_t sets, ways;
};

static inline struct naive_lists naive_new(uint64_t sets, uint64_t ways)
{
	struct naive_lists n = {malloc(sets * ways * sizeof(uint64_t)), sets, ways};

	if (!n.lists)
		abort();
	memset(n.lists, 0xff, sets * ways * sizeof(uint64_t));
	return n;
}

static inline uint64_t *naive_list(const struct naive_lists *n, uint64_t number)
{
	return n->lists + number % n->sets * n->ways;
}

static inline bool naive_drop(struct naive_lists *n, uint64_t number)
{
	uint64_t *list = naive_list(n, number);

	for (uint64_t i = 0; i < n->ways; i++)
		if (list[i] == number) {
			memmove(list + i, list + i + 1, (n->ways - i - 1) * sizeof(*list));
			list[n->ways - 1] = NAIVE_NONE;
			return true;
		}
	return false;
}

static inline bool naive_has(const struct naive_lists *n, uint64_t number)
{
	const uint64_t *list = naive_list(n, number);

	for (uint64_t i = 0; i < n->ways; i++)
		if (list[i] == number)
			return true;
	return false;
}

/* Puts `number` in front. Returns the entry that leaves at the end, or NAIVE_NONE. */
static inline uint64_t naive_push(struct naive_lists *n, uint64_t number)
{
	uint64_t *list = naive_list(n, number), last = list[n->ways - 1];

	memmove(list + 1, list, (n->ways - 1) * sizeof(*list));
	list[0] = number;
	return last;
}

/* Returns whether `number` was there; if not, puts it there. `*victim`: the entry that it
 * replaces. */
static inline bool naive_use(struct naive_lists *n, uint64_t number, uint64_t *victim)
{
	const bool found = naive_drop(n, number);

	*victim = naive_push(n, number);
	if (found)
		*victim = NAIVE_NONE;
	return found;
}

#define NAIVE_LINES (1ull << 28) /* of 16 GiB */

/* Lines of 64 bytes, by physical address; pages of 4 KiB, by virtual address. */
struct naive {
	const struct geometry *g;
	struct naive_lists l1i, l1d, l2, llc, dtlb, store_tlb, itlb, stlb, stlb_code;
	struct naive_lists upper[3]; /* entries of page tables above the last ones */
	uint64_t l1d_misses, l1i_misses, l2_misses, llc_misses;
	uint64_t dtlb_misses, itlb_misses, walks, walk_reads;
	bool walks_read;
	uint64_t code_line;
	bool prefetches;
	uint8_t *ahead; /* for each line: it came ahead, and was not used since */
};

static inline struct naive_lists naive_cache(const struct geometry_cache *cache)
{
	return naive_new(cache->kib * 1024ull / 64 / cache->ways, cache->ways);
}

static inline struct naive_lists naive_tlb(const struct geometry_tlb *rows)
{
	return rows->entries ? naive_new(rows->entries / rows->ways, rows->ways)
			     : (struct naive_lists){0};
}

static inline struct naive naive_core(const struct geometry *g)
{
	return (struct naive){
		.g = g,
		.l1i = naive_cache(&g->l1i),
		.l1d = naive_cache(&g->l1d),
		.l2 = naive_cache(&g->l2),
		.llc = naive_cache(&g->llc),
		.dtlb = naive_tlb(g->dtlb),
		.store_tlb = naive_tlb(g->store_tlb),
		.itlb = naive_tlb(g->itlb),
		.stlb = naive_tlb(g->stlb),
		.stlb_code = naive_tlb(g->stlb_code),
		.upper = {naive_new(1, 32), naive_new(1, 4), naive_new(1, 4)},
		.code_line = NAIVE_NONE,
		.ahead = calloc(NAIVE_LINES, 1),
	};
}

static inline void naive_free(struct naive *n)
{
	struct naive_lists *const all[] = {
		&n->l1i,  &n->l1d,  &n->l2,        &n->llc,      &n->dtlb,     &n->store_tlb,
		&n->itlb, &n->stlb, &n->stlb_code, &n->upper[0], &n->upper[1], &n->upper[2]};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		free(all[i]->lists);
	free(n->ahead);
}

static inline void naive_llc(struct naive *n, uint64_t line, uint64_t l2_victim)
{
	uint64_t victim;

	if (n->g->llc.holds == GEOMETRY_VICTIM) {
		n->llc_misses += !naive_drop(&n->llc, line);
		if (l2_victim != NAIVE_NONE)
			naive_push(&n->llc, l2_victim);
		return;
	}
	if (naive_use(&n->llc, line, &victim))
		return;
	n->llc_misses++;
	if (victim != NAIVE_NONE && n->g->llc.holds == GEOMETRY_INCLUSIVE) {
		naive_drop(&n->l1d, victim);
		naive_drop(&n->l1i, victim);
		naive_drop(&n->l2, victim);
	}
}

static inline void naive_l2(struct naive *n, uint64_t line)
{
	uint64_t victim;

	if (naive_use(&n->l2, line, &victim))
		return;
	n->l2_misses++;
	if (victim != NAIVE_NONE && n->g->l2.holds == GEOMETRY_INCLUSIVE) {
		naive_drop(&n->l1d, victim);
		naive_drop(&n->l1i, victim);
	}
	naive_llc(n, line, victim);
}

/* The entry of a page in the last table, and those above it: each is in a table that the next one
 * maps. */
static inline void naive_walk(struct naive *n, uint64_t page)
{
	const uint64_t half = 1ull << 47, memory = 1ull << 39;
	uint64_t at[4] = {page * 8, 0, 0, 0}, victim;
	unsigned last = 0;

	n->walks++;
	if (!n->walks_read)
		return;
	for (unsigned i = 1; i < 4; i++)
		at[i] = (half + at[i - 1]) / 4096 * 8;
	while (last < 3 && !naive_use(&n->upper[last], page >> (9 * (last + 1)), &victim))
		last++;
	for (int i = (int)last; i >= 0; i--) {
		const uint64_t line = (memory + at[i]) / 64;

		if (n->g->walks_begin == GEOMETRY_WALKS_L1D && naive_use(&n->l1d, line, &victim))
			continue;
		n->walk_reads++;
		naive_l2(n, line);
	}
}

static inline bool naive_translate(struct naive *n, struct naive_lists *first,
				   struct naive_lists *second, uint64_t page)
{
	uint64_t victim;

	if (naive_use(first, page, &victim))
		return true;
	if (!naive_use(second, page, &victim))
		naive_walk(n, page);
	return false;
}

/* The line that L1D's prefetcher asks for behind `line`, or NAIVE_NONE: the next one, or as a
 * stream the one beyond a neighbour. */
static inline uint64_t naive_next(const struct naive *n, uint64_t line)
{
	const unsigned at = line % 64;

	if (n->g->prefetchers & GEOMETRY_L1_NEXT)
		return at == 63 ? NAIVE_NONE : line + 1;
	if (at == 0 || at == 63)
		return NAIVE_NONE;
	if (naive_has(&n->l1d, line - 1))
		return line + 1;
	return naive_has(&n->l1d, line + 1) ? line - 1 : NAIVE_NONE;
}

static inline void naive_data(struct naive *n, uint64_t va, uint64_t physical, bool stores)
{
	struct naive_lists *tlb = stores && n->store_tlb.lists ? &n->store_tlb : &n->dtlb;
	const uint64_t line = physical >> 6;
	uint64_t victim, next;
	bool found, first_use;

	n->dtlb_misses += !naive_translate(n, tlb, &n->stlb, va >> 12);
	found = naive_use(&n->l1d, line, &victim);
	first_use = found && n->ahead[line];
	n->ahead[line] = 0;
	if (!found) {
		n->l1d_misses++;
		naive_l2(n, line);
	}
	if (!n->prefetches || (found && !first_use))
		return;
	next = naive_next(n, line);
	if (next == NAIVE_NONE || naive_has(&n->l1d, next))
		return;
	naive_l2(n, next);
	naive_push(&n->l1d, next);
	n->ahead[next] = 1;
}

static inline void naive_code(struct naive *n, uint64_t va, uint64_t physical)
{
	struct naive_lists *second = n->stlb_code.lists ? &n->stlb_code : &n->stlb;
	uint64_t victim;

	if (va >> 6 == n->code_line)
		return;
	if (n->code_line == NAIVE_NONE || va >> 12 != n->code_line >> 6)
		n->itlb_misses += !naive_translate(n, &n->itlb, second, va >> 12);
	n->code_line = va >> 6;
	if (!naive_use(&n->l1i, physical >> 6, &victim)) {
		n->l1i_misses++;
		naive_l2(n, physical >> 6);
	}
}

#endif
