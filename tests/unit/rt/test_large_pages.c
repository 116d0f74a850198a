// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_large_pages.c - spaces with large pages, compared with a model of small pages only. After
 * any operations on any ranges each small page has the right address, rights and holders. All
 * memory is free in the end.
 */
#include "arch/x86/mem/paging.h"
#include "arch/x86/space/space.h"

#include "arch/x86/insn.h"
#include "include/perf0/layout.h"

#include <linux/errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/unit/test.h"

#define CONVENTIONAL 7
#define MEMORY_PAGES (24 * LARGE_PAGES)
#define SPACES       2
#define BLOCKS       3
#define PLACES       (BLOCKS * LARGE_PAGES)
#define FIRST        (WORKLOAD_BASE + LARGE_BYTES)
#define STEPS        4000

static uint8_t *memory;

static void boot_blocks(void)
{
	static struct handoff handoff;

	if (memory)
		munmap(memory, MEMORY_PAGES * PAGE_SIZE);
	memory = mmap(NULL, MEMORY_PAGES * PAGE_SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	handoff.nmem = 1;
	handoff.mem[0] = (struct handoff_mem){(uintptr_t)memory, MEMORY_PAGES, HANDOFF_MEM_FREE,
					      CONVENTIONAL};
	assert_int_equal(page_init(&handoff), 0);
	space_here.root = NULL;
}

static struct {
	struct space space[SPACES];
	struct {
		uint64_t page; /* 0: nothing */
		bool hidden, may_write;
	} at[SPACES][PLACES];
} model;

static uint64_t *cpu_table;

static uint64_t place(size_t i)
{
	return FIRST + i * PAGE_SIZE;
}

static unsigned rand_modulo(unsigned n)
{
	return (unsigned)rand() % n;
}

/* --- Invariants --- */

static unsigned holders_of(uint64_t page)
{
	unsigned n = 0;

	for (unsigned s = 0; s < SPACES; s++)
		for (size_t i = 0; i < PLACES; i++)
			n += model.at[s][i].page == page;
	return n;
}

static void check_place(unsigned s, size_t i)
{
	const uint64_t entry = space_entry(&model.space[s], place(i)),
		       pte = space_lookup(&model.space[s], place(i));

	assert_int_equal(entry & PTE_ADDRESS, model.at[s][i].page);
	if (!model.at[s][i].page)
		return;
	assert_int_equal(!pte, model.at[s][i].hidden);
	assert_false(entry & PTE_LARGE);
	if (!model.at[s][i].hidden)
		assert_int_equal(!!(pte & PTE_WRITE), model.at[s][i].may_write);
}

/* Checks all rights, and the numbers of holders of some pages, for that takes long. */
static void check_model(void)
{
	for (unsigned s = 0; s < SPACES; s++) {
		const size_t offset = rand_modulo(37);

		for (size_t i = 0; i < PLACES; i++)
			check_place(s, i);
		for (size_t i = offset; i < PLACES; i += 37)
			if (model.at[s][i].page)
				assert_int_equal(page_maps(model.at[s][i].page),
						 holders_of(model.at[s][i].page));
	}
}

/* --- Operations --- */

struct range {
	unsigned s;
	size_t first, pages;
};

/* Draws whole blocks, parts of them, and ranges over their edges. */
static struct range random_range(void)
{
	struct range r = {.s = rand_modulo(SPACES), .first = rand_modulo(PLACES)};

	if (rand_modulo(2))
		r.first &= ~(LARGE_PAGES - 1);
	r.pages = rand_modulo(2) ? LARGE_PAGES * (1 + rand_modulo(2)) : 1 + rand_modulo(700);
	if (r.first + r.pages > PLACES)
		r.pages = PLACES - r.first;
	return r;
}

static bool is_unmapped(const struct range *r)
{
	for (size_t i = r->first; i < r->first + r->pages; i++)
		if (model.at[r->s][i].page)
			return false;
	return true;
}

static void map_large(unsigned s, unsigned block)
{
	const struct range r = {s, block * LARGE_PAGES, LARGE_PAGES};
	void *pages = page_alloc_large();
	int err;

	if (!pages)
		return;
	assert_int_equal((uintptr_t)pages % LARGE_BYTES, 0);
	assert_int_equal(space_can_map_large(&model.space[s], place(r.first), true),
			 is_unmapped(&r));
	err = space_map_large(&model.space[s], place(r.first), pages, PAGE_WRITE, true);
	assert_int_equal(err, is_unmapped(&r) ? 0 : -EEXIST);
	if (err) {
		page_free(pages, LARGE_PAGES);
		return;
	}
	for (size_t i = 0; i < LARGE_PAGES; i++) {
		model.at[s][r.first + i].page = (uintptr_t)pages + i * PAGE_SIZE;
		model.at[s][r.first + i].may_write = true;
		model.at[s][r.first + i].hidden = false;
	}
}

static void map_small(unsigned s, size_t i)
{
	void *page = page_alloc_user(1);
	int err;

	if (!page)
		return;
	err = space_map(&model.space[s], place(i), page, 1, PAGE_WRITE, true);
	assert_int_equal(err, model.at[s][i].page ? -EEXIST : 0);
	if (err) {
		page_free(page, 1);
		return;
	}
	model.at[s][i].page = (uintptr_t)page;
	model.at[s][i].may_write = true;
	model.at[s][i].hidden = false;
}

static void unmap_range(const struct range *r, bool only_hide)
{
	size_t there = 0;

	for (size_t i = r->first; i < r->first + r->pages; i++) {
		there += model.at[r->s][i].page != 0;
		model.at[r->s][i].hidden = true;
		if (!only_hide)
			model.at[r->s][i].page = 0;
	}
	space_hide(&model.space[r->s], place(r->first), r->pages);
	if (!only_hide)
		assert_int_equal(space_unmap(&model.space[r->s], place(r->first), r->pages), there);
}

/* If one page of a large page has another holder, no part of the large page is writable at once. */
static void protect_range(const struct range *r)
{
	static const unsigned prots[] = {PAGE_READ, PAGE_WRITE, PAGE_EXEC, PAGE_NONE};
	const unsigned prot = prots[rand_modulo(4)];

	space_protect(&model.space[r->s], place(r->first), r->pages, prot);
	for (size_t i = r->first; i < r->first + r->pages; i++) {
		const uint64_t entry = space_entry(&model.space[r->s], place(i));

		model.at[r->s][i].hidden = prot & PAGE_NONE;
		model.at[r->s][i].may_write = entry & PTE_WRITE;
		if (!model.at[r->s][i].page)
			continue;
		assert_true(!(entry & PTE_WRITE) || prot & PAGE_WRITE);
		assert_int_equal(!(entry & PTE_NX), !!(prot & PAGE_EXEC));
		if (entry & PTE_WRITE)
			assert_int_equal(page_maps(entry & PTE_ADDRESS), 1);
	}
}

/* Shares a range at the same address of the other space, if nothing is there. */
static void copy_range(const struct range *r)
{
	const struct range to = {(r->s + 1) % SPACES, r->first, r->pages};

	if (!is_unmapped(&to) ||
	    space_copy(&model.space[to.s], &model.space[r->s], place(r->first), r->pages))
		return;
	for (size_t i = r->first; i < r->first + r->pages; i++) {
		model.at[r->s][i].may_write = false;
		model.at[to.s][i] = model.at[r->s][i];
	}
}

static void move_range(const struct range *r)
{
	struct range to = {r->s, rand_modulo((unsigned)(PLACES - r->pages + 1)), r->pages};

	if (!is_unmapped(&to) || (to.first < r->first + r->pages && r->first < to.first + to.pages))
		return;
	assert_int_equal(space_move(&model.space[r->s], place(r->first), place(to.first), r->pages),
			 0);
	for (size_t i = 0; i < r->pages; i++) {
		model.at[r->s][to.first + i] = model.at[r->s][r->first + i];
		model.at[r->s][r->first + i].page = 0;
	}
}

/* Writes to a page, as a page fault does. */
static void write_fault(unsigned s, size_t i)
{
	struct space *space = &model.space[s];
	uint64_t old;
	void *copy;

	if (!model.at[s][i].page || model.at[s][i].hidden)
		return;
	if (space_write_large(space, place(i))) {
		for (size_t p = i & ~(LARGE_PAGES - 1); p <= (i | (LARGE_PAGES - 1)); p++) {
			assert_int_equal(page_maps(model.at[s][p].page), 1);
			model.at[s][p].may_write = true;
		}
		return;
	}
	copy = page_alloc_user(1);
	if (!copy)
		return;
	old = space_replace(space, place(i), (uintptr_t)copy, PAGE_WRITE);
	assert_int_equal(old, model.at[s][i].page);
	page_put(old);
	model.at[s][i].page = (uintptr_t)copy;
	model.at[s][i].may_write = true;
}

static void begin_space(unsigned s)
{
	memset(model.at[s], 0, sizeof(model.at[s]));
	assert_int_equal(space_init(&model.space[s]), 0);
}

static void change_pages(void)
{
	const struct range r = random_range();

	switch (rand_modulo(16)) {
	case 0:
		if (rand_modulo(8))
			break;
		space_destroy(&model.space[r.s]);
		begin_space(r.s);
		break;
	case 1:
	case 2:
	case 3:
	case 4:
		map_large(r.s, rand_modulo(BLOCKS));
		break;
	case 5:
		map_small(r.s, r.first);
		break;
	case 6:
		unmap_range(&r, true);
		break;
	case 7:
	case 8:
	case 9:
		unmap_range(&r, false);
		break;
	case 10:
		protect_range(&r);
		break;
	case 11:
	case 12:
		copy_range(&r);
		break;
	case 13:
		move_range(&r);
		break;
	default:
		write_fault(r.s, r.first);
	}
}

TEST(test_large_pages_against_a_model)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		size_t before;

		srand(seed);
		boot_blocks();
		page_set_poison(seed % 2);
		cpu_table = page_alloc(1);
		shim_cr3 = (uintptr_t)cpu_table;
		before = page_free_count();
		for (unsigned s = 0; s < SPACES; s++)
			begin_space(s);
		for (unsigned n = 0; n < STEPS; n++) {
			change_pages();
			if (n % 8 == 0)
				check_model();
		}
		for (unsigned s = 0; s < SPACES; s++)
			space_destroy(&model.space[s]);
		assert_int_equal(page_free_count(), before);
	}
}

/* A quarter of memory is reserved for small pages. Freed pages can be large again. */
TEST(test_large_pages_leave_a_quarter)
{
	void *taken[MEMORY_PAGES / LARGE_PAGES];
	unsigned n[2] = {0};

	boot_blocks();
	for (unsigned turn = 0; turn < 2; turn++) {
		while ((taken[n[turn]] = page_alloc_large()))
			n[turn]++;
		assert_true(page_free_count() >= page_total_count() / 4);
		assert_true(page_free_count() < page_total_count() / 4 + 2 * LARGE_PAGES);
		for (unsigned i = 0; i < n[turn]; i++)
			page_free(taken[i], LARGE_PAGES);
	}
	assert_true(n[0] > 0);
	assert_int_equal(n[0], n[1]);
}

/* Small pages that are allocated between large ones do not break blocks. */
TEST(test_small_pages_do_not_break_blocks)
{
	unsigned large = 0;

	boot_blocks();
	while (page_alloc_large()) {
		large++;
		assert_non_null(page_alloc_user(1));
	}
	assert_true(large >= MEMORY_PAGES / LARGE_PAGES * 3 / 4 - 2);
}
