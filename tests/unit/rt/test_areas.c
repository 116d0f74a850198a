// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_areas.c - areas of memory, compared with a model that has the mapping of each page. After
 * random operations both agree, equal neighbours form one area, and there are as many references as
 * areas.
 */
#include "linux/portable/areas.h"
#include "linux/portable/mapped.h"
#include "tests/shim/shim_heap.h"

#include <linux/errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define PAGE  4096ull
#define PAGES 200
#define FILES 3
#define BASE  (16 * PAGE)
#define TURNS 20000

static int no_page(struct mapped *m, uint64_t index, bool write, uint64_t *page)
{
	(void)m, (void)index, (void)write, (void)page;
	return -EFAULT;
}

static void never_released(struct mapped *m)
{
	(void)m;
	fail_msg("the test has a reference still");
}

static const struct mapped_ops ops = {no_page, never_released};
static struct mapped files[FILES];

/* The mapping of one page. */
struct place {
	bool used;
	uint8_t prot, flags;
	struct mapped *from;
	uint64_t offset;
};

static struct place model[PAGES];
static struct areas areas;

static uint64_t page_address(unsigned page)
{
	return BASE + page * PAGE;
}

FIXTURE(begin)
{
	memset(model, 0, sizeof(model));
	areas = (struct areas){0};
	for (unsigned i = 0; i < FILES; i++)
		files[i] = (struct mapped){.ops = &ops, .refs = 1};
	srand(1);
	return 0;
}

FIXTURE(end)
{
	areas_forget(&areas);
	for (unsigned i = 0; i < FILES; i++)
		assert_int_equal(files[i].refs, 1);
	return 0;
}

static unsigned rand_below(unsigned n)
{
	return (unsigned)rand() % n;
}

static bool same_place(const struct place *p, const struct area *a, uint64_t address)
{
	return p->prot == a->prot && p->flags == a->flags && p->from == a->from &&
	       (!a->from || p->offset == a->offset + (address - a->start));
}

static void check_page(unsigned i)
{
	const struct area *a = areas_at(&areas, page_address(i) + rand_below(PAGE));

	assert_int_equal(model[i].used, a != NULL);
	if (a)
		assert_true(same_place(&model[i], a, page_address(i)));
}

static void check_areas(void)
{
	unsigned refs[FILES] = {0};
	uint64_t bytes = 0;

	for (unsigned i = 0; i < PAGES; i++)
		check_page(i);
	for (unsigned i = 0; i < areas.n; i++) {
		const struct area *a = &areas.area[i], *next = a + 1;

		assert_true(a->start < a->end);
		bytes += a->end - a->start;
		if (a->from)
			refs[a->from - files]++;
		if (i + 1 == areas.n)
			break;
		assert_true(a->end <= next->start);
		assert_false(a->end == next->start && a->prot == next->prot &&
			     a->flags == next->flags && a->from == next->from &&
			     (!a->from || a->offset + (a->end - a->start) == next->offset));
	}
	assert_true(bytes == areas.bytes);
	for (unsigned i = 0; i < FILES; i++)
		assert_int_equal(files[i].refs, 1 + refs[i]);
}

static bool is_free(unsigned first, unsigned n)
{
	for (unsigned i = first; i < first + n; i++)
		if (model[i].used)
			return false;
	return true;
}

static void add_some(unsigned first, unsigned n)
{
	struct mapped *from = rand_below(2) ? &files[rand_below(FILES)] : NULL;
	const struct area a = {
		.start = page_address(first),
		.end = page_address(first + n),
		.from = from,
		.offset = from ? rand_below(4) * PAGE : 0,
		.prot = (uint8_t)rand_below(3),
		.flags = (uint8_t)rand_below(2),
	};

	assert_int_equal(areas_free(&areas, a.start, a.end), is_free(first, n));
	if (!is_free(first, n))
		return;
	mapped_get(from);
	assert_int_equal(areas_add(&areas, &a), 0);
	for (unsigned i = 0; i < n; i++)
		model[first + i] =
			(struct place){true, a.prot, a.flags, from, from ? a.offset + i * PAGE : 0};
}

