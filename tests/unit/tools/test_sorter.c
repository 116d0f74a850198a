// SPDX-License-Identifier: BSD-2-Clause
/* test_sorter.c - items are in the same order, whether they fit into memory or go through a file.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "tools/util/sorter.h"

#define ITEM_MAX 150000 /* more than one window */

/* An item: its key, its number in the input, and bytes that follow from both. */
struct item {
	uint64_t key, order;
	uint8_t bytes[];
};

static uint64_t seed;

static uint64_t key_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static size_t extra_of(uint64_t order)
{
	return order % 97 == 96 ? ITEM_MAX - sizeof(struct item) : order % 31;
}

static void expect_order(size_t n, size_t held)
{
	static uint8_t room[ITEM_MAX] __attribute__((aligned(8)));
	struct sorter sorter = {.compare = compare, .held = held};
	struct item *item = (void *)room;
	const struct item *got;
	uint64_t last_key = 0, last_order = 0, sum = 0;
	size_t size, came = 0;

	seed = 0x9e3779b97f4a7c15 + n;
	for (size_t i = 0; i < n; i++) {
		*item = (struct item){.key = key_below(n / 2 + 1), .order = i};
		memset(item->bytes, (int)i, extra_of(i));
		sorter_add(&sorter, item, sizeof(*item) + extra_of(i));
	}
	while ((got = sorter_next(&sorter, &size))) {
		assert_int_equal((uintptr_t)got % 8, 0);
		assert_int_equal(size, sizeof(*got) + extra_of(got->order));
		for (size_t i = 0; i < extra_of(got->order); i++)
			assert_int_equal(got->bytes[i], (uint8_t)got->order);
		if (came++)
			assert_true(got->key > last_key ||
				    (got->key == last_key && got->order > last_order));
		last_key = got->key;
		last_order = got->order;
		sum += got->order;
	}
	assert_int_equal(came, n);
	assert_int_equal(sum, n ? n * (n - 1) / 2 : 0);
	assert_int_equal(sorter.file_size > 0, held && n > 1);
	sorter_free(&sorter);
}

TEST(any_number_in_any_room)
{
	static const size_t numbers[] = {0, 1, 2, 3, 100, 1000, 3000}, rooms[] = {0, 1, 300, 20000};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		for (size_t k = 0; k < sizeof(rooms) / sizeof(rooms[0]); k++)
			if (numbers[i] <= 100 || rooms[k] != 1)
				expect_order(numbers[i],
					     rooms[k] && numbers[i] * 24 > rooms[k] ? rooms[k] : 0);
}
