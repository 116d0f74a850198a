/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hot_code.h - the loops and blocks of an exact profile that execute the most instructions.
 *
 * A loop is what lies between a branch and its target before it, if no other loop lies within: the
 * instructions there that are executed at least half as often as the branch. A block is a sequence
 * of instructions outside of such loops that are executed equally often.
 */
#ifndef TOOLS_EXPLAIN_HOT_CODE_H
#define TOOLS_EXPLAIN_HOT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/profile/profile_fold.h"
#include "tools/util/buf.h"

#define HOT_INSNS 512 /* in one loop or block; the rest of a longer one is another */

struct hot_code {
	uint32_t row;       /* of the profile */
	size_t first, last; /* indices of its first and last place */
	bool loop;
	uint64_t times;    /* its branch back, or its instructions, were executed */
	uint64_t executed; /* instructions in all */
	uint8_t *code;     /* the bytes of the instructions that are counted */
	uint32_t bytes;
	unsigned n;    /* instructions in `code` */
	size_t *place; /* of each of these */
};

/*
 * hot_code_find() - appends the `most` hottest ones in functions that `is_match` has, all if it is
 * NULL, to `out` as struct hot_code, the hottest first. The profile's first event is instructions.
 */
void hot_code_find(struct buf *out, const struct profile *profile, const bool *is_match,
		   size_t most);
void hot_code_free(struct buf *found);

#endif
