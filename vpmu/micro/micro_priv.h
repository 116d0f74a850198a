/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * micro_priv.h - what the files of the model share: translations (tlb.c), requests to caches
 * (data_access.c, code_fetch.c), branches (branch_predictor.c). Files outside
 * of the model include micro.h only.
 */
#ifndef VPMU_MICRO_MICRO_PRIV_H
#define VPMU_MICRO_MICRO_PRIV_H

#include "vpmu/micro/micro_cache.h"
#include "vpmu/micro/micro.h"

/* --- tlb.c --- */

/* A walk of page tables: its cycles, and the farthest level that it read (enum micro_level). */
struct micro_walk {
	uint16_t cycles;
	uint8_t level;
};

struct micro_translated {
	uint64_t physical;
	enum micro_translation tlb;
	struct micro_walk walk; /* 0 unless it is MICRO_WALK */
};

/* micro_tlb_words() - the uint64_t words of a TLB of `rows`; micro_tlb_init() takes them. */
size_t micro_tlb_words(const struct geometry_tlb *rows);
void micro_tlb_init(struct micro_tlb *tlb, const struct geometry_tlb *rows, uint64_t *words);

/* micro_tlb_use() - translates `va` by the TLBs of both levels, or by a walk. */
struct micro_translated micro_tlb_use(struct micro *m, struct micro_tlb *first,
				      struct micro_tlb *second, uint64_t va,
				      micro_translate_fn *translate, void *context);

/* micro_tlb_knows() - translates `va` for a prefetch, by the TLBs for loads alone, of which the
 * first takes the page over from the second. False: neither has it. */
bool micro_tlb_knows(struct micro *m, uint64_t va, uint64_t *physical);

/* --- page_walk.c --- */

/* micro_walk() - reads the entries for `va`, to that of a table of level `last`: 0 for pages of
 * 4 KiB, 1 for 2 MiB, 2 for 1 GiB. micro_forget_upper(): a flush of translations. */
struct micro_walk micro_walk(struct micro *m, uint64_t va, unsigned last);
void micro_forget_upper(struct micro *m);

/* --- data_access.c --- */

enum micro_kind {
	MICRO_FOR_LOAD,
	MICRO_FOR_STORE,
	MICRO_FOR_CODE,
	MICRO_FOR_PREFETCH, /* of L1D */
	MICRO_FOR_WALK,
	MICRO_FOR_L2_PREFETCH, /* of L2 */
};

/* micro_request() - requests a line that the first level lacks, or that L2 prefetches; returns the
 * level that had it. */
enum micro_level micro_request(struct micro *m, uint64_t line, enum micro_kind kind);

/* micro_drop_own() - removes the line from all caches of this CPU. */
void micro_drop_own(struct micro *m, uint64_t line);

/* --- prefetch.c --- */

/* A use of a line that L1D lacks, or of a prefetched one, for the first time. */
struct micro_use {
	uint64_t va, line; /* `line` is physical */
	enum micro_level level;
	bool missed, stores;
};

/* micro_prefetch() - what follows from it, if a prefetcher is on. micro_flight_of(): the number of
 * a prefetched line that may be on its way, or 0. micro_forget_prefetches(): at a reset. */
void micro_prefetch(struct micro *m, const struct micro_use *use, const void *context);
static inline uint8_t micro_flight_slot(uint64_t line)
{
	return (uint8_t)(line % LINE_FLIGHTS);
}
static inline uint8_t micro_flight_of(const struct micro *m, uint64_t line)
{
	return m->flights[micro_flight_slot(line)] == line ? micro_flight_slot(line) + 1 : 0;
}
void micro_forget_prefetches(struct micro *m);

/* --- coherence.c; all but the first three with the last level locked --- */

/*
 * micro_left_first_level() - L1D or L1I has evicted the line (micro_note_eviction()).
 * micro_directory_forget(): the CPU's caches are empty. micro_read_mail(): reads the mail of other
 * CPUs, with the last level locked.
 */
void micro_left_first_level(struct micro *m, uint64_t line);
void micro_directory_forget(struct micro *m);
void micro_read_mail(struct micro *m);

/* CPUs that share an L2 take no part. */
static inline bool micro_is_coherent(const struct micro *m)
{
	return m->llc->directory && !m->l2;
}

static inline void micro_note_eviction(struct micro *m, const struct micro_look *look)
{
	if (look->evicted && micro_is_coherent(m))
		micro_left_first_level(m, look->victim);
}

/*
 * micro_directory_take() - the CPU gets the line, exclusively if it `stores`; returns the state in
 * other caches. micro_directory_leave(): the CPU no longer has the line. micro_directory_evict():
 * no CPU has the line any more. micro_directory_reset(): no CPU has any line, and every CPU is
 * informed.
 */
enum micro_snoop micro_directory_take(struct micro *m, uint64_t line, bool stores);
void micro_directory_leave(struct micro *m, uint64_t line);
void micro_directory_evict(struct micro *m, uint64_t line);
void micro_directory_reset(struct micro_shared *s);

/* micro_level_cycles() - the latency of a load from that level. */
static inline uint32_t micro_level_cycles(const struct micro *m, enum micro_level level)
{
	return m->level_cycles[level];
}

/* --- branch_predictor.c --- */

size_t micro_predictor_bytes(const struct geometry_branches *geometry);
void micro_predictor_init(struct micro_predictor *p, const struct geometry_branches *geometry,
			  void *memory);
void micro_predictor_reset(struct micro_predictor *p);

/* micro_history_bits() - conditional branches after which the history has nothing else.
 * micro_goes_on(): the branch is predicted taken once more, and that changes nothing. */
unsigned micro_history_bits(const struct micro_predictor *p);
bool micro_goes_on(const struct micro_predictor *p, uint64_t ip);

#endif
