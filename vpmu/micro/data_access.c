// SPDX-License-Identifier: BSD-2-Clause
/*
 * data_access.c - loads and stores, as far as micro_inline.h does not decide them.
 * Loads and stores count accesses: one that spans two lines counts once, by its slower half.
 * Requests to L2 and the last level count lines.
 */
#include "vpmu/micro/micro_priv.h"

#include "lib/bits.h"

#define NOINLINE __attribute__((noinline)) /* keeps the frequent path short */

/* A used line of an access; an access has one or two. */
struct line_use {
	uint8_t level; /* enum micro_level: the level that has the data */
	uint8_t tlb;   /* enum micro_translation */
	uint8_t snoop; /* enum micro_snoop */
	uint8_t meets; /* as in struct micro_outcome */
	struct micro_walk walk;
};

/* --- Lines that leave --- */

/* The remembered line of that slot may be this one, as its virtual address is unknown. */
static void drop_first_level(struct micro *m, uint64_t line)
{
	if (micro_cache_drop(&m->l1d, line))
		m->recent[line & m->recent_mask] = MICRO_NOTHING;
	if (micro_cache_drop(&m->l1i, line)) {
		m->recent_code[line & m->code_mask] = MICRO_NOTHING;
		if (((m->code_line ^ line) & m->code_mask) == 0)
			m->code_line = MICRO_NOTHING;
	}
}

void micro_drop_own(struct micro *m, uint64_t line)
{
	drop_first_level(m, line);
	micro_cache_drop(&m->own_l2, line);
}

/* The last level is locked. Other CPUs drop the line with their next request. */
static void drop_everywhere(struct micro *m, uint64_t line)
{
	struct micro_shared *s = m->llc;

	micro_drop_own(m, line);
	if (s->directory) {
		micro_directory_evict(m, line);
		return;
	}
	for (unsigned i = 0; i < s->nsharers; i++)
		if (i != m->number && s->mail[i].n < MICRO_MAIL)
			s->mail[i].lines[s->mail[i].n++] = line;
}

/* --- Requests --- */

/* A prefetch of a line that L2 has changes nothing there. */
TAG_INLINE struct micro_look use_as(struct micro_cache *l2, uint64_t line, enum micro_kind kind)
{
	const bool ahead = kind == MICRO_FOR_L2_PREFETCH;

	if (ahead && micro_cache_has(l2, line))
		return (struct micro_look){.hit = true};
	return micro_cache_use(l2, line, ahead ? TAG_PREFETCHED : 0);
}

static NOINLINE struct micro_look use_shared_l2(struct micro *m, uint64_t line,
						enum micro_kind kind)
{
	struct micro_look look;

	shared_lock(m->l2);
	look = use_as(&m->l2->cache, line, kind);
	shared_unlock(m->l2);
	return look;
}

/* A victim cache holds the lines that L2 evicts; a line that moves up leaves it. */
static bool use_victims(struct micro *m, uint64_t line, const struct micro_look *l2)
{
	const bool hit = micro_cache_drop(&m->llc->cache, line);

	if (l2->evicted)
		micro_cache_use(&m->llc->cache, l2->victim, 0);
	return hit;
}

/* Another CPU supplies the line, if no cache does. */
static bool ask_directory(struct micro *m, uint64_t line, const struct micro_look *l2, bool stores)
{
	if (l2->evicted && !micro_cache_has(&m->l1d, l2->victim) &&
	    !micro_cache_has(&m->l1i, l2->victim))
		micro_directory_leave(m, l2->victim);
	m->snooped = (uint8_t)micro_directory_take(m, line, stores);
	return m->snooped != MICRO_NO_SNOOP;
}

static bool use_llc(struct micro *m, uint64_t line, const struct micro_look *l2, bool stores)
{
	struct micro_shared *s = m->llc;
	struct micro_look look;
	bool has_other = false;

	shared_lock(s);
	if (s->mail[m->number].n)
		micro_read_mail(m);
	if (micro_is_coherent(m))
		has_other = ask_directory(m, line, l2, stores);
	if (s->holds == GEOMETRY_VICTIM) {
		look.hit = use_victims(m, line, l2);
	} else {
		look = micro_cache_use(&s->cache, line, 0);
		if (look.evicted && s->holds == GEOMETRY_INCLUSIVE)
			drop_everywhere(m, look.victim);
	}
	shared_unlock(s);
	return look.hit || has_other;
}

