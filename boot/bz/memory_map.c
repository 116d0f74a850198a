// SPDX-License-Identifier: BSD-2-Clause
/* memory_map.c - see memory_map.h. */
#include "boot/bz/memory_map.h"

#include "lib/math.h"

#define PAGE 4096ull
#define MIB  (1ull << 20)

/* ACPI 6.5, "Address Range Types". */
#define TYPE_MEMORY 1
#define TYPE_ACPI   3
#define TYPE_NVS    4

/* UEFI specification, "Memory Type Usage before ExitBootServices()". */
#define EFI_BOOT_DATA    4
#define EFI_CONVENTIONAL 7

enum map_kind map_kind_of(uint32_t type)
{
	switch (type) {
	case TYPE_MEMORY:
		return MAP_FREE;
	case TYPE_ACPI:
	case TYPE_NVS:
		return MAP_ACPI;
	default:
		return MAP_RESERVED;
	}
}

static const uint32_t handoff_types[] = {
	[MAP_FREE] = HANDOFF_MEM_FREE,         [MAP_IMAGE] = HANDOFF_MEM_IMAGE,
	[MAP_KEPT] = HANDOFF_MEM_ACPI,         [MAP_ACPI] = HANDOFF_MEM_ACPI,
	[MAP_RESERVED] = HANDOFF_MEM_RESERVED,
};

/* The pages of a range. Returns false if there are none. */
static bool pages_of_range(const struct map_range *range, uint64_t *base, uint64_t *end)
{
	const uint64_t last = least_of(range->base, UINT64_MAX - range->bytes) + range->bytes;

	if (range->kind == MAP_FREE) {
		*base = range->base > UINT64_MAX - PAGE ? UINT64_MAX & ~(PAGE - 1)
							: (range->base + PAGE - 1) & ~(PAGE - 1);
		*end = last & ~(PAGE - 1);
	} else {
		*base = range->base & ~(PAGE - 1);
		*end = last > UINT64_MAX - PAGE ? UINT64_MAX & ~(PAGE - 1)
						: (last + PAGE - 1) & ~(PAGE - 1);
	}
	return range->bytes && *base < *end;
}

enum map_kind map_next(const struct map_range *ranges, size_t n, uint64_t at, uint64_t *next)
{
	enum map_kind kind = MAP_NONE;
	uint64_t base, end;
	bool is_memory = false;

	*next = UINT64_MAX;
	for (size_t i = 0; i < n; i++) {
		if (!pages_of_range(&ranges[i], &base, &end))
			continue;
		if (base > at)
			*next = least_of(*next, base);
		if (base > at || end <= at)
			continue;
		*next = least_of(*next, end);
		is_memory |= ranges[i].kind == MAP_FREE;
		kind = ranges[i].kind > kind ? ranges[i].kind : kind;
	}
	return is_memory || kind != MAP_KEPT ? kind : MAP_NONE;
}

static bool continues_last(const struct handoff *handoff, uint64_t base, uint32_t type,
			   uint32_t efi_type)
{
	const struct handoff_mem *last = handoff->nmem ? &handoff->mem[handoff->nmem - 1] : NULL;

	return last && last->base + last->pages * PAGE == base && last->type == type &&
	       last->efi_type == efi_type;
}

static void add_map_piece(struct handoff *handoff, uint64_t base, uint64_t end, enum map_kind kind,
			  uint64_t reach)
{
	const uint32_t type = handoff_types[kind],
		       efi_type = base >= reach ? EFI_BOOT_DATA : EFI_CONVENTIONAL;

	if (continues_last(handoff, base, type, efi_type) && end <= HANDOFF_REACH)
		handoff->mem[handoff->nmem - 1].pages += (end - base) / PAGE;
	else
		handoff_add_memory(handoff, base, end, type, efi_type);
}

void map_note(struct handoff *handoff, const struct map_range *ranges, size_t n, uint64_t reach)
{
	uint64_t at = 0, next;

	handoff->nmem = 0;
	handoff->unreached = 0;
	handoff->dropped = 0;
	for (; at != UINT64_MAX; at = next) {
		const enum map_kind kind = map_next(ranges, n, at, &next);

		if (at < reach)
			next = least_of(next, reach);
		if (kind != MAP_NONE && next != UINT64_MAX)
			add_map_piece(handoff, at, next, kind, reach);
	}
}

uint64_t map_find(const struct map_range *ranges, size_t n, uint64_t end, uint64_t bytes,
		  uint64_t align)
{
	const uint64_t least = end > MIB ? MIB : PAGE;
	uint64_t at = 0, next, found = 0;

	for (; at < end; at = next) {
		const enum map_kind kind = map_next(ranges, n, at, &next);
		const uint64_t last = least_of(next, end), first = most_of(at, least);
		const uint64_t place = last >= bytes ? (last - bytes) & ~(align - 1) : 0;

		if (kind == MAP_FREE && bytes && place >= first)
			found = place;
	}
	return found;
}

bool map_keeps(const struct handoff *handoff, uint64_t at, uint64_t bytes)
{
	for (uint32_t i = 0; i < handoff->nmem; i++) {
		const struct handoff_mem *mem = &handoff->mem[i];

		if (mem->type == handoff_types[MAP_KEPT] && at >= mem->base &&
		    at - mem->base < mem->pages * PAGE &&
		    bytes <= mem->pages * PAGE - (at - mem->base))
			return true;
	}
	return false;
}
