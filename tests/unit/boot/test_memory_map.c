// SPDX-License-Identifier: BSD-2-Clause
/* test_memory_map.c - boot/bz/memory_map.c: maps of BIOSes that overlap, are out of order, or make
 * no sense, against a model that decides page by page. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "boot/bz/memory_map.h"

#define PAGE     4096ull
#define MIB      (1ull << 20)
#define GIB      (1ull << 30)
#define REACH    (4 * GIB)
#define PAGES    64
#define EFI_DATA 4
#define EFI_CONV 7

static struct handoff handoff;

static void note_ranges(const struct map_range *ranges, size_t n)
{
	memset(&handoff, 0xa5, sizeof(handoff));
	map_note(&handoff, ranges, n, REACH);
}

static void expect_piece(uint32_t i, uint64_t base, uint64_t end, uint32_t type, uint32_t efi_type)
{
	assert_in_range(i, 0, handoff.nmem - 1);
	assert_int_equal(handoff.mem[i].base, base);
	assert_int_equal(handoff.mem[i].base + handoff.mem[i].pages * PAGE, end);
	assert_int_equal(handoff.mem[i].type, type);
	assert_int_equal(handoff.mem[i].efi_type, efi_type);
}

/* As SeaBIOS tells it, with the image in the middle. */
TEST(test_map_of_a_bios)
{
	static const struct map_range ranges[] = {
		{0, 0x9fc00, MAP_FREE},           {0x9fc00, 0x400, MAP_RESERVED},
		{0xf0000, 0x10000, MAP_RESERVED}, {MIB, 0xffdf000, MAP_FREE},
		{0x100df000, 0x21000, MAP_ACPI},  {16 * MIB, 7 * MIB, MAP_IMAGE},
		{4 * GIB, GIB, MAP_FREE},
	};

	note_ranges(ranges, sizeof(ranges) / sizeof(ranges[0]));
	assert_int_equal(handoff.nmem, 8);
	expect_piece(0, 0, 0x9f000, HANDOFF_MEM_FREE, EFI_CONV);
	expect_piece(1, 0x9f000, 0xa0000, HANDOFF_MEM_RESERVED, EFI_CONV);
	expect_piece(2, 0xf0000, MIB, HANDOFF_MEM_RESERVED, EFI_CONV);
	expect_piece(3, MIB, 16 * MIB, HANDOFF_MEM_FREE, EFI_CONV);
	expect_piece(4, 16 * MIB, 23 * MIB, HANDOFF_MEM_IMAGE, EFI_CONV);
	expect_piece(5, 23 * MIB, 0x100df000, HANDOFF_MEM_FREE, EFI_CONV);
	expect_piece(6, 0x100df000, 0x10100000, HANDOFF_MEM_ACPI, EFI_CONV);
	expect_piece(7, 4 * GIB, 5 * GIB, HANDOFF_MEM_FREE, EFI_DATA);
}

/* A range across the limit is two: tables of the loader's half do not map the upper one. */
TEST(test_limit_splits)
{
	static const struct map_range range = {3 * GIB, 2 * GIB, MAP_FREE};

	note_ranges(&range, 1);
	assert_int_equal(handoff.nmem, 2);
	expect_piece(0, 3 * GIB, 4 * GIB, HANDOFF_MEM_FREE, EFI_CONV);
	expect_piece(1, 4 * GIB, 5 * GIB, HANDOFF_MEM_FREE, EFI_DATA);
}

/* Sizes of 0, sizes that go round the address space, parts of a page, and memory out of reach. */
TEST(test_absurd_ranges)
{
	static const struct map_range ranges[] = {
		{UINT64_MAX, UINT64_MAX, MAP_FREE}, {UINT64_MAX - 5, 3, MAP_RESERVED},
		{0x5000, 0, MAP_RESERVED},          {0x1800, 0x700, MAP_FREE},
		{0x3001, 0x2fff, MAP_FREE},         {HANDOFF_REACH - MIB, 3 * MIB, MAP_FREE},
		{0x3fff, 0x10000, MAP_KEPT},
	};

	note_ranges(ranges, sizeof(ranges) / sizeof(ranges[0]));
	assert_int_equal(handoff.unreached, 512);
	assert_int_equal(handoff.dropped, 0);
	/* A kept range lies over memory, and hides it. */
	assert_int_equal(handoff.nmem, 2);
	expect_piece(0, 0x4000, 0x6000, HANDOFF_MEM_ACPI, EFI_CONV);
	expect_piece(1, HANDOFF_REACH - MIB, HANDOFF_REACH, HANDOFF_MEM_FREE, EFI_DATA);
	assert_true(map_keeps(&handoff, 0x4000, 0x2000));
	assert_true(map_keeps(&handoff, 0x5fff, 1));
	assert_false(map_keeps(&handoff, 0x5fff, 2));
	assert_false(map_keeps(&handoff, 0x4000, UINT64_MAX));
	assert_false(map_keeps(&handoff, 0x3fff, 1));
	note_ranges(NULL, 0);
	assert_int_equal(handoff.nmem, 0);
}

/* The list has room for so many, and counts the others. */
TEST(test_too_many)
{
	static struct map_range ranges[HANDOFF_MAX_MEM + 10];

	for (size_t i = 0; i < HANDOFF_MAX_MEM + 10; i++)
		ranges[i] = (struct map_range){2 * i * PAGE, PAGE, MAP_FREE};
	note_ranges(ranges, HANDOFF_MAX_MEM + 10);
	assert_int_equal(handoff.nmem, HANDOFF_MAX_MEM);
	assert_int_equal(handoff.dropped, 10);
}

