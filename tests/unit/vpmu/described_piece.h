/* SPDX-License-Identifier: BSD-2-Clause */
/* described_piece.h - pieces of code for tests of the core in time, by their bytes. */
#ifndef TESTS_UNIT_VPMU_DESCRIBED_PIECE_H
#define TESTS_UNIT_VPMU_DESCRIBED_PIECE_H

#include "tests/unit/test.h"
#include "vpmu/core/core_steady.h"

#include <stdio.h>
#include <stdlib.h>

/* piece_of() - describes a piece in hex; the caller frees it. */
static inline struct core_piece *piece_of(const char *core, const char *hex)
{
	static struct core_model model;
	struct core_piece *piece = calloc(1, sizeof(*piece));
	uint8_t code[2048];
	size_t n = 0;
	unsigned byte;

	for (; sscanf(hex + 2 * n, "%2x", &byte) == 1 && hex[2 * n]; n++)
		code[n] = (uint8_t)byte;
	assert_non_null(piece);
	assert_true(core_model_find(&model, core));
	assert_true(core_piece_describe(piece, &model, code, n));
	assert_int_equal(piece->unknown, 0);
	return piece;
}

#endif
