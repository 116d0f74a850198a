/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * micro.h - a model of a core: its caches, TLBs, prefetcher, branch predictors, and the time that
 * all that takes. It is told what a program does, and adds to counts of
 * include/perf0/events_count.h of class MODELLED what a core of a geometry (vpmu/model/geometry.h)
 * would have made of it. EXACT counts are not its business: it reads and writes none of them.
 *
 * Order of calls, for each vCPU: micro_block() where a run of instructions begins; then, in the
 * order of the program, micro_load() and micro_store() for each access to memory; micro_branch()
 * for the branch at its end, once it is known where it went. Integers only; the same calls give the
 * same counts. No libc.
 *
 * Contexts: a struct micro belongs to one thread at a time. What vCPUs share (struct micro_shared)
 * has a lock of its own, taken by the functions here.
 */
#ifndef VPMU_MICRO_MICRO_H
#define VPMU_MICRO_MICRO_H

#include "include/perf0/events_count.h"
#include "vpmu/model/geometry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct micro;        /* a vCPU */
struct micro_shared; /* a cache that vCPUs share: the last level, a module's L2 */

/* What may be put off, as bits. */
enum micro_flags {
	MICRO_NO_PREFETCH = 1, /* the next line is not asked for ahead */
	MICRO_IPC1 = 2,        /* one cycle an instruction, no stalls */
};

enum micro_level { MICRO_L1, MICRO_L2, MICRO_LLC, MICRO_MEMORY };
enum micro_translation { MICRO_TLB_HIT, MICRO_STLB_HIT, MICRO_WALK };

/* What another CPU's caches had to do with it: they had the line, as it is below, or modified. */
enum micro_snoop { MICRO_NO_SNOOP, MICRO_SNOOP_HIT, MICRO_SNOOP_HITM };

/* What became of a load or store; of one across two lines: the slower half. */
struct micro_outcome {
	uint8_t level;    /* enum micro_level */
	uint8_t tlb;      /* enum micro_translation */
	uint16_t latency; /* cycles, from when its address was there to when its data were */
	uint8_t snoop;    /* enum micro_snoop */
	bool in_flight;   /* the prefetcher had asked for the line, and it was on its way to L1 */
};

/*
 * A translation: the physical address of `va`, and the size of its page as a shift (12, 21, 22 or
 * 30). The function is the caller's; it is called within micro_load(), micro_store(), when no TLB
 * of the model has the page, with the context that was given there. `va` is the access's, or (of
 * one across two pages) the first byte of its second page.
 */
struct micro_page {
	uint64_t physical;
	uint8_t shift;
};
typedef struct micro_page micro_translate_fn(void *context, uint64_t va);

/*
 * Setting up. Memory is the caller's: micro_bytes() and micro_shared_bytes() say how much, aligned
 * to 64 bytes, all zero.
 *
 * micro_shared_init() makes a cache of `cache` out of `memory`; its owner is all vCPUs of a package
 * (geometry->llc) or of a module of four small cores (geometry->l2, where it is
 * GEOMETRY_MODULE).
 *
 * micro_init() makes a vCPU. `llc` is its package's; `l2` its module's, NULL where its L2 is its
 * own. `counts` has EVENTS_NUMBERS counts, which only grow. The state is
 * empty. False: MICRO_SHARERS vCPUs have that `llc` already.
 */
#define MICRO_SHARERS 64
size_t micro_bytes(const struct geometry *geometry);
size_t micro_shared_bytes(const struct geometry_cache *cache);
struct micro_shared *micro_shared_init(void *memory, const struct geometry_cache *cache);
bool micro_init(struct micro *m, const struct geometry *geometry, unsigned flags,
		struct micro_shared *l2, struct micro_shared *llc, micro_translate_fn *translate,
		uint64_t *counts);

/*
 * micro_reset() - as new: nothing is cached, predicted or in flight; counts stay.
 * micro_shared_reset(): the same of a shared cache, at once for all vCPUs that use it; what they
 * have in caches of their own stays, but where there is a directory: then those are emptied at
 * their next request. Both are fast.
 */
void micro_reset(struct micro *m);
void micro_shared_reset(struct micro_shared *s);

/*
 * Coherence, where there are several vCPUs with an L2 of their own. micro_directory_init(), before
 * micro_init() of the first of them: `memory` has micro_directory_bytes() zeros. From then on
 * stores are told by micro_store_coherent() in place of micro_store(), and micro_catch_up() is
 * called where a run of instructions begins: it drops what other vCPUs have taken away. Without a
 * directory, a line that another vCPU writes stays where it is.
 */
size_t micro_directory_bytes(const struct geometry *geometry, unsigned vcpus);
void micro_directory_init(struct micro_shared *llc, const struct geometry *geometry, unsigned vcpus,
			  void *memory);
struct micro_outcome micro_store_coherent(struct micro *m, uint64_t va, unsigned bytes,
					  void *context);
void micro_catch_up(struct micro *m);

/*
 * micro_set_latency() - from now on a load that takes `cycles` or more is counted by
 * EVENTS_LATENT_LOADS, which is true after micro_settle().
 */
void micro_set_latency(struct micro *m, uint64_t cycles);

/* micro_set_fetch_latency() - from now on a line of code on which the front end waits for `cycles`
 * or more is counted by EVENTS_LATENT_FETCHES. */
