// SPDX-License-Identifier: BSD-2-Clause
/*
 * heap.c - see heap.h. A piece of up to SLAB_MOST bytes is one of equal pieces of a page, a slab; a
 * larger one has pages of its own. Both kinds of memory begin with a head, which is found by
 * rounding the address of a piece down: no piece begins further in than its first page.
 *
 * A slab from which nothing is taken goes back to the pages, unless it is the last of its size with
 * a free piece: a program that takes and gives back one piece in turn does not move pages.
 */
#include "rt/mem/heap.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "lib/lock.h"
#include "lib/panic.h"
#include "lib/string.h"

#include <stdint.h>

#define HEAD_BYTES 64
#define LARGE_MARK 0x6c617267 /* in place of the size of the pieces */

static const uint16_t sizes[] = {32, 64, 96, 128, 192, 256, 384, 528, 768, 1008, 1344, 2016};
#define NSIZES    (sizeof(sizes) / sizeof(*sizes))
#define SLAB_MOST 2016

struct head {
	uint32_t piece; /* bytes of each; LARGE_MARK */
	uint16_t class; /* index into `sizes` */
	uint16_t taken;
	size_t pages; /* of a large one */
	void *given;  /* free pieces; the first word of each is the next */
	bool listed;  /* in `slabs`: it has a free piece */
	struct head *next, *before;
};
_Static_assert(sizeof(struct head) <= HEAD_BYTES, "pieces lie behind the head");

static struct lock lock;
static struct head *slabs[NSIZES]; /* with a free piece */

static struct head *head_of(const void *piece)
{
	return (struct head *)((uintptr_t)piece & ~(uintptr_t)(PAGE_SIZE - 1));
}

static unsigned class_of(size_t bytes)
{
	unsigned class = 0;

	while (sizes[class] < bytes)
		class ++;
	return class;
}

static void list_slab(struct head *slab)
{
	slab->next = slabs[slab->class];
	slab->before = NULL;
	if (slab->next)
		slab->next->before = slab;
	slabs[slab->class] = slab;
	slab->listed = true;
}

static void unlist_slab(struct head *slab)
{
	if (slab->before)
		slab->before->next = slab->next;
	else
		slabs[slab->class] = slab->next;
	if (slab->next)
		slab->next->before = slab->before;
	slab->listed = false;
}

static bool slab_is_full(const struct head *slab)
{
	return !slab->given;
}

/* All of them at once: a piece that was taken before costs what any other does. */
static void chain_pieces(struct head *slab)
{
	uint8_t *piece = (uint8_t *)slab + HEAD_BYTES;
	void **link = &slab->given;

	for (; piece + slab->piece <= (uint8_t *)slab + PAGE_SIZE; piece += slab->piece) {
		*link = piece;
		link = (void **)piece;
	}
	*link = NULL;
}

static struct head *new_slab(unsigned class)
{
	struct head *slab = page_alloc_user(1);

	if (!slab)
		return NULL;
	slab->piece = sizes[class];
	slab->class = (uint16_t) class;
	chain_pieces(slab);
	list_slab(slab);
	return slab;
}

static void *take_piece(struct head *slab)
{
	void *piece = slab->given;

	memcpy(&slab->given, piece, sizeof(slab->given));
	slab->taken++;
	if (slab_is_full(slab))
		unlist_slab(slab);
	return piece;
}

static void *alloc_small(size_t bytes)
{
	const unsigned class = class_of(bytes);
	const uint64_t flags = irq_save();
	struct head *slab;
	void *piece;

	lock_take(&lock);
	slab = slabs[class] ? slabs[class] : new_slab(class);
	piece = slab ? take_piece(slab) : NULL;
	lock_release(&lock);
	irq_restore(flags);
	return piece ? memset(piece, 0, sizes[class]) : NULL;
}

static void *alloc_large(size_t bytes)
{
	const size_t pages = (bytes + HEAD_BYTES + PAGE_SIZE - 1) / PAGE_SIZE;
	struct head *head =
		bytes < SIZE_MAX - PAGE_SIZE - HEAD_BYTES ? page_alloc_user(pages) : NULL;

	if (!head)
		return NULL;
	head->piece = LARGE_MARK;
	head->pages = pages;
	return (uint8_t *)head + HEAD_BYTES;
}

void *heap_alloc(size_t bytes)
{
	return bytes <= SLAB_MOST ? alloc_small(bytes) : alloc_large(bytes);
}

static void free_large(struct head *head, const void *memory)
{
	if ((const uint8_t *)memory != (uint8_t *)head + HEAD_BYTES)
		panic("%p was not given by heap_alloc()", memory);
	head->piece = 0;
	page_free(head, head->pages);
}

static void check_piece(const struct head *slab, const void *memory)
{
	const uintptr_t offset = (uintptr_t)memory - (uintptr_t)slab;

	if (slab->class >= NSIZES || slab->piece != sizes[slab->class] || !slab->taken ||
	    offset < HEAD_BYTES || offset + slab->piece > PAGE_SIZE ||
	    (offset - HEAD_BYTES) % slab->piece)
		panic("%p was not given by heap_alloc(), or is free already", memory);
}

/* Has its size another slab with a free piece? */
static bool slab_is_spare(const struct head *slab)
{
	return !slab->taken && (slab->next || slab->before);
}

static void free_small(struct head *slab, void *memory)
{
	const uint64_t flags = irq_save();
	bool spare;

	lock_take(&lock);
	check_piece(slab, memory);
	memcpy(memory, &slab->given, sizeof(slab->given));
	slab->given = memory;
	slab->taken--;
	if (!slab->listed)
		list_slab(slab);
	spare = slab_is_spare(slab);
	if (spare)
		unlist_slab(slab);
	lock_release(&lock);
	irq_restore(flags);
	if (spare)
		page_free(slab, 1);
}

void heap_free(void *memory)
{
	if (!memory)
		return;
	if (head_of(memory)->piece == LARGE_MARK)
		free_large(head_of(memory), memory);
	else
		free_small(head_of(memory), memory);
}

/* Any slab from which nothing is taken, off the list; NULL: there is none. */
static struct head *take_empty_slab(void)
{
	for (unsigned class = 0; class < NSIZES; class ++)
		for (struct head *slab = slabs[class]; slab; slab = slab->next)
			if (!slab->taken) {
				unlist_slab(slab);
				return slab;
			}
	return NULL;
}

void heap_trim(void)
{
	struct head *slab;

	do {
		const uint64_t flags = irq_save();

		lock_take(&lock);
		slab = take_empty_slab();
		lock_release(&lock);
		irq_restore(flags);
		if (slab)
			page_free(slab, 1);
	} while (slab);
}
