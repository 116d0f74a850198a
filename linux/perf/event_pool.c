// SPDX-License-Identifier: BSD-2-Clause
/* event_pool.c - see event_pool.h. A free event is a link in a list. */
#include "linux/perf/event_pool.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "lib/lock.h"
#include "pmu/api/event.h"

#include <stddef.h>

#define PIECE_PAGES 4
#define PER_PIECE   ((PIECE_PAGES * PAGE_SIZE - sizeof(struct piece *)) / sizeof(struct pmu_event))

struct piece {
	struct piece *next;
	struct pmu_event event[];
};

struct link {
	struct link *next;
};

_Static_assert(PER_PIECE > 0, "an event fits into a piece");

static struct {
	struct lock lock;
	struct piece *pieces;
	struct link *free;
	size_t taken;
} pool;

static void put_storage(void *storage)
{
	struct link *link = storage;

	link->next = pool.free;
	pool.free = link;
}

static void put_piece_events(struct piece *piece)
{
	for (size_t i = 0; i < PER_PIECE; i++)
		put_storage(&piece->event[i]);
}

static void fill_pool(void)
{
	struct piece *piece = page_alloc_user(PIECE_PAGES);

	if (!piece)
		return;
	piece->next = pool.pieces;
	pool.pieces = piece;
	put_piece_events(piece);
}

/* The first piece is allocated at start-up, so that the cost of a first run does not include it. */
void event_pool_init(void)
{
	fill_pool();
}

/* Keeps one piece: most families are small and start again. */
static void empty_pool(void)
{
	while (pool.pieces->next) {
		struct piece *piece = pool.pieces;

		pool.pieces = piece->next;
		page_free(piece, PIECE_PAGES);
	}
	pool.free = NULL;
	put_piece_events(pool.pieces);
}

struct pmu_event *event_pool_take(void)
{
	uint64_t flags = irq_save();
	struct link *link;

	lock_take(&pool.lock);
	if (!pool.free)
		fill_pool();
	link = pool.free;
	if (link) {
		pool.free = link->next;
		pool.taken++;
	}
	lock_release(&pool.lock);
	irq_restore(flags);
	return (struct pmu_event *)link;
}

void event_pool_give(struct pmu_event *e)
{
	uint64_t flags = irq_save();

	lock_take(&pool.lock);
	put_storage(e);
	if (!--pool.taken && pool.pieces->next)
		empty_pool();
	lock_release(&pool.lock);
	irq_restore(flags);
}
