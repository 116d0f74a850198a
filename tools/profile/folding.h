/* SPDX-License-Identifier: BSD-2-Clause */
/* folding.h - the state of profile_fold(), which profile_fold.c and fold_code.c share. */
#ifndef TOOLS_PROFILE_FOLDING_H
#define TOOLS_PROFILE_FOLDING_H

#include "tools/profile/profile_fold.h"
#include "tools/util/index.h"

/* An address in a file, or a virtual one. */
struct code_place {
	uint32_t object; /* number plus 1; 0: code of no known file */
	uint64_t address;
};

/* A function without a symbol that was called. */
struct called_place {
	struct code_place place;
	uint64_t va;
	uint32_t number; /* of the function in the file */
};

struct folding {
	const struct profile_file *file;
	const struct code_map *map;
	const struct profile_jit *jit;
	struct profile *profile;
	int8_t weight[PROFILE_EVENTS][PROFILE_COSTS]; /* of each cost in each event */
	uint32_t *row_of;            /* row of a function's number; PROFILE_NO_ROW: not made yet */
	struct index by_jit;         /* rows of functions of perf maps, by map and address */
	struct called_place *called; /* sorted by place */
	uint32_t *called_index;      /* index in `called`, by number behind those of the symbols */
	size_t ncalled;
	uint32_t unknown; /* the row of unknown code; PROFILE_NO_ROW: not made yet */
};

static inline int compare_code_places(const struct code_place *x, const struct code_place *y)
{
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

static inline const struct code_object *folding_object(const struct folding *f, uint32_t object)
{
	return object ? &f->map->object[object - 1] : NULL;
}

/* folding_sum() - returns the events of `count` times the costs at `cost`. */
struct profile_sum folding_sum(const struct folding *f, const uint64_t cost[PROFILE_COSTS]);

/* folding_row() - returns the row of the function with that number in the file. */
uint32_t folding_row(struct folding *f, uint32_t number);

/* folding_add_row() - appends a row. `own` is its name, allocated; NULL: `name` is. */
uint32_t folding_add_row(struct folding *f, uint32_t object, uint64_t address, const char *name,
			 char *own);

/* folding_jit_row() - returns the row of the perf map's function at `va`, or PROFILE_NO_ROW. */
uint32_t folding_jit_row(struct folding *f, uint64_t va);

/* fold_called() - finds the places of called functions without a symbol. */
void fold_called(struct folding *f);

/* fold_code() - makes the places of the profile, and the self costs of the rows. */
void fold_code(struct folding *f);

#endif
