// SPDX-License-Identifier: BSD-2-Clause
/* code_fetch.c - fetches code. A line counts as a reference if it differs from the previous line.
 */
#include "vpmu/micro/micro_priv.h"

#define LOOP_SURE 4 /* further iterations, for counters */

static uint64_t physical_of(const struct micro_block *b, uint64_t va)
{
	const uint64_t in_page = (1u << MICRO_PAGE_SHIFT) - 1;
	const bool next = (va ^ b->va) >> MICRO_PAGE_SHIFT;

	return next ? b->physical_next + (va & in_page) : b->physical + (va - b->va);
}

static struct micro_page known_page(void *context, uint64_t va)
{
	const struct micro_block *b = context;

	return (struct micro_page){.physical = physical_of(b, va), .shift = b->shift};
}

/* Returns the cycles that the front end waits; a walk's are `fetched`'s, too. */
static uint32_t fetch_page(struct micro *m, const struct micro_block *b, uint64_t va,
			   struct micro_fetched *fetched)
{
	uint64_t *counts = m->counts;
	void *context = (void *)(uintptr_t)b; /* the callee treats it as const */
	const struct micro_translated t =
		micro_tlb_use(m, &m->itlb, m->code_pages, va, known_page, context);

	m->code_page = va >> MICRO_PAGE_SHIFT;
	if (t.tlb == MICRO_TLB_HIT)
		return 0;
	counts[EVENTS_ITLB_MISSES]++;
	counts[EVENTS_ITLB_STLB_HITS] += t.tlb == MICRO_STLB_HIT;
	counts[EVENTS_ITLB_WALKS] += t.tlb == MICRO_WALK;
	if (t.tlb == MICRO_STLB_HIT)
		return m->geometry->stlb_cycles;
	fetched->walk = (uint16_t)(fetched->walk + t.walk.cycles);
	if (t.walk.level > fetched->walk_level)
		fetched->walk_level = t.walk.level;
	return t.walk.cycles;
}

static enum micro_level fetch_from_l1i(struct micro *m, uint64_t line, uint64_t at)
{
	struct micro_look look;

	if (m->recent_code[line & m->code_mask] == line)
		return MICRO_L1;
	m->recent_code[line & m->code_mask] = line;
	look = micro_cache_use(&m->l1i, at, 0);
	if (look.hit)
		return MICRO_L1;
	micro_note_eviction(m, &look);
	return micro_request(m, at, MICRO_FOR_CODE);
}

/* Adds the wait for a line to that for the run's lines before. */
static void fetch_line(struct micro *m, const struct micro_block *b, uint64_t line,
		       struct micro_fetched *fetched)
{
	const uint64_t begins = line << MICRO_LINE_SHIFT, va = begins > b->va ? begins : b->va,
		       at = physical_of(b, va) >> MICRO_LINE_SHIFT;
	enum micro_level level;
	uint32_t cycles = 0;

	m->code_line = line;
	m->counts[EVENTS_L1I_REFERENCES]++;
	if (va >> MICRO_PAGE_SHIFT != m->code_page)
		cycles = fetch_page(m, b, va, fetched);
	level = fetch_from_l1i(m, line, at);
	if (level != MICRO_L1)
		cycles += micro_level_cycles(m, level);
	if (!cycles)
		return;
	m->counts[EVENTS_LATENT_FETCHES] += cycles >= m->fetch_latency;
	fetched->cycles = (uint16_t)(fetched->cycles + cycles);
	if (level > fetched->level)
		fetched->level = (uint8_t)level;
}

/* L1I and the first TLB have the line. False: they do not, and nothing was done. */
static bool hits_l1i(struct micro *m, const struct micro_block *b, uint64_t line)
{
	const uint64_t begins = line << MICRO_LINE_SHIFT, va = begins > b->va ? begins : b->va,
		       page = va >> MICRO_PAGE_SHIFT;
	const struct micro_tlb_slot *slot = &m->itlb.recent[page % MICRO_RECENT];
	const bool is_same = page == m->code_page;

	if (!(is_same || slot->page == page) ||
	    !micro_cache_hit(&m->l1i, physical_of(b, va) >> MICRO_LINE_SHIFT))
		return false;
	if (!is_same)
		m->itlb.stamps[slot->entry] = ++m->clock;
	m->code_page = page;
	m->recent_code[line & m->code_mask] = line;
	return true;
}

struct micro_fetched micro_fetch(struct micro *m, const struct micro_block *b, uint64_t first)
{
	const uint64_t last = (b->va + b->bytes - 1) >> MICRO_LINE_SHIFT;
	struct micro_fetched fetched = {0};

	for (uint64_t line = first; line <= last; line++) {
		if (line == m->code_line)
			continue;
		if (!micro_is_recent_code(m, line) && !hits_l1i(m, b, line)) {
			fetch_line(m, b, line, &fetched);
			continue;
		}
		m->counts[EVENTS_L1I_REFERENCES]++;
		m->code_line = line;
	}
	return fetched;
}

/* --- Loops --- */

unsigned micro_loop_checks(const struct micro *m)
{
	return micro_history_bits(&m->predictor) + LOOP_SURE;
}

bool micro_loop_is_settled(const struct micro *m, const struct micro_block *b, uint64_t ip)
{
	return micro_is_fetched(m, b->va, b->bytes) && micro_goes_on(&m->predictor, ip);
}
