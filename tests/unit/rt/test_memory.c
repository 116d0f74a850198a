// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_memory.c - pages and spaces of ring 3, compared with a model: the mappings of each space,
 * free pages, and that all memory becomes free. What must not happen is a panic at once.
 */
#include "arch/x86/mem/paging.h"
#include "arch/x86/space/space.h"

#include "arch/x86/insn.h"
#include "arch/x86/portable/numa.h"
#include "arch/x86/cpu/user.h"
#include "lib/panic.h"

#include <linux/errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/unit/test.h"

#define CONVENTIONAL 7
#define BANK_PAGES   600
#define HOLE_PAGES   3

static struct handoff handoff;
static uint8_t *memory;

static struct handoff_mem bank(size_t first, size_t pages, uint32_t type, uint32_t efi_type)
{
	return (struct handoff_mem){(uintptr_t)memory + first * PAGE_SIZE, pages, type, efi_type};
}

/* Two adjacent banks, a hole, and a third bank. The firmware needs the second bank for some time.
 */
static void boot_banks(void)
{
	const size_t bytes = (3 * BANK_PAGES + HOLE_PAGES) * PAGE_SIZE;

	if (memory)
		munmap(memory, bytes);
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	memset(memory, 0xee, bytes);
	handoff.nmem = 4;
	handoff.mem[0] = bank(0, BANK_PAGES, HANDOFF_MEM_FREE, CONVENTIONAL);
	handoff.mem[1] = bank(BANK_PAGES, BANK_PAGES, HANDOFF_MEM_FREE, 4);
	handoff.mem[2] = bank(2 * BANK_PAGES, HOLE_PAGES, HANDOFF_MEM_RESERVED, 0);
	handoff.mem[3] =
		bank(2 * BANK_PAGES + HOLE_PAGES, BANK_PAGES, HANDOFF_MEM_FREE, CONVENTIONAL);
	assert_int_equal(page_init(&handoff), 0);
}

/* --- Panics --- */

static jmp_buf panicked;
static char reason[160];

static void note_panic(const char *text)
{
	snprintf(reason, sizeof(reason), "%s", text);
	longjmp(panicked, 1);
}

