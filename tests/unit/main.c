// SPDX-License-Identifier: BSD-2-Clause
/*
 * main.c - the main() of each unit test. `test_NAME PATTERN` runs the tests whose names match.
 */
#include "tests/unit/test.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>

/* The linker's ends of the section. */
extern const struct CMUnitTest __start_unit_tests[], __stop_unit_tests[];

static bool is_any_named(const char *pattern)
{
	for (const struct CMUnitTest *t = __start_unit_tests; t < __stop_unit_tests; t++)
		if (!fnmatch(pattern, t->name, 0))
			return true;
	return false;
}

int unit_run(const char *pattern)
{
	const size_t n = (size_t)(__stop_unit_tests - __start_unit_tests);
	const struct unit_group *group = &unit_group;

	if (pattern && !is_any_named(pattern)) {
		fprintf(stderr, "%s: no test is called %s\n", program_invocation_short_name,
			pattern);
		return 255;
	}
	if (pattern)
		cmocka_set_test_filter(pattern);
	return _cmocka_run_group_tests(program_invocation_short_name, __start_unit_tests, n,
				       group ? group->setup : NULL, group ? group->teardown : NULL);
}

__attribute__((weak)) int main(int argc, char **argv)
{
	return unit_run(argc > 1 ? argv[1] : NULL);
}
