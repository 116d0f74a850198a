// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_parse_refusals.c - the event parser: where each bad text is wrong.
 */
#include "tests/unit/names/bad_texts.h"
#include "tests/unit/names/parsed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_bad(void **state)
{
	unsigned failed = 0;

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad),
	};

	return cmocka_run_group_tests_name("parse refusals", tests, NULL, NULL);
}
