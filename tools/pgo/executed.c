// SPDX-License-Identifier: BSD-2-Clause
/* executed.c - see executed.h. A file may be mapped at several addresses: these are added up. */
#include "tools/pgo/executed.h"

#include <stdlib.h>

#include "tools/util/buf.h"

/* --- Instructions --- */

static int compare_executed_insns(const void *a, const void *b)
{
	const struct executed_insn *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void read_insns(struct executed *e, const struct profile *profile)
{
	struct buf insns = {0};

	for (size_t i = 0; i < profile->nplaces; i++) {
		const struct profile_place *place = &profile->place[i];

		if (place->object == e->object)
			buf_add(&insns,
				&(struct executed_insn){place->address, place->self.of[0],
							place->bytes},
				sizeof(struct executed_insn));
	}
	e->insn = (void *)insns.data;
	e->ninsns = insns.size / sizeof(*e->insn);
	if (e->ninsns)
		qsort(e->insn, e->ninsns, sizeof(*e->insn), compare_executed_insns);
}

const struct executed_insn *executed_before(const struct executed *e, uint64_t address)
{
	size_t low = 0, high = e->ninsns;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (e->insn[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &e->insn[low - 1] : NULL;
}

/* --- Branches --- */

static int compare_piece_numbers(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

static int compare_executed_branches(const void *a, const void *b)
{
	const struct executed_branch *x = a, *y = b;

	if (x->from_outside != y->from_outside)
		return x->from_outside - y->from_outside;
	if (x->from != y->from)
		return compare_piece_numbers(x->from, y->from);
	if (x->to_outside != y->to_outside)
		return x->to_outside - y->to_outside;
	if (x->to != y->to)
		return compare_piece_numbers(x->to, y->to);
	return x->kind - y->kind;
}

static void add_branch(struct buf *branches, uint32_t object, const struct profile_file *file,
		       const struct profile_branch *branch)
{
	const struct profile_end *from = &file->end[branch->from - 1];
	const struct profile_end *to = &file->end[branch->to - 1];
	const bool from_outside = from->object != object, to_outside = to->object != object;

	if (!branch->count || (from_outside && to_outside))
		return;
	buf_add(branches,
		&(struct executed_branch){
			.from = from_outside ? 0 : from->address,
			.to = to_outside ? 0 : to->address,
			.count = branch->count,
			.kind = from->kind,
			.bytes = from_outside ? 0 : from->bytes,
			.from_outside = from_outside,
			.to_outside = to_outside,
		},
		sizeof(struct executed_branch));
}

/* Adds up equal ones, which are neighbours. */
static size_t merge_branches(struct executed_branch *branch, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (kept && !compare_executed_branches(&branch[kept - 1], &branch[i]))
			branch[kept - 1].count += branch[i].count;
		else
			branch[kept++] = branch[i];
	return kept;
}

static void read_branches(struct executed *e, uint32_t object, const struct profile_file *file)
{
	struct buf branches = {0};

	for (uint32_t i = 0; i < file->header.nbranches; i++)
		add_branch(&branches, object, file, &file->branch[i]);
	e->branch = (void *)branches.data;
	e->nbranches = branches.size / sizeof(*e->branch);
	if (!e->nbranches)
		return;
	qsort(e->branch, e->nbranches, sizeof(*e->branch), compare_executed_branches);
	e->nbranches = merge_branches(e->branch, e->nbranches);
}

const struct executed_branch *executed_from(const struct executed *e, uint64_t address, size_t *n)
{
	size_t low = 0, high = e->nbranches, end;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (!e->branch[middle].from_outside && e->branch[middle].from < address)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low;
	     end < e->nbranches && !e->branch[end].from_outside && e->branch[end].from == address;
	     end++)
		;
	*n = end - low;
	return &e->branch[low];
}

void executed_read(struct executed *e, const struct code_map *map, const struct code_object *object,
		   const struct profile *profile, const struct profile_file *file)
{
	*e = (struct executed){.object = object};
	read_insns(e, profile);
	read_branches(e, (uint32_t)(object - map->object) + 1, file);
}

void executed_free(struct executed *e)
{
	free(e->insn);
	free(e->branch);
	*e = (struct executed){0};
}
