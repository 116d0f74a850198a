// SPDX-License-Identifier: BSD-2-Clause
/*
 * tlb.c - two levels of TLBs with LRU replacement. An entry's key has the page's number and size,
 * and the generation of translations. A stamp records its last use, and the entry with the oldest
 * stamp is evicted. Stamps only grow, so entries of an old generation are evicted first.
 */
#include "vpmu/micro/micro_priv.h"

#include "lib/bits.h"
#include "lib/string.h"

#define NO_ENTRY    UINT32_MAX
#define NUMBER_BITS 45 /* bits of a 4 KiB page's number, for 57-bit addresses */
#define SIZE_SHIFT  NUMBER_BITS
#define GENERATION  (1ull << (SIZE_SHIFT + 2))
#define SIZES       3

static const uint8_t shifts[SIZES] = {12, 21, 30};

static unsigned size_of(unsigned shift)
{
	unsigned size = SIZES - 1;

	while (size && shifts[size] > shift)
		size--;
	return size;
}

/* The number of the page with `va`. */
static uint64_t page_number_of(uint64_t va, unsigned size)
{
	return va >> shifts[size] & bits_low(NUMBER_BITS);
}

static uint64_t key_of(const struct micro *m, uint64_t number, unsigned size)
{
	return m->generation | (uint64_t)size << SIZE_SHIFT | number;
}

size_t micro_tlb_words(const struct geometry_tlb *rows)
{
	size_t entries = 0;

	for (unsigned i = 0; i < GEOMETRY_TLBS; i++)
		entries += rows[i].entries;
	return 3 * entries;
}

static void forget_pages(struct micro_tlb *tlb)
{
	for (unsigned i = 0; i < MICRO_RECENT; i++)
		tlb->recent[i].page = MICRO_NOTHING;
}

void micro_tlb_init(struct micro_tlb *tlb, const struct geometry_tlb *rows, uint64_t *words)
{
	*tlb = (struct micro_tlb){0};
	for (unsigned i = 0; i < GEOMETRY_TLBS; i++) {
		if (!rows[i].entries)
			continue;
		tlb->parts[tlb->nparts++] = (struct micro_tlb_part){
			.first = (uint16_t)tlb->entries,
			.ways = rows[i].ways,
			.sets = rows[i].entries / rows[i].ways,
			.pages = rows[i].pages,
		};
		tlb->entries += rows[i].entries;
	}
	tlb->keys = words;
	tlb->stamps = words + tlb->entries;
	tlb->offsets = words + 2 * (size_t)tlb->entries;
	forget_pages(tlb);
}

static uint32_t set_of(const struct micro_tlb_part *part, uint64_t number)
{
	return part->first + (uint32_t)(number & (part->sets - 1)) * part->ways;
}

static uint32_t find_in(const struct micro *m, const struct micro_tlb *tlb,
			const struct micro_tlb_part *part, uint64_t va, unsigned size)
{
	const uint64_t number = page_number_of(va, size), key = key_of(m, number, size);
	const uint32_t set = set_of(part, number);

	for (uint32_t e = set; e < set + part->ways; e++)
		if (tlb->keys[e] == key)
			return e;
	return NO_ENTRY;
}

static uint32_t find_entry(const struct micro *m, const struct micro_tlb *tlb, uint64_t va)
{
	for (unsigned i = 0; i < tlb->nparts; i++)
		for (unsigned size = 0; size < SIZES; size++)
			if (tlb->parts[i].pages & m->sizes & 1u << size) {
				const uint32_t e = find_in(m, tlb, &tlb->parts[i], va, size);

				if (e != NO_ENTRY)
					return e;
			}
	return NO_ENTRY;
}

/* A 4 KiB page has one remembered slot; a larger page may have several. */
static void forget_entry(struct micro_tlb *tlb, uint32_t entry)
{
	const uint64_t key = tlb->keys[entry];
	const bool is_small = (key >> SIZE_SHIFT & 3) == 0;

	for (uint64_t i = is_small ? key % MICRO_RECENT : 0; i < MICRO_RECENT;
	     i += is_small ? MICRO_RECENT : 1)
		if (tlb->recent[i].entry == entry)
			tlb->recent[i].page = MICRO_NOTHING;
}

static const struct micro_tlb_part *part_for(const struct micro_tlb *tlb, unsigned size)
{
	for (unsigned i = 0; i < tlb->nparts; i++)
		if (tlb->parts[i].pages >> size & 1)
			return &tlb->parts[i];
	return NULL;
}

