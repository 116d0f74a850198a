/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * micro.h - a model of a core's caches, TLBs, prefetchers and branch predictors. The caller reports
 * the program's execution, and the model adds to the counts of class MODELLED
 * (include/perf0/events_count.h) what a core of a geometry (vpmu/model/geometry.h) would have
 * counted. It neither reads nor writes EXACT counts. It has no clock: what an access needs in time
 * is in its outcome, for a core in time (vpmu/core/timed_core.h).
 *
 * Order of calls for each vCPU: micro_block() at the start of a run of instructions; then, in
 * program order, micro_load() and micro_store() for each access; micro_branch() for the branch at
 * its end, once its target is known. Integers only; the same calls give the same counts. No libc.
 *
 * Contexts: a struct micro belongs to one thread at a time. The state that vCPUs share (struct
 * micro_shared) has a lock of its own, which the functions here take.
 */
#ifndef VPMU_MICRO_MICRO_H
#define VPMU_MICRO_MICRO_H

#include "include/perf0/events_count.h"
#include "vpmu/model/geometry.h"
#include "vpmu/model/cores/line_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct micro;        /* a vCPU */
struct micro_shared; /* a cache that vCPUs share: the last level, a module's L2 */

/* Features to switch off, as bits. */
enum micro_flags {
	MICRO_NO_PREFETCH = 1, /* nothing is prefetched */
	MICRO_IPC1 = 2,        /* for the caller: an instruction takes one cycle, without stalls */
	MICRO_NO_WALK_READS = 4, /* walks of page tables read nothing, and take a fixed time */
};

enum micro_level { MICRO_L1, MICRO_L2, MICRO_LLC, MICRO_MEMORY };
enum micro_translation { MICRO_TLB_HIT, MICRO_STLB_HIT, MICRO_WALK };

/* The state of the line in another CPU's caches: none, unmodified, modified. */
enum micro_snoop { MICRO_NO_SNOOP, MICRO_SNOOP_HIT, MICRO_SNOOP_HITM };

/* The outcome of a load or store; for one that spans two lines, of the slower half. */
struct micro_outcome {
	uint8_t nprefetches;
	uint8_t meets;     /* the number of a prefetched line that may be on its way; 0: none */
	uint8_t level : 4; /* enum micro_level */
	uint8_t walk_level : 4; /* the farthest level that a walk of page tables read */
	uint8_t tlb : 4;        /* enum micro_translation */
	uint8_t snoop : 4;      /* enum micro_snoop */
	uint16_t cycles;        /* from its address to its data, if nothing delays it */
	uint16_t walk;          /* of those, the walk's */
	const struct line_request *prefetches; /* in their order, until the next access */
};

/* The code of a run: the front end waits for it in so many cycles; 0: it has it. `walk` of them are
 * those of a walk of page tables, which read as far as `walk_level`. */
struct micro_fetched {
	uint8_t level, walk_level; /* enum micro_level */
	uint16_t cycles, walk;
};

/*
 * A translation: the physical address of `va`, and log2 of its page's size (12, 21, 22 or 30). The
 * caller supplies the function. micro_load() and micro_store() call it, with their `context`, when
 * no TLB has the page. `va` is the access's, or the first byte of its second page.
 */
struct micro_page {
	uint64_t physical;
	uint8_t shift;
};
typedef struct micro_page micro_translate_fn(void *context, uint64_t va);

/*
 * Setting up. The caller provides memory: micro_bytes() and micro_shared_bytes() say how much,
 * aligned to 64 bytes, all zero.
 *
 * micro_shared_init() makes the shared cache `cache` in `memory`. All vCPUs of a package share
 * geometry->llc; those of a module of four small cores share geometry->l2, if it is
 * GEOMETRY_MODULE. micro_init() makes a vCPU. `llc` is its package's; `l2` its module's, or NULL if
 * it has its own L2. `counts` has EVENTS_NUMBERS counts, which only grow. The state is empty.
 * False: MICRO_SHARERS vCPUs already have that `llc`.
 */
#define MICRO_SHARERS 64
size_t micro_bytes(const struct geometry *geometry);
size_t micro_shared_bytes(const struct geometry_cache *cache);
struct micro_shared *micro_shared_init(void *memory, const struct geometry_cache *cache);
bool micro_init(struct micro *m, const struct geometry *geometry, unsigned flags,
		struct micro_shared *l2, struct micro_shared *llc, micro_translate_fn *translate,
		uint64_t *counts);

/*
 * micro_reset() - empties caches and predictors; counts stay.
 * micro_shared_reset(): empties a shared cache at once for all vCPUs that use it. Their own caches
 * stay; with a directory they are emptied at their next request. Both are fast.
 */