/* Counts for each kind of request: to L2, misses there, misses in the last level. */
static const uint8_t request_counts[][3] = {
	[MICRO_FOR_LOAD] = {EVENTS_L2_READS, EVENTS_LLC_READS, EVENTS_LLC_READ_MISSES},
	[MICRO_FOR_STORE] = {EVENTS_L2_STORES, EVENTS_LLC_STORES, EVENTS_LLC_STORE_MISSES},
	[MICRO_FOR_CODE] = {EVENTS_L1I_MISSES, EVENTS_L2_CODE_MISSES, EVENTS_LLC_CODE_MISSES},
	[MICRO_FOR_PREFETCH] = {EVENTS_PREFETCHES, EVENTS_PREFETCH_MISSES,
				EVENTS_PREFETCH_LLC_MISSES},
	[MICRO_FOR_WALK] = {EVENTS_WALK_READS, EVENTS_WALK_READ_MISSES,
			    EVENTS_WALK_READ_LLC_MISSES},
	[MICRO_FOR_L2_PREFETCH] = {EVENTS_L2_PREFETCHES, EVENTS_L2_PREFETCH_MISSES,
				   EVENTS_L2_PREFETCH_LLC_MISSES},
};

/* L2 lacks the line, and has it from now on. */
static NOINLINE enum micro_level request_beyond(struct micro *m, uint64_t line,
						enum micro_kind kind, const struct micro_look *l2)
{
	uint64_t *counts = m->counts;

	counts[EVENTS_L2_MISSES]++;
	counts[EVENTS_LLC_REFERENCES]++;
	counts[request_counts[kind][1]]++;
	if (l2->evicted && m->geometry->l2.holds == GEOMETRY_INCLUSIVE)
		drop_first_level(m, l2->victim);
	if (use_llc(m, line, l2, kind == MICRO_FOR_STORE))
		return MICRO_LLC;
	counts[EVENTS_LLC_MISSES]++;
	counts[request_counts[kind][2]]++;
	return MICRO_MEMORY;
}

enum micro_level micro_request(struct micro *m, uint64_t line, enum micro_kind kind)
{
	struct micro_look l2;

	m->snooped = MICRO_NO_SNOOP;
	m->met = 0;
	if (micro_is_coherent(m))
		micro_catch_up(m);
	m->counts[EVENTS_L2_REFERENCES]++;
	m->counts[request_counts[kind][0]]++;
	l2 = m->l2 ? use_shared_l2(m, line, kind) : use_as(&m->own_l2, line, kind);
	if (l2.prefetched)
		m->met = micro_flight_of(m, line);
	if (l2.hit)
		return MICRO_L2;
	return request_beyond(m, line, kind, &l2);
}

/* --- Accesses --- */

/* The page was used lately, and the first TLB has it still; else it is brought there. */
TAG_INLINE uint64_t translate_use(struct micro *m, uint64_t va, bool stores, void *context,
				  struct line_use *use)
{
	struct micro_tlb *tlb = m->pages[stores];
	const uint64_t page = va >> MICRO_PAGE_SHIFT;
	const struct micro_tlb_slot *slot = &tlb->recent[page % MICRO_RECENT];
	struct micro_translated t;

	if (slot->page == page) {
		tlb->stamps[slot->entry] = ++m->clock;
		return va + tlb->offsets[slot->entry];
	}
	t = micro_tlb_use(m, tlb, &m->stlb, va, m->translate, context);
	use->tlb = (uint8_t)t.tlb;
	use->walk = t.walk;
	return t.physical;
}

static struct line_use use_line(struct micro *m, uint64_t va, bool stores, void *context)
{
	struct line_use use = {.level = MICRO_L1};
	const uint64_t line = translate_use(m, va, stores, context, &use) >> MICRO_LINE_SHIFT;
	const struct micro_look look = micro_cache_use(&m->l1d, line, 0);

	m->recent[va >> MICRO_LINE_SHIFT & m->recent_mask] = va >> MICRO_LINE_SHIFT;
	if (look.prefetched)
		use.meets = micro_flight_of(m, line);
	if (!look.hit) {
		m->counts[EVENTS_L1D_REPLACEMENTS]++;
		micro_note_eviction(m, &look);
		use.level =
			(uint8_t)micro_request(m, line, stores ? MICRO_FOR_STORE : MICRO_FOR_LOAD);
		use.snoop = m->snooped;
		use.meets = m->met;
	}
	if ((!look.hit || look.prefetched) && m->prefetchers.on)
		micro_prefetch(m,
			       &(struct micro_use){va, line, (enum micro_level)use.level, !look.hit,
						   stores},
			       context);
	return use;
}

