// SPDX-License-Identifier: BSD-2-Clause
/* efi_memory.c - see efi_memory.h. UEFI specification, "Memory Allocation Services". */
#include "boot/efi_memory.h"

#include "lib/math.h"

#include <stdbool.h>

#define PAGE       4096
#define MAP_SLACK  4096 /* bytes by which the map may grow between its two readings */
#define MAP_TRIES  8
#define LOW_MEMORY 0x100000ull

#define POOL_MOST      256                   /* pieces */
#define PIECE_LEAST    256                   /* pages; smaller ones stay with the firmware */
#define FIRMWARE_SHARE 8                     /* one in so many free pages is the firmware's, */
#define FIRMWARE_LEAST ((16u << 20) / PAGE)  /* but not less than this */
#define FIRMWARE_MOST  ((128u << 20) / PAGE) /* nor more than this */

static struct {
	uint8_t *bytes; /* of the firmware's pool; NULL at first */
	UINTN room, used, key, descriptor_size;
} map;

struct piece {
	uint64_t base, pages;
};

static struct {
	struct piece pieces[POOL_MOST]; /* by descending address */
	unsigned n;
} pool;

/* UEFI specification, "Memory Type Usage after ExitBootServices()". */
static const uint8_t types[EfiMaxMemoryType] = {
	[EfiReservedMemoryType] = HANDOFF_MEM_RESERVED,
	[EfiLoaderCode] = HANDOFF_MEM_FREE,
	[EfiLoaderData] = HANDOFF_MEM_FREE,
	[EfiBootServicesCode] = HANDOFF_MEM_FREE,
	[EfiBootServicesData] = HANDOFF_MEM_FREE,
	[EfiRuntimeServicesCode] = HANDOFF_MEM_RESERVED,
	[EfiRuntimeServicesData] = HANDOFF_MEM_RESERVED,
	[EfiConventionalMemory] = HANDOFF_MEM_FREE,
	[EfiUnusableMemory] = HANDOFF_MEM_RESERVED,
	[EfiACPIReclaimMemory] = HANDOFF_MEM_ACPI,
	[EfiACPIMemoryNVS] = HANDOFF_MEM_ACPI,
	[EfiMemoryMappedIO] = HANDOFF_MEM_MMIO,
	[EfiMemoryMappedIOPortSpace] = HANDOFF_MEM_RESERVED,
	[EfiPalCode] = HANDOFF_MEM_RESERVED,
};

static uint32_t handoff_type(uint32_t efi_type)
{
	const uint32_t type = efi_type < EfiMaxMemoryType ? types[efi_type] : HANDOFF_MEM_RESERVED;

	return pool.n && type == HANDOFF_MEM_FREE ? HANDOFF_MEM_RESERVED : type;
}

UINTN memory_map_key(void)
{
	return map.key;
}

static EFI_STATUS read_map_once(EFI_BOOT_SERVICES *bs)
{
	UINT32 version;

	map.used = map.room;
	return bs->GetMemoryMap(&map.used, (EFI_MEMORY_DESCRIPTOR *)map.bytes, &map.key,
				&map.descriptor_size, &version);
}

static void free_map(EFI_BOOT_SERVICES *bs)
{
	if (map.bytes)
		bs->FreePool(map.bytes);
	map.bytes = NULL;
	map.room = map.used = 0;
}

/* A larger buffer is itself part of the map. */
static EFI_STATUS grow_map(EFI_BOOT_SERVICES *bs)
{
	const UINTN room = map.used + MAP_SLACK;
	EFI_STATUS status;

	free_map(bs);
	status = bs->AllocatePool(EfiLoaderData, room, (void **)&map.bytes);
	if (!EFI_ERROR(status))
		map.room = room;
	return status;
}

EFI_STATUS memory_read_map(EFI_SYSTEM_TABLE *st)
{
	EFI_BOOT_SERVICES *bs = st->BootServices;
	EFI_STATUS status = read_map_once(bs);

	for (int i = 0; status == EFI_BUFFER_TOO_SMALL && i < MAP_TRIES; i++) {
		status = grow_map(bs);
		if (!EFI_ERROR(status))
			status = read_map_once(bs);
	}
	if (EFI_ERROR(status)) {
		map.used = 0;
		efi_printf(st, "perf0: the firmware has no memory map: EFI error %lu\n",
			   (unsigned long)(status & ~EFI_ERROR_MASK));
	}
	return status;
}