static const uint32_t types[] = {
	[MAP_FREE] = HANDOFF_MEM_FREE,   [MAP_KEPT] = HANDOFF_MEM_ACPI,
	[MAP_ACPI] = HANDOFF_MEM_ACPI,   [MAP_RESERVED] = HANDOFF_MEM_RESERVED,
	[MAP_IMAGE] = HANDOFF_MEM_IMAGE,
};

/* The kind of a page: the strongest that lies there. Free memory has whole pages only. */
static enum map_kind model_kind(const struct map_range *ranges, size_t n, uint64_t page)
{
	enum map_kind kind = MAP_NONE;
	bool is_memory = false;

	for (size_t i = 0; i < n; i++) {
		const uint64_t base = ranges[i].base, end = base + ranges[i].bytes;
		const bool whole = base <= page && end >= page + PAGE;
		const bool part = base < page + PAGE && end > page && ranges[i].bytes;

		if (ranges[i].kind == MAP_FREE ? !whole : !part)
			continue;
		is_memory |= ranges[i].kind == MAP_FREE;
		kind = ranges[i].kind > kind ? ranges[i].kind : kind;
	}
	return kind == MAP_KEPT && !is_memory ? MAP_NONE : kind;
}

static uint32_t noted_type(uint64_t page, bool *is_listed)
{
	*is_listed = false;
	for (uint32_t i = 0; i < handoff.nmem; i++)
		if (page >= handoff.mem[i].base &&
		    page - handoff.mem[i].base < handoff.mem[i].pages * PAGE) {
			*is_listed = true;
			return handoff.mem[i].type;
		}
	return 0;
}

TEST(test_random_maps)
{
	struct map_range ranges[12];

	srand(1);
	for (int round = 0; round < 3000; round++) {
		const size_t n = (size_t)rand() % 12;

		for (size_t i = 0; i < n; i++)
			ranges[i] = (struct map_range){
				(uint64_t)rand() % (PAGES * PAGE / 1024) * 1024,
				(uint64_t)rand() % 24 * 1024, 1 + (unsigned)rand() % MAP_IMAGE};
		note_ranges(ranges, n);
		for (uint32_t i = 1; i < handoff.nmem; i++)
			assert_true(handoff.mem[i - 1].base + handoff.mem[i - 1].pages * PAGE <=
				    handoff.mem[i].base);
		for (uint64_t page = 0; page < (PAGES + 8) * PAGE; page += PAGE) {
			const enum map_kind kind = model_kind(ranges, n, page);
			bool is_listed;
			const uint32_t type = noted_type(page, &is_listed);

			assert_int_equal(is_listed, kind != MAP_NONE);
			if (is_listed)
				assert_int_equal(type, types[kind]);
		}
	}
}

/* The place that is found is free, aligned, below the end, and no higher one is. */
TEST(test_random_finds)
{
	struct map_range ranges[8];

	srand(2);
	for (int round = 0; round < 3000; round++) {
		const size_t n = (size_t)rand() % 8;
		const uint64_t end = (uint64_t)(rand() % PAGES) * PAGE,
			       bytes = (1 + (uint64_t)rand() % 6) * PAGE,
			       align = PAGE << rand() % 3;
		uint64_t best = 0;

		for (size_t i = 0; i < n; i++)
			ranges[i] = (struct map_range){(uint64_t)rand() % PAGES * PAGE,
						       (uint64_t)rand() % 32 * PAGE,
						       rand() % 3 ? MAP_FREE : MAP_RESERVED};
		for (uint64_t at = align; at + bytes <= end; at += align) {
			bool fits = true;

			for (uint64_t page = at; page < at + bytes; page += PAGE)
				fits &= model_kind(ranges, n, page) == MAP_FREE;
			best = fits ? at : best;
		}
		/* Pieces of two ranges are looked at one by one. */
		const uint64_t found = map_find(ranges, n, end, bytes, align);

		assert_true(found <= best);
		assert_true(found || !best || n > 1);
		for (uint64_t page = found; found && page < found + bytes; page += PAGE)
			assert_int_equal(model_kind(ranges, n, page), MAP_FREE);
		assert_int_equal(found % align, 0);
		if (found)
			assert_in_range(found + bytes, 0, end);
	}
	assert_int_equal(map_find(&(struct map_range){0, 8 * MIB, MAP_FREE}, 1, GIB, MIB, PAGE),
			 7 * MIB);
	assert_int_equal(map_find(&(struct map_range){0, 2 * MIB, MAP_FREE}, 1, GIB, 2 * MIB, PAGE),
			 0);
	assert_int_equal(
		map_find(&(struct map_range){0, 8 * MIB, MAP_FREE}, 1, GIB, UINT64_MAX, PAGE), 0);
}

TEST(test_kinds)
{
	assert_int_equal(map_kind_of(1), MAP_FREE);
	assert_int_equal(map_kind_of(2), MAP_RESERVED);
	assert_int_equal(map_kind_of(3), MAP_ACPI);
	assert_int_equal(map_kind_of(4), MAP_ACPI);
	assert_int_equal(map_kind_of(5), MAP_RESERVED);
	assert_int_equal(map_kind_of(7), MAP_RESERVED);
	assert_int_equal(map_kind_of(UINT32_MAX), MAP_RESERVED);
}
