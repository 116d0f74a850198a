// SPDX-License-Identifier: BSD-2-Clause
/*
 * space.c - see space.h. Levels are counted from the leaf, as in paging.c: the root is of level 3.
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
#define LEVEL_ROOT 3
#define PTE_OWNED  (1ull << 9)  /* ignored by the CPU: the page goes with the mapping */
#define PTE_SHARED (1ull << 10) /* likewise: writes are for all that map the page */
#define PTE_TABLE  (PTE_PRESENT | PTE_WRITE | PTE_USER | PTE_ACCESSED)

/* RING3_BEFORE_name has no value of its own, so it is the end of the range before: its LAST + 1. */
enum {
	RING3_BEFORE_ALL = (int64_t)RING3_START - 1,
#define RING3_RANGE(name, start, bytes)                               \
	RING3_BEFORE_##name, RING3_##name##_START = (int64_t)(start), \
			     RING3_##name##_LAST = (int64_t)((start) + (bytes)-1),
	RING3_RANGES(RING3_RANGE)
#undef RING3_RANGE
		RING3_BEHIND_ALL,
};

#define RING3_RANGE(name, start, bytes)                                                 \
	_Static_assert(RING3_BEFORE_##name <= RING3_##name##_START,                     \
		       #name " overlaps what lies below it");                           \
	_Static_assert((bytes) > 0 && !((start) % PAGE_SIZE) && !((bytes) % PAGE_SIZE), \
		       #name " is not whole pages");
RING3_RANGES(RING3_RANGE)
#undef RING3_RANGE
_Static_assert(RING3_BEHIND_ALL <= (int64_t)RING3_LIMIT, "ring 3's part ends there");
_Static_assert(RING3_PAGE == PAGE_SIZE, "layout.h counts in pages");
_Static_assert(sizeof(struct space_root) <= PAGE_SIZE, "a root is a page");

PERCPU struct space space_here;

static unsigned table_index(uint64_t va, unsigned level)
{
	return va >> (12 + 9 * level) & (ENTRIES - 1);
}

static uint64_t *space_table_of(uint64_t pte)
{
	return virt_of(pte & PTE_ADDRESS);
}

static uint64_t space_entry_of(const uint64_t *table)
{
	return phys_of(table) | PTE_TABLE;
}

/* Ring 3's entries of this CPU. */
static uint64_t *cpu_entries(void)
{
	uint64_t *pml4 = space_table_of(read_cr3());

	return read_cr4() & CR4_LA57 ? space_table_of(pml4[0]) : pml4;
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
	if (!s->root)
		return;
	for (unsigned i = 0; i < SPACE_ENTRIES; i++)
		if (s->root->entry[i])
			free_table(space_table_of(s->root->entry[i]), LEVEL_ROOT - 1);
	page_free(s->root, 1);
	s->root = NULL;
}

/* The bit comes last: the entry that it stands for is there. */
static void use_root_entry(struct space_root *root, unsigned i)
{
	const uint64_t bit = 1ull << i % 64;

	if (root->used[i / 64] & bit)
		return;
	__atomic_store_n(&root->used[i / 64], root->used[i / 64] | bit, __ATOMIC_RELEASE);
	if (space_here.root == root)
		cpu_entries()[i] = root->entry[i];
}

/* The table that `*pte` points to, made where `make`; NULL: there is none. */
static uint64_t *space_subtable(uint64_t *pte, bool make)
{
	uint64_t *table;

	if (*pte & PTE_PRESENT)
		return space_table_of(*pte);
	table = make ? page_alloc_user(1) : NULL;
	if (table)
		*pte = space_entry_of(table);
	return table;
}

/* The entry for the page at `va`, with tables made on the way where `make`; NULL: there is none. */
static uint64_t *space_entry_at(const struct space *s, uint64_t va, bool make)
{
	const unsigned i = table_index(va, LEVEL_ROOT);
	uint64_t *table = s->root ? space_subtable(&s->root->entry[i], make) : NULL;

	if (table && make)
		use_root_entry(s->root, i);
	for (unsigned level = LEVEL_ROOT - 1; table && level; level--)
		table = space_subtable(&table[table_index(va, level)], make);
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
	const uint64_t flags =
		rights_of(prot) | PTE_ACCESSED | PTE_DIRTY | PTE_USER | (owned ? PTE_OWNED : 0);

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
		const uint64_t page = phys_of(memory) + i * PAGE_SIZE;

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

/* Tables that are not there are passed over as a whole. Ends with the first result that is not 0.
 */
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
	return s->root ? walk_table(s->root->entry, LEVEL_ROOT, va, va + pages * PAGE_SIZE, fn, arg)
		       : 0;
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

struct taking {
	uint64_t only, *taken;
	size_t n, most;
};

/* Ends the walk when there is no room for more. */
static int take_entry(uint64_t *pte, uint64_t va, void *arg)
{
	struct taking *t = arg;

	(void)va;
	if (t->only && (*pte & PTE_ADDRESS) != t->only)
		return 0;
	if (t->n == t->most)
		return 1;
	ASSERT(*pte & PTE_OWNED);
	t->taken[t->n++] = *pte & PTE_ADDRESS;
	*pte = 0;
	return 0;
}

size_t space_take(struct space *s, uint64_t va, size_t pages, uint64_t only, uint64_t *taken,
		  size_t most)
{
	struct taking t = {.only = only, .taken = taken, .most = most};

	walk_range(s, va, pages, take_entry, &t);
	return t.n;
}

/* A page that has more holders is copied before it is written to. */
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

struct visit {
	void (*fn)(uint64_t pte, void *arg);
	void *arg;
};

static int visit_entry(uint64_t *pte, uint64_t va, void *arg)
{
	const struct visit *visit = arg;

	(void)va;
	visit->fn(*pte, visit->arg);
	return 0;
}

void space_each(const struct space *s, uint64_t va, size_t pages,
		void (*fn)(uint64_t pte, void *arg), void *arg)
{
	struct visit visit = {fn, arg};

	walk_range(s, va, pages, visit_entry, &visit);
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

/* Entries that one of the two uses become the new one's. Entering one without a root takes all. */
static void exchange_entries(const struct space_root *old, const struct space_root *new)
{
	uint64_t *entries = cpu_entries();

	for (unsigned word = 0; word < SPACE_ENTRIES / 64; word++) {
		uint64_t bits = __atomic_load_n(&new->used[word], __ATOMIC_ACQUIRE) |
				__atomic_load_n(&old->used[word], __ATOMIC_RELAXED);

		for (; bits; bits &= bits - 1) {
			const unsigned i = word * 64 + (unsigned)__builtin_ctzll(bits);

			entries[i] = new->entry[i];
		}
	}
}

/* The CPU maps a root as an entry does any page: where it is entered it is not freed. */
void space_enter(const struct space *s)
{
	static const struct space_root none;
	const struct space_root *old = space_here.root ? space_here.root : &none;
	const struct space_root *new = s->root ? s->root : &none;

	if (old == new)
		return;
	page_mapped(phys_of(new));
	exchange_entries(old, new);
	space_here = *s;
	space_flush();
	page_unmapped(phys_of(old));
}

bool space_sync(uint64_t va)
{
	const unsigned i = table_index(va, LEVEL_ROOT);
	uint64_t *entry = cpu_entries() + i;

	if (!space_here.root || !user_range(va, 1) || *entry || !space_here.root->entry[i])
		return false;
	*entry = space_here.root->entry[i];
	return true;
}