void micro_reset(struct micro *m);
void micro_shared_reset(struct micro_shared *s);

/*
 * Coherence of several vCPUs with an L2 of their own. micro_directory_init() comes before
 * micro_init() of the first one; `memory` has micro_directory_bytes() zeros. Then
 * micro_store_coherent() replaces micro_store(), and micro_catch_up() at the start of each run
 * drops lines that other vCPUs have taken. Without a directory a line that another vCPU writes
 * stays in the cache.
 */
size_t micro_directory_bytes(const struct geometry *geometry, unsigned vcpus);
void micro_directory_init(struct micro_shared *llc, const struct geometry *geometry, unsigned vcpus,
			  void *memory);
struct micro_outcome micro_store_coherent(struct micro *m, uint64_t va, unsigned bytes,
					  void *context);
void micro_catch_up(struct micro *m);

/*
 * micro_set_prefetchers() - switches off those of the geometry's prefetchers that `off` names
 * (enum geometry_prefetchers), and no others. micro_set_ip(): `ip` tells the address of the
 * instruction that accesses, by the access's context; without it no stride is known.
 * micro_most_lines(): the most lines that one access asks L2 for.
 */
typedef uint64_t micro_ip_fn(const void *context);
void micro_set_prefetchers(struct micro *m, uint64_t off);
void micro_set_ip(struct micro *m, micro_ip_fn *ip);
unsigned micro_most_lines(const struct geometry *geometry);

/* micro_set_fetch_latency() - from now on EVENTS_LATENT_FETCHES counts lines of code that the front
 * end waits `cycles` or more for. */
void micro_set_fetch_latency(struct micro *m, uint64_t cycles);

/* A run of consecutive instructions: described once, executed often. */
struct micro_block {
	uint64_t va, physical;  /* of its first byte */
	uint64_t physical_next; /* of its second page's first byte, if it reaches into one */
	uint16_t bytes;         /* less than 4 KiB */
	uint8_t shift;          /* of its page, as in struct micro_page */
};

/*
 * micro_block() - the run is fetched; its accesses follow. A run is part of the previous one if it
 * goes on where that one ended, in the same line, without a branch in between. So counts do not
 * depend on where runs are cut, if they also end at the last byte of a line.
 */
static inline struct micro_fetched micro_block(struct micro *m, const struct micro_block *b);

/*
 * micro_loop_checks() - iterations of a loop after which another look may find that it is settled.
 * micro_loop_is_settled(): the branch at `ip`, at the run's end, is predicted to lead to its start
 * once more, and neither that nor the run changes anything.
 */
unsigned micro_loop_checks(const struct micro *m);
bool micro_loop_is_settled(const struct micro *m, const struct micro_block *b, uint64_t ip);

/* micro_is_fetched() - a run of these bytes would fetch no line. */
static inline bool micro_is_fetched(const struct micro *m, uint64_t va, uint64_t bytes);

/* micro_load(), micro_store() - an access of `bytes` (1 to 64) at `va`; a read-modify-write is a
 * load, then a store. `context` is passed to the translation. */
static inline struct micro_outcome micro_load(struct micro *m, uint64_t va, unsigned bytes,
					      void *context);
static inline struct micro_outcome micro_store(struct micro *m, uint64_t va, unsigned bytes,
					       void *context);

/* micro_load_hits(), micro_store_hits() - the same for the most frequent cases, hits in L1 and the
 * first TLB. False: it is another one, and nothing was done. */
static inline bool micro_load_hits(struct micro *m, uint64_t va, unsigned bytes);
static inline bool micro_store_hits(struct micro *m, uint64_t va, unsigned bytes);

enum micro_branch {
	MICRO_CONDITIONAL,
	MICRO_JUMP,
	MICRO_CALL,
	MICRO_JUMP_INDIRECT,
	MICRO_CALL_INDIRECT,
	MICRO_RETURN,
	MICRO_FAR, /* never predicted */
};

/* micro_branch() - the branch at `ip` went to `to`; `next` is the address behind it. `taken`: a
 * conditional one was taken, maybe to the next instruction. True: it was mispredicted. */
static inline bool micro_branch(struct micro *m, enum micro_branch kind, uint64_t ip, uint64_t to,
				uint64_t next, bool taken);

/* micro_flush() - a write of CR3, CR0 or CR4 drops all translations. micro_flush_page(): INVLPG. As
 * on silicon, other changes of page tables are not seen until then. */
void micro_flush(struct micro *m);
void micro_flush_page(struct micro *m, uint64_t va);

#include "vpmu/micro/micro_inline.h"

#endif
