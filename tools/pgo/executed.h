/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * executed.h - what a run executed of one file, exactly: how often each instruction, and each
 * branch between two addresses. Addresses are those of the file.
 */
#ifndef TOOLS_PGO_EXECUTED_H
#define TOOLS_PGO_EXECUTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/profile_file.h"
#include "tools/profile/profile_fold.h"

struct executed_insn {
	uint64_t address, count;
	uint8_t bytes;
};

/* A conditional branch that is not taken goes to the instruction after it. */
struct executed_branch {
	uint64_t from, to; /* 0 where it is outside */
	uint64_t count;
	uint8_t kind; /* enum profile_end_kind */
	uint8_t bytes;
	bool from_outside, to_outside; /* in another file, or in code of no file */
};

struct executed {
	const struct code_object *object;
	struct executed_insn *insn; /* sorted by address */
	size_t ninsns;
	struct executed_branch *branch; /* sorted by from and to; those from outside come last */
	size_t nbranches;
};

/*
 * executed_read() - reads what was executed of `object`, one of those of the profile's map. The
 * first event of `profile`, which was folded from `file`, is `instructions:u`.
 */
void executed_read(struct executed *executed, const struct code_map *map,
		   const struct code_object *object, const struct profile *profile,
		   const struct profile_file *file);
void executed_free(struct executed *executed);

/* executed_before() - returns the last executed instruction below `address`; NULL: none. */
const struct executed_insn *executed_before(const struct executed *executed, uint64_t address);

/* executed_from() - returns the first branch at `address`, and sets `*n` to the number of its
 * targets. */
const struct executed_branch *executed_from(const struct executed *executed, uint64_t address,
					    size_t *n);

/* executed_is_taken() - returns whether a conditional branch is taken; others always are. */
static inline bool executed_is_taken(const struct executed_branch *branch)
{
	return branch->kind != PROFILE_CONDITIONAL || branch->to_outside ||
	       branch->to != branch->from + branch->bytes;
}

#endif
