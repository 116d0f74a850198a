// SPDX-License-Identifier: BSD-2-Clause
/*
 * data_access.c - loads, stores and the prefetcher, as far as micro_inline.h does not decide them.
 * Loads and stores count accesses: one that spans two lines counts once, by its slower half.
 * Requests to L2 and the last level count lines.
 */
#include "vpmu/micro/micro_priv.h"

#include "lib/bits.h"

#define LINES_OF_PAGE (1u << (MICRO_PAGE_SHIFT - MICRO_LINE_SHIFT))

/* A used line of an access; an access has one or two. */
struct line_use {
	enum micro_level level; /* the level that has the data */
	enum micro_level asked; /* the level that a pending prefetch of the line waits for */
	enum micro_translation tlb;
	enum micro_snoop snoop;
	uint64_t ready; /* the end of that prefetch; 0: none, or it has ended */
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

static struct micro_look use_l2(struct micro *m, uint64_t line)
{
	struct micro_look look;

	if (!m->l2)
		return micro_cache_use(&m->own_l2, line, 0);
	shared_lock(m->l2);
	look = micro_cache_use(&m->l2->cache, line, 0);
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
};

enum micro_level micro_request(struct micro *m, uint64_t line, enum micro_kind kind)
{
	const uint8_t *of_kind = request_counts[kind];
	uint64_t *counts = m->counts;
	struct micro_look l2;
	bool hit;

	m->snooped = MICRO_NO_SNOOP;
	if (micro_is_coherent(m))
		micro_catch_up(m);
	counts[EVENTS_L2_REFERENCES]++;
	counts[of_kind[0]]++;
	l2 = use_l2(m, line);
	if (l2.hit)
		return MICRO_L2;
	counts[EVENTS_L2_MISSES]++;
	counts[EVENTS_LLC_REFERENCES]++;
	counts[of_kind[1]]++;
	if (l2.evicted && m->geometry->l2.holds == GEOMETRY_INCLUSIVE)
		drop_first_level(m, l2.victim);
	hit = use_llc(m, line, &l2, kind == MICRO_FOR_STORE);
	if (hit)
		return MICRO_LLC;
	counts[EVENTS_LLC_MISSES]++;
	counts[of_kind[2]]++;
	return MICRO_MEMORY;
}

/* --- The prefetcher --- */

/* Prefetches the next line of the page, after a miss or the first use of a prefetched line. */
static void prefetch_next(struct micro *m, uint64_t line)
{
	const uint64_t next = line + 1;
	struct micro_look look;
	enum micro_level level;
	uint64_t ready = 0;

	if (m->flags & MICRO_NO_PREFETCH || next % LINES_OF_PAGE == 0 ||
	    micro_cache_has(&m->l1d, next))
		return;
	level = micro_request(m, next, MICRO_FOR_PREFETCH);
	m->counts[EVENTS_L1D_REPLACEMENTS]++;
	look = micro_cache_use(&m->l1d, next, TAG_PREFETCHED);
	micro_note_eviction(m, &look);
	m->recent[next & m->recent_mask] = MICRO_NOTHING;
	if (m->timed)
		ready = micro_fill(m, micro_dispatch(m), level, micro_level_cycles(m, level));
	m->flights[next % MICRO_FLIGHTS] = (struct micro_flight){next, ready, (uint8_t)level};
}

/* The first use of a prefetched line, which may still be on its way. */
static void meet_prefetch(struct micro *m, uint64_t line, struct line_use *use)
{
	const struct micro_flight *f = &m->flights[line % MICRO_FLIGHTS];

	if (f->line == line && f->ready > micro_dispatch(m)) {
		use->ready = f->ready;
		use->asked = f->level;
	}
}

/* --- Accesses --- */

static struct line_use use_line(struct micro *m, uint64_t va, bool stores, void *context)
{
	const struct micro_translated t = micro_tlb_use(m, stores ? m->store_pages : &m->dtlb,
							&m->stlb, va, m->translate, context);
	const uint64_t line = t.physical >> MICRO_LINE_SHIFT;
	const struct micro_look look = micro_cache_use(&m->l1d, line, 0);
	struct line_use use = {.level = MICRO_L1, .tlb = t.tlb};