/* After a panic the test calls boot_banks(), because the allocator's lock may be held. */
#define expect_panic(statement, text)                                  \
	do {                                                           \
		panic_handler *before = panic_set_handler(note_panic); \
                                                                       \
		if (!setjmp(panicked)) {                               \
			statement;                                     \
			fail_msg("no panic: %s", #statement);          \
		}                                                      \
		panic_set_handler(before);                             \
		if (!strstr(reason, text))                             \
			fail_msg("panic: %s, not: %s", reason, text);  \
	} while (0)

/* --- Pages --- */

TEST(test_memory_comes_in_two_parts)
{
	const size_t numbers = (3 * BANK_PAGES * 2 + PAGE_SIZE - 1) / PAGE_SIZE;

	boot_banks();
	assert_int_equal(page_total_count(), 3 * BANK_PAGES);
	assert_int_equal(page_free_count(), 2 * BANK_PAGES - numbers);
	page_give_rest(&handoff);
	assert_int_equal(page_free_count(), 3 * BANK_PAGES - numbers);
	/* Adjacent banks form one. */
	assert_non_null(page_alloc(2 * BANK_PAGES - numbers));
	assert_null(page_alloc(BANK_PAGES + 1));
	assert_non_null(page_alloc(BANK_PAGES));
	assert_int_equal(page_free_count(), 0);
	assert_null(page_alloc(1));
}

TEST(test_ring_3_leaves_a_reserve)
{
	size_t n = 0;

	boot_banks();
	page_give_rest(&handoff);
	while (page_alloc_user(1))
		n++;
	assert_true(n > 2 * BANK_PAGES);
	assert_int_equal(page_free_count(), page_reserve_count());
	assert_int_equal(page_reserve_count(), 3 * BANK_PAGES / 16);
	assert_null(page_alloc_user(1));
	for (n = 0; page_alloc(1); n++)
		;
	assert_int_equal(n, page_reserve_count());
	assert_null(page_alloc_user(1));
}

/* The first bank and half of the second are node 0, the rest and the third are node 1. */
#define BOUNDARY (BANK_PAGES + BANK_PAGES / 2)

static const struct numa *two_nodes(void)
{
	static struct numa numa;
	const uint64_t start = (uintptr_t)memory, boundary = start + BOUNDARY * PAGE_SIZE;

	numa = (struct numa){
		.n = 2,
		.nranges = 2,
		.range = {{start, boundary, 0},
			  {boundary, start + (3 * BANK_PAGES + HOLE_PAGES) * PAGE_SIZE, 1}},
		.order = {{0, 1}, {1, 0}},
	};
	return &numa;
}

static unsigned node_at(const void *page)
{
	return (uintptr_t)page >= (uintptr_t)memory + BOUNDARY * PAGE_SIZE;
}

static void boot_with_nodes(void)
{
	boot_banks();
	page_give_rest(&handoff);
	page_set_nodes(two_nodes());
}

TEST(test_memory_comes_from_the_own_node)
{
	size_t all;

	boot_with_nodes();
	all = page_free_count();
	assert_int_equal(page_free_on(0) + page_free_on(1), all);
	assert_int_equal(page_free_on(1), BANK_PAGES / 2 + BANK_PAGES);
	for (unsigned node = 0; node < 2; node++) {
		uint8_t *page, *user;

		page_set_here(node);
		page = page_alloc(3);
		user = page_alloc_user(1);
		assert_int_equal(node_at(page), node);
		assert_int_equal(node_at(user), node);
		assert_int_equal(page_free_on(node),
				 (node ? BANK_PAGES * 3 / 2 : all - BANK_PAGES * 3 / 2) - 4);
		page_free(page, 3);
		page_free(user, 1);
	}
	/* Adjacent banks of different nodes stay separate. */
	assert_null(page_alloc(BOUNDARY + 1));
	assert_int_equal(page_free_count(), all);
	assert_int_equal(page_strays(), 0);
}

TEST(test_pages_that_are_kept_zero_are_of_nodes)
{
	boot_with_nodes();
	page_clean_some(16);
	for (unsigned i = 0; i < 40; i++) {
		page_set_here(i % 2);
		assert_int_equal(node_at(page_alloc_user(1)), i % 2);
	}
	page_clean_some(0);
	assert_int_equal(page_free_on(0) + page_free_on(1), page_free_count());
}

TEST(test_a_bound_program_has_its_nodes_memory)
{
	size_t n;

	boot_with_nodes();
	page_set_here(1);
	page_bind(1u << 0);
	assert_int_equal(node_at(page_alloc_user(1)), 0);
	assert_int_equal(node_at(page_alloc(1)), 1);
	page_bind(1u << 1 | 1u << 0); /* both: the nearest of them */
	assert_int_equal(node_at(page_alloc_user(1)), 1);
	/* If a node has no free page, the other node gives one, which is counted. */
	page_bind(1u << 0);
	for (n = 0; page_free_on(0); n++)
		assert_int_equal(node_at(page_alloc_user(1)), 0);
	assert_int_equal(page_strays(), 0);
	assert_int_equal(node_at(page_alloc_user(1)), 1);
	assert_int_equal(page_strays(), 1);
	page_bind(0);
	assert_int_equal(page_strays(), 0);
	page_set_here(0);
	assert_int_equal(node_at(page_alloc_user(1)), 1);
	assert_int_equal(page_strays(), 1);
	while (page_alloc_user(1))
		;
	assert_int_equal(page_free_count(), page_reserve_count());
}

TEST(test_large_pages_come_from_wanted_nodes_alone)
{
	uint8_t *block;

	boot_with_nodes();
	page_set_here(1);
	block = page_alloc_large();
	assert_non_null(block);
	assert_int_equal(node_at(block), 1);
	assert_null(page_alloc_large()); /* there is one in node 0 */
	page_set_here(0);
	assert_non_null(page_alloc_large());
}

static size_t zeros_in(const void *page)
{
	const uint8_t *bytes = page;
	size_t n = 0;

	for (size_t i = 0; i < PAGE_SIZE; i++)
		n += !bytes[i];
	return n;
}

/* Cleared pages count as free and need not be cleared again. A request for adjacent pages returns
 * them to the other free pages. */
TEST(test_pages_that_are_kept_zero)
{
	uint8_t *page, *next;
	size_t all;

	boot_banks();
	page_give_rest(&handoff);
	all = page_free_count();
	page_clean_some(2);
	assert_int_equal(page_free_count(), all);
	page = page_alloc_user(1);
	assert_int_equal(zeros_in(page), PAGE_SIZE);
	assert_int_equal(page_free_count(), all - 1);
	/* The page is not cleared at this moment: it has a byte that the test wrote without the
	 * allocator's knowledge. */
	page[-1] = 1;
	next = page_alloc(1);
	assert_ptr_equal(next, page - PAGE_SIZE);
	assert_int_equal(zeros_in(next), PAGE_SIZE - 1);
	memset(page, 0xee, PAGE_SIZE);
	page_free(page, 1);
	page_free(next, 1);
	/* Freed pages are used again. */
	assert_ptr_equal(page_alloc(1), next);
	page = page_alloc(1);
	assert_int_equal(zeros_in(page), PAGE_SIZE);
	page_free(page, 1);
	page_clean_some(1);
	page = page_alloc(1);
	page_free(page, 1);
	/* Each run gets the same pages. There are no cleared pages with poison, or if none are
	 * wanted. */
	for (unsigned i = 0; i < 3; i++) {
		page_clean_some(1);
		assert_ptr_equal(page_alloc(1), page);
		page_free(page, 1);
	}
	page_clean_some(all);
	assert_non_null(page_alloc(BANK_PAGES));
	while (page_alloc(1))
		;
	assert_int_equal(page_free_count(), 0);
}

/* The fast path takes pages that are kept zero, and leaves the other cases to page_alloc_user(). */
TEST(test_pages_that_are_mapped_at_once)
{
	uint8_t *page, *used;

	boot_with_nodes();
	assert_null(page_alloc_mapped());
	page_clean_some(2);
	page_set_here(1);
	page = page_alloc_mapped();
	assert_int_equal(node_at(page), 1);
	assert_int_equal(zeros_in(page), PAGE_SIZE);
	assert_int_equal(page_maps((uintptr_t)page), 1);
	assert_int_equal(page_free_on(0) + page_free_on(1), page_free_count());
	page[1] = 1;
	page_put((uintptr_t)page);
	page_bind(1u << 0);
	assert_null(page_alloc_mapped());
	page_bind(0);
	while (page_free_count() > page_reserve_count() + 1)
		assert_non_null(page_alloc(1));
	page_set_here(0);
	page_clean_some(2);
	assert_non_null(page_alloc_mapped());
	assert_null(page_alloc_mapped()); /* the reserve */
	assert_non_null(page_alloc(1));

	boot_banks();
	page_clean_some(2);
	page = page_alloc(1);
	used = page_alloc(1);
	page_free_zero(page);
	*(void **)page = used; /* the link of a free page */
	assert_ptr_equal(page_alloc_mapped(), page);
	expect_panic(page_alloc_mapped(), "is on the list of free pages and is not free");
}

TEST(test_wrong_ways_of_freeing)
{
	uint8_t *page;

	boot_banks();
	page = page_alloc(2);
	page_free(page, 1);
	expect_panic(page_free(page, 1), "is freed and is free");

	boot_banks();
	page = page_alloc(1);
	page_mapped((uintptr_t)page);
	page_mapped((uintptr_t)page);
	assert_int_equal(page_maps((uintptr_t)page), 2);
	page_unmapped((uintptr_t)page);
	expect_panic(page_free(page, 1), "is freed while 1 tables of ring 3 map it");

	boot_banks();
	page = page_alloc(1);
	expect_panic(page_unmapped((uintptr_t)page), "unmapped for ring 3 and is not mapped");

	boot_banks();
	page = page_alloc(1);
	page_free(page, 1);
	expect_panic(page_mapped((uintptr_t)page), "mapped for ring 3 and is free");
}

/* The descriptor of a free range is in the first bytes of the range. */
TEST(test_a_forged_list_is_seen)
{
	struct {
		void *next;
		size_t pages;
	} forged = {NULL, 1};
	uint8_t *used, *freed;

	boot_banks();
	freed = page_alloc(1);
	used = page_alloc(1);
	assert_non_null(page_alloc(1));
	page_free(freed, 1);
	forged.next = used;
	memcpy(used, &(struct {
		       void *next;
		       size_t pages;
	       }){NULL, 1},
	       sizeof(forged));
	memcpy(freed, &forged, sizeof(forged));
	page_give_rest(&handoff); /* whatever that does to the list, nothing in use is given out */
	expect_panic(while (page_alloc(1));, "is on the list of free pages and is not free");
}

TEST(test_poison)
{
	uint8_t *a, *b;

	boot_banks();
	assert_int_equal(page_set_poison(2), -EINVAL);
	a = page_alloc(3);
	assert_int_equal(page_set_poison(1), 0);
	assert_int_equal(page_poisons(), 1);
	page_free(a + PAGE_SIZE, 1);
	page_free(a, 1);
	page_free(a + 2 * PAGE_SIZE, 1);
	while ((b = page_alloc(1)))
		for (unsigned i = 0; i < PAGE_SIZE; i++)
			assert_int_equal(b[i], 0);
	boot_banks();
	page_set_poison(1);
	a = page_alloc(2);
	page_free(a, 2);
	a[PAGE_SIZE + 123] ^= 1;
	expect_panic(page_alloc(2), "was written while its page was free");
	boot_banks();
	assert_int_equal(page_poisons(), 0);
}

/* --- Spaces, against a model --- */

#define SPACES 3
#define PLACES 40 /* of a space, some far from each other */
#define SHARED 6  /* pages that several spaces map, and this test frees */
#define CPUS   2
#define STEPS  60000

enum state { EMPTY, OWNED, FOREIGN, HIDDEN_OWNED, HIDDEN_FOREIGN };

static struct {
	struct space space[SPACES];
	struct {
		enum state state;
		void *page;
		unsigned prot;
	} at[SPACES][PLACES];
	void *shared[SHARED];
	uint64_t *pml4[CPUS];
	struct space here[CPUS]; /* space_here of those that do not run */
	int entered[CPUS];       /* -1: none that this test made */
	unsigned cpu;            /* that runs */
} model;

static uint64_t address_of_place(unsigned i)
{
	static const uint64_t far[] = {
		RING3_START,
		RING3_START + (1ull << 21),
		WORKLOAD_BASE,
		WORKLOAD_BASE + (37ull << 30),
		RING3_LIMIT - PLACES * PAGE_SIZE,
	};
	const unsigned n = sizeof(far) / sizeof(far[0]);

	return far[i % n] + (i / n) * PAGE_SIZE;
}

static unsigned rand_index(unsigned n)
{
	return (unsigned)rand() % n;
}

static void on_cpu(unsigned cpu)
{
	model.here[model.cpu] = space_here;
	model.cpu = cpu;
	space_here = model.here[cpu];
	shim_cr3 = (uintptr_t)model.pml4[cpu];
}

/* Returns the entry that this CPU's page walk finds; 0: a page fault. */
static uint64_t page_walk(uint64_t va)
{
	const uint64_t *table = model.pml4[model.cpu];

	for (unsigned shift = 39;; shift -= 9) {
		const uint64_t pte = table[va >> shift & 511];

		if (!(pte & PTE_PRESENT))
			return 0;
		if (shift == 12)
			return pte;
		if (pte & PTE_LARGE)
			return (pte & ~PTE_LARGE) + (va & (LARGE_BYTES - PAGE_SIZE));
		table = (const uint64_t *)(pte & PTE_ADDRESS);
	}
}

/* A space has the set of CPUs that entered it. */
static void check_cpus_of(unsigned s)
{
	uint64_t cpus[SPACE_CPUS / 64], expected = 0;

	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		if (model.entered[cpu] == (int)s)
			expected |= 1ull << cpu;
	space_cpus(&model.space[s], cpus);
	assert_int_equal(cpus[0], expected);
	for (unsigned i = 1; i < SPACE_CPUS / 64; i++)
		assert_int_equal(cpus[i], 0);
}

/* Each CPU sees the mappings of the space that it entered, at once or after space_sync(). */
static void check_cpu(unsigned cpu)
{
	const int s = model.entered[cpu];

	on_cpu(cpu);
	assert_ptr_equal(space_here.root, model.space[s].root);
	check_cpus_of((unsigned)s);
	for (unsigned i = 0; i < PLACES; i++) {
		const uint64_t pte = space_lookup(&model.space[s], address_of_place(i));
		uint64_t found = page_walk(address_of_place(i));

		if (!found && space_sync(address_of_place(i)))
			found = page_walk(address_of_place(i));
		assert_int_equal(found, pte);
		assert_false(space_sync(address_of_place(i)));
	}
}

static unsigned maps_expected(const void *page)
{
	unsigned n = 0;

	for (unsigned s = 0; s < SPACES; s++)
		for (unsigned i = 0; i < PLACES; i++)
			n += model.at[s][i].state != EMPTY && model.at[s][i].page == page;
	return n;
}

static void check_place(unsigned s, unsigned i)
{
	const uint64_t pte = space_lookup(&model.space[s], address_of_place(i));
	const enum state state = model.at[s][i].state;

	if (state != OWNED && state != FOREIGN) {
		assert_int_equal(pte, 0);
		return;
	}
	assert_int_equal(pte & PTE_ADDRESS, (uintptr_t)model.at[s][i].page);
	assert_int_equal(!!(pte & PTE_WRITE), !!(model.at[s][i].prot & PAGE_WRITE));
	assert_int_equal(!(pte & PTE_NX), !!(model.at[s][i].prot & PAGE_EXEC));
	assert_true(pte & PTE_USER);
}

static void check_model(void)
{
	for (unsigned s = 0; s < SPACES; s++) {
		unsigned entered = 0;

		for (unsigned i = 0; i < PLACES; i++) {
			check_place(s, i);
			if (model.at[s][i].state != EMPTY)
				assert_int_equal(page_maps((uintptr_t)model.at[s][i].page),
						 maps_expected(model.at[s][i].page));
		}
		for (unsigned cpu = 0; cpu < CPUS; cpu++)
			entered += model.entered[cpu] == (int)s;
		if (model.space[s].root)
			assert_int_equal(page_maps((uintptr_t)model.space[s].root), entered);
	}
	for (unsigned i = 0; i < SHARED; i++)
		assert_int_equal(page_maps((uintptr_t)model.shared[i]),
				 maps_expected(model.shared[i]));
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		check_cpu(cpu);
}

static unsigned touched;

/* As a fault does: the first access to a page of zeros. */
static void touch_one(unsigned s, unsigned i)
{
	uint64_t *slot = space_slot(&model.space[s], address_of_place(i));
	void *page = slot ? page_alloc_mapped() : NULL;

	if (model.at[s][i].state != EMPTY)
		assert_null(slot);
	if (!page)
		return;
	assert_int_equal(zeros_in(page), PAGE_SIZE);
	space_fill(&model.space[s], slot, address_of_place(i), (uintptr_t)page, PAGE_WRITE);
	model.at[s][i].state = OWNED;
	model.at[s][i].page = page;
	model.at[s][i].prot = PAGE_WRITE;
	touched++;
}

static void map_one(unsigned s, unsigned i)
{
	static const unsigned prots[] = {PAGE_READ, PAGE_WRITE, PAGE_EXEC};
	const unsigned prot = prots[rand_index(3)];
	const bool owned = rand_index(2);
	void *page = owned ? page_alloc_user(1) : model.shared[rand_index(SHARED)];
	int err;

	if (!page)
		return;
	err = space_map(&model.space[s], address_of_place(i), page, 1, prot, owned);
	if (model.at[s][i].state != EMPTY)
		assert_int_equal(err, -EEXIST);
	if (err) {
		assert_true(err == -EEXIST || err == -ENOMEM);
		if (owned)
			page_free(page, 1);
		return;
	}
	model.at[s][i].state = owned ? OWNED : FOREIGN;
	model.at[s][i].page = page;
	model.at[s][i].prot = prot;
}

static void hide_one(unsigned s, unsigned i)
{
	enum state *state = &model.at[s][i].state;

	space_hide(&model.space[s], address_of_place(i), 1);
	*state = *state == OWNED ? HIDDEN_OWNED : *state == FOREIGN ? HIDDEN_FOREIGN : *state;
}

static void unmap_one(unsigned s, unsigned i)
{
	space_unmap(&model.space[s], address_of_place(i), 1);
	model.at[s][i].state = EMPTY;
}

static void enter(unsigned cpu, int s)
{
	on_cpu(cpu);
	space_enter(&model.space[s], cpu);
	assert_ptr_equal(space_here.root, model.space[s].root);
	model.entered[cpu] = s;
}

static void renew(unsigned s)
{
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		if (model.entered[cpu] == (int)s)
			enter(cpu, (int)(s + 1) % SPACES);
	space_destroy(&model.space[s]);
	memset(model.at[s], 0, sizeof(model.at[s]));
	assert_int_equal(space_init(&model.space[s]), 0);
}

static void replace_shared(unsigned i)
{
	if (maps_expected(model.shared[i]))
		return;
	page_free(model.shared[i], 1);
	model.shared[i] = page_alloc_user(1);
	assert_non_null(model.shared[i]);
}

static void change_spaces(void)
{
	const unsigned s = rand_index(SPACES), i = rand_index(PLACES);

	switch (rand_index(64)) {
	case 0:
		renew(s);
		break;
	case 1:
		enter(rand_index(CPUS), (int)s);
		break;
	case 2:
		replace_shared(rand_index(SHARED));
		break;
	default:
		if (rand_index(2))
			map_one(s, i);
		else if (rand_index(3) == 0)
			touch_one(s, i);
		else if (rand_index(2))
			hide_one(s, i);
		else
			unmap_one(s, i);
	}
}

static void begin_model(void)
{
	memset(&model, 0, sizeof(model));
	space_here.root = NULL;
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		model.pml4[cpu] = page_alloc(1);
		model.entered[cpu] = -1;
	}
	for (unsigned s = 0; s < SPACES; s++)
		assert_int_equal(space_init(&model.space[s]), 0);
	for (unsigned i = 0; i < SHARED; i++)
		model.shared[i] = page_alloc_user(1);
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		enter(cpu, 0);
}

