// SPDX-License-Identifier: BSD-2-Clause
/* test_maps.c - an address is found in the newest map that contains it, for any order of maps. */
#include "tests/unit/test.h"

#include "tools/out/maps.h"

#define NMAPS     300
#define ADDRESSES 512

static uint64_t seed;

static uint64_t address_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static const struct map_range *newest(const struct map_range *all, size_t n, uint32_t pid,
				      uint64_t address)
{
	while (n--)
		if (all[n].pid == pid && address >= all[n].start && address <= all[n].last)
			return &all[n];
	return NULL;
}

static void expect_all(const struct maps *maps, const struct map_range *all, size_t n)
{
	for (uint32_t pid = 0; pid < 4; pid++)
		for (uint64_t address = 0; address < ADDRESSES + 8; address++) {
			const struct map_range *wanted = newest(all, n, pid, address),
					       *found = maps_find(maps, pid, address);

			assert_int_equal(!found, !wanted);
			if (!found)
				continue;
			assert_int_equal(found->offset + (address - found->start),
					 wanted->offset + (address - wanted->start));
			assert_ptr_equal(found->program, wanted->program);
		}
}

TEST(the_newest_is_found)
{
	static struct map_range all[NMAPS];

	for (uint64_t round = 1; round < 8; round++) {
		struct maps maps = {0};

		seed = round * 0x9e3779b97f4a7c15;
		for (size_t i = 0; i < NMAPS; i++) {
			uint64_t start = address_below(ADDRESSES),
				 room = address_below(4) ? 16 : ADDRESSES;

			all[i] = (struct map_range){
				.pid = (uint32_t)address_below(3),
				.program = (const void *)(uintptr_t)address_below(
					2), /* never looked at */
				.start = start,
				.last = start + address_below(room),
				.offset = i << 32,
			};
			maps_add(&maps, &all[i]);
			if (i % 37 == 0 || i + 1 == NMAPS)
				expect_all(&maps, all, i + 1);
		}
		maps_free(&maps);
	}
}

/* The first and the last address there is. */
TEST(ends_of_the_address_space)
{
	const struct map_range all = {.pid = 1, .start = 0, .last = UINT64_MAX},
			       end = {.pid = 1,
				      .start = UINT64_MAX,
				      .last = UINT64_MAX,
				      .offset = 7},
			       begin = {.pid = 1, .start = 0, .last = 0, .offset = 9};
	struct maps maps = {0};

	maps_add(&maps, &all);
	maps_add(&maps, &end);
	maps_add(&maps, &begin);
	assert_int_equal(maps_find(&maps, 1, UINT64_MAX)->offset, 7);
	assert_int_equal(maps_find(&maps, 1, 0)->offset, 9);
	assert_int_equal(maps_find(&maps, 1, 1)->offset + 1 - maps_find(&maps, 1, 1)->start, 1);
	assert_int_equal(maps_find(&maps, 1, UINT64_MAX - 1)->last, UINT64_MAX - 1);
	maps_free(&maps);
}
