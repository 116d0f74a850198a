// SPDX-License-Identifier: BSD-2-Clause
/* micro_core.c - sets up and empties a vCPU. */
#include "vpmu/micro/micro_priv.h"

#include "lib/string.h"

#define ALIGNMENT 64

static size_t aligned(size_t n)
{
	return (n + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

/* Memory that is handed out in pieces; without `at` the pieces are only counted. */
struct pieces {
	uint8_t *at;
	size_t used;
};

static void *take(struct pieces *pieces, size_t n)
{
	void *at = pieces->at ? pieces->at + pieces->used : NULL;

	pieces->used += aligned(n);
	return at;
}

/* --- Caches that are shared --- */

static void *take_tags(struct pieces *pieces, const struct geometry_cache *cache)
{
	return take(pieces, micro_cache_words(cache) * sizeof(uint32_t));
}

size_t micro_shared_bytes(const struct geometry_cache *cache)
{
	struct pieces pieces = {0};

	take(&pieces, sizeof(struct micro_shared));
	take_tags(&pieces, cache);
	return pieces.used;
}

struct micro_shared *micro_shared_init(void *memory, const struct geometry_cache *cache)
{
	struct pieces pieces = {.at = memory};
	struct micro_shared *s = take(&pieces, sizeof(*s));

	*s = (struct micro_shared){.holds = cache->holds};
	micro_cache_init(&s->cache, cache, take_tags(&pieces, cache));
	return s;
}

void micro_shared_reset(struct micro_shared *s)
{
	shared_lock(s);
	micro_cache_reset(&s->cache);
	for (unsigned i = 0; i < s->nsharers; i++)
		s->mail[i].n = 0;
	if (s->directory)
		micro_directory_reset(s);
	shared_unlock(s);
}

/* --- A vCPU --- */

struct tlb_of {
	struct micro_tlb *tlb;
	const struct geometry_tlb *rows;
};
#define TLBS 5

static void list_tlbs(struct micro *m, const struct geometry *g, struct tlb_of *list)
{
	list[0] = (struct tlb_of){&m->dtlb, g->dtlb};
	list[1] = (struct tlb_of){&m->store_tlb, g->store_tlb};
	list[2] = (struct tlb_of){&m->itlb, g->itlb};
	list[3] = (struct tlb_of){&m->stlb, g->stlb};
	list[4] = (struct tlb_of){&m->stlb_code, g->stlb_code};
}

static bool owns_l2(const struct geometry *g)
{
	return g->l2.shared == GEOMETRY_CORE;
}

/* Counts the parts of a vCPU, or places them. */
static void take_parts(struct pieces *pieces, struct micro *m, const struct geometry *g)
{
	struct tlb_of tlbs[TLBS];
	void *at;

	list_tlbs(m, g, tlbs);
	for (unsigned i = 0; i < TLBS; i++)
		if ((at = take(pieces, micro_tlb_words(tlbs[i].rows) * sizeof(uint64_t))))
			micro_tlb_init(tlbs[i].tlb, tlbs[i].rows, at);
	if ((at = take_tags(pieces, &g->l1i)))
		micro_cache_init(&m->l1i, &g->l1i, at);
	if ((at = take_tags(pieces, &g->l1d)))
		micro_cache_init(&m->l1d, &g->l1d, at);
	if (owns_l2(g) && (at = take_tags(pieces, &g->l2)))
		micro_cache_init(&m->own_l2, &g->l2, at);
	if ((at = take(pieces, micro_predictor_bytes(&g->branches))))
		micro_predictor_init(&m->predictor, &g->branches, at);
}

size_t micro_bytes(const struct geometry *geometry)
{
	struct pieces pieces = {0};
	struct micro m;

	take(&pieces, sizeof(m));
	take_parts(&pieces, &m, geometry);
	return pieces.used;
}

static uint32_t remembered(const struct micro_cache *c)
{
	return (c->sets < MICRO_RECENT ? c->sets : MICRO_RECENT) - 1;
}

void micro_reset(struct micro *m)
{
	micro_flush(m);
	micro_cache_reset(&m->l1i);
	micro_cache_reset(&m->l1d);
	if (!m->l2)
		micro_cache_reset(&m->own_l2);
	micro_predictor_reset(&m->predictor);
	micro_forget_prefetches(m);
	m->run_end = 0;
	__atomic_store_n(&m->llc->mail[m->number].n, 0, __ATOMIC_RELAXED);
	if (m->llc->directory)
		micro_directory_forget(m);
}

static bool join_sharers(struct micro *m, struct micro_shared *s)
{
	if (s->nsharers == MICRO_SHARERS)
		return false;
	m->number = s->nsharers;
	s->sharers[s->nsharers++] = m;
	return true;
}

bool micro_init(struct micro *m, const struct geometry *geometry, unsigned flags,
		struct micro_shared *l2, struct micro_shared *llc, micro_translate_fn *translate,
		uint64_t *counts)
{
	struct pieces pieces = {.at = (uint8_t *)m};

	*m = (struct micro){
		.counts = counts,
		.geometry = geometry,
		.flags = flags,
		.translate = translate,
		.l2 = owns_l2(geometry) ? NULL : l2,
		.llc = llc,
	};
	if (!join_sharers(m, llc))
		return false;
	take(&pieces, sizeof(*m));
	take_parts(&pieces, m, geometry);
	m->pages[0] = &m->dtlb;
	m->pages[1] = m->store_tlb.nparts ? &m->store_tlb : &m->dtlb;
	m->code_pages = m->stlb_code.nparts ? &m->stlb_code : &m->stlb;
	m->recent_mask = remembered(&m->l1d);
	m->code_mask = remembered(&m->l1i);
	m->level_cycles[MICRO_L1] = geometry->l1d.cycles;
	m->level_cycles[MICRO_L2] = geometry->l2.cycles;
	m->level_cycles[MICRO_LLC] = geometry->llc.cycles;
	m->level_cycles[MICRO_MEMORY] = geometry->memory_cycles;
	micro_set_prefetchers(m, 0);
	micro_reset(m);
	return m->predictor.misses;
}

void micro_set_fetch_latency(struct micro *m, uint64_t cycles)
{
	m->fetch_latency = cycles;
}