static void note_piece(const struct area *piece, void *pages)
{
	*(uint64_t *)pages += (piece->end - piece->start) / PAGE;
	mapped_put(piece->from);
}

static void cut_some(unsigned first, unsigned n)
{
	uint64_t pages = 0, wanted = 0;

	assert_int_equal(
		areas_cut(&areas, page_address(first), page_address(first + n), note_piece, &pages),
		0);
	for (unsigned i = first; i < first + n; i++) {
		wanted += model[i].used;
		model[i].used = false;
	}
	assert_int_equal(pages, wanted);
}

static void set_prot(struct area *piece, void *prot)
{
	piece->prot = *(uint8_t *)prot;
}

static void change_some(unsigned first, unsigned n)
{
	uint8_t prot = (uint8_t)rand_below(3);
	bool whole = true;
	int err =
		areas_change(&areas, page_address(first), page_address(first + n), set_prot, &prot);

	for (unsigned i = first; i < first + n; i++) {
		whole = whole && model[i].used;
		model[i].prot = prot;
	}
	assert_int_equal(err, whole ? 0 : -ENOMEM);
}

/* Finds the highest place by looking at each page. */
static void check_gap(unsigned n)
{
	unsigned at = PAGES - n + 1;

	while (at && !is_free(at - 1, n))
		at--;
	assert_true(areas_gap(&areas, n * PAGE, PAGE, BASE, page_address(PAGES)) ==
		    (at ? page_address(at - 1) : 0));
}

TEST_WITH(test_areas_are_as_their_model, begin, end)
{
	for (unsigned turn = 0; turn < TURNS; turn++) {
		const unsigned first = rand_below(PAGES),
			       n = 1 + rand_below(PAGES - first < 12 ? PAGES - first : 12);

		switch (rand_below(8)) {
		case 0:
		case 1:
		case 2:
			add_some(first, n);
			break;
		case 3:
			cut_some(first, n);
			break;
		case 4:
			check_gap(n);
			break;
		default:
			change_some(first, n);
		}
		if (turn % 16 == 0)
			check_areas();
	}
	check_areas();
}

TEST_WITH(test_a_copy_has_references_of_its_own, begin, end)
{
	struct areas copy = {0};

	for (unsigned i = 0; i < 40; i++)
		add_some(rand_below(PAGES - 4), 1 + rand_below(4));
	assert_int_equal(areas_copy(&copy, &areas), 0);
	assert_int_equal(copy.n, areas.n);
	assert_true(copy.bytes == areas.bytes);
	areas_forget(&areas);
	for (unsigned i = 0; i < copy.n; i++)
		assert_true(!copy.area[i].from || copy.area[i].from->refs > 1);
	areas_forget(&copy);
}

/* An operation without memory changes nothing. */
TEST_WITH(test_areas_without_memory, begin, end)
{
	const unsigned n = 16; /* as many as there is room for at first */
	uint8_t prot = 1;

	for (unsigned i = 0; i < n; i++)
		assert_int_equal(areas_add(&areas, &(struct area){.start = page_address(4 * i),
								  .end = page_address(4 * i + 3)}),
				 0);
	shim_heap.fail_at = shim_heap.calls + 1;
	assert_int_equal(areas_add(&areas, &(struct area){.start = page_address(100),
							  .end = page_address(101)}),
			 -ENOMEM);
	assert_int_equal(areas_cut(&areas, page_address(1), page_address(2), NULL, NULL), -ENOMEM);
	assert_int_equal(areas_change(&areas, page_address(1), page_address(2), set_prot, &prot),
			 -ENOMEM);
	shim_heap.fail_at = 0;
	assert_int_equal(areas.n, n);
	for (unsigned i = 0; i < n; i++)
		assert_true(areas.area[i].end - areas.area[i].start == 3 * PAGE);
}
