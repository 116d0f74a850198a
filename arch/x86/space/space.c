// SPDX-License-Identifier: BSD-2-Clause
/*
 * space.c - see space.h. Levels are counted from the leaf, as in paging.c: the root is of level 3.
 * Accessed and dirty bits are set from the start.
 *
 * A large page is an entry of level 1 with PTE_LARGE, hidden or not; every other entry above level
 * 0 is 0 or a table. For each large page the space has a spare table, so that it can always be
 * split: into 512 small ones, of which each has the references that it had before.
 */
#include "arch/x86/space/space.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/user.h"
#include "arch/x86/cpu/this_cpu.h"
#include "arch/x86/space/stale.h"
#include "lib/panic.h"
#include "lib/string.h"

#include <linux/errno.h>

#define ENTRIES     SPACE_TABLE
#define ENTRY_GROUP 8
#define LEVEL_ROOT  3
#define LEVEL_LARGE 1
#define PTE_OWNED   (1ull << 9)  /* ignored by the CPU: the page goes with the mapping */
#define PTE_SHARED  (1ull << 10) /* ignored by the CPU: all holders of the page may write to it */
#define PTE_TABLE   (PTE_PRESENT | PTE_WRITE | PTE_USER | PTE_ACCESSED)

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
	if (!s->root)
		return -ENOMEM;
	s->root->near.number = SPACE_NEAR_NONE;
	return 0;
}

/* The page may be hidden, too. */
static void drop_page(uint64_t pte)
{
	if (pte & PTE_OWNED)
		page_put(pte & PTE_ADDRESS);
	else
		page_unmapped(pte & PTE_ADDRESS);
}

/* --- Spare tables, one for each large page --- */

static int add_spare(struct space_root *root)
{
	struct space_spare *table = page_alloc_user(1);

	if (!table)
		return -ENOMEM;
	table->next = root->spare;
	root->spare = table;
	return 0;
}

static uint64_t *take_spare(struct space_root *root)
{
	struct space_spare *table = root->spare;

	ASSERT(table);
	root->spare = table->next;
	table->next = NULL;
	return (uint64_t *)table;
}

/* --- Large pages --- */

static bool is_large(uint64_t pte)
{
	return pte & PTE_LARGE;
}

/* The entry that the small page at `va` would have. */
static uint64_t small_of(uint64_t pte, uint64_t va)
{
	return is_large(pte) ? (pte & ~PTE_LARGE) + (va & (LARGE_BYTES - PAGE_SIZE)) : pte;
}

/* Fills the table of `*above` with the small pages of a large one, with the same rights. */
static void fill_table(uint64_t *above, uint64_t large)
{
	const uint64_t first = large & ~PTE_LARGE;
	uint64_t *table = space_table_of(*above);

	for (unsigned i = 0; i < ENTRIES; i++) {
		ASSERT(!table[i]);
		table[i] = first + i * PAGE_SIZE;
	}
	*above |= SPACE_MARKS;
}

static void split_large(struct space *s, uint64_t *pte)
{
	const uint64_t large = *pte;

	*pte = space_entry_of(take_spare(s->root));
	fill_table(pte, large);
}

/* --- From the beginning to the end --- */

static bool is_zero_group(const uint64_t *entry)
{
	return !(entry[0] | entry[1] | entry[2] | entry[3] | entry[4] | entry[5] | entry[6] |
		 entry[7]);
}

/* The first entry from `i` on up to `end` that is not 0, in the table to which `above` refers;
 * `end` or more: there is none. */
static unsigned next_used(uint64_t above, unsigned i, unsigned end)
{
	const uint64_t *table = space_table_of(above);

	while (i < end) {
		if (!(above >> (SPACE_MARK_0 + i / SPACE_CHUNK) & 1))
			i = (i | (SPACE_CHUNK - 1)) + 1;
		else if (table[i])
			return i;
		else
			i += i % ENTRY_GROUP || !is_zero_group(&table[i]) ? 1 : ENTRY_GROUP;
	}
	return end;
}

