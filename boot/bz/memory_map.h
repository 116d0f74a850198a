/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_map.h - the BIOS's memory map as a list of the handoff. Its ranges may overlap, be out of
 * order, or make no sense. Pure.
 */
#ifndef BOOT_BZ_MEMORY_MAP_H
#define BOOT_BZ_MEMORY_MAP_H

#include "include/perf0/handoff.h"

#include <stdbool.h>
#include <stddef.h>

/* Entries of struct boot_params, and those that a loader adds by SETUP_E820_EXT. */
#define MAP_RANGES_MOST 1024

/* Where ranges overlap, the later of these counts. */
enum map_kind {
	MAP_NONE, /* not listed, so not used */
	MAP_FREE,
	MAP_KEPT, /* only where memory is free: files that the loader left */
	MAP_ACPI,
	MAP_RESERVED,
	MAP_IMAGE,
};

struct map_range {
	uint64_t base, bytes;
	enum map_kind kind;
};

/* map_kind_of() - the kind of a type of ACPI 6.5, "Address Range Types". */
enum map_kind map_kind_of(uint32_t type);

/*
 * map_note() - fills handoff->mem from `n` ranges in any order. Free memory is rounded inwards to
 * pages, all other outwards. Free memory from `reach` on is noted as that of boot services: the
 * runtime touches it only by tables of its own.
 */
void map_note(struct handoff *handoff, const struct map_range *ranges, size_t n, uint64_t reach);

/*
 * map_find() - the highest `bytes` of free memory below `end`, at a multiple of `align`, a power of
 * two of a page or more. 0: there are none above the first MiB if `end` is above it, or above page
 * 0.
 */
uint64_t map_find(const struct map_range *ranges, size_t n, uint64_t end, uint64_t bytes,
		  uint64_t align);

/* map_next() - the piece of one kind from `at` on; `*end` becomes its end. UINT64_MAX after the
 * last one. */
enum map_kind map_next(const struct map_range *ranges, size_t n, uint64_t at, uint64_t *end);

/* map_keeps() - whether the list has all of these bytes as memory that is only read. */
bool map_keeps(const struct handoff *handoff, uint64_t at, uint64_t bytes);

#endif
