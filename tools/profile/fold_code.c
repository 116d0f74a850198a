// SPDX-License-Identifier: BSD-2-Clause
/*
 * fold_code.c - folds pieces of code into instructions, and instructions into functions. Pieces
 * overlap, because the plugin sees blocks, which may begin anywhere.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/profile/folding.h"
#include "tools/util/memory.h"

#define NEAR PROFILE_PAGE /* bytes without execution that do not end a range of unknown code */

/* --- Functions without a symbol --- */

static int compare_called_va(const void *a, const void *b)
{
	const struct called_place *x = a, *y = b;

	return (x->va > y->va) - (x->va < y->va);
}

static int compare_called_place(const void *a, const void *b)
{
	const struct called_place *x = a, *y = b;

	return compare_code_places(&x->place, &y->place);
}

/* Returns the first of the functions that were called at `va`, which are sorted by it. */
static struct called_place *called_at(const struct folding *f, uint64_t va)
{
	const struct called_place key = {.va = va};
	struct called_place *at =
		bsearch(&key, f->called, f->ncalled, sizeof(key), compare_called_va);

	while (at && at > f->called && at[-1].va == va)
		at--;
	return at;
}

/* A piece at the address of a call tells in which file it lies. */
static void place_called(struct folding *f, const struct profile_piece *piece)
{
	struct called_place *at = piece->object ? called_at(f, piece->va) : NULL;

	for (; at && at < f->called + f->ncalled && at->va == piece->va; at++)
		at->place = (struct code_place){piece->object, piece->address};
}

void fold_called(struct folding *f)
{
	const struct profile_header *header = &f->file->header;

	f->called = memory_checked(calloc(header->nfunctions + 1u, sizeof(*f->called)));
	f->called_index = memory_checked(calloc(header->nfunctions + 1u, sizeof(uint32_t)));
	for (uint32_t i = 0; i < header->nfunctions; i++) {
		const uint32_t number = header->nsymbols + 1 + i;
		const uint64_t va = f->file->function[number].address;

		f->called[f->ncalled++] =
			(struct called_place){.place = {.address = va}, .va = va, .number = number};
	}
	if (!f->ncalled)
		return;
	qsort(f->called, f->ncalled, sizeof(*f->called), compare_called_va);
	for (uint32_t i = 0; i < header->npieces; i++)
		place_called(f, &f->file->piece[i]);
	qsort(f->called, f->ncalled, sizeof(*f->called), compare_called_place);
	for (uint32_t i = 0; i < f->ncalled; i++)
		f->called_index[f->called[i].number - header->nsymbols - 1] = i;
}

/* --- Instructions --- */

/* An instruction of a piece. */
struct piece_insn {
	struct code_place place;
	uint32_t insn; /* index in the file */
	uint64_t count;
};

static int compare_piece_insns(const void *a, const void *b)
{
	const struct piece_insn *x = a, *y = b;

	return compare_code_places(&x->place, &y->place);
}

static int compare_undone(const void *a, const void *b)
{
	const struct profile_undone *x = a, *y = b;

	return (x->va > y->va) - (x->va < y->va);
}

static struct profile_undone *copy_undone(const struct profile_file *file)
{
	const uint32_t n = file->header.nundone;
	struct profile_undone *copy = memory_checked(calloc(n + 1u, sizeof(*copy)));

	memcpy(copy, file->undone, n * sizeof(*copy));
	if (n)
		qsort(copy, n, sizeof(*copy), compare_undone);
	return copy;
}

/* Takes up to `count` executions at `va` from those that did not complete, and returns them. */
static uint64_t take_undone(struct profile_undone *undone, size_t n, uint64_t va, uint64_t count)
{
	const struct profile_undone key = {.va = va};
	struct profile_undone *at =
		n ? bsearch(&key, undone, n, sizeof(key), compare_undone) : NULL;
	uint64_t taken = 0;

	while (at && at > undone && at[-1].va == va)
		at--;
	for (; at && at < undone + n && at->va == va && taken < count; at++) {
		const uint64_t some = at->count < count - taken ? at->count : count - taken;

		at->count -= some;
		taken += some;
	}
	return taken;
}

static void add_piece_insns(struct buf *insns, const struct profile_file *file, uint32_t number,
			    struct profile_undone *undone)
{
	const struct profile_piece *piece = &file->piece[number];
	const uint64_t executions = profile_executions(file, number);
	uint64_t offset = 0;

	for (uint32_t i = 0; i < piece->ninsns; i++) {
		const bool may_fault = i + 1u == piece->ninsns && piece->kind != PROFILE_ITERATION;
		struct piece_insn insn = {
			.place = {piece->object,
				  (piece->object ? piece->address : piece->va) + offset},
			.insn = piece->insn + i,
			.count = executions,
		};

		if (may_fault)
			insn.count -= take_undone(undone, file->header.nundone, piece->va + offset,
						  executions);
		offset += file->insn[insn.insn].bytes;
		buf_add(insns, &insn, sizeof(insn));
	}
}

