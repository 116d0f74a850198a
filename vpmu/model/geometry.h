/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * geometry.h - the cores that personalities play, as rows: caches, TLBs, widths, latencies,
 * predictors. vpmu's CPUID reports them (model_cpuid.c), vpmu/micro models them, docs/MODEL.md
 * lists them. Pure data, any context.
 */
#ifndef VPMU_MODEL_GEOMETRY_H
#define VPMU_MODEL_GEOMETRY_H

#include "include/perf0/personalities.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GEOMETRY_LINE 64 /* bytes of a line, in all caches of all rows */

/* How the contents of a cache relate to the caches above it. */
enum geometry_holds {
	GEOMETRY_APART,     /* neither inclusive nor exclusive: filled by misses, evicts alone */
	GEOMETRY_INCLUSIVE, /* holds all of it: a line that is evicted leaves the caches above, too
			     */
	GEOMETRY_VICTIM,    /* filled by what the level above evicts, not by misses */
};

/* The CPUs that share a cache. */
enum geometry_shared {
	GEOMETRY_CORE,    /* the threads of a core */
	GEOMETRY_MODULE,  /* four small cores */
	GEOMETRY_PACKAGE, /* all CPUs of a package */
};

/* Replacement is least recently used in all of them. */
struct geometry_cache {
	uint32_t kib;
	uint16_t ways;   /* sets = kib * 1024 / line / ways, any number */
	uint8_t holds;   /* enum geometry_holds */
	uint8_t shared;  /* enum geometry_shared */
	uint16_t cycles; /* cycles of a load that hits here, from its address to its data */
};

/* Page sizes that a TLB takes, as bits. */
enum geometry_pages { GEOMETRY_4K = 1, GEOMETRY_2M = 2, GEOMETRY_1G = 4, GEOMETRY_ALL = 7 };

struct geometry_tlb {
	uint16_t entries; /* 0: there is no such TLB */
	uint16_t ways;    /* equal to entries: fully associative */
	uint8_t pages;    /* enum geometry_pages */
};

#define GEOMETRY_TLBS 3 /* TLBs of one kind, each for other page sizes */

/* The first cache that a walk reads entries of page tables from. */
enum geometry_walks { GEOMETRY_WALKS_L1D, GEOMETRY_WALKS_L2 };

/* A TAGE predictor of directions, and ITTAGE's of indirect targets. */
#define GEOMETRY_TABLES 6
struct geometry_branches {
	uint8_t base_bits;                /* 2^n counters without history */
	uint8_t tables;                   /* tagged tables, up to */
	uint8_t table_bits;               /* 2^n entries each */
	uint8_t history[GEOMETRY_TABLES]; /* branches that each looks back, ascending */
	uint8_t target_bits;              /* 2^n entries in each of the tables of targets */
	uint8_t returns;                  /* entries of the return stack */
};

/*
 * Hardware prefetchers, as bits (vpmu/micro/prefetch.c). The same bits say which of them a guest
 * has switched off (events_page.h): the model of its register translates.
 */
enum geometry_prefetchers {
	GEOMETRY_L1_NEXT = 1,     /* into L1D: the next line */
	GEOMETRY_L1_STRIDE = 2,   /* into L1D: by the stride of a load instruction */
	GEOMETRY_L2_STREAM = 4,   /* into L2: lines ahead of an ascending or descending stream */
	GEOMETRY_L2_PAIR = 8,     /* into L2: the other line of an aligned pair */
	GEOMETRY_L2_UP_DOWN = 16, /* into L2: the next or the previous line, by the last misses */
	GEOMETRY_L1_STREAM = 32,  /* into L1D: the line beyond one whose other neighbour is there */
};

/* How L1D's prefetcher goes on with the stride of a load instruction. */
struct geometry_strides {
	uint16_t most_lines; /* of a stride */
	uint8_t ahead;       /* strides ahead of the load */
	bool leaves_page;    /* into pages that a TLB has */
};

struct geometry {
	const char *name;             /* as in uarch=NAME; its small cores have the same */
	const char *title;            /* for people */
	const struct geometry *small; /* the small cores of a hybrid; NULL: it is none */
	struct geometry_cache l1i, l1d, l2, llc;
	/* First level: code, loads, stores. If stores.entries is 0, stores use the TLB of loads. */
	struct geometry_tlb itlb[GEOMETRY_TLBS], dtlb[GEOMETRY_TLBS], store_tlb[GEOMETRY_TLBS];
	/* Second level. If stlb_code.entries is 0, code uses the TLB of data. */
	struct geometry_tlb stlb[GEOMETRY_TLBS], stlb_code[GEOMETRY_TLBS];
	uint8_t stlb_cycles;    /* cycles beyond a hit in the first level */
	uint8_t walkers;        /* walks of page tables at a time */
	uint8_t walks_begin;    /* enum geometry_walks */
	uint16_t memory_cycles; /* cycles of a load from memory */
	/* Least cycles between two lines from a level; 0: no limit is known. */
	uint8_t l2_line_cycles, llc_line_cycles, line_cycles;
	uint8_t llc_ahead_cycles;   /* as llc_line_cycles, for L2's prefetches */
	uint8_t stlb_lookup_cycles; /* between two lookups of the second TLB; 0: no limit is known
				     */
	struct geometry_strides strides;
	uint8_t width;       /* micro-operations a cycle */
	uint8_t fills;       /* misses of L1D in flight (line fill buffers, miss addresses) */
	uint8_t prefetchers; /* enum geometry_prefetchers */
	struct geometry_branches branches;
};

/* vpmu_geometry() - the row of a personality by name, or NULL. */
const struct geometry *vpmu_geometry(const char *name);

/* vpmu_geometry_sets() - sets of a cache. */
uint32_t vpmu_geometry_sets(const struct geometry_cache *cache);

/*
 * vpmu_geometry_module() - the number of small cores that share an L2, in a hybrid's package with
 * `cpus` CPUs, whose second half are small cores. It is 4 if CPUID can report such a module, by the
 * upper bits of APIC ids; otherwise 2 or 1.
 */
unsigned vpmu_geometry_module(unsigned cpus);

#endif