static void end_model(void)
{
	static const struct space none;

	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		on_cpu(cpu);
		space_enter(&none, cpu);
		for (unsigned i = 0; i < SPACE_ENTRIES; i++)
			assert_int_equal(model.pml4[cpu][i], 0);
	}
	for (unsigned s = 0; s < SPACES; s++)
		space_destroy(&model.space[s]);
	for (unsigned i = 0; i < SHARED; i++)
		page_free(model.shared[i], 1);
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		page_free(model.pml4[cpu], 1);
}

TEST(test_spaces_against_a_model)
{
	for (unsigned seed = 1; seed <= 4; seed++) {
		size_t before;

		srand(seed);
		boot_banks();
		page_set_poison(seed % 2);
		page_clean_some(64);
		touched = 0;
		before = page_free_count();
		begin_model();
		for (unsigned n = 0; n < STEPS; n++) {
			change_spaces();
			if (n % 16 == 0)
				check_model();
		}
		end_model();
		assert_int_equal(page_free_count(), before);
		assert_true(seed % 2 ? !touched : touched > STEPS / 100);
	}
}

/* Without memory for a table an operation changes nothing and leaks nothing. */
TEST(test_spaces_without_memory)
{
	struct space s;
	void *page, *rest[3 * BANK_PAGES];
	size_t n = 0, before;

	boot_banks();
	before = page_free_count();
	assert_int_equal(space_init(&s), 0);
	page = page_alloc(1);
	while (page_free_count() > page_reserve_count() + 1)
		rest[n++] = page_alloc(1);
	assert_int_equal(space_map(&s, WORKLOAD_BASE, page, 1, PAGE_READ, false), -ENOMEM);
	assert_int_equal(page_maps((uintptr_t)page), 0);
	space_destroy(&s);
	while (n)
		page_free(rest[--n], 1);
	page_free(page, 1);
	assert_int_equal(page_free_count(), before);
}