static void free_table(uint64_t above, unsigned level)
{
	uint64_t *table = space_table_of(above);

	for (unsigned i = next_used(above, 0, ENTRIES); i < ENTRIES;
	     i = next_used(above, i + 1, ENTRIES)) {
		if (!level)
			drop_page(table[i]);
		else if (is_large(table[i]))
			page_put_large(table[i] & PTE_ADDRESS);
		else
			free_table(table[i], level - 1);
		table[i] = 0;
	}
	page_free_zero(table);
}

static void free_root_entries(struct space_root *root)
{
	for (unsigned word = 0; word < SPACE_ENTRIES / 64; word++)
		for (uint64_t bits = root->used[word]; bits; bits &= bits - 1) {
			const unsigned i = word * 64 + (unsigned)__builtin_ctzll(bits);

			free_table(root->entry[i], LEVEL_ROOT - 1);
			root->entry[i] = 0;
		}
}

void space_destroy(struct space *s)
{
	struct space_root *root = s->root;

	if (!root)
		return;
	free_root_entries(root);
	while (root->spare)
		page_free_zero(take_spare(root));
	memset(root->used, 0, sizeof(*root) - offsetof(struct space_root, used));
	page_free_zero(root);
	s->root = NULL;
}

/* The bit is set last: its entry is there by then. */
static void use_root_entry(struct space_root *root, unsigned i)
{
	const uint64_t bit = 1ull << i % 64;

	if (root->used[i / 64] & bit)
		return;
	__atomic_store_n(&root->used[i / 64], root->used[i / 64] | bit, __ATOMIC_RELEASE);
	if (space_here.root == root)
		cpu_entries()[i] = root->entry[i];
}

/* The entry of the large page at `va`, or the one that refers to the table of its small pages;
 * NULL: there is no table for it. */
static uint64_t *find_above(const struct space *s, uint64_t va)
{
	uint64_t *pte;

	if (!s->root)
		return NULL;
	pte = &s->root->entry[table_index(va, LEVEL_ROOT)];
	if (!*pte)
		return NULL;
	pte = &space_table_of(*pte)[table_index(va, LEVEL_ROOT - 1)];
	return *pte ? &space_table_of(*pte)[table_index(va, LEVEL_LARGE)] : NULL;
}

/* The entry of the small or large page at `va`; NULL: there is no table for it. */
static uint64_t *find_entry(const struct space *s, uint64_t va)
{
	uint64_t *pte = find_above(s, va);

	if (!pte || is_large(*pte))
		return pte;
	return *pte ? &space_table_of(*pte)[table_index(va, 0)] : NULL;
}

/* The entry of the small page at `va`, if its table was filled last; else NULL. */
static uint64_t *find_near(const struct space_root *root, uint64_t va)
{
	if (va / LARGE_BYTES != root->near.number)
		return NULL;
	*root->near.above |= space_mark(va, 0);
	return &root->near.table[table_index(va, 0)];
}

/* Makes the table to which the entry of `level` refers. */
static bool make_table(struct space_root *root, uint64_t *pte, unsigned level, unsigned first)
{
	const uint64_t *table = page_alloc_user(1);

	if (!table)
		return false;
	*pte = space_entry_of(table);
	if (level == LEVEL_ROOT)
		use_root_entry(root, first);
	return true;
}

/* The entry of `level` for `va`, or the entry of the large page there. Makes and marks the tables
 * on the way. NULL: no memory for one. */
static uint64_t *walk_and_make(struct space_root *root, uint64_t va, unsigned level)
{
	const unsigned first = table_index(va, LEVEL_ROOT);
	uint64_t *pte = &root->entry[first], *above = NULL;

	for (unsigned l = LEVEL_ROOT; l > level && !is_large(*pte); l--) {
		if (!*pte && !make_table(root, pte, l, first))
			return NULL;
		*pte |= space_mark(va, l - 1);
		above = pte;
		pte = &space_table_of(*pte)[table_index(va, l - 1)];
	}
	if (!level && !is_large(*pte))
		root->near = (struct space_near){va / LARGE_BYTES, pte - table_index(va, 0), above};
	return pte;
}

static uint64_t *make_table_entry(const struct space *s, uint64_t va, unsigned level)
{
	uint64_t *near = level ? NULL : find_near(s->root, va);

	return near ? near : walk_and_make(s->root, va, level);
}

/* The rights in an entry. Without PTE_PRESENT an entry keeps its page, which no access reaches. */
#define PTE_RIGHTS (PTE_PRESENT | PTE_WRITE | PTE_NX)

