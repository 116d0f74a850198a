// SPDX-License-Identifier: BSD-2-Clause
/* test_xxh64.c - compares XXH64 with libxxhash, at all lengths around its steps. */
#include <stdlib.h>

#include "tests/unit/test.h"
#include <xxhash.h>

#include "lib/format/xxh64.h"

TEST(test_as_libxxhash)
{
	static uint8_t bytes[70000];

	srand(1);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)rand();
	for (size_t n = 0; n < 300; n++)
		for (size_t at = 0; at < 9; at++)
			assert_int_equal(xxh64(bytes + at, n), XXH64(bytes + at, n, 0));
	assert_int_equal(xxh64(bytes, sizeof(bytes)), XXH64(bytes, sizeof(bytes), 0));
}
