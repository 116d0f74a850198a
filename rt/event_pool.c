// SPDX-License-Identifier: BSD-2-Clause
/* event_pool.c - see event_pool.h. A free event is a link in a list. */
#include "rt/event_pool.h"

#include "arch/x86/insn.h"
#include "arch/x86/paging.h"
#include "lib/lock.h"
#include "pmu/event.h"

#include <stddef.h>

#define PIECE_PAGES 4
#define PER_PIECE   (PIECE_PAGES * PAGE_SIZE / sizeof(struct pmu_event))
_Static_assert(PER_PIECE > 0, "an event fits into a piece");

struct link {
	struct link *next;
};

static struct {
	struct lock lock;
	struct link *free;
} pool;

static void put(void *storage)
{
	struct link *link = storage;

	link->next = pool.free;
	pool.free = link;
}

static void fill(void)
{
	struct pmu_event *piece = page_alloc(PIECE_PAGES);

	for (size_t i = 0; piece && i < PER_PIECE; i++)
		put(&piece[i]);
}

struct pmu_event *event_pool_take(void)
{
	uint64_t flags = irq_save();
	struct link *link;

	lock_take(&pool.lock);
	if (!pool.free)
		fill();
	link = pool.free;
	if (link)
		pool.free = link->next;
	lock_release(&pool.lock);
	irq_restore(flags);
	return (struct pmu_event *)link;
}

void event_pool_give(struct pmu_event *e)
{
	uint64_t flags = irq_save();

	lock_take(&pool.lock);
	put(e);
	lock_release(&pool.lock);
	irq_restore(flags);
}