#define PAGE_BITS (PTE_ACCESSED | PTE_DIRTY | PTE_USER | PTE_OWNED)

const uint64_t space_page_bits[] = {
	[PAGE_READ] = PAGE_BITS | PTE_PRESENT | PTE_NX,
	[PAGE_WRITE] = PAGE_BITS | PTE_PRESENT | PTE_NX | PTE_WRITE,
	[PAGE_EXEC] = PAGE_BITS | PTE_PRESENT,
	[PAGE_WRITE | PAGE_EXEC] = PAGE_BITS | PTE_PRESENT | PTE_WRITE,
	[PAGE_NONE] = PAGE_BITS | PTE_NX,
};

static uint64_t rights_of(unsigned prot)
{
	return space_page_bits[prot] & PTE_RIGHTS;
}

static uint64_t entry_of_page(uint64_t page, unsigned prot, bool owned)
{
	return page | (space_page_bits[prot] & ~(owned ? 0 : PTE_OWNED));
}

int space_map_page(struct space *s, uint64_t va, uint64_t page, unsigned prot, bool owned)
{
	uint64_t *pte = s->root ? make_table_entry(s, va, 0) : NULL;

	if (!pte)
		return -ENOMEM;
	if (*pte)
		return -EEXIST;
	page_mapped(page);
	*pte = entry_of_page(page, prot, owned);
	return 0;
}

/* 0: all of `pages` is free and has tables. */
static int prepare_entries(const struct space *s, uint64_t va, size_t pages)
{
	for (size_t i = 0; i < pages; i++) {
		const uint64_t *pte = s->root ? make_table_entry(s, va + i * PAGE_SIZE, 0) : NULL;

		if (!pte)
			return -ENOMEM;
		if (*pte)
			return -EEXIST;
	}
	return 0;
}

static bool can_map(uint64_t va, const void *memory, size_t pages)
{
	return !((va | (uintptr_t)memory) & (PAGE_SIZE - 1)) && pages <= USER_BYTES / PAGE_SIZE &&
	       user_range(va, pages * PAGE_SIZE);
}

int space_map(struct space *s, uint64_t va, void *memory, size_t pages, unsigned prot, bool owned)
{
	int err = can_map(va, memory, pages) ? 0 : -EINVAL;

	if (!err)
		err = prepare_entries(s, va, pages);
	for (size_t i = 0; i < pages && !err; i++)
		err = space_map_page(s, va + i * PAGE_SIZE, phys_of(memory) + i * PAGE_SIZE, prot,
				     owned);
	return err;
}

static bool is_empty(uint64_t above)
{
	return next_used(above, 0, ENTRIES) == ENTRIES;
}

/* Frees a table without pages to make room for a large page, where only this CPU can know the
 * table. */
static void drop_empty_table(struct space_root *root, uint64_t *pte)
{
	uint64_t *table = space_table_of(*pte);

	if (!is_empty(*pte))
		return;
	*pte = 0;
	if (root->near.table == table)
		root->near.number = SPACE_NEAR_NONE;
	space_flush();
	page_free_zero(table);
}

int space_map_large(struct space *s, uint64_t va, void *memory, unsigned prot, bool alone)
{
	uint64_t *pte;

	if (!can_map(va, memory, LARGE_PAGES) || prot & PAGE_EXEC ||
	    (va | phys_of(memory)) & (LARGE_BYTES - 1))
		return -EINVAL;
	pte = s->root ? make_table_entry(s, va, LEVEL_LARGE) : NULL;
	if (!pte)
		return -ENOMEM;
	if (*pte && !is_large(*pte) && alone)
		drop_empty_table(s->root, pte);
	if (*pte)
		return -EEXIST;
	if (add_spare(s->root))
		return -ENOMEM;
	page_get_large(phys_of(memory));
	*pte = entry_of_page(phys_of(memory), prot, true) | PTE_LARGE;
	return 0;
}

bool space_can_map_large(const struct space *s, uint64_t va, bool alone)
{
	const uint64_t *pte = find_above(s, va);

	return !pte || !*pte || (alone && !is_large(*pte) && is_empty(*pte));
}

/* --- Walks over a range --- */

