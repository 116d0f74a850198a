// SPDX-License-Identifier: BSD-2-Clause
/*
 * page.c - physical pages: a list of free ranges, sorted by address. Each range is described in its
 * own first bytes, and neighbours are always merged. Allocation is first fit. A range gives pages
 * from its end, so its description stays in place. Some pages beside the list are kept zero
 * (page_clean_some()) for requests of one page. They are as free as the others, and go back to the
 * list where it cannot satisfy a request. Any CPU, one at a time.
 *
 * Beside the list there is a number for each page that could ever be free: the number of ring 3's
 * page tables that map it, or a mark that it is free. Ring 3 may write to pages that it has mapped,
 * so a page is never free while any table maps it. Where that does not hold, or where the list
 * names a page that is not free, the allocator panics before the page is used.
 *
 * A range lies on one node of memory (numa.h). Pages come from the node of the CPU that asks, or
 * from the nearest other node if that node has none. Pages of programs come from the nodes that
 * page_bind() names, as long as these have some.
 */
#include "arch/x86/mem/paging.h"

#include "arch/x86/insn.h"
#include "arch/x86/portable/numa.h"
#include "arch/x86/space/stale.h"
#include "lib/lock.h"
#include "lib/math.h"
#include "lib/panic.h"
#include "lib/percpu.h"
#include "lib/string.h"

#include <linux/errno.h>

#define LOW_MEMORY              0x100000ull /* below it lie the old BIOS areas */
#define EFI_CONVENTIONAL_MEMORY 7           /* EfiConventionalMemory of the UEFI specification */

#define RESERVE_SHARE 16 /* the runtime keeps one page in so many to itself */
#define RESERVE_MOST  4096

#define CLEAN_SHARE 16 /* at most one in so many free pages is kept zero */

#define POISON 0x5a17feedfeed175aull

/* Numbers of mappings. */
#define MAPS_FREE 0xffff
#define MAPS_NONE 0xfffe /* the page can never be free */
#define MAPS_MOST 0xfffd

/* Memory at an address above SPAN_MOST times the amount of memory below it is not used: the numbers
 * of the pages in the gap would take too much memory. */
#define SPAN_MOST 64

struct range {
	struct range *next;
	size_t pages;
	unsigned node;
};

/* A number for each page from the first that was or will be free to the last. */
static uint16_t *maps;
static uint64_t maps_base, maps_end;
static uint64_t numbers, numbers_end; /* where `maps` lies: never free */

static struct range *ranges;

/* A free page outside of the list; it is zero except for the link. */
struct clean_page {
	struct clean_page *next;
};
static struct clean {
	struct clean_page *first;
	size_t n, most;   /* zero pages that exist, and that are wanted */
} clean[NUMA_NODES_MOST]; /* by node */

static size_t total, nfree, reserve;
static size_t node_free[NUMA_NODES_MOST];
static const struct numa *nodes; /* NULL: all memory is node 0 */
static PERCPU unsigned here;     /* the node of this CPU */
static uint64_t bound;           /* nodes, a bit each; 0: page_bind() names none */
static size_t strays;
static bool poisons;
static struct lock lock;

static uint64_t lock_pages(void)
{
	uint64_t flags = irq_save();

	lock_take(&lock);
	return flags;
}

static void unlock_pages(uint64_t flags)
{
	lock_release(&lock);
	irq_restore(flags);
}

/* --- The number of each page --- */

/* NULL: the page could never be free, like those of the image. */
static inline uint16_t *maps_of(uint64_t page)
{
	uint16_t *number;

	if (page - maps_base >= maps_end - maps_base)
		return NULL;
	number = &maps[(page - maps_base) / PAGE_SIZE];
	return *number == MAPS_NONE ? NULL : number;
}

void page_mapped(uint64_t page)
{
	uint16_t *number = maps_of(page), before;

	if (!number)
		return;
	before = __atomic_fetch_add(number, 1, __ATOMIC_RELAXED);
	if (before >= MAPS_MOST)
		panic("page 0x%llx is mapped for ring 3 and is %s", (unsigned long long)page,
		      before == MAPS_FREE ? "free" : "mapped too often");
}

