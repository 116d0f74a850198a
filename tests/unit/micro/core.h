/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core.h - a core of vpmu/micro for tests: its memory, its counts, and a translation that maps each
 * page to itself.
 */
#ifndef TESTS_UNIT_MICRO_CORE_H
#define TESTS_UNIT_MICRO_CORE_H

#include "vpmu/micro/micro.h"

#include <stdlib.h>
#include <string.h>

/* Nothing but a program's own accesses goes through the caches. */
#define CORE_ALONE (MICRO_NO_PREFETCH | MICRO_NO_WALK_READS)

struct played_core {
	struct geometry geometry;
	unsigned page_shift; /* all pages have this size */
	uint64_t counts[EVENTS_NUMBERS];
	struct micro_shared *l2, *llc; /* l2: NULL where the core has its own */
	void *directory;               /* NULL: there is none, or it is another core's */
	struct micro *micro;
	uint64_t walks; /* calls of core_translate() */
	uint64_t random;
};

static inline struct micro_page core_translate(void *context, uint64_t va)
{
	struct played_core *c = context;

	c->walks++;
	return (struct micro_page){.physical = va, .shift = (uint8_t)c->page_shift};
}

static inline void *core_memory(size_t bytes)
{
	void *at = aligned_alloc(64, bytes);

	if (!at)
		abort();
	return memset(at, 0, bytes);
}

/* Makes a core that shares its last level (and a module's L2) with `with`. Where that is NULL, the
 * core is the first of several, and has a directory for `beside` others. */
static inline struct played_core *core_among(const struct geometry *g, unsigned flags,
					     struct played_core *with, unsigned beside)
{
	struct played_core *c = calloc(1, sizeof(*c));

	if (!c)
		abort();
	*c = (struct played_core){.geometry = *g, .page_shift = 12, .random = 88172645463325252};
	if (with) {
		c->llc = with->llc;
		c->l2 = with->l2;
	} else {
		c->llc = micro_shared_init(core_memory(micro_shared_bytes(&g->llc)), &g->llc);
		if (g->l2.shared == GEOMETRY_MODULE)
			c->l2 = micro_shared_init(core_memory(micro_shared_bytes(&g->l2)), &g->l2);
	}
	if (!with && beside) {
		c->directory = core_memory((micro_directory_bytes(g, beside + 1) + 63) & ~63ull);
		micro_directory_init(c->llc, g, beside + 1, c->directory);
	}
	c->micro = core_memory(micro_bytes(&c->geometry));
	if (!micro_init(c->micro, &c->geometry, flags, c->l2, c->llc, core_translate, c->counts))
		abort();
	return c;
}

static inline struct played_core *core_beside(const struct geometry *g, unsigned flags,
					      struct played_core *with)
{
	return core_among(g, flags, with, 0);
}

static inline struct played_core *core_new(const struct geometry *g, unsigned flags)
{
	return core_beside(g, flags, NULL);
}

static inline struct played_core *core_named(const char *name, unsigned flags)
{
	return core_new(vpmu_geometry(name), flags);
}

/* Among cores that share caches, the one that came first is freed last. */
static inline void core_free(struct played_core *c, bool is_last)
{
	if (is_last) {
		free(c->llc);
		free(c->l2);
		free(c->directory);
	}
	free(c->micro);
	free(c);
}

static inline struct micro_outcome core_load(struct played_core *c, uint64_t va)
{
	return micro_load(c->micro, va, 8, c);
}

static inline struct micro_outcome core_store(struct played_core *c, uint64_t va)
{
	return micro_store(c->micro, va, 8, c);
}

/* A run of `n` instructions of four bytes. */
static inline struct micro_fetched core_block(struct played_core *c, uint64_t va, unsigned n)
{
	const struct micro_block b = {
		.va = va,
		.physical = va,
		.physical_next = (va & ~4095ull) + 4096,
		.bytes = (uint16_t)(4 * n),
		.shift = (uint8_t)c->page_shift,
	};

	return micro_block(c->micro, &b);
}

static inline uint64_t core_random(struct played_core *c)
{
	c->random ^= c->random << 13;
	c->random ^= c->random >> 7;
	c->random ^= c->random << 17;
	return c->random >> 8;
}

/* Counts since `before` was copied. */
#define CORE_SINCE(c, before, event) ((c)->counts[EVENTS_##event] - (before)[EVENTS_##event])

#endif