/* `va` is the first address of a large page. */
typedef int entry_fn(uint64_t *pte, uint64_t va, void *arg);

enum large {
	LARGE_WHOLE, /* as one entry, if the range contains all of it; else it is split */
	LARGE_SPLIT, /* is split */
	LARGE_LOOK,  /* a large page stays; `fn` gets the entries of its small pages, with PTE_LARGE
		      */
};

struct walk {
	struct space *s;
	enum large large;
	entry_fn *fn;
	void *arg;
};

static uint64_t level_bytes(unsigned level)
{
	return PAGE_SIZE << (9 * level);
}

/* The small pages of [va, end) in the table to which `above` refers. */
static int walk_pages(const struct walk *w, uint64_t above, uint64_t va, uint64_t end)
{
	uint64_t *table = space_table_of(above);
	const unsigned first = table_index(va, 0),
		       behind = first + (unsigned)((end - va) / PAGE_SIZE);
	int err = 0;

	for (unsigned i = next_used(above, first, behind); i < behind && !err;
	     i = next_used(above, i + 1, behind))
		err = w->fn(&table[i], va + (i - first) * PAGE_SIZE, w->arg);
	return err;
}

static int walk_large(const struct walk *w, uint64_t *pte, uint64_t va, uint64_t end)
{
	int err = 0;

	if (w->large == LARGE_WHOLE && end - va == LARGE_BYTES)
		return w->fn(pte, va, w->arg);
	if (w->large != LARGE_LOOK) {
		split_large(w->s, pte);
		return walk_pages(w, *pte, va, end);
	}
	for (; va < end && !err; va += PAGE_SIZE) {
		uint64_t small = small_of(*pte, va) | PTE_LARGE;

		err = w->fn(&small, va, w->arg);
	}
	return err;
}

/* Skips missing tables as a whole. Ends with the first result that is not 0. */
static int walk_table(const struct walk *w, uint64_t *table, unsigned level, uint64_t va,
		      uint64_t end)
{
	int err = 0;

	while (va < end && !err) {
		uint64_t *pte = &table[table_index(va, level)];
		uint64_t next = (va & ~(level_bytes(level) - 1)) + level_bytes(level);

		next = next < end ? next : end;
		if (is_large(*pte))
			err = walk_large(w, pte, va, next);
		else if (*pte && level == LEVEL_LARGE)
			err = walk_pages(w, *pte, va, next);
		else if (*pte)
			err = walk_table(w, space_table_of(*pte), level - 1, va, next);
		va = next;
	}
	return err;
}

static int walk_range(struct space *s, uint64_t va, size_t pages, enum large large, entry_fn *fn,
		      void *arg)
{
	const struct walk w = {s, large, fn, arg};

	ASSERT(user_range(va, pages * PAGE_SIZE));
	if (!s->root)
		return 0;
	return walk_table(&w, s->root->entry, LEVEL_ROOT, va, va + pages * PAGE_SIZE);
}

static int hide_entry(uint64_t *pte, uint64_t va, void *arg)
{
	(void)va;
	(void)arg;
	*pte &= ~PTE_PRESENT;
	return 0;
}

/* For the check of stale.h; called after H of linux/mem/mm.c. */
static void note_removed(const struct space *s, uint64_t pte)
{
	stale_removed(s, pte & PTE_ADDRESS, is_large(pte) ? LARGE_PAGES : 1);
}

static int hide_watched(uint64_t *pte, uint64_t va, void *space)
{
	hide_entry(pte, va, NULL);
	note_removed(space, *pte);
	return 0;
}

struct unmapping {
	struct space *s;
	size_t pages;
};

static int unmap_entry(uint64_t *pte, uint64_t va, void *arg)
{
	struct unmapping *u = arg;

	(void)va;
	if (is_large(*pte)) {
		page_put_large(*pte & PTE_ADDRESS);
		page_free_zero(take_spare(u->s->root));
		u->pages += LARGE_PAGES;
	} else {
		drop_page(*pte);
		u->pages++;
	}
	*pte = 0;
	return 0;
}

/* Removes an entry that was not hidden, so no CPU has flushed it yet. */
static int unmap_watched(uint64_t *pte, uint64_t va, void *arg)
{
	const struct unmapping *u = arg;

	if (*pte & PTE_PRESENT)
		note_removed(u->s, *pte);
	return unmap_entry(pte, va, arg);
}