void micro_set_fetch_latency(struct micro *m, uint64_t cycles);
void micro_settle(struct micro *m);

/* A run of instructions that follow each other: told once, executed often. */
struct micro_block {
	uint64_t va, physical;  /* of its first byte */
	uint64_t physical_next; /* of its second page's first byte, where it reaches into one */
	uint16_t bytes;         /* less than 4 KiB */
	uint8_t shift;          /* of its page, as in struct micro_page */
	uint16_t instructions;
	uint32_t uops; /* sums over micro_class() */
	uint32_t busy;
	uint32_t divides; /* of `busy`, what the divider is */
};

/*
 * Classes of instructions. micro_class() says what one is worth: micro-operations (fused, as they
 * retire) and the cycles in which it keeps a unit busy that others wait for.
 */
#define MICRO_CLASSES(ROW)                                                                          \
	ROW(SIMPLE,                                                                                 \
	    "one micro-operation: moves, arithmetic, loads, stores, jumps, fused load-and-operate") \
	ROW(NONE, "executes as nothing: second half of a fused pair")                               \
	ROW(DOUBLE, "two: exchanges, additions with memory as destination, calls, returns")         \
	ROW(TRIPLE, "three")                                                                        \
	ROW(LOCKED, "locked read-modify-write, XCHG with memory")                                   \
	ROW(DIVIDE, "integer divide up to 32 bits")                                                 \
	ROW(DIVIDE_LONG, "integer divide of 64 bits")                                               \
	ROW(FP_DIVIDE, "divide or square root of floating point")                                   \
	ROW(TRANSCENDENTAL, "x87 sines and the like")                                               \
	ROW(STRING, "a REP string instruction's beginning and end")                                 \
	ROW(GATHER, "gathers and scatters")                                                         \
	ROW(SERIALIZING, "CPUID, IRET, writes of control registers, fences")                        \
	ROW(SYSTEM, "SYSCALL, SYSRET, far branches, RDMSR, WRMSR")

#define MICRO_CLASS(name, text) MICRO_CLASS_##name,
enum micro_class { MICRO_CLASSES(MICRO_CLASS) MICRO_CLASS_NUMBERS };
#undef MICRO_CLASS

struct micro_worth {
	uint16_t uops, busy;
	uint16_t divides; /* of `busy`, what the divider is */
};
struct micro_worth micro_class(const struct geometry *geometry, enum micro_class class);

/*
 * micro_block() - the run is fetched, and will retire; what it accesses is told behind it. Its time
 * is that of its beginning. A run that goes on where the last one ended, in the same line, without
 * a branch between, and keeps no unit busy, is a piece of that one: where runs end with the last
 * byte of a line, and in front of what keeps a unit busy, counts do not depend on where else they
 * do.
 */
static inline void micro_block(struct micro *m, const struct micro_block *b);

/*
 * micro_loop() - `n` times: the conditional branch at `ip`, at the end of the run, leads back to
 * its beginning, and the run begins. The counts are those of micro_branch() and micro_block(), but
 * a loop that goes on for long takes no longer.
 */
void micro_loop(struct micro *m, const struct micro_block *b, uint64_t ip, uint64_t n);

/* micro_is_fetched() - a run of these bytes would fetch no line. */
static inline bool micro_is_fetched(const struct micro *m, uint64_t va, uint64_t bytes);

/* micro_rep() - `n` iterations of a REP string instruction, whose accesses come by themselves. */
void micro_rep(struct micro *m, uint64_t n);

/*
 * micro_load(), micro_store() - an access of `bytes` (1 to 64) at `va`; a read-modify-write is a
 * load and then a store. `registers` says on what a load waits: those of its address, and where its
 * data go, so that a list is walked one element at a time and an array is not. Made once, by
 * micro_registers(), of numbers as ModRM has them (0: RAX to 15: R15), or MICRO_NO_REGISTER.
 * `context` is handed to the translation.
 */
#define MICRO_NO_REGISTER 16
static inline uint32_t micro_registers(unsigned to, unsigned base, unsigned index);
static inline struct micro_outcome micro_load(struct micro *m, uint64_t va, unsigned bytes,
					      uint32_t registers, void *context);
static inline struct micro_outcome micro_store(struct micro *m, uint64_t va, unsigned bytes,
					       void *context);

enum micro_branch {
	MICRO_CONDITIONAL,
	MICRO_JUMP,
	MICRO_CALL,
	MICRO_JUMP_INDIRECT,
	MICRO_CALL_INDIRECT,
	MICRO_RETURN,
	MICRO_FAR, /* is not predicted */
};

/*
 * micro_branch() - the branch at `ip` went to `to`; `next` is the address of the instruction behind
 * it. A conditional one was taken if `taken` (a jump to the next instruction may be). True: it was
 * mispredicted.
 */
bool micro_branch(struct micro *m, enum micro_branch kind, uint64_t ip, uint64_t to, uint64_t next,
		  bool taken);

/*
 * micro_flush() - a write of CR3, CR0 or CR4: all translations are gone. micro_flush_page():
 * INVLPG. A guest's translation that changes otherwise is not seen until then, as on silicon.
 */
void micro_flush(struct micro *m);
void micro_flush_page(struct micro *m, uint64_t va);

#include "vpmu/micro/micro_inline.h"

#endif
