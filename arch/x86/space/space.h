/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * space.h - address spaces of ring 3: each has the page tables below the lower half of a PML4.
 * Entering a space changes only those entries of the CPU's own PML4 which this space or the
 * previous one uses.
 *
 * A space does not lock itself: its callers ensure that one CPU at a time changes it. CPUs that
 * have it entered see a new mapping at once, except in the case of space_sync(). They see that a
 * mapping is gone after space_flush() on that CPU. Any context that has not interrupted the page
 * allocator below; interrupts off where another CPU could change the space.
 */
#ifndef ARCH_X86_SPACE_SPACE_H
#define ARCH_X86_SPACE_SPACE_H

#include "arch/x86/mem/paging.h"
#include "lib/percpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPACE_ENTRIES 256  /* of a PML4: ring 3's half */
#define SPACE_CPUS    1024 /* the most that can enter one */

/* A spare table, for a large page that is to be split. */
struct space_spare {
	struct space_spare *next;
};

/* The table of small pages that was filled last: most pages come next to others. */
struct space_near {
	uint64_t number; /* of its addresses, divided by LARGE_BYTES; SPACE_NEAR_NONE: none */
	uint64_t *table, *above; /* `above`: the entry that refers to the table */
};
#define SPACE_NEAR_NONE UINT64_MAX

/* One page: the entries, and a bit for each entry that is used. */
struct space_root {
	uint64_t entry[SPACE_ENTRIES];
	uint64_t used[SPACE_ENTRIES / 64];
	uint64_t cpus[SPACE_CPUS / 64]; /* the CPUs that have it entered */
	struct space_spare *spare;
	struct space_near near;
};

struct space {
	struct space_root *root; /* NULL: there is none, and nothing is mapped */
};

#define SPACE_TABLE 512 /* entries of a table */

/*
 * An entry that refers to a table has marks for chunks of 64 entries of that table: a chunk without
 * a mark has no entries. So a search of a table does not look at most of it. The CPU ignores these
 * bits (SDM vol. 3, "Paging-Structure Entries": bits 52 to 58 of an entry that maps no page; bits
 * 59 to 62 too).
 */
#define SPACE_CHUNK  64
#define SPACE_MARK_0 52
#define SPACE_MARKS  (0xffull << SPACE_MARK_0)
static inline uint64_t space_mark(uint64_t va, unsigned level)
{
	return 1ull << (SPACE_MARK_0 + (va >> (12 + 9 * level) & (SPACE_TABLE - 1)) / SPACE_CHUNK);
}

/* The bits of an owned page's entry beside its address, by enum page_prot. */
extern const uint64_t space_page_bits[PAGE_NONE + 1];

/* The address space of ring 3 on this CPU. */
extern PERCPU struct space space_here;

/* space_init() - makes an empty space; -ENOMEM. space_destroy() - gives back its tables and all
 * pages that it owns; no CPU has it entered. */
int space_init(struct space *s);
void space_destroy(struct space *s);

/*
 * space_map() - maps `pages` pages at `memory`, one after the other, at `va`, with `prot` of enum
 * page_prot. `owned`: they came from page_alloc_user(), and are freed with the mapping. Both
 * addresses are multiples of 4096. -EINVAL: not in ring 3's part; -EEXIST: something is mapped
 * there, or hidden; -ENOMEM: no memory for a table. After an error the pages are still the
 * caller's.
 *
 * A page counts as mapped (page_mapped()) from here on until space_unmap() or space_destroy(), also
 * while it is hidden. page_free() of such a page panics: memory that other code frees has to be
 * unmapped before.
 */
int space_map(struct space *s, uint64_t va, void *memory, size_t pages, unsigned prot, bool owned);

/*
 * space_map_page() - the same for one page at the physical address `page`. The caller ensures that
 * both addresses are valid for space_map(). -EEXIST, -ENOMEM.
 *
 * space_slot() - the entry for the page at `va`, in the table of small pages that was filled last;
 * NULL: it is in another table, or something is mapped. space_fill() maps an owned page there,
 * which is valid for space_map_page(), and whose mapping is noted already (page_alloc_mapped()).
 *
 * space_map_large() - maps the LARGE_PAGES of page_alloc_large() as one large page. It is freed
 * with the mapping, and split where that is needed: the functions below speak of small pages, and
 * treat a large page as the small ones that it stands for. `alone`: no other CPU can know what was
 * mapped here before, so an empty table there may be freed. -EINVAL also with PAGE_EXEC; -EEXIST;
 * -ENOMEM. space_can_map_large() - whether it would not return -EEXIST.
 */