static void read_pieces(struct buf *insns, const struct profile_file *file)
{
	struct profile_undone *undone = copy_undone(file);

	for (uint32_t i = 0; i < file->header.npieces; i++)
		if (profile_executions(file, i))
			add_piece_insns(insns, file, i, undone);
	free(undone);
	if (insns->size)
		qsort(insns->data, insns->size / sizeof(struct piece_insn),
		      sizeof(struct piece_insn), compare_piece_insns);
}

/* --- Functions of instructions --- */

/* The state of the walk through sorted instructions. */
struct code_walk {
	struct code_place last; /* the end of the instruction before */
	size_t called;          /* the first called place that is still ahead */
	uint32_t row;           /* of the instruction before */
	bool has_symbol;        /* that row is a symbol's, or of a perf map */
};

static uint32_t range_row(struct folding *f, const struct code_place *place)
{
	struct buf name = {0};

	buf_printf(&name, "[0x%llx]", (unsigned long long)place->address);
	buf_text(&name);
	return folding_add_row(f, place->object, place->address, NULL, (char *)name.data);
}

static uint32_t symbol_row(struct folding *f, const struct code_place *place)
{
	const struct code_object *object = folding_object(f, place->object);
	const size_t i = object ? code_object_find(object, place->address) : SIZE_MAX;

	return i == SIZE_MAX ? PROFILE_NO_ROW : folding_row(f, (uint32_t)(object->first + i) + 1);
}

/* Unknown code that follows closely on the instruction before is of the same function. */
static bool is_same_range(const struct code_walk *walk, const struct code_place *place)
{
	return walk->row != PROFILE_NO_ROW && !walk->has_symbol &&
	       walk->last.object == place->object && place->address - walk->last.address <= NEAR;
}

/* Passes the called places up to `place`. Returns the last one, which is near; NULL: none is. */
static const struct called_place *pass_called(const struct folding *f, struct code_walk *walk,
					      const struct code_place *place)
{
	const struct called_place *near = NULL;

	for (; walk->called < f->ncalled; walk->called++) {
		const struct called_place *at = &f->called[walk->called];

		if (compare_code_places(&at->place, place) > 0)
			break;
		if (at->place.object == place->object && place->address - at->place.address <= NEAR)
			near = at;
	}
	return near;
}

static uint32_t unnamed_row(struct folding *f, const struct code_walk *walk,
			    const struct code_place *place, const struct called_place *near)
{
	if (near)
		return folding_row(f, near->number);
	return is_same_range(walk, place) ? walk->row : range_row(f, place);
}

static void step_walk(struct folding *f, struct code_walk *walk, const struct code_place *place)
{
	const struct called_place *near = pass_called(f, walk, place);
	uint32_t row = symbol_row(f, place);

	if (row == PROFILE_NO_ROW && !place->object)
		row = folding_jit_row(f, place->address);
	walk->row = row != PROFILE_NO_ROW ? row : unnamed_row(f, walk, place, near);
	walk->has_symbol = row != PROFILE_NO_ROW;
}

/* Adds up the pieces with the instruction at `insn`. Returns their number. */
static size_t sum_insn(const struct folding *f, const struct piece_insn *insn, size_t n,
		       struct profile_sum *sum)
{
	uint64_t cost[PROFILE_COSTS] = {0};
	size_t i = 0;

	for (; i < n && !compare_code_places(&insn[i].place, &insn->place); i++)
		for (uint32_t k = 0; k < f->file->header.ncosts; k++)
			cost[k] += insn[i].count * f->file->insn[insn[i].insn].cost[k];
	*sum = folding_sum(f, cost);
	return i;
}

void fold_code(struct folding *f)
{
	struct profile *p = f->profile;
	struct code_walk walk = {.row = PROFILE_NO_ROW};
	struct buf insns = {0}, places = {0};
	const struct piece_insn *insn;
	size_t n, same;

	read_pieces(&insns, f->file);
	insn = (const void *)insns.data;
	n = insns.size / sizeof(*insn);
	for (size_t i = 0; i < n; i += same) {
		const struct code_place at = insn[i].place;
		struct profile_place place = {.object = folding_object(f, at.object),
					      .address = at.address,
					      .bytes = f->file->insn[insn[i].insn].bytes};

		same = sum_insn(f, &insn[i], n - i, &place.self);
		step_walk(f, &walk, &at);
		walk.last = (struct code_place){at.object, at.address + place.bytes};
		place.row = walk.row;
		profile_add(&p->row[place.row].self, &place.self);
		profile_add(&p->total, &place.self);
		buf_add(&places, &place, sizeof(place));
	}
	buf_free(&insns);
	p->place = (void *)places.data;
	p->nplaces = places.size / sizeof(struct profile_place);
}