static bool maps_page(struct space *s, uint64_t va, void *page)
{
	const int err = space_map(s, va, page, 1, PAGE_READ, false);

	if (!err) {
		assert_true(space_lookup(s, va));
		space_unmap(s, va, 1);
	} else {
		assert_int_equal(err, -EINVAL);
	}
	return !err;
}

/* Ring 3 cannot map ring 0's half, the pages around address 0, and the last page. */
TEST(test_where_ring_3_ends)
{
	struct space s;
	void *page;

	boot_banks();
	space_here.root = NULL;
	page = page_alloc(2);
	assert_int_equal(space_init(&s), 0);
	assert_false(maps_page(&s, 0, page));
	assert_false(maps_page(&s, RING3_START - PAGE_SIZE, page));
	assert_true(maps_page(&s, RING3_START, page));
	assert_true(maps_page(&s, RING3_LIMIT - PAGE_SIZE, page));
	assert_false(maps_page(&s, RING3_LIMIT, page));
	assert_false(maps_page(&s, 0x800000000000, page));
	assert_false(maps_page(&s, 0xffff800000000000, page));
	assert_int_equal(space_map(&s, RING3_LIMIT - PAGE_SIZE, page, 2, PAGE_READ, false),
			 -EINVAL);
	assert_int_equal(space_lookup(&s, 0), 0);
	assert_int_equal(space_lookup(&s, UINT64_MAX), 0);
	space_destroy(&s);
}

