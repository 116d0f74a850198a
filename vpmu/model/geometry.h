/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * geometry.h - the cores that the personalities pretend to be, as rows: caches, TLBs, widths,
 * latencies, predictors. vpmu's CPUID tells them (model_cpuid.c), vpmu/micro models them,
 * docs/MODEL.md lists them. Pure data, any context.
 */
#ifndef VPMU_MODEL_GEOMETRY_H
#define VPMU_MODEL_GEOMETRY_H

#include "include/perf0/personalities.h"

#include <stddef.h>
#include <stdint.h>

#define GEOMETRY_LINE 64 /* bytes of a line, in all caches of all rows */

/* What a cache holds of what those above it hold. */
enum geometry_holds {
	GEOMETRY_APART,     /* neither inclusive nor exclusive: filled by misses, evicts alone */
	GEOMETRY_INCLUSIVE, /* all of it: a line that leaves takes those above along */
	GEOMETRY_VICTIM,    /* filled by what the level above evicts, not by misses */
};

/* Which CPUs have a cache in common. */
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
	uint16_t cycles; /* of a load that hits here, from its address to its data */
};

/* Sizes of pages that a TLB takes, as bits. */
enum geometry_pages { GEOMETRY_4K = 1, GEOMETRY_2M = 2, GEOMETRY_1G = 4, GEOMETRY_ALL = 7 };

struct geometry_tlb {
	uint16_t entries; /* 0: there is no such TLB */
	uint16_t ways;    /* equal to entries: fully associative */
	uint8_t pages;    /* enum geometry_pages */
};

#define GEOMETRY_TLBS 3 /* of one kind, each for other sizes of pages */

/* A TAGE predictor of directions, and ITTAGE's of indirect targets. */
#define GEOMETRY_TABLES 6
struct geometry_branches {
	uint8_t base_bits;                /* 2^n counters without history */
	uint8_t tables;                   /* tagged ones, up to GEOMETRY_TABLES */
	uint8_t table_bits;               /* 2^n entries each */
	uint8_t history[GEOMETRY_TABLES]; /* branches that each looks back, ascending */
	uint8_t target_bits;              /* 2^n entries in each of the tables of targets */
	uint8_t returns;                  /* entries of the return stack */
};

struct geometry {
	const char *name;             /* as in uarch=NAME; its small cores have the same */
	const char *title;            /* for people */
	const struct geometry *small; /* of a hybrid; NULL: it is none */
	struct geometry_cache l1i, l1d, l2, llc;
	/* Of the first level: code, loads, stores; stores.entries 0: loads' are used. */
	struct geometry_tlb itlb[GEOMETRY_TLBS], dtlb[GEOMETRY_TLBS], store_tlb[GEOMETRY_TLBS];
	/* Of the second level; stlb_code.entries 0: code uses the same as data. */
	struct geometry_tlb stlb[GEOMETRY_TLBS], stlb_code[GEOMETRY_TLBS];
	uint8_t stlb_cycles;    /* more than a hit in the first level takes */
	uint8_t walk_cycles;    /* of a walk of the page tables */
	uint16_t memory_cycles; /* of a load from memory */
	uint8_t line_cycles;    /* at least, between two lines from memory */
	uint8_t width;          /* micro-operations a cycle */
	uint16_t window;        /* micro-operations in flight (reorder buffer) */
	uint8_t fills;          /* misses of L1D in flight (line fill buffers, miss addresses) */
	uint8_t store_buffer;   /* stores that retired and are not written yet */
	uint8_t mispredict_cycles;
	uint8_t divide_cycles[2]; /* between two integer divides: up to 32 bits, of 64 */
	struct geometry_branches branches;
};

/* vpmu_geometry() - the row of a personality by name, or NULL. */
const struct geometry *vpmu_geometry(const char *name);

/* vpmu_geometry_sets() - sets of a cache. */
uint32_t vpmu_geometry_sets(const struct geometry_cache *cache);

/*
 * vpmu_geometry_module() - of a hybrid's package with `cpus` CPUs, whose second half are small
 * cores: how many of these have an L2 in common. It is 4 where their APIC ids allow that such a
 * module is told by CPUID, which goes by the upper bits of an id; otherwise 2, or 1.
 */
unsigned vpmu_geometry_module(unsigned cpus);

#endif
