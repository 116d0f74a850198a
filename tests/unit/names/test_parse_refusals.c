// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_parse_refusals.c - the event parser: the place of each mistake.
 */
#include "tests/unit/names/bad_texts.h"
#include "tests/unit/names/parsed.h"

#include "tests/unit/test.h"

TEST(test_bad)
{
	unsigned failed = 0;

	assert_true(sizeof(bad) / sizeof(bad[0]) >= 300);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct bad *b = &bad[i];
		int n = pmu_parse_events(b->text, specs, MAX, &err);

		if (n == -EINVAL && err.column == b->column && strstr(err.text, b->sentence))
			continue;
		print_error("'%s' gives %d, column %zu: %s\n", b->text, n, err.column, err.text);
		failed++;
	}
	assert_int_equal(failed, 0);
}