static entry_fn *hide = hide_entry, *unmap = unmap_entry;

void space_hide(struct space *s, uint64_t va, size_t pages)
{
	walk_range(s, va, pages, LARGE_WHOLE, hide, s);
}

size_t space_unmap(struct space *s, uint64_t va, size_t pages)
{
	struct unmapping u = {.s = s};

	walk_range(s, va, pages, LARGE_WHOLE, unmap, &u);
	return u.pages;
}

static bool has_more_holders(uint64_t pte)
{
	const uint64_t page = pte & PTE_ADDRESS;

	if (is_large(pte))
		return page_maps_large(page) > 1;
	return pte & PTE_OWNED && page_maps(page) > 1;
}

struct taking {
	const struct space *s;
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
	if (stale_watched)
		note_removed(t->s, t->taken[t->n - 1]);
	return 0;
}

size_t space_take(struct space *s, uint64_t va, size_t pages, uint64_t only, uint64_t *taken,
		  size_t most)
{
	struct taking t = {.s = s, .only = only, .taken = taken, .most = most};

	walk_range(s, va, pages, LARGE_SPLIT, take_entry, &t);
	return t.n;
}

/* A page with several holders is copied before it is written to. */
static int protect_entry(uint64_t *pte, uint64_t va, void *arg)
{
	uint64_t rights = *(const uint64_t *)arg;

	(void)va;
	if (rights & PTE_WRITE && has_more_holders(*pte))
		rights &= ~PTE_WRITE;
	*pte = (*pte & ~PTE_RIGHTS) | rights;
	return 0;
}

/* Code is mapped in small pages: some CPUs have errata where the size of a page changes below code
 * that they execute. */
void space_protect(struct space *s, uint64_t va, size_t pages, unsigned prot)
{
	uint64_t rights = rights_of(prot);

	walk_range(s, va, pages, prot & PAGE_EXEC ? LARGE_SPLIT : LARGE_WHOLE, protect_entry,
		   &rights);
}

/* `to` has a table there already: it is filled. */
static int copy_large(uint64_t *pte, uint64_t va, struct space *to)
{
	uint64_t *copy = make_table_entry(to, va, LEVEL_LARGE);

	if (!copy || (!*copy && add_spare(to->root)))
		return -ENOMEM;
	*pte &= ~PTE_WRITE;
	page_get_large(*pte & PTE_ADDRESS);
	if (*copy)
		fill_table(copy, *pte);
	else
		*copy = *pte;
	return 0;
}

static int copy_entry(uint64_t *pte, uint64_t va, void *arg)
{
	uint64_t *to;

	if (is_large(*pte))
		return copy_large(pte, va, arg);
	to = make_table_entry(arg, va, 0);
	if (!to)
		return -ENOMEM;
	ASSERT(!*to);
	if (!(*pte & PTE_SHARED) && *pte & PTE_OWNED)
		*pte &= ~PTE_WRITE;
	page_get(*pte & PTE_ADDRESS);
	*to = *pte;
	return 0;
}

int space_copy(struct space *to, struct space *from, uint64_t va, size_t pages)
{
	return walk_range(from, va, pages, LARGE_WHOLE, copy_entry, to);
}

struct move {
	struct space *space;
	uint64_t distance;
};

static int make_target(uint64_t *pte, uint64_t va, void *arg)
{
	const struct move *move = arg;

	(void)pte;
	return make_table_entry(move->space, va + move->distance, 0) ? 0 : -ENOMEM;
}

static int move_entry(uint64_t *pte, uint64_t va, void *arg)
{
	const struct move *move = arg;
	const uint64_t moved = *pte;

	*find_entry(move->space, va + move->distance) = moved;
	*pte = 0;
	if (stale_watched)
		note_removed(move->space, moved);
	return 0;
}

int space_move(struct space *s, uint64_t from, uint64_t to, size_t pages)
{
	struct move move = {s, to - from};
	const int err = walk_range(s, from, pages, LARGE_SPLIT, make_target, &move);

	return err ? err : walk_range(s, from, pages, LARGE_SPLIT, move_entry, &move);
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
	struct space looked_at = *s;

	walk_range(&looked_at, va, pages, LARGE_LOOK, visit_entry, &visit);
}