/* Returns whether this was the last mapping. */
static bool drop_map(uint64_t page)
{
	uint16_t *number = maps_of(page), before;

	if (!number)
		return false;
	before = __atomic_fetch_sub(number, 1, __ATOMIC_ACQ_REL);
	if (!before || before == MAPS_FREE)
		panic("page 0x%llx is unmapped for ring 3 and is %s", (unsigned long long)page,
		      before ? "free" : "not mapped");
	return before == 1;
}

void page_unmapped(uint64_t page)
{
	drop_map(page);
}

unsigned page_maps(uint64_t page)
{
	const uint16_t *number = maps_of(page);
	const unsigned n = number ? __atomic_load_n(number, __ATOMIC_RELAXED) : 0;

	return n == MAPS_FREE ? 0 : n;
}

static void note_free(uint64_t page)
{
	uint16_t *number = maps_of(page), before = 0;

	ASSERT(number);
	if (__atomic_compare_exchange_n(number, &before, MAPS_FREE, false, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED))
		return;
	if (before == MAPS_FREE)
		panic("page 0x%llx is freed and is free", (unsigned long long)page);
	panic("page 0x%llx is freed while %u tables of ring 3 map it", (unsigned long long)page,
	      before);
}

/* A free page is taken, and mapped `n` times. */
static inline void note_taken_as(uint64_t page, uint16_t n)
{
	const uint64_t distance = page - maps_base;
	uint16_t before = MAPS_FREE;

	if (distance >= maps_end - maps_base ||
	    !__atomic_compare_exchange_n(&maps[distance / PAGE_SIZE], &before, n, false,
					 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		panic("page 0x%llx is on the list of free pages and is not free",
		      (unsigned long long)page);
}

static void note_taken(uint64_t page)
{
	note_taken_as(page, 0);
}

static void note_all(uint64_t base, size_t npages, void (*note)(uint64_t page))
{
	for (size_t i = 0; i < npages; i++)
		note(base + i * PAGE_SIZE);
}

/* --- Poison --- */

static void poison_pages(void *from, size_t bytes)
{
	uint64_t *word = from;

	for (size_t i = 0; i < bytes / sizeof(*word); i++)
		word[i] = POISON;
}

static void check_poison(const void *from, size_t npages)
{
	const uint64_t *word = from;

	for (size_t i = 0; i < npages * PAGE_SIZE / sizeof(*word); i++)
		if (word[i] != POISON)
			panic("address 0x%llx was written while its page was free: 0x%llx",
			      (unsigned long long)(uintptr_t)&word[i], (unsigned long long)word[i]);
}

/* Poisons a free range, but for its description. No CPU has a translation of its pages any more. */
static __attribute__((noinline, cold)) void poison_range(struct range *range)
{
	stale_check(phys_of(range), range->pages);
	poison_pages(range + 1, range->pages * PAGE_SIZE - sizeof(*range));
}

/* --- Free ranges --- */

static uint8_t *range_end(const struct range *range)
{
	return (uint8_t *)range + range->pages * PAGE_SIZE;
}

/* The node of a page; `*npages`: how many pages from there on lie on the same node. */
static unsigned node_of_page(const void *page, size_t *npages)
{
	uint64_t end;
	unsigned node;

	*npages = SIZE_MAX;
	if (!nodes)
		return 0;
	node = numa_node_of(nodes, phys_of(page), &end);
	*npages = (end - phys_of(page)) / PAGE_SIZE;
	if (!*npages)
		*npages = 1; /* nodes that meet inside of a page */
	return node;
}

/* Merges `range` with the one behind it if they touch. */
static void join_next(struct range *range)
{
	struct range *next = range->next;

	if (!next || range_end(range) != (uint8_t *)next || range->node != next->node)
		return;
	range->pages += next->pages;
	range->next = next->next;
	if (poisons)
		poison_pages(next, sizeof(*next));
}

/* Adds pages of one node, which are noted and counted as free already. */
static void add_range(void *pages, size_t npages, unsigned node)
{
	struct range *range = pages, *before = NULL, *after = ranges;

	while (after && after < range) {
		before = after;
		after = after->next;
	}
	ASSERT(!before || range_end(before) <= (uint8_t *)range);
	*range = (struct range){after, npages, node};
	ASSERT(!after || range_end(range) <= (uint8_t *)after);
	if (poisons)
		poison_range(range);
	if (before)
		before->next = range;
	else
		ranges = range;
	join_next(range);
	if (before)
		join_next(before);
}

static void add_clean(void *page, unsigned node)
{
	struct clean_page *p = page;

	p->next = clean[node].first;
	clean[node].first = p;
	clean[node].n++;
}

/* Returns the zero pages to the list, and keeps none from now on. */
static void drop_clean_of(unsigned node)
{
	struct clean_page *next;

	for (struct clean_page *p = clean[node].first; p; p = next) {
		next = p->next;
		add_range(p, 1, node);
	}
	clean[node] = (struct clean){0};
}

static unsigned count_nodes(void)
{
	return nodes ? nodes->n : 1;
}

static void drop_clean(void)
{
	for (unsigned node = 0; node < count_nodes(); node++)
		drop_clean_of(node);
}

uint64_t page_poisons(void)
{
	return poisons;
}

int page_set_poison(uint64_t on)
{
	uint64_t flags;

	if (on > 1)
		return -EINVAL;
	flags = lock_pages();

	drop_clean();
	for (struct range *range = ranges; on && range; range = range->next)
		poison_range(range);
	poisons = on;
	unlock_pages(flags);
	return 0;
}

static void note_taken_of(void *pages, size_t npages, unsigned node)
{
	note_all(phys_of(pages), npages, note_taken);
	nfree -= npages;
	node_free[node] -= npages;
}

/* Takes the last pages of the node's first range that is large enough. */
static void *take_free_pages(size_t npages, unsigned node)
{
	for (struct range **link = &ranges; *link; link = &(*link)->next) {
		struct range *range = *link;
		void *pages;

		if (range->pages < npages || !npages || range->node != node)
			continue;
		range->pages -= npages;
		pages = range_end(range);
		if (!range->pages) {
			*link = range->next;
			poison_pages(range, sizeof(*range));
		}
		note_taken_of(pages, npages, node);
		return pages;
	}
	return NULL;
}

/* --- Which node --- */

/* All nodes, as one bit each. */
static uint64_t all_nodes(void)
{
	return count_nodes() == NUMA_NODES_MOST ? UINT64_MAX : (1ull << count_nodes()) - 1;
}

static uint64_t wanted_of_programs(void)
{
	return bound ? bound : 1ull << here;
}

/* Removes and returns the nearest wanted node of those left, or else the nearest one. */
static unsigned next_node(uint64_t *left, uint64_t wanted)
{
	const uint64_t among = *left & wanted ? *left & wanted : *left;
	unsigned i = 0;

	if (!nodes) {
		*left = 0;
		return 0;
	}
	while (!(among >> nodes->order[here][i] & 1))
		i++;
	*left &= ~(1ull << nodes->order[here][i]);
	return nodes->order[here][i];
}

static unsigned first_node(uint64_t wanted)
{
	uint64_t left = all_nodes();

	return next_node(&left, wanted);
}

void *page_alloc_mapped(void)
{
	const unsigned node = here;
	struct clean *c = &clean[node];
	struct clean_page *page = NULL;

	if (bound)
		return NULL;
	lock_take(&lock);
	if (c->first && nfree > reserve) {
		page = c->first;
		c->first = page->next;
		c->n--;
		nfree--;
		node_free[node]--;
		note_taken_as(phys_of(page), 1);
		page->next = NULL;
	}
	lock_release(&lock);
	return page;
}

/* NULL: there is none. */
static void *take_clean(size_t spared, unsigned node)
{
	uint64_t flags = lock_pages();
	struct clean *c = &clean[node];
	struct clean_page *page = NULL;

	if (c->first && nfree > spared) {
		page = c->first;
		c->first = c->first->next;
		c->n--;
		note_taken_of(page, 1, node);
	}
	unlock_pages(flags);
	if (page)
		page->next = NULL;
	return page;
}

static void *take_pages_of(size_t npages, unsigned node)
{
	void *pages = take_free_pages(npages, node);

	if (pages || !clean[node].first)
		return pages;
	drop_clean_of(node);
	return take_free_pages(npages, node);
}

static void *take_pages(size_t npages, uint64_t wanted)
{
	for (uint64_t left = all_nodes(); left;) {
		const unsigned node = next_node(&left, wanted);
		void *pages = take_pages_of(npages, node);

		if (!pages)
			continue;
		if (!(wanted >> node & 1))
			strays += npages;
		return pages;
	}
	return NULL;
}

/* Clears pages that were allocated, if any. */
static void *make_zero(void *pages, size_t npages)
{
	if (pages)
		page_clear(pages, npages);
	return pages;
}

/* The contents of the pages are not defined. */
static __attribute__((noinline)) void *alloc_raw(size_t npages, size_t spared, uint64_t wanted)
{
	uint64_t flags = lock_pages();
	void *pages =
		spared <= nfree && npages <= nfree - spared ? take_pages(npages, wanted) : NULL;
	const bool poisoned = poisons;

	unlock_pages(flags);
	if (pages && poisoned)
		check_poison(pages, npages);
	return pages;
}

static void *alloc_any(size_t npages, size_t spared, uint64_t wanted)
{
	void *page = npages == 1 ? take_clean(spared, first_node(wanted)) : NULL;

	return page ? page : make_zero(alloc_raw(npages, spared, wanted), npages);
}

void *page_alloc(size_t npages)
{
	return alloc_any(npages, 0, 1ull << here);
}

void *page_alloc_user(size_t npages)
{
	return alloc_any(npages, reserve, wanted_of_programs());
}

void *page_alloc_raw(size_t npages)
{
	return alloc_raw(npages, reserve, wanted_of_programs());
}

/* Starts anew each time, so that the free pages alone determine which ones are zero. With poison no
 * free page is zero. */
static void clean_some_of(unsigned node, size_t most)
{
	uint64_t flags = lock_pages();
	uint8_t *pages;
	size_t n;

	drop_clean_of(node);
	n = least_of(node_free[node] / CLEAN_SHARE, most);
	pages = poisons ? NULL : take_free_pages(n, node);
	unlock_pages(flags);
	if (!pages)
		return;
	page_clear(pages, n);
	flags = lock_pages();
	note_all(phys_of(pages), n, note_free);
	nfree += n;
	node_free[node] += n;
	for (size_t i = 0; i < n; i++)
		add_clean(pages + i * PAGE_SIZE, node);
	clean[node].most = n;
	unlock_pages(flags);
}

void page_clean_some(size_t most)
{
	for (unsigned node = 0; node < count_nodes(); node++)
		clean_some_of(node, most);
}

/*
 * Takes the first aligned block of a range that has one. The part in front of it stays a range, and
 * the part behind it becomes one. Single pages come from the ends of ranges, so blocks lie
 * together.
 */
static void *take_large(unsigned node)
{
	for (struct range **link = &ranges; *link; link = &(*link)->next) {
		struct range *range = *link, *next = range->next;
		const uint64_t start = phys_of(range),
			       block = (start + LARGE_BYTES - 1) & ~(LARGE_BYTES - 1),
			       lead = (block - start) / PAGE_SIZE;

		if (range->pages < lead + LARGE_PAGES || range->node != node)
			continue;
		if (range->pages > lead + LARGE_PAGES) {
			next = virt_of(block + LARGE_BYTES);
			*next = (struct range){range->next, range->pages - lead - LARGE_PAGES,
					       node};
		}
		if (lead) {
			*range = (struct range){next, lead, node};
		} else {
			*link = next;
			poison_pages(range, sizeof(*range));
		}
		note_taken_of(virt_of(block), LARGE_PAGES, node);
		return virt_of(block);
	}
	return NULL;
}

static void *take_large_or_clean(unsigned node)
{
	void *pages = take_large(node);

	if (pages || !clean[node].first)
		return pages;
	drop_clean_of(node);
	return take_large(node);
}

/* Small pages of a wanted node are better than a large page of another node. */
static void *take_large_wanted(void)
{
	const uint64_t wanted = wanted_of_programs();
	void *pages = NULL;

	for (uint64_t left = all_nodes(); !pages && left & wanted;)
		pages = take_large_or_clean(next_node(&left, wanted));
	return pages;
}

void *page_alloc_large(void)
{
	const uint64_t flags = lock_pages();
	const size_t spared = most_of(reserve, total / 4);
	void *pages = nfree >= spared + LARGE_PAGES ? take_large_wanted() : NULL;
	const bool poisoned = poisons;

	unlock_pages(flags);
	if (pages && poisoned)
		check_poison(pages, LARGE_PAGES);
	return make_zero(pages, LARGE_PAGES);
}

static bool wants_clean(size_t npages, unsigned node)
{
	return npages == 1 && clean[node].n < clean[node].most;
}

/* All pages belong to one node. */
static void give_some_back(void *pages, size_t npages, unsigned node, bool cleared)
{
	note_all(phys_of(pages), npages, note_free);
	nfree += npages;
	node_free[node] += npages;
	if (cleared && wants_clean(npages, node))
		add_clean(pages, node);
	else
		add_range(pages, npages, node);
}

static void give_pages_back(uint8_t *pages, size_t npages, bool cleared)
{
	ASSERT((uintptr_t)pages % PAGE_SIZE == 0);
	while (npages) {
		size_t n;
		const unsigned node = node_of_page(pages, &n);

		n = least_of(n, npages);
		give_some_back(pages, n, node, cleared);
		pages += n * PAGE_SIZE;
		npages -= n;
	}
}

/* A freed page replaces the zero page that was taken, so that a pair of allocation and release
 * always costs the same. */
void page_free(void *pages, size_t npages)
{
	size_t of_node;
	const bool cleared = npages == 1 && wants_clean(npages, node_of_page(pages, &of_node));
	uint64_t flags;

	if (!npages)
		return;
	if (cleared)
		page_clear(pages, 1);
	flags = lock_pages();
	give_pages_back(pages, npages, cleared);
	unlock_pages(flags);
}

void page_free_zero(void *page)
{
	const uint64_t flags = lock_pages();

	give_pages_back(page, 1, true);
	unlock_pages(flags);
}

void page_put(uint64_t page)
{
	if (drop_map(page))
		page_free(virt_of(page), 1);
}

void page_get_large(uint64_t page)
{
	for (size_t i = 0; i < LARGE_PAGES; i++)
		page_mapped(page + i * PAGE_SIZE);
}

/* Frees the pages that nothing else holds in runs that are as long as possible. */
void page_put_large(uint64_t page)
{
	size_t first = 0;

	for (size_t i = 0; i < LARGE_PAGES; i++) {
		if (drop_map(page + i * PAGE_SIZE))
			continue;
		page_free(virt_of(page + first * PAGE_SIZE), i - first);
		first = i + 1;
	}
	page_free(virt_of(page + first * PAGE_SIZE), LARGE_PAGES - first);
}

unsigned page_maps_large(uint64_t page)
{
	unsigned most = 0;

	for (size_t i = 0; i < LARGE_PAGES; i++) {
		const unsigned n = page_maps(page + i * PAGE_SIZE);

		most = n > most ? n : most;
	}
	return most;
}

/* --- Nodes --- */

void page_set_nodes(const struct numa *numa)
{
	uint64_t flags = lock_pages();
	struct range *next;

	drop_clean();
	nodes = numa->n > 1 ? numa : NULL;
	next = ranges;
	ranges = NULL;
	nfree = 0;
	memset(node_free, 0, sizeof(node_free));
	while (next) {
		struct range *range = next;
		const size_t npages = range->pages;

		next = range->next;
		note_all(phys_of(range), npages, note_taken);
		give_pages_back((uint8_t *)range, npages, false);
	}
	unlock_pages(flags);
}

void page_set_here(unsigned node)
{
	here = nodes && node < nodes->n ? node : 0;
}

void page_bind(uint64_t wanted)
{
	bound = wanted;
	strays = 0;
}

size_t page_strays(void)
{
	return __atomic_load_n(&strays, __ATOMIC_RELAXED);
}

size_t page_free_on(unsigned node)
{
	return __atomic_load_n(&node_free[node], __ATOMIC_RELAXED);
}

size_t page_free_count(void)
{
	return __atomic_load_n(&nfree, __ATOMIC_RELAXED);
}

size_t page_total_count(void)
{
	return total;
}

void page_span(uint64_t *base, uint64_t *end)
{
	*base = maps_base;
	*end = maps_end;
}

size_t page_reserve_count(void)
{
	return reserve;
}

/* --- Start-up --- */

static bool is_conventional(const struct handoff_mem *mem)
{
	return mem->efi_type == EFI_CONVENTIONAL_MEMORY;
}

/* The free range of `mem`; false: there is none. */
static bool usable_range(const struct handoff_mem *mem, uint64_t *base, uint64_t *end)
{
	*base = mem->base < LOW_MEMORY ? LOW_MEMORY : mem->base;
	*end = mem->base + mem->pages * PAGE_SIZE;
	return mem->type == HANDOFF_MEM_FREE && *base < *end;
}

static void add_span(uint64_t base, uint64_t end)
{
	const size_t pages = (end - base) / PAGE_SIZE;

	if (total && (end - maps_base) / PAGE_SIZE / SPAN_MOST > total + pages)
		return;
	ASSERT(!total || base >= maps_end);
	maps_base = total ? maps_base : base;
	maps_end = end;
	total += pages;
}

static bool place_numbers(const struct handoff *handoff)
{
	const uint64_t bytes = page_round((maps_end - maps_base) / PAGE_SIZE * sizeof(*maps));
	uint64_t base, end;

	for (uint32_t i = 0; i < handoff->nmem; i++) {
		const struct handoff_mem *mem = &handoff->mem[i];

		if (!usable_range(mem, &base, &end) || !is_conventional(mem) || end - base < bytes)
			continue;
		numbers = base;
		numbers_end = base + bytes;
		maps = virt_of(numbers);
		return true;
	}
	return false;
}

static void begin_numbers(const struct handoff *handoff)
{
	const size_t n = (maps_end - maps_base) / PAGE_SIZE;
	uint64_t base, end;

	for (size_t i = 0; i < n; i++)
		maps[i] = MAPS_NONE;
	for (uint32_t i = 0; i < handoff->nmem; i++)
		if (usable_range(&handoff->mem[i], &base, &end) && end <= maps_end)
			memset(&maps[(base - maps_base) / PAGE_SIZE], 0,
			       (end - base) / PAGE_SIZE * sizeof(*maps));
}

static void give_range(uint64_t base, uint64_t end)
{
	if (base < end)
		page_free(virt_of(base), (end - base) / PAGE_SIZE);
}

/* Frees all pages but those of `maps`. */
static void give_all(const struct handoff *handoff, bool conventional)
{
	uint64_t base, end;

	for (uint32_t i = 0; i < handoff->nmem; i++) {
		const struct handoff_mem *mem = &handoff->mem[i];

		if (!usable_range(mem, &base, &end) || is_conventional(mem) != conventional ||
		    end > maps_end)
			continue;
		give_range(base, least_of(end, numbers));
		give_range(most_of(base, numbers_end), end);
	}
}

int page_init(const struct handoff *handoff)
{
	uint64_t base, end;

	lock = (struct lock){0};
	ranges = NULL;
	memset(clean, 0, sizeof(clean));
	memset(node_free, 0, sizeof(node_free));
	nodes = NULL;
	here = 0;
	bound = 0;
	strays = 0;
	total = nfree = reserve = 0;
	maps_base = maps_end = 0;
	poisons = false;
	for (uint32_t i = 0; i < handoff->nmem; i++)
		if (usable_range(&handoff->mem[i], &base, &end))
			add_span(base, end);
	if (!place_numbers(handoff))
		return -1;
	begin_numbers(handoff);
	reserve = least_of(total / RESERVE_SHARE, RESERVE_MOST);
	give_all(handoff, true);
	return 0;
}

void page_give_rest(const struct handoff *handoff)
{
	give_all(handoff, false);
}
