// SPDX-License-Identifier: BSD-2-Clause
/* stash_memory.c - see stash_memory.h. Firmware takes memory from the top and from the bottom, so
 * the reserved memory lies in the middle of the largest piece below 4 GiB. */
#include "boot/stash_memory.h"

#include "boot/efi_memory.h"
#include "include/perf0/stash.h"

#define PAGE     4096
#define PAGES    (STASH_BYTES / PAGE)
#define FOUR_GIB (4ull << 30)

static bool reserve_pages(EFI_SYSTEM_TABLE *st, EFI_PHYSICAL_ADDRESS at)
{
	return !st->BootServices->AllocatePages(AllocateAddress, EfiReservedMemoryType, PAGES, &at);
}

static uint64_t aligned_in(const struct memory_piece *piece, uint64_t from)
{
	const uint64_t at = (from + STASH_ALIGN - 1) & ~(uint64_t)(STASH_ALIGN - 1);

	return at + STASH_BYTES <= piece->base + piece->bytes ? at : 0;
}

static bool has_head(uint64_t at)
{
	const struct stash_head *head = (const struct stash_head *)at;

	return head->magic == STASH_MAGIC && head->magic_2 == STASH_MAGIC_2;
}

bool stash_find(EFI_SYSTEM_TABLE *st, struct handoff *handoff)
{
	struct memory_piece piece;

	if (memory_read_map(st))
		return false;
	for (unsigned i = 0; memory_free_piece(i, &piece); i++)
		for (uint64_t at = aligned_in(&piece, piece.base); at && at < FOUR_GIB;
		     at = aligned_in(&piece, at + STASH_ALIGN)) {
			if (!has_head(at) || !reserve_pages(st, at))
				continue;
			handoff->stash = at;
			handoff->stash_found = 1;
			return true;
		}
	return false;
}

void stash_give_back(EFI_SYSTEM_TABLE *st, const struct handoff *handoff)
{
	if (handoff->stash)
		st->BootServices->FreePages(handoff->stash, PAGES);
}

void stash_reserve(EFI_SYSTEM_TABLE *st, struct handoff *handoff)
{
	struct memory_piece piece, largest = {0, 0};
	uint64_t at;

	if (memory_read_map(st))
		return;
	for (unsigned i = 0; memory_free_piece(i, &piece); i++)
		if (piece.base < FOUR_GIB && piece.bytes > largest.bytes)
			largest = piece;
	at = aligned_in(&largest, largest.base + largest.bytes / 2);
	if (at && reserve_pages(st, at))
		handoff->stash = at;
}
