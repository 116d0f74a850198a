/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * space.h - address spaces of ring 3: each has the page tables below the lower half of a PML4, so
 * entering one changes those entries of the CPU's own PML4 that it uses, or the one before did, and
 * nothing else.
 *
 * A space does not lock itself: its callers see to it that one CPU at a time changes it. Changes
 * are seen by CPUs that have it entered: at once where something is mapped that was not, but for
 * what space_sync() is there for; after space_flush() on that CPU where something is mapped no
 * more. Any context that has not interrupted the page allocator below; interrupts off where another
 * CPU could change it.
 */
#ifndef ARCH_X86_SPACE_SPACE_H
#define ARCH_X86_SPACE_SPACE_H

#include "lib/percpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPACE_ENTRIES 256  /* of a PML4 are ring 3's */
#define SPACE_CPUS    1024 /* that can enter one */

/* A table that is not in use, for a large page that is to be split. */
struct space_spare {
	struct space_spare *next;
};

/* A page: the entries, and a bit for each that is used. */
struct space_root {
	uint64_t entry[SPACE_ENTRIES];
	uint64_t used[SPACE_ENTRIES / 64];
	uint64_t cpus[SPACE_CPUS / 64]; /* that have it entered */
	struct space_spare *spare;
};

struct space {
	struct space_root *root; /* NULL: there is none, and nothing is mapped */
};

/* The address space of ring 3 on this CPU. */
extern PERCPU struct space space_here;

/* space_init() - empty; -ENOMEM. space_destroy() - gives back its tables and all pages that it
 * owns; no CPU has it entered. */
int space_init(struct space *s);
void space_destroy(struct space *s);

/*
 * space_map() - maps `pages` pages at `memory`, one after the other, at `va`, with `prot` of enum
 * page_prot. `owned`: they came from page_alloc_user(), and go with the mapping. Both addresses are
 * multiples of 4096. -EINVAL: not in ring 3's part; -EEXIST: something is mapped there, or hidden;
 * -ENOMEM: no memory for a table. The pages are the caller's still then.
 *
 * A page is counted as mapped (page_mapped()) from here on until space_unmap() or space_destroy(),
 * also while it is hidden, and page_free() of it panics: so memory that other code frees has to be
 * unmapped before.
 */
int space_map(struct space *s, uint64_t va, void *memory, size_t pages, unsigned prot, bool owned);

/*
 * space_map_page() - likewise one page, at the physical address `page`; that both are such as
 * space_map() takes the caller knows. -EEXIST, -ENOMEM.
 *
 * space_slot() - where there is room for the page at `va`, of which nothing is mapped: the one that
 * space_fill() puts there then, owned; it is such as space_map_page() takes. NULL: there is no
 * room, or something is mapped.
 *
 * space_map_large() - the LARGE_PAGES that page_alloc_large() gave, as one large page, which goes
 * with the mapping, and is split where that is needed: what follows is told of small pages, and
 * holds for those that it stands for. `alone`: no other CPU can know what was mapped here before,
 * so a table that is left of that may go. -EINVAL also with PAGE_EXEC; -EEXIST; -ENOMEM.
 * space_can_map_large() - it would not be -EEXIST.
 */
int space_map_page(struct space *s, uint64_t va, uint64_t page, unsigned prot, bool owned);
int space_map_large(struct space *s, uint64_t va, void *memory, unsigned prot, bool alone);
uint64_t *space_slot(const struct space *s, uint64_t va);
void space_fill(uint64_t *slot, uint64_t page, unsigned prot);
bool space_can_map_large(const struct space *s, uint64_t va, bool alone);

/*
 * space_hide() - what is mapped of these pages can be used no more, once each CPU that has the
 * space entered has done space_flush(). space_unmap() - then, and only then: owned pages are given
 * back. Returns how many pages were mapped.
 */
void space_hide(struct space *s, uint64_t va, size_t pages);
size_t space_unmap(struct space *s, uint64_t va, size_t pages);

/*
 * space_take() - what is mapped of these pages is so no more; `only`, unless that is 0: where this
 * page is. All of it is owned. The references of the mappings are the caller's, which does
 * space_flush() on each CPU that has the space entered before it puts them: up to `most` at
 * `taken`, with their number returned.
 */
size_t space_take(struct space *s, uint64_t va, size_t pages, uint64_t only, uint64_t *taken,
		  size_t most);

/*
 * space_protect() - what is mapped of these pages has rights `prot` from now on, but for writing to
 * a page that others hold, too, and that is not marked by space_share(): that goes on to fault, and
 * is mended by space_replace(). The caller flushes where rights were taken.
 *
 * space_copy() - `to`, which has nothing there, gets the same pages: none of the two may write to
 * them without a fault, but where they are marked by space_share(). The caller flushes what has
 * `from` entered. -ENOMEM: some pages may be there. space_move() - to where nothing is mapped,
 * which does not overlap; -ENOMEM: nothing was done.
 *
 * space_entry() - as space_lookup(), also of a page that is hidden or may not be accessed.
 * space_write_large() - all of the large page at `va` may be written to from now on; false: there
 * is none, or others hold pages of it.
 * space_replace() - `page` in place of the one that is mapped at `va`, or the same with other
 * rights; returns the old one, whose reference the caller has now if it is another. space_share() -
 * of a page that is mapped: all spaces that map it may write to it.
 *
 * The cost of all of these, of space_hide() and of space_unmap() is that of the tables that are
 * there, however large the range is.
 */
void space_protect(struct space *s, uint64_t va, size_t pages, unsigned prot);
int space_copy(struct space *to, struct space *from, uint64_t va, size_t pages);
int space_move(struct space *s, uint64_t from, uint64_t to, size_t pages);
uint64_t space_entry(const struct space *s, uint64_t va);
uint64_t space_replace(struct space *s, uint64_t va, uint64_t page, unsigned prot);
bool space_write_large(struct space *s, uint64_t va);
void space_share(struct space *s, uint64_t va);

/* space_each() - calls `fn` with the entry of each page that is there, hidden or not accessible
 * ones too; PTE_LARGE: it is part of a large page. */
void space_each(const struct space *s, uint64_t va, size_t pages,
		void (*fn)(uint64_t pte, void *arg), void *arg);

/* space_lookup() - the page table entry of `va`; 0: not mapped. */
uint64_t space_lookup(const struct space *s, uint64_t va);

/* space_enter() - ring 3 of this CPU, which is number `cpu`, has this space from now on.
 * space_flush() - this CPU forgets what it knows of it. Interrupts off. */
void space_enter(const struct space *s, unsigned cpu);
extern void (*space_flush)(void);

/* space_watch() - from now on removals and flushes are noted for stale.h, or not any more: by other
 * functions, so that it costs nothing where they are not. */
void space_watch(bool on);

/* space_cpus() - the CPUs that have it entered, a bit each: no other knows anything of what the
 * caller has changed before. Any context in which the space is there. */
void space_cpus(const struct space *s, uint64_t cpus[SPACE_CPUS / 64]);

/*
 * space_sync() - after a page fault at `va`, before anything else is made of it: true where the
 * space has more there than this CPU knew, because another CPU mapped something in 512 GiB of which
 * nothing was mapped before. The access is simply to be made again. Interrupts off.
 */
bool space_sync(uint64_t va);

#endif
