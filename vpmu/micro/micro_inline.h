/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * micro_inline.h - the state of a vCPU, and the most frequent case: an access to the line that was
 * used last in its set, in a page that the first TLB has. It changes no cache, so two comparisons
 * of virtual addresses decide it. The other files of this folder handle everything else. Only
 * micro.h includes this file.
 *
 * Remembered lines: the virtual line that was used last in each set of L1, or for each 64 sets'
 * worth of address bits, as L1's index comes from the offset in a page. Another line in the set, an
 * invalidation, or a flush of translations forgets it.
 */
#ifndef VPMU_MICRO_MICRO_INLINE_H
#define VPMU_MICRO_MICRO_INLINE_H

#include "vpmu/micro/micro.h"

#define MICRO_LINE_SHIFT 6
#define MICRO_PAGE_SHIFT 12
#define MICRO_RECENT     64         /* remembered lines, and pages; a power of two */
#define MICRO_NOTHING    UINT64_MAX /* no line, no page */
#define MICRO_RETURNS    64

/* Tables above the last one; entries of 2 MiB, and of larger pieces, that are remembered. */
#define MICRO_UPPER_LEVELS  3
#define MICRO_UPPER_ENTRIES 32
#define MICRO_UPPER_FEW     4

/* One level. A set is `ways` tags, the last used first, in a room of MICRO_FEW_WAYS or
 * MICRO_MOST_WAYS; `set_shift` is the logarithm of that. micro_cache.h describes tags. */
#define MICRO_FEW_SHIFT  3
#define MICRO_FEW_WAYS   (1u << MICRO_FEW_SHIFT)
#define MICRO_MOST_SHIFT 4
#define MICRO_MOST_WAYS  (1u << MICRO_MOST_SHIFT)
struct micro_cache {
	uint32_t *tags;
	uint32_t sets;
	uint32_t generation; /* shifted to its place in a tag */
	uint16_t ways;
	uint8_t set_shift;
	uint8_t tag_bits, set_bits; /* set_bits is 0 unless `sets` is a power of two */
};

/* A part of a TLB: the parts take different page sizes, and share arrays of entries. */
struct micro_tlb_part {
	uint16_t first, ways;
	uint32_t sets;
	uint8_t pages;
};

struct micro_tlb_slot {
	uint64_t page; /* of 4 KiB */
	uint32_t entry;
};

struct micro_tlb {
	uint64_t *keys, *stamps;
	uint64_t *offsets; /* of physical to virtual addresses */
	struct micro_tlb_part parts[GEOMETRY_TLBS];
	uint32_t entries, nparts;
	struct micro_tlb_slot recent[MICRO_RECENT]; /* pages that it has, indexed by low bits */
};

struct micro_target {
	uint64_t to;
	uint16_t tag;
	uint8_t sure, useful;
};

#define MICRO_HISTORY_WORDS 4
#define MICRO_TARGET_TABLES 2
#define MICRO_BASE_WENT     12 /* bits of an entry of `base`: both directions were taken */

struct micro_predictor;
typedef bool micro_misses_fn(struct micro_predictor *p, uint64_t ip, uint16_t *base, bool taken);

struct micro_predictor {
	uint64_t history[MICRO_HISTORY_WORDS]; /* the last branch is bit 0 */
	uint64_t path;
	uint16_t *base;
	uint32_t base_mask;
	uint16_t steady[2]; /* an entry that only one direction was seen in for very long */
	uint8_t words_used; /* words of `history` */
	uint64_t returns[MICRO_RETURNS];
	uint32_t top;
	uint8_t tables, table_bits, base_bits, target_bits, nreturns;
	/* The history of each table: whole words, and bits of the next one. */
	uint8_t words[GEOMETRY_TABLES], most_words, longest;
	uint64_t part[GEOMETRY_TABLES];
	int8_t trust_new; /* whether new entries predict better than their alternatives */
	uint8_t failures; /* failures to allocate an entry */
	bool further;
	micro_misses_fn *misses;   /* by the tables: for this number of them, and their histories */
	uint8_t trained[2][2][32]; /* an entry's next state, by: useful, taken, present state */
	uint16_t *table[GEOMETRY_TABLES];
	struct micro_target *last_target;
	struct micro_target *target[MICRO_TARGET_TABLES];
};

/* --- Prefetchers --- */

#define MICRO_STREAMS 32
#define MICRO_STRIDES 64
#define MICRO_ASKED   32 /* lines that prefetchers ask for in one access */

/* A stream of requests to L2 in a page of 4 KiB. Lines are numbered in the page. */
struct micro_stream {
	int8_t last, ahead, direction;
	uint8_t seen; /* requests in that direction */
};

