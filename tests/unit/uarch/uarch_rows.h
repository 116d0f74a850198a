/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uarch_rows.h - shared by the tests of the rows of pmu/uarch/.
 */
#ifndef TESTS_UARCH_ROWS_H
#define TESTS_UARCH_ROWS_H

#include "lib/bits.h"
#include "pmu/uarch/uarch.h"
#include "vpmu/model/model.h"

#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define FOR_EACH(u)                                             \
	for (size_t u##_i = 0; u##_i < count_uarchs(); u##_i++) \
		for (const struct uarch *u = uarch_list(u##_i), *once = u; once; once = NULL)

static inline size_t count_uarchs(void)
{
	size_t n = 0;

	while (uarch_list(n))
		n++;
	return n;
}

struct rows {
	const struct uarch_constraint *row[128];
	size_t n;
};

static inline struct rows rows_of(const struct uarch *u)
{
	struct rows rows = {.n = 0};

	while ((rows.row[rows.n] = uarch_constraint_row(u, rows.n)))
		assert_true(++rows.n < UARCH_COUNT(rows.row));
	return rows;
}

#endif