TEST(test_a_space_that_is_entered_stays)
{
	struct space s;

	boot_banks();
	memset(&model, 0, sizeof(model));
	model.pml4[0] = page_alloc(1);
	space_here.root = NULL;
	on_cpu(0);
	assert_int_equal(space_init(&s), 0);
	space_enter(&s, 0);
	expect_panic(space_destroy(&s), "is freed while 1 tables of ring 3 map it");
}

/* Memory that ring 0 has no address for is not listed. The amount of such usable memory is
 * reported. */
TEST(test_memory_beyond_reach)
{
	static struct handoff h;
	const uint64_t edge = HANDOFF_REACH;

	handoff_add_memory(&h, 0x1000, 0x1000, HANDOFF_MEM_FREE, CONVENTIONAL);
	assert_int_equal(h.nmem, 0);
	handoff_add_memory(&h, edge - 0x3000, edge, HANDOFF_MEM_FREE, CONVENTIONAL);
	handoff_add_memory(&h, edge - 0x2000, edge + 0x5000, HANDOFF_MEM_FREE, CONVENTIONAL);
	handoff_add_memory(&h, edge, edge + 0x1000, HANDOFF_MEM_FREE, CONVENTIONAL);
	handoff_add_memory(&h, 1ull << 51, (1ull << 51) + 0x2000, HANDOFF_MEM_FREE, CONVENTIONAL);
	handoff_add_memory(&h, 1ull << 48, (1ull << 48) + 0x9000, HANDOFF_MEM_MMIO, 11);
	handoff_add_memory(&h, -0x2000ull, 0, HANDOFF_MEM_FREE, CONVENTIONAL); /* it wraps */
	assert_int_equal(h.nmem, 2);
	assert_int_equal(h.mem[0].base, edge - 0x3000);
	assert_int_equal(h.mem[0].pages, 3);
	assert_int_equal(h.mem[1].pages, 2);
	assert_int_equal(h.unreached, 5 + 1 + 2);
	while (h.nmem < HANDOFF_MAX_MEM)
		handoff_add_memory(&h, 0x1000, 0x2000, HANDOFF_MEM_RESERVED, 0);
	handoff_add_memory(&h, 0x1000, 0x2000, HANDOFF_MEM_FREE, CONVENTIONAL);
	assert_int_equal(h.nmem, HANDOFF_MAX_MEM);
	assert_int_equal(h.dropped, 1);
	handoff_add_memory(&h, edge, edge + 0x1000, HANDOFF_MEM_RESERVED, 0);
	assert_int_equal(h.dropped, 1);
	assert_int_equal(h.unreached, 8);
}
