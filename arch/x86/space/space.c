// SPDX-License-Identifier: BSD-2-Clause
/*
 * space.c - see space.h. Levels are counted from the leaf, as in paging.c: the root is of level 2.
 * Pages are of 4 KiB only. Accessed and dirty bits are set from the start.
 */
#include "arch/x86/space/space.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/user.h"
#include "lib/panic.h"

#include <linux/errno.h>

#define ENTRIES    512
#define LEVEL_ROOT 2
#define PTE_OWNED  (1ull << 9) /* ignored by the CPU: the page goes with the mapping */
#define PTE_SHARED (1ull << 10) /* likewise: writes are for all that map the page */
#define PTE_TABLE  (PTE_PRESENT | PTE_WRITE | PTE_USER)

/* RING3_BEFORE_name has no value of its own, so it is the end of the range before: its LAST + 1. */
enum {
	RING3_BEFORE_ALL = WORKLOAD_BASE - 1,
#define RING3_RANGE(name, start, bytes)                               \
	RING3_BEFORE_##name, RING3_##name##_START = (int64_t)(start), \
			     RING3_##name##_LAST = (int64_t)((start) + (bytes)-1),
	RING3_RANGES(RING3_RANGE)
#undef RING3_RANGE
		RING3_END,
};

#define RING3_RANGE(name, start, bytes)                                                 \
	_Static_assert(RING3_BEFORE_##name <= RING3_##name##_START,                     \
		       #name " overlaps what lies below it");                           \
	_Static_assert((bytes) > 0 && !((start) % PAGE_SIZE) && !((bytes) % PAGE_SIZE), \
		       #name " is not whole pages");
RING3_RANGES(RING3_RANGE)
#undef RING3_RANGE
_Static_assert(WORKLOAD_BASE % USER_BYTES == 0, "ring 3's part begins with a PML4 slot");
_Static_assert(RING3_END <= WORKLOAD_BASE + (int64_t)USER_BYTES, "ring 3's part is one PML4 slot");
_Static_assert(RING3_PAGE == PAGE_SIZE, "layout.h counts in pages");

static unsigned table_index(uint64_t va, unsigned level)
{
	return va >> (12 + 9 * level) & (ENTRIES - 1);
}

static uint64_t *space_table_of(uint64_t pte)
{
	return (uint64_t *)(pte & PTE_ADDRESS);
}

int space_init(struct space *s)
{
	s->root = page_alloc_user(1);
	return s->root ? 0 : -ENOMEM;
}

/* Also of a page that is hidden. */
static void drop_page(uint64_t pte)
{
	if (!pte)
		return;
	if (pte & PTE_OWNED)
		page_put(pte & PTE_ADDRESS);
	else
		page_unmapped(pte & PTE_ADDRESS);
}

static void free_table(uint64_t *table, unsigned level)
{
	for (unsigned i = 0; i < ENTRIES; i++) {
		if (!level)
			drop_page(table[i]);
		else if (table[i] & PTE_PRESENT)
			free_table(space_table_of(table[i]), level - 1);
	}
	page_free(table, 1);
}

void space_destroy(struct space *s)
{
	if (s->root)
		free_table(s->root, LEVEL_ROOT);
	s->root = NULL;
}

/* The entry for the page at `va`, with tables made on the way where `make`; NULL: there is none. */
static uint64_t *space_entry_at(const struct space *s, uint64_t va, bool make)
{
	uint64_t *table = s->root;

	for (unsigned level = LEVEL_ROOT; table && level; level--) {
		uint64_t *pte = &table[table_index(va, level)];

		if (!(*pte & PTE_PRESENT)) {
			table = make ? page_alloc_user(1) : NULL;
			if (!table)
				return NULL;
			*pte = (uintptr_t)table | PTE_TABLE;
		}
		table = space_table_of(*pte);
	}
	return table ? &table[table_index(va, 0)] : NULL;
}

/* Rights as an entry has them. Without PTE_PRESENT it keeps its page, which no access reaches. */
#define PTE_RIGHTS (PTE_PRESENT | PTE_WRITE | PTE_NX)

static uint64_t rights_of(unsigned prot)
{
	return (prot & PAGE_NONE ? 0 : PTE_PRESENT) | (prot & PAGE_WRITE ? PTE_WRITE : 0) |
	       (prot & PAGE_EXEC ? 0 : PTE_NX);
}

int space_map(struct space *s, uint64_t va, void *memory, size_t pages, unsigned prot, bool owned)
{
	const uint64_t flags = rights_of(prot) | PTE_ACCESSED | PTE_DIRTY | PTE_USER |
			       (owned ? PTE_OWNED : 0);

	if ((va | (uintptr_t)memory) & (PAGE_SIZE - 1) || pages > USER_BYTES / PAGE_SIZE ||
	    !user_range(va, pages * PAGE_SIZE) || (prot & PAGE_WRITE && prot & PAGE_EXEC))
		return -EINVAL;
	for (size_t i = 0; i < pages; i++) {
		const uint64_t *pte = space_entry_at(s, va + i * PAGE_SIZE, true);

		if (!pte)
			return -ENOMEM;
		if (*pte)
			return -EEXIST;
	}
	for (size_t i = 0; i < pages; i++) {
		const uint64_t page = (uintptr_t)memory + i * PAGE_SIZE;

		page_mapped(page);
		*space_entry_at(s, va + i * PAGE_SIZE, true) = page | flags;
	}
	return 0;
}

/* --- What is done to all that is mapped in a range --- */

typedef int entry_fn(uint64_t *pte, uint64_t va, void *arg);

static uint64_t level_bytes(unsigned level)
{
	return PAGE_SIZE << (9 * level);
}

/* Tables that are not there are passed over as a whole. Ends with the first result that is not 0. */
static int walk_table(uint64_t *table, unsigned level, uint64_t va, uint64_t end, entry_fn *fn,
		      void *arg)
{
	int err = 0;

	while (va < end && !err) {
		uint64_t *pte = &table[table_index(va, level)];
		uint64_t next = (va & ~(level_bytes(level) - 1)) + level_bytes(level);

		next = next < end ? next : end;
		if (!level && *pte)
			err = fn(pte, va, arg);
		else if (level && *pte & PTE_PRESENT)
			err = walk_table(space_table_of(*pte), level - 1, va, next, fn, arg);
		va = next;
	}
	return err;
}

static int walk_range(const struct space *s, uint64_t va, size_t pages, entry_fn *fn, void *arg)
{
	ASSERT(user_range(va, pages * PAGE_SIZE));
	return s->root ? walk_table(s->root, LEVEL_ROOT, va, va + pages * PAGE_SIZE, fn, arg) : 0;
}

static int hide_entry(uint64_t *pte, uint64_t va, void *arg)
{
	(void)va;
	(void)arg;
	*pte &= ~PTE_PRESENT;
	return 0;
}

static int unmap_entry(uint64_t *pte, uint64_t va, void *arg)
{
	(void)va;
	drop_page(*pte);
	*pte = 0;
	++*(size_t *)arg;
	return 0;
}

void space_hide(struct space *s, uint64_t va, size_t pages)
{
	walk_range(s, va, pages, hide_entry, NULL);
}

size_t space_unmap(struct space *s, uint64_t va, size_t pages)
{
	size_t unmapped = 0;

	walk_range(s, va, pages, unmap_entry, &unmapped);
	return unmapped;
}

/* A page that others hold, too, is written by nobody before it was copied. */
static int protect_entry(uint64_t *pte, uint64_t va, void *arg)
{
	uint64_t rights = *(const uint64_t *)arg;

	(void)va;
	if (*pte & PTE_OWNED && page_maps(*pte & PTE_ADDRESS) > 1)
		rights &= ~PTE_WRITE;
	*pte = (*pte & ~PTE_RIGHTS) | rights;
	return 0;
}

void space_protect(struct space *s, uint64_t va, size_t pages, unsigned prot)
{
	uint64_t rights = rights_of(prot);

	ASSERT(!(prot & PAGE_WRITE && prot & PAGE_EXEC));
	walk_range(s, va, pages, protect_entry, &rights);
}

static int copy_entry(uint64_t *pte, uint64_t va, void *arg)
{
	uint64_t *to = space_entry_at(arg, va, true);

	if (!to)
		return -ENOMEM;
	ASSERT(!*to);
	if (!(*pte & PTE_SHARED) && *pte & PTE_OWNED)
		*pte &= ~PTE_WRITE;
	page_get(*pte & PTE_ADDRESS);
	*to = *pte;
	return 0;
}

int space_copy(struct space *to, const struct space *from, uint64_t va, size_t pages)
{
	return walk_range(from, va, pages, copy_entry, to);
}

struct move {
	struct space *space;
	uint64_t distance;
};

static int make_target(uint64_t *pte, uint64_t va, void *arg)
{
	const struct move *move = arg;

	(void)pte;
	return space_entry_at(move->space, va + move->distance, true) ? 0 : -ENOMEM;
}

static int move_entry(uint64_t *pte, uint64_t va, void *arg)
{
	const struct move *move = arg;

	*space_entry_at(move->space, va + move->distance, true) = *pte;
	*pte = 0;
	return 0;
}

int space_move(struct space *s, uint64_t from, uint64_t to, size_t pages)
{
	struct move move = {s, to - from};
	const int err = walk_range(s, from, pages, make_target, &move);

	return err ? err : walk_range(s, from, pages, move_entry, &move);
}

uint64_t space_entry(const struct space *s, uint64_t va)
{
	const uint64_t *pte = user_range(va, 1) ? space_entry_at(s, va, false) : NULL;

	return pte ? *pte : 0;
}

uint64_t space_replace(struct space *s, uint64_t va, uint64_t page, unsigned prot)
{
	uint64_t *pte = space_entry_at(s, va, false), old;

	ASSERT(pte && *pte);
	old = *pte & PTE_ADDRESS;
	if (page != old)
		page_get(page);
	*pte = (*pte & ~(PTE_ADDRESS | PTE_RIGHTS)) | page | rights_of(prot) | PTE_OWNED;
	return old;
}

void space_share(struct space *s, uint64_t va)
{
	*space_entry_at(s, va, false) |= PTE_SHARED;
}

uint64_t space_lookup(const struct space *s, uint64_t va)
{
	const uint64_t *pte = user_range(va, 1) ? space_entry_at(s, va, false) : NULL;

	return pte && *pte & PTE_PRESENT ? *pte : 0;
}

void space_flush(void)
{
	write_cr3(read_cr3());
}

/* This CPU's entry for ring 3. */
static uint64_t *user_root_entry(void)
{
	uint64_t *pml4 = space_table_of(read_cr3());

	if (read_cr4() & CR4_LA57)
		pml4 = space_table_of(pml4[0]);
	return &pml4[WORKLOAD_BASE / USER_BYTES % ENTRIES];
}

struct space space_entered(void)
{
	return (struct space){.root = space_table_of(*user_root_entry())};
}

/* The CPU's entry maps the root as an entry does any page: where it is entered it is not freed. */
void space_enter(const struct space *s)
{
	uint64_t *pte = user_root_entry(), old = *pte & PTE_ADDRESS;

	if (old == (uintptr_t)s->root)
		return;
	page_mapped((uintptr_t)s->root);
	*pte = (uintptr_t)s->root | PTE_TABLE;
	space_flush();
	page_unmapped(old);
}