struct micro_stride {
	uint64_t ip, line; /* of the last access, virtual */
	int64_t stride;    /* in lines */
	uint8_t ahead;     /* strides that are asked for beyond `line` */
};

struct micro_prefetchers {
	uint8_t on; /* enum geometry_prefetchers */
	uint8_t nasked;
	uint8_t next_stream;           /* the one that is replaced next */
	int8_t trend;                  /* of demand requests: up, or down */
	uint64_t last;                 /* line of the last demand request */
	uint32_t pages[MICRO_STREAMS]; /* of the streams: their numbers plus 1; 0: none */
	struct micro_stream streams[MICRO_STREAMS];
	uint8_t stream_of[MICRO_RECENT]; /* the last stream of a page, by its low bits */
	struct micro_stride strides[MICRO_STRIDES];
	struct line_request asked[MICRO_ASKED];
};

struct micro {
	uint64_t *counts;
	uint64_t clock; /* counts uses, for LRU */
	uint64_t recent[MICRO_RECENT], recent_code[MICRO_RECENT];
	uint32_t recent_mask, code_mask;
	uint64_t code_line, code_page; /* the last fetched ones */

	uint64_t run_end;                        /* address where the run may go on */
	uint16_t level_cycles[MICRO_MEMORY + 1]; /* of a load from each level */

	struct micro_tlb dtlb, store_tlb, itlb, stlb, stlb_code;
	struct micro_tlb *pages[2];   /* of loads: dtlb; of stores: that, or store_tlb */
	struct micro_tlb *code_pages; /* stlb, or stlb_code */
	uint64_t generation;          /* of translations, shifted to its place in a key */
	uint8_t sizes;                /* page sizes that were seen: enum geometry_pages */
	/* Numbers of entries of upper tables, the last used first: of 2 MiB, 1 GiB, 512 GiB. */
	uint64_t upper[MICRO_UPPER_LEVELS][MICRO_UPPER_ENTRIES];

	const struct geometry *geometry;
	unsigned flags;
	micro_translate_fn *translate;
	struct micro_cache l1i, l1d, own_l2;
	struct micro_shared *l2, *llc; /* l2: NULL if it is `own_l2` */
	unsigned number;               /* number among the vCPUs of `llc` */
	uint8_t snooped;               /* enum micro_snoop, of the last request */

	uint8_t met; /* as `meets`, of the last request to L2 */

	uint64_t fetch_latency;         /* threshold of EVENTS_LATENT_FETCHES, in cycles */
	uint64_t flights[LINE_FLIGHTS]; /* prefetched lines that may be on their way */
	struct micro_prefetchers prefetchers;
	micro_ip_fn *ip;

	struct micro_predictor predictor;
};

/* The less frequent cases. */
struct micro_outcome micro_load_lines(struct micro *m, uint64_t va, unsigned bytes, void *context);
struct micro_outcome micro_store_lines(struct micro *m, uint64_t va, unsigned bytes, void *context);
struct micro_fetched micro_fetch(struct micro *m, const struct micro_block *b, uint64_t first);

static inline void micro_count_access(struct micro *m, bool stores)
{
	m->counts[EVENTS_L1D_LOADS + stores * (EVENTS_L1D_STORES - EVENTS_L1D_LOADS)]++;
}

/* An access within a line that was used last of its set, in a page that the first TLB has: true,
 * and it is done. micro_hits_l1(): within any line that L1D has. */
bool micro_hits_l1(struct micro *m, uint64_t va, bool stores);
static inline bool micro_hits_again(struct micro *m, uint64_t va, bool stores)
{
	const uint64_t line = va >> MICRO_LINE_SHIFT, page = va >> MICRO_PAGE_SHIFT;
	struct micro_tlb *tlb = m->pages[stores];
	const struct micro_tlb_slot *slot = &tlb->recent[page % MICRO_RECENT];

	if (m->recent[line & m->recent_mask] != line || slot->page != page)
		return false;
	tlb->stamps[slot->entry] = ++m->clock;
	micro_count_access(m, stores);
	return true;
}

static inline bool micro_hits(struct micro *m, uint64_t va, unsigned bytes, bool stores)
{
	return (va & (GEOMETRY_LINE - 1)) + bytes <= GEOMETRY_LINE &&
	       (micro_hits_again(m, va, stores) || micro_hits_l1(m, va, stores));
}

static inline bool micro_load_hits(struct micro *m, uint64_t va, unsigned bytes)
{
	return micro_hits(m, va, bytes, false);
}