	m->recent[va >> MICRO_LINE_SHIFT & m->recent_mask] = va >> MICRO_LINE_SHIFT;
	if (look.prefetched)
		meet_prefetch(m, line, &use);
	if (!look.hit) {
		m->counts[EVENTS_L1D_REPLACEMENTS]++;
		micro_note_eviction(m, &look);
		use.level = micro_request(m, line, stores ? MICRO_FOR_STORE : MICRO_FOR_LOAD);
		use.snoop = (enum micro_snoop)m->snooped;
	}
	if (!look.hit || look.prefetched)
		prefetch_next(m, line);
	return use;
}

/* Uses the one or two lines of an access. */
static struct line_use use_lines(struct micro *m, uint64_t va, unsigned bytes, bool stores,
				 void *context)
{
	const uint64_t second = (va + bytes - 1) & ~(uint64_t)(GEOMETRY_LINE - 1);
	struct line_use use = use_line(m, va, stores, context), other;

	if (second <= va)
		return use;
	other = use_line(m, second, stores, context);
	if (other.level > use.level)
		use.level = other.level;
	if (other.tlb > use.tlb)
		use.tlb = other.tlb;
	if (other.snoop > use.snoop)
		use.snoop = other.snoop;
	if (other.ready > use.ready) {
		use.ready = other.ready;
		use.asked = other.asked;
	}
	return use;
}

static uint32_t cycles_of(const struct micro *m, const struct line_use *use)
{
	const uint32_t more[] = {0, m->geometry->stlb_cycles, m->geometry->walk_cycles};
	const uint32_t other[] = {0, m->geometry->llc.cycles / 2, m->geometry->llc.cycles};

	return micro_level_cycles(m, use->level) + more[use->tlb] + other[use->snoop];
}

static enum events_count stall_of(enum micro_level level)
{
	static const uint8_t stalls[] = {EVENTS_STALLS_L1, EVENTS_STALLS_L2, EVENTS_STALLS_LLC,
					 EVENTS_STALLS_MEMORY};

