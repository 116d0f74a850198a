/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test.h - unit tests on cmocka that register themselves. main.c runs them in the order of the
 *file. Macros replace a function's head:
 *
 *	TEST(name) { ... }
 *	TEST_WITH(name, setup, teardown) { ... }	between fixtures, NULL where there is none
 *	FIXTURE(name) { ... }				returns 0, or -1: the test fails
 *	GROUP(setup, teardown);				around all tests of the file, once
 *
 * Each of them has cmocka's `void **state` as its parameter.
 */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/*
 * Puts an object or an array of struct CMUnitTest among the registered tests. no_reorder keeps
 * the order of the file; the alignment keeps gaps out of the section.
 */
#define REGISTERED __attribute__((used, section("unit_tests"), no_reorder, aligned(8)))

#define TEST(name) TEST_WITH(name, NULL, NULL)

#define TEST_WITH(name, setup, teardown)                                                   \
	static void name(void **state);                                                    \
	static const struct CMUnitTest name##_registered REGISTERED = {#name, name, setup, \
								       teardown, NULL};    \
	static void name(__attribute__((unused)) void **state)

#define FIXTURE(name) static inline int name(__attribute__((unused)) void **state)

struct unit_group {
	CMFixtureFunction setup, teardown;
};

#define GROUP(setup, teardown) const struct unit_group unit_group = {setup, teardown}

/* Optional: the GROUP() of the file. */
extern const struct unit_group unit_group __attribute__((weak));

/*
 * Runs the registered tests whose names match `pattern` (fnmatch(3)), or all of them if it is NULL.
 * Returns the exit status: the number of failed tests, or 255 if no name matches. main() calls it
 * with the first argument; so does a program with its own main().
 */
int unit_run(const char *pattern);

#endif