static const EFI_MEMORY_DESCRIPTOR *descriptor_at(UINTN at)
{
	return (const EFI_MEMORY_DESCRIPTOR *)(map.bytes + at);
}

static bool is_in_use(const EFI_MEMORY_DESCRIPTOR *d)
{
	return d->Type != EfiConventionalMemory && d->Type != EfiUnusableMemory &&
	       d->Type != EfiMemoryMappedIO && d->Type != EfiMemoryMappedIOPortSpace;
}

bool memory_is_callable(EFI_SYSTEM_TABLE *st, const void *function)
{
	const uint64_t address = (uintptr_t)function;
	bool found = false;

	memory_read_map(st);
	for (UINTN at = 0; at < map.used && !found; at += map.descriptor_size) {
		const EFI_MEMORY_DESCRIPTOR *d = descriptor_at(at);

		found = address >= d->PhysicalStart &&
			address - d->PhysicalStart < d->NumberOfPages * PAGE && is_in_use(d);
	}
	free_map(st->BootServices);
	return found;
}

/* --- The pool --- */

/* The free part of a descriptor above 1 MiB; no pages: there is none. */
static struct piece free_piece(const EFI_MEMORY_DESCRIPTOR *d)
{
	const uint64_t base = most_of(d->PhysicalStart, LOW_MEMORY);
	const uint64_t end = d->PhysicalStart + d->NumberOfPages * PAGE;

	if (d->Type != EfiConventionalMemory || end <= base)
		return (struct piece){0, 0};
	return (struct piece){base, (end - base) / PAGE};
}

static uint64_t count_free_pages(void)
{
	uint64_t pages = 0;

	for (UINTN at = 0; at < map.used; at += map.descriptor_size)
		pages += free_piece(descriptor_at(at)).pages;
	return pages;
}

bool memory_free_piece(unsigned i, struct memory_piece *found)
{
	for (UINTN at = 0; at < map.used; at += map.descriptor_size) {
		const struct piece piece = free_piece(descriptor_at(at));

		if (!piece.pages || i--)
			continue;
		*found = (struct memory_piece){piece.base, piece.pages * PAGE};
		return true;
	}
	return false;
}

/* The piece that begins next below `limit`. */
static struct piece next_piece_below(uint64_t limit)
{
	struct piece found = {0, 0};

	for (UINTN at = 0; at < map.used; at += map.descriptor_size) {
		const struct piece piece = free_piece(descriptor_at(at));

		if (piece.pages >= PIECE_LEAST && piece.base < limit && piece.base >= found.base)
			found = piece;
	}
	return found;
}

/* Allocates the end of a piece, up to `most` pages. Returns how many. */
static uint64_t allocate_end(EFI_SYSTEM_TABLE *st, const struct piece *piece, uint64_t most)
{
	const uint64_t pages = least_of(piece->pages, most);
	EFI_PHYSICAL_ADDRESS base = piece->base + (piece->pages - pages) * PAGE;

	if (pages < PIECE_LEAST ||
	    st->BootServices->AllocatePages(AllocateAddress, EfiLoaderData, pages, &base))
		return 0;
	pool.pieces[pool.n++] = (struct piece){base, pages};
	return pages;
}

EFI_STATUS memory_take_pool(EFI_SYSTEM_TABLE *st)
{
	EFI_STATUS status = memory_read_map(st);
	const uint64_t pages = count_free_pages();
	const uint64_t kept =
		least_of(most_of(pages / FIRMWARE_SHARE, FIRMWARE_LEAST), FIRMWARE_MOST);
	uint64_t wanted = pages > kept ? pages - kept : 0, limit = UINT64_MAX;

	while (!EFI_ERROR(status) && wanted && pool.n < POOL_MOST) {
		const struct piece piece = next_piece_below(limit);

		if (!piece.pages)
			break;
		wanted -= allocate_end(st, &piece, wanted);
		limit = piece.base;
	}
	if (pool.n || EFI_ERROR(status))
		return status;
	efi_printf(st, "perf0: %lu KiB of memory are free: too little to borrow from\n",
		   (unsigned long)(pages * (PAGE / 1024)));
	return EFI_OUT_OF_RESOURCES;
}