int space_map_page(struct space *s, uint64_t va, uint64_t page, unsigned prot, bool owned);
int space_map_large(struct space *s, uint64_t va, void *memory, unsigned prot, bool alone);
bool space_can_map_large(const struct space *s, uint64_t va, bool alone);

static inline uint64_t *space_slot(const struct space *s, uint64_t va)
{
	const struct space_near *near = &s->root->near;
	uint64_t *slot;

	if (va / LARGE_BYTES != near->number)
		return NULL;
	slot = &near->table[va / PAGE_SIZE % SPACE_TABLE];
	return *slot ? NULL : slot;
}
static inline void space_fill(const struct space *s, uint64_t *slot, uint64_t va, uint64_t page,
			      unsigned prot)
{
	*s->root->near.above |= space_mark(va, 0);
	*slot = page | space_page_bits[prot];
}

/*
 * space_hide() - makes these pages inaccessible, once each CPU that has the space entered has
 * called space_flush(). space_unmap() - after that, and only then: removes the mappings and gives
 * owned pages back. Returns how many pages were mapped.
 */
void space_hide(struct space *s, uint64_t va, size_t pages);
size_t space_unmap(struct space *s, uint64_t va, size_t pages);

/*
 * space_take() - removes the mappings of these pages, all of which are owned; with `only` not 0
 * just those of that page. The references of the mappings go to the caller, at most `most` of them
 * to `taken`; returns their number. The caller calls space_flush() on each CPU that has the space
 * entered before it drops them.
 */
size_t space_take(struct space *s, uint64_t va, size_t pages, uint64_t only, uint64_t *taken,
		  size_t most);

/*
 * space_protect() - gives the mapped pages rights `prot`. A page with other holders that is not
 * marked by space_share() stays write-protected: a write faults, and space_replace() resolves the
 * fault. The caller flushes where rights were taken.
 *
 * space_copy() - gives `to`, which has nothing there, the same pages. In both spaces a write to
 * them faults, except to pages marked by space_share(). The caller flushes the CPUs that have
 * `from` entered. -ENOMEM: some pages may have been mapped. space_move() - moves mappings to a
 * range that is empty and does not overlap; -ENOMEM: nothing was done.
 *
 * space_entry() - as space_lookup(), also for a page that is hidden or may not be accessed.
 * space_write_large() - makes all of the large page at `va` writable; false: there is none, or
 * others hold pages of it. space_replace() - maps `page` in place of the page at `va`, or the same
 * page with other rights; returns the old one, whose reference goes to the caller if it is another
 * page. space_share() - lets all spaces that map this page write to it.
 *
 * The cost of these functions, of space_hide() and of space_unmap() is proportional to the tables
 * that exist, however large the range is.
 */
void space_protect(struct space *s, uint64_t va, size_t pages, unsigned prot);
int space_copy(struct space *to, struct space *from, uint64_t va, size_t pages);
int space_move(struct space *s, uint64_t from, uint64_t to, size_t pages);
uint64_t space_entry(const struct space *s, uint64_t va);
uint64_t space_replace(struct space *s, uint64_t va, uint64_t page, unsigned prot);
bool space_write_large(struct space *s, uint64_t va);
void space_share(struct space *s, uint64_t va);

/* space_each() - calls `fn` with the entry of each mapped page, including hidden and inaccessible
 * ones; PTE_LARGE: the page is part of a large page. */
void space_each(const struct space *s, uint64_t va, size_t pages,
		void (*fn)(uint64_t pte, void *arg), void *arg);

/* space_lookup() - the page table entry of `va`; 0: not mapped. */
uint64_t space_lookup(const struct space *s, uint64_t va);

/* space_enter() - gives ring 3 of this CPU, whose number is `cpu`, this space. space_flush() -
 * drops this CPU's translations of it. Interrupts off. */
void space_enter(const struct space *s, unsigned cpu);
extern void (*space_flush)(void);

/* space_watch() - turns the notes for stale.h about removals and flushes on or off. The notes are
 * taken by other functions, so that they cost nothing while they are off. */
void space_watch(bool on);

/* space_cpus() - the CPUs that have it entered, a bit each. No other CPU has translations from
 * before the caller's last changes. Any context in which the space exists. */
void space_cpus(const struct space *s, uint64_t cpus[SPACE_CPUS / 64]);

/*
 * space_sync() - comes first after a page fault at `va`, but for space_slot(): after that the
 * access only faults again. True: another CPU mapped something in 512 GiB where nothing was mapped
 * before, and this CPU did not have that entry; the access is simply repeated. Interrupts off.
 */
bool space_sync(uint64_t va);

#endif