uint64_t space_entry(const struct space *s, uint64_t va)
{
	const uint64_t *pte = user_range(va, 1) ? find_entry(s, va) : NULL;

	return pte ? small_of(*pte, va) : 0;
}

uint64_t space_replace(struct space *s, uint64_t va, uint64_t page, unsigned prot)
{
	uint64_t *pte = find_entry(s, va), old;

	ASSERT(pte && *pte);
	if (is_large(*pte)) {
		split_large(s, pte);
		pte = find_entry(s, va);
	}
	old = *pte & PTE_ADDRESS;
	if (page != old)
		page_get(page);
	*pte = (*pte & ~(PTE_ADDRESS | PTE_RIGHTS)) | page | rights_of(prot) | PTE_OWNED;
	if (page != old && stale_watched)
		note_removed(s, old);
	return old;
}

bool space_write_large(struct space *s, uint64_t va)
{
	uint64_t *pte = find_entry(s, va);

	if (!pte || !is_large(*pte) || has_more_holders(*pte))
		return false;
	*pte = (*pte & ~PTE_RIGHTS) | rights_of(PAGE_WRITE);
	return true;
}

void space_share(struct space *s, uint64_t va)
{
	uint64_t *pte = find_entry(s, va);

	ASSERT(pte && !is_large(*pte));
	*pte |= PTE_SHARED;
}

uint64_t space_lookup(const struct space *s, uint64_t va)
{
	const uint64_t pte = space_entry(s, va);

	return pte & PTE_PRESENT ? pte : 0;
}

static void flush(void)
{
	write_cr3(read_cr3());
}

static void flush_watched(void)
{
	const uint64_t began = stale_time();

	flush();
	stale_flushed(smp_cpu(), began);
}

void (*space_flush)(void) = flush;

/* The CPU gets the entries of `new` wherever one of the two uses an entry. */
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

static void note_cpu(struct space_root *root, unsigned cpu, bool enters)
{
	const uint64_t bit = 1ull << cpu % 64;

	if (enters)
		__atomic_fetch_or(&root->cpus[cpu / 64], bit, __ATOMIC_SEQ_CST);
	else
		__atomic_fetch_and(&root->cpus[cpu / 64], ~bit, __ATOMIC_SEQ_CST);
}

/* Leaves a root once the CPU has no translation of it; NULL: there was none. */
static void leave_root(struct space_root *left, unsigned cpu)
{
	space_flush();
	if (left)
		note_cpu(left, cpu, false);
}

/* A removal between the flush and the cleared bit would wait for a flush that no CPU asks this one
 * for. */
static void leave_watched(struct space_root *left, unsigned cpu)
{
	const uint64_t flags = stale_lock();

	leave_root(left, cpu);
	stale_unlock(flags);
}

static void (*leave)(struct space_root *left, unsigned cpu) = leave_root;

void space_watch(bool on)
{
	hide = on ? hide_watched : hide_entry;
	unmap = on ? unmap_watched : unmap_entry;
	space_flush = on ? flush_watched : flush;
	leave = on ? leave_watched : leave_root;
}

/* An entered root counts as mapped by its CPU, so it is not freed. The CPU's bit is set before it
 * reads an entry, and cleared once it has no translation any more. */
void space_enter(const struct space *s, unsigned cpu)
{
	static const struct space_root none;
	struct space_root *left = space_here.root;
	const struct space_root *old = left ? left : &none, *new = s->root ? s->root : &none;

	if (old == new)
		return;
	page_mapped(phys_of(new));
	if (s->root)
		note_cpu(s->root, cpu, true);
	exchange_entries(old, new);
	space_here = *s;
	leave(left, cpu);
	page_unmapped(phys_of(old));
}

/* The CPUs that have entered the space. The caller's changes are written before the bits are read,
 * which a plain load would not ensure: a CPU that enters later sees them. */
void space_cpus(const struct space *s, uint64_t cpus[SPACE_CPUS / 64])
{
	for (unsigned i = 0; i < SPACE_CPUS / 64; i++)
		cpus[i] = s->root ? __atomic_fetch_or(&s->root->cpus[i], 0, __ATOMIC_SEQ_CST) : 0;
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