static inline bool micro_store_hits(struct micro *m, uint64_t va, unsigned bytes)
{
	return micro_hits(m, va, bytes, true);
}

static inline struct micro_outcome micro_load(struct micro *m, uint64_t va, unsigned bytes,
					      void *context)
{
	if (micro_load_hits(m, va, bytes))
		return (struct micro_outcome){.level = MICRO_L1, .cycles = m->level_cycles[0]};
	return micro_load_lines(m, va, bytes, context);
}

static inline struct micro_outcome micro_store(struct micro *m, uint64_t va, unsigned bytes,
					       void *context)
{
	if (micro_store_hits(m, va, bytes))
		return (struct micro_outcome){.level = MICRO_L1, .cycles = m->level_cycles[0]};
	return micro_store_lines(m, va, bytes, context);
}

/* --- Branches --- */

/* Decides and learns a conditional branch, all but the history. */
bool micro_misses_direction(struct micro_predictor *p, uint64_t ip, uint16_t *base, bool taken);
bool micro_jump(struct micro *m, enum micro_branch kind, uint64_t ip, uint64_t to, uint64_t next);

static inline uint16_t *micro_base_of(const struct micro_predictor *p, uint64_t ip)
{
	return &p->base[(ip ^ ip >> p->base_bits) & p->base_mask];
}

/* The branch has gone this way for longer than any table looks back. Once more changes nothing. */
static inline bool micro_is_steady(const struct micro_predictor *p, uint16_t base, bool taken)
{
	return (base | MICRO_BASE_WENT) == p->steady[taken];
}

static inline void micro_push_direction(struct micro_predictor *p, bool taken)
{
	uint64_t *h = p->history;

	if (p->words_used > 2) {
		h[3] = h[3] << 1 | h[2] >> 63;
		h[2] = h[2] << 1 | h[1] >> 63;
	}
	h[1] = h[1] << 1 | h[0] >> 63;
	h[0] = h[0] << 1 | taken;
	p->path = p->path << 1 | taken;
}

/* micro_branch() of a conditional branch. */
static inline bool micro_direction(struct micro *m, uint64_t ip, bool taken)
{
	struct micro_predictor *p = &m->predictor;
	uint16_t *base = micro_base_of(p, ip);
	bool missed = false;

	m->run_end = 0;
	if (!micro_is_steady(p, *base, taken)) {
		missed = micro_misses_direction(p, ip, base, taken);
		m->counts[EVENTS_MISPREDICTED_CONDITIONAL] += missed;
		m->counts[EVENTS_MISPREDICTED] += missed;
	}
	micro_push_direction(p, taken);
	return missed;
}

static inline bool micro_branch(struct micro *m, enum micro_branch kind, uint64_t ip, uint64_t to,
				uint64_t next, bool taken)
{
	if (kind == MICRO_CONDITIONAL)
		return micro_direction(m, ip, taken);
	return micro_jump(m, kind, ip, to, next);
}

/* --- Code --- */

static inline bool micro_is_fetched(const struct micro *m, uint64_t va, uint64_t bytes)
{
	return va >> MICRO_LINE_SHIFT == m->code_line &&
	       (va + bytes - 1) >> MICRO_LINE_SHIFT == m->code_line;
}

/* The line was used last of its set, and its page is that of the last fetched line. */
static inline bool micro_is_recent_code(const struct micro *m, uint64_t line)
{
	return m->recent_code[line & m->code_mask] == line &&
	       line >> (MICRO_PAGE_SHIFT - MICRO_LINE_SHIFT) == m->code_page;
}

/* The run begins, and its code needs no look into L1I. False: it does, from line `first` on. */
static inline bool micro_runs_on(struct micro *m, const struct micro_block *b, uint64_t *first)
{
	const uint64_t last = (b->va + b->bytes - 1) >> MICRO_LINE_SHIFT;
	uint64_t line = b->va >> MICRO_LINE_SHIFT;

	/* The next part of a run has its line already, even if the line was evicted meanwhile. */
	line += b->va == m->run_end && line == (m->run_end - 1) >> MICRO_LINE_SHIFT;
	m->run_end = b->va + b->bytes;
	*first = line;
	if (line != last)
		return line > last;
	if (!micro_is_recent_code(m, line))
		return false;
	m->counts[EVENTS_L1I_REFERENCES] += line != m->code_line;
	m->code_line = line;
	return true;
}

static inline struct micro_fetched micro_block(struct micro *m, const struct micro_block *b)
{
	uint64_t first;

	if (micro_runs_on(m, b, &first))
		return (struct micro_fetched){0};
	return micro_fetch(m, b, first);
}

#endif