/* A page too large for the TLB is entered as a piece of the largest size that fits. */
static uint32_t put_entry(struct micro *m, struct micro_tlb *tlb, uint64_t va, unsigned size,
			  uint64_t offset)
{
	const struct micro_tlb_part *part;
	uint32_t set, victim;

	while (!(part = part_for(tlb, size)))
		size--;
	m->sizes |= (uint8_t)(1u << size);
	set = victim = set_of(part, page_number_of(va, size));
	for (uint32_t e = set + 1; e < set + part->ways; e++)
		if (tlb->stamps[e] < tlb->stamps[victim])
			victim = e;
	forget_entry(tlb, victim);
	tlb->keys[victim] = key_of(m, page_number_of(va, size), size);
	tlb->offsets[victim] = offset;
	tlb->stamps[victim] = ++m->clock;
	return victim;
}

/* Copies entry `e` to the first level; returns its index there. */
static uint32_t take_over_entry(struct micro *m, struct micro_tlb *first, struct micro_tlb *second,
				uint32_t e, uint64_t va)
{
	second->stamps[e] = ++m->clock;
	return put_entry(m, first, va, second->keys[e] >> SIZE_SHIFT & 3, second->offsets[e]);
}

/* Brings an entry to the first level, after a walk if need be; returns its index there. */
static uint32_t bring(struct micro *m, struct micro_tlb *first, struct micro_tlb *second,
		      uint64_t va, micro_translate_fn *translate, void *context,
		      struct micro_translated *t)
{
	const uint32_t e = find_entry(m, second, va);
	struct micro_page page;
	unsigned size;

	t->tlb = MICRO_STLB_HIT;
	if (e != NO_ENTRY)
		return take_over_entry(m, first, second, e, va);
	t->tlb = MICRO_WALK;
	page = translate(context, va);
	size = size_of(page.shift);
	t->walk = micro_walk(m, va, size);
	put_entry(m, second, va, size, page.physical - va);
	return put_entry(m, first, va, size, page.physical - va);
}

struct micro_translated micro_tlb_use(struct micro *m, struct micro_tlb *first,
				      struct micro_tlb *second, uint64_t va,
				      micro_translate_fn *translate, void *context)
{
	const uint64_t page = va >> MICRO_PAGE_SHIFT;
	struct micro_tlb_slot *slot = &first->recent[page % MICRO_RECENT];
	struct micro_translated t = {.tlb = MICRO_TLB_HIT};
	uint32_t e = slot->page == page ? slot->entry : find_entry(m, first, va);

	if (e == NO_ENTRY)
		e = bring(m, first, second, va, translate, context, &t);
	first->stamps[e] = ++m->clock;
	*slot = (struct micro_tlb_slot){page, e};
	t.physical = va + first->offsets[e];
	return t;
}

bool micro_tlb_knows(struct micro *m, uint64_t va, uint64_t *physical)
{
	uint32_t e = find_entry(m, &m->dtlb, va);

	if (e == NO_ENTRY) {
		const uint32_t of_second = find_entry(m, &m->stlb, va);

		if (of_second == NO_ENTRY)
			return false;
		e = take_over_entry(m, &m->dtlb, &m->stlb, of_second, va);
	}
	m->dtlb.stamps[e] = ++m->clock;
	*physical = va + m->dtlb.offsets[e];
	return true;
}

static void drop_page(struct micro *m, struct micro_tlb *tlb, uint64_t va)
{
	uint32_t e;

	while ((e = find_entry(m, tlb, va)) != NO_ENTRY) {
		forget_entry(tlb, e);
		tlb->keys[e] = tlb->stamps[e] = 0;
	}
}

static void forget_lines(struct micro *m)
{
	for (unsigned i = 0; i < MICRO_RECENT; i++)
		m->recent[i] = m->recent_code[i] = MICRO_NOTHING;
	m->code_line = m->code_page = MICRO_NOTHING;
}

static void forget_keys(struct micro_tlb *tlb)
{
	memset(tlb->keys, 0, tlb->entries * sizeof(*tlb->keys));
}

void micro_flush(struct micro *m)
{
	struct micro_tlb *const all[] = {&m->dtlb, &m->store_tlb, &m->itlb, &m->stlb,
					 &m->stlb_code};

	m->generation += GENERATION;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		forget_pages(all[i]);
		if (!m->generation)
			forget_keys(all[i]);
	}
	if (!m->generation)
		m->generation = GENERATION;
	m->sizes = 0;
	micro_forget_upper(m);
	forget_lines(m);
}

void micro_flush_page(struct micro *m, uint64_t va)
{
	struct micro_tlb *const all[] = {&m->dtlb, &m->store_tlb, &m->itlb, &m->stlb,
					 &m->stlb_code};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		drop_page(m, all[i], va);
	micro_forget_upper(m);
	forget_lines(m);
}