void memory_give_pool(EFI_SYSTEM_TABLE *st)
{
	while (pool.n) {
		const struct piece *piece = &pool.pieces[--pool.n];

		st->BootServices->FreePages(piece->base, piece->pages);
	}
	free_map(st->BootServices);
}

/* --- The handoff --- */

/* Adds a descriptor of type `type`, without the parts that have entries of their own: the image and
 * the pool, by ascending address. */
static void add_around(struct handoff *handoff, const EFI_MEMORY_DESCRIPTOR *d, uint32_t type,
		       const struct piece *listed, unsigned n)
{
	uint64_t base = d->PhysicalStart;
	const uint64_t end = base + d->NumberOfPages * PAGE;

	if (handoff_type(d->Type) != type)
		return;
	for (unsigned i = 0; i < n; i++) {
		const uint64_t listed_end = listed[i].base + listed[i].pages * PAGE;

		if (listed_end <= base || listed[i].base >= end)
			continue;
		handoff_add_memory(handoff, base, listed[i].base, type, d->Type);
		base = listed_end;
	}
	handoff_add_memory(handoff, base, end, type, d->Type);
}

static void sort_map(struct handoff *handoff)
{
	for (uint32_t i = 1; i < handoff->nmem; i++) {
		struct handoff_mem m = handoff->mem[i];
		uint32_t j = i;

		for (; j && handoff->mem[j - 1].base > m.base; j--)
			handoff->mem[j] = handoff->mem[j - 1];
		handoff->mem[j] = m;
	}
}

static bool continues_range(const struct handoff_mem *a, const struct handoff_mem *b)
{
	return a->base + a->pages * PAGE == b->base && a->type == b->type &&
	       a->efi_type == b->efi_type;
}

static void merge_map(struct handoff *handoff)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < handoff->nmem; i++) {
		if (n && continues_range(&handoff->mem[n - 1], &handoff->mem[i]))
			handoff->mem[n - 1].pages += handoff->mem[i].pages;
		else
			handoff->mem[n++] = handoff->mem[i];
	}
	handoff->nmem = n;
}

/* Lists the pieces of the image and of the pool. Returns how many. */
static unsigned list_ours(const struct handoff *handoff, struct piece listed[POOL_MOST + 1])
{
	const struct piece image = {handoff->image_base, handoff->image_size / PAGE};
	unsigned n = 0;
	bool done = false;

	for (unsigned i = pool.n; i--;) {
		if (!done && image.base < pool.pieces[i].base) {
			listed[n++] = image;
			done = true;
		}
		listed[n++] = pool.pieces[i];
	}
	if (!done)
		listed[n++] = image;
	return n;
}

/* Where the list has no room for all, the memory that is used is there: it goes first. */
static const uint32_t by_use[] = {HANDOFF_MEM_FREE, HANDOFF_MEM_ACPI, HANDOFF_MEM_MMIO,
				  HANDOFF_MEM_RESERVED};

void memory_note(struct handoff *handoff)
{
	static struct piece listed[POOL_MOST + 1];
	const unsigned n = list_ours(handoff, listed);

	handoff->nmem = 0;
	handoff->unreached = 0;
	handoff->dropped = 0;
	for (unsigned i = 0; i < n; i++) {
		const uint64_t base = listed[i].base, end = base + listed[i].pages * PAGE;

		if (base == handoff->image_base)
			handoff_add_memory(handoff, base, end, HANDOFF_MEM_IMAGE, EfiLoaderCode);
		else
			handoff_add_memory(handoff, base, end, HANDOFF_MEM_FREE,
					   EfiConventionalMemory);
	}
	for (size_t i = 0; i < sizeof(by_use) / sizeof(*by_use); i++) {
		for (UINTN at = 0; at < map.used; at += map.descriptor_size)
			add_around(handoff, descriptor_at(at), by_use[i], listed, n);
		sort_map(handoff);
		merge_map(handoff);
	}
}