	return stalls[level];
}

/* The time at which the data of an access that begins at `issue` arrive. */
static uint64_t ends(struct micro *m, uint64_t issue, const struct line_use *use)
{
	const uint32_t cycles = cycles_of(m, use);
	uint64_t done;

	if (use->level != MICRO_L1)
		return micro_fill(m, issue, use->level, cycles);
	done = issue + (uint64_t)cycles * m->width;
	return use->ready > done ? use->ready : done;
}

static struct micro_outcome outcome_of(const struct line_use *use, uint64_t cycles, bool in_flight)
{
	return (struct micro_outcome){
		.level = (uint8_t)(in_flight ? use->asked : use->level),
		.tlb = (uint8_t)use->tlb,
		.latency = (uint16_t)(cycles < UINT16_MAX ? cycles : UINT16_MAX),
		.snoop = (uint8_t)use->snoop,
		.in_flight = in_flight,
	};
}

static void count_load(uint64_t *counts, const struct line_use *use)
{
	counts[EVENTS_L1D_LOADS]++;
	counts[EVENTS_L1D_LOAD_MISSES] += use->level != MICRO_L1;
	counts[EVENTS_L1D_LATE_LOADS] += use->level == MICRO_L1 && use->ready;
	counts[EVENTS_L2_LOAD_HITS] += use->level == MICRO_L2;
	counts[EVENTS_LLC_LOAD_HITS] += use->level == MICRO_LLC;
	counts[EVENTS_LLC_LOAD_MISSES] += use->level == MICRO_MEMORY;
	counts[EVENTS_LOADS_SHARED] += use->snoop == MICRO_SNOOP_HIT;
	counts[EVENTS_LOADS_MODIFIED] += use->snoop == MICRO_SNOOP_HITM;
	counts[EVENTS_DTLB_LOAD_MISSES] += use->tlb != MICRO_TLB_HIT;
	counts[EVENTS_DTLB_LOAD_STLB_HITS] += use->tlb == MICRO_STLB_HIT;
	counts[EVENTS_DTLB_LOAD_WALKS] += use->tlb == MICRO_WALK;
}

static void count_store(uint64_t *counts, const struct line_use *use)
{
	counts[EVENTS_L1D_STORES]++;
	counts[EVENTS_L1D_STORE_MISSES] += use->level != MICRO_L1;
	counts[EVENTS_DTLB_STORE_MISSES] += use->tlb != MICRO_TLB_HIT;
	counts[EVENTS_DTLB_STORE_STLB_HITS] += use->tlb == MICRO_STLB_HIT;
	counts[EVENTS_DTLB_STORE_WALKS] += use->tlb == MICRO_WALK;
}

/* The second most frequent case: one line, in L1D, but not the last used one of its set. */
static bool hits(struct micro *m, struct micro_tlb *tlb, uint64_t va, unsigned bytes)
{
	const uint64_t line = va >> MICRO_LINE_SHIFT, page = va >> MICRO_PAGE_SHIFT;
	const struct micro_tlb_slot *slot = &tlb->recent[page % MICRO_RECENT];
	struct micro_place p;
	uint32_t found;

	if (slot->page != page || (va & (GEOMETRY_LINE - 1)) + bytes > GEOMETRY_LINE)
		return false;
	p = micro_place_of(&m->l1d, (va + tlb->offsets[slot->entry]) >> MICRO_LINE_SHIFT);
	found = micro_ways_with(&m->l1d, &p);
	if (!found || p.set[bits_first(found)] & TAG_PREFETCHED)
		return false;
	micro_bring_to_front(&m->l1d, p.set, bits_first(found), p.key);
	m->recent[line & m->recent_mask] = line;
	return true;
}

struct micro_outcome micro_load_slow(struct micro *m, uint64_t va, unsigned bytes,
				     uint32_t registers, void *context)
{
	struct line_use use;
	enum micro_level level;
	uint64_t cycles;
	bool in_flight = false;

	if (hits(m, &m->dtlb, va, bytes))
		return micro_load_l1(m, &m->dtlb, va, registers);
	use = use_lines(m, va, bytes, false, context);
	level = use.ready && use.asked > use.level ? use.asked : use.level;
	count_load(m->counts, &use);
	cycles = cycles_of(m, &use);
	if (m->timed) {
		const uint64_t issue = micro_issue(m, micro_dispatch(m), registers),
			       done = ends(m, issue, &use);

		m->ready[registers & 0xff] = done;
		micro_pend(m, issue, done, level);
		micro_wait(m, done, m->slack, stall_of(level));
		in_flight = done - issue > cycles * m->width && use.level == MICRO_L1;
		cycles = (done - issue + m->width - 1) / m->width;
	}
	m->counts[EVENTS_LATENT_LOADS] += cycles >= m->latency && m->latency > m->l1_cycles;
	return outcome_of(&use, cycles, in_flight);
}

/* A store retires before it is written; it waits when the store buffer is full. */
struct micro_outcome micro_store_slow(struct micro *m, uint64_t va, unsigned bytes, void *context)
{
	struct line_use use;

	if (hits(m, m->store_pages, va, bytes))
		return micro_store_l1(m, m->store_pages, va);
	use = use_lines(m, va, bytes, true, context);
	count_store(m->counts, &use);
	if (m->timed && use.level != MICRO_L1) {
		const uint64_t buffered = (uint64_t)m->geometry->store_buffer * m->width;

		micro_wait(m, ends(m, micro_dispatch(m), &use), m->slack + buffered,
			   EVENTS_STALLS_STORES);
	}
	return outcome_of(&use, cycles_of(m, &use), false);
}
