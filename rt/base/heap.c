// SPDX-License-Identifier: BSD-2-Clause
/*
 * heap.c - see heap.h. A piece of up to SLAB_MOST bytes is one of the equal pieces of a slab, which
 * is a page. A larger piece has pages of its own. Both begin with a header, which is found by
 * rounding the address of a piece down: every piece begins within its first page. A slab without
 * used pieces is returned to the page allocator, unless it is the last of its size with a free
 * piece. So a program that allocates and frees one piece in turn moves no pages.
 */
#include "rt/base/heap.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "lib/lock.h"
#include "lib/panic.h"
#include "lib/string.h"

#include <limits.h>
#include <stdint.h>

#define HEAD_BYTES 64
#define LARGE_MARK 0x6c617267 /* value of `piece` in the head of a large piece */

static const uint16_t sizes[] = {32, 64, 96, 128, 192, 256, 384, 528, 768, 1008, 1344, 2016};
#define NSIZES    (sizeof(sizes) / sizeof(*sizes))
#define SLAB_MOST 2016
#define MAP_WORDS 2 /* enough bits for the pieces of 32 bytes in a slab */

struct head {
	uint32_t piece; /* bytes of a piece, or LARGE_MARK */
	uint16_t class; /* index into `sizes` */
	uint16_t taken;
	uint32_t pages;           /* pages of a large piece */
	bool listed;              /* in `slabs`: it has a free piece */
	uint64_t free[MAP_WORDS]; /* a bit for each piece */
	struct head *next, *before;
};
_Static_assert(sizeof(struct head) <= HEAD_BYTES, "pieces lie behind the head");

static struct lock lock;
static struct head *slabs[NSIZES]; /* slabs with a free piece, by size */

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
	return !(slab->free[0] | slab->free[1]);
}

static void free_all_pieces(struct head *slab)
{
	const unsigned n = (PAGE_SIZE - HEAD_BYTES) / slab->piece;

	slab->free[0] = n < 64 ? (1ull << n) - 1 : UINT64_MAX;
	slab->free[1] = n < 64 ? 0 : (1ull << (n - 64)) - 1;
}

static struct head *new_slab(unsigned class)
{
	struct head *slab = page_alloc_user(1);

	if (!slab)
		return NULL;
	slab->piece = sizes[class];
	slab->class = (uint16_t) class;
	free_all_pieces(slab);
	list_slab(slab);
	return slab;
}

static void *take_piece(struct head *slab)
{
	const unsigned word = !slab->free[0];
	const unsigned i = 64 * word + (unsigned)__builtin_ctzll(slab->free[word]);

	slab->free[word] &= slab->free[word] - 1;
	slab->taken++;
	if (slab_is_full(slab))
		unlist_slab(slab);
	return (uint8_t *)slab + HEAD_BYTES + i * slab->piece;
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
	return piece ? memset(piece, 0, bytes) : NULL;
}

static void *alloc_large(size_t bytes)
{
	const size_t pages = (bytes + HEAD_BYTES + PAGE_SIZE - 1) / PAGE_SIZE;
	struct head *head =
		bytes < SIZE_MAX - PAGE_SIZE - HEAD_BYTES ? page_alloc_user(pages) : NULL;

	if (!head)
		return NULL;
	head->piece = LARGE_MARK;
	head->pages = (uint32_t)pages;
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

/* The number of the piece at that offset; UINT_MAX: no piece begins there. */
static unsigned piece_at(const struct head *slab, uintptr_t offset)
{
	if (slab->class >= NSIZES || slab->piece != sizes[slab->class] || offset < HEAD_BYTES ||
	    offset + slab->piece > PAGE_SIZE || (offset - HEAD_BYTES) % slab->piece)
		return UINT_MAX;
	return (unsigned)(offset - HEAD_BYTES) / slab->piece;
}

static void give_piece(struct head *slab, const void *memory)
{
	const unsigned i = piece_at(slab, (uintptr_t)memory - (uintptr_t)slab);

	if (i == UINT_MAX || slab->free[i / 64] >> i % 64 & 1)
		panic("%p was not given by heap_alloc(), or is free already", memory);
	slab->free[i / 64] |= 1ull << i % 64;
	slab->taken--;
}

/* Is there another slab of its size with a free piece? */
static bool slab_is_spare(const struct head *slab)
{
	return !slab->taken && (slab->next || slab->before);
}

static void free_small(struct head *slab, const void *memory)
{
	const uint64_t flags = irq_save();
	bool spare;

	lock_take(&lock);
	give_piece(slab, memory);
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

/* Takes an empty slab off the list; NULL: there is none. */
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

/* Sorts by address, so that the next piece does not depend on earlier allocations. */
static void sort_slabs(unsigned class)
{
	struct head *left = slabs[class];

	slabs[class] = NULL;
	while (left) {
		struct head *highest = left;

		for (struct head *s = left; s; s = s->next)
			highest = s > highest ? s : highest;
		if (highest->before)
			highest->before->next = highest->next;
		else
			left = highest->next;
		if (highest->next)
			highest->next->before = highest->before;
		list_slab(highest);
	}
}

static void sort_all_slabs(void)
{
	const uint64_t flags = irq_save();

	lock_take(&lock);
	for (unsigned class = 0; class < NSIZES; class ++)
		sort_slabs(class);
	lock_release(&lock);
	irq_restore(flags);
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
	sort_all_slabs();
}