static uint32_t cycles_of(const struct micro *m, const struct line_use *use)
{
	uint32_t cycles = micro_level_cycles(m, (enum micro_level)use->level);

	if (use->tlb)
		cycles += use->tlb == MICRO_WALK ? use->walk.cycles : m->geometry->stlb_cycles;
	if (use->snoop)
		cycles += use->snoop == MICRO_SNOOP_HITM ? m->geometry->llc.cycles
							 : m->geometry->llc.cycles / 2;
	return cycles;
}

static uint8_t larger_of(uint8_t a, uint8_t b)
{
	return a > b ? a : b;
}

/* The access uses another line, too. */
static NOINLINE void join_use(struct line_use *use, const struct line_use *other)
{
	use->level = larger_of(use->level, other->level);
	use->tlb = larger_of(use->tlb, other->tlb);
	use->snoop = larger_of(use->snoop, other->snoop);
	if (other->walk.cycles > use->walk.cycles)
		use->walk = other->walk;
	if (other->meets)
		use->meets = other->meets;
}

/* Uses the one or two lines of an access. */
TAG_INLINE struct micro_outcome use_lines(struct micro *m, uint64_t va, unsigned bytes, bool stores,
					  void *context)
{
	const uint64_t second = (va + bytes - 1) & ~(uint64_t)(GEOMETRY_LINE - 1);
	struct line_use use, other;

	m->prefetchers.nasked = 0;
	use = use_line(m, va, stores, context);
	if (second > va) {
		other = use_line(m, second, stores, context);
		join_use(&use, &other);
	}
	return (struct micro_outcome){
		.level = use.level & 15,
		.walk_level = use.walk.level & 15,
		.tlb = use.tlb & 15,
		.snoop = use.snoop & 15,
		.meets = use.meets,
		.cycles = (uint16_t)cycles_of(m, &use),
		.walk = use.walk.cycles,
		.nprefetches = m->prefetchers.nasked,
		.prefetches = m->prefetchers.asked,
	};
}

static void count_load(uint64_t *counts, const struct micro_outcome *use)
{
	static const uint8_t levels[] = {[MICRO_L2] = EVENTS_L2_LOAD_HITS,
					 [MICRO_LLC] = EVENTS_LLC_LOAD_HITS,
					 [MICRO_MEMORY] = EVENTS_LLC_LOAD_MISSES};

	counts[EVENTS_L1D_LOADS]++;
	if (use->level != MICRO_L1) {
		counts[EVENTS_L1D_LOAD_MISSES]++;
		counts[levels[use->level]]++;
	}
	if (use->snoop)
		counts[use->snoop == MICRO_SNOOP_HIT ? EVENTS_LOADS_SHARED
						     : EVENTS_LOADS_MODIFIED]++;
	if (use->tlb) {
		counts[EVENTS_DTLB_LOAD_MISSES]++;
		counts[use->tlb == MICRO_WALK ? EVENTS_DTLB_LOAD_WALKS
					      : EVENTS_DTLB_LOAD_STLB_HITS]++;
	}
}

static void count_store(uint64_t *counts, const struct micro_outcome *use)
{
	counts[EVENTS_L1D_STORES]++;
	counts[EVENTS_L1D_STORE_MISSES] += use->level != MICRO_L1;
	if (use->tlb) {
		counts[EVENTS_DTLB_STORE_MISSES]++;
		counts[use->tlb == MICRO_WALK ? EVENTS_DTLB_STORE_WALKS
					      : EVENTS_DTLB_STORE_STLB_HITS]++;
	}
}

/* The second most frequent case: the line is in L1D, but not the last used one of its set. */
bool micro_hits_l1(struct micro *m, uint64_t va, bool stores)
{
	const uint64_t line = va >> MICRO_LINE_SHIFT, page = va >> MICRO_PAGE_SHIFT;
	struct micro_tlb *tlb = m->pages[stores];
	const struct micro_tlb_slot *slot = &tlb->recent[page % MICRO_RECENT];

	if (slot->page != page ||
	    !micro_cache_hit(&m->l1d, (va + tlb->offsets[slot->entry]) >> MICRO_LINE_SHIFT))
		return false;
	m->recent[line & m->recent_mask] = line;
	tlb->stamps[slot->entry] = ++m->clock;
	micro_count_access(m, stores);
	return true;
}

struct micro_outcome micro_load_lines(struct micro *m, uint64_t va, unsigned bytes, void *context)
{
	const struct micro_outcome outcome = use_lines(m, va, bytes, false, context);

	count_load(m->counts, &outcome);
	return outcome;
}

struct micro_outcome micro_store_lines(struct micro *m, uint64_t va, unsigned bytes, void *context)
{
	const struct micro_outcome outcome = use_lines(m, va, bytes, true, context);

	count_store(m->counts, &outcome);
	return outcome;
}
