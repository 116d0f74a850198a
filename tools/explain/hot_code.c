// SPDX-License-Identifier: BSD-2-Clause
/* hot_code.c - see hot_code.h. */
#include "tools/explain/hot_code.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

#include "tools/symbols/elf_file.h"
#include "tools/util/memory.h"

/* The places of a function, [first, end). */
struct function_code {
	const struct profile *profile;
	const struct code_object *object;
	const struct elf_file *file;
	size_t first, end;
	struct buf loops; /* struct loop */
	size_t passed;    /* of these, by loop_of() */
};

/* From the target of a branch back to that branch, as indices of places. */
struct loop {
	size_t first, last;
};

static const struct profile_place *place_at(const struct function_code *f, size_t i)
{
	return &f->profile->place[i];
}

static uint64_t executions(const struct function_code *f, size_t i)
{
	return place_at(f, i)->self.of[0];
}

/* --- Loops --- */

static bool branch_back_target(const struct function_code *f, size_t i, uint64_t *target)
{
	const struct profile_place *p = place_at(f, i);
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	uint64_t n;
	const uint8_t *code = elf_file_code(f->file, p->address, &n);

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	if (!code || !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, n, &insn, operand)))
		return false;
	if (insn.meta.category != ZYDIS_CATEGORY_COND_BR &&
	    insn.meta.category != ZYDIS_CATEGORY_UNCOND_BR)
		return false;
	return operand[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	       ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&insn, &operand[0], p->address, target));
}

/* Places have ascending addresses. */
static size_t place_with_address(const struct function_code *f, uint64_t address, size_t end)
{
	size_t low = f->first, high = end;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (place_at(f, middle)->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return place_at(f, low)->address == address ? low : SIZE_MAX;
}

static const struct loop *loops_of(const struct function_code *f, size_t *n)
{
	*n = f->loops.size / sizeof(struct loop);
	return (const struct loop *)(const void *)f->loops.data;
}

/* Loops come in the order of their ends. A loop is kept if none lies within. So the beginnings
 * ascend, too, and only the last one may lie within. */
static void add_loop(struct function_code *f, size_t first, size_t last)
{
	size_t n;
	const struct loop *loop = loops_of(f, &n);

	if (!n || loop[n - 1].first < first)
		buf_add(&f->loops, &(struct loop){first, last}, sizeof(*loop));
}

static void find_loops(struct function_code *f)
{
	for (size_t i = f->first; i < f->end; i++) {
		uint64_t target;
		size_t first;

		if (!executions(f, i) || !branch_back_target(f, i, &target) ||
		    target > place_at(f, i)->address)
			continue;
		first = place_with_address(f, target, i);
		if (first != SIZE_MAX && executions(f, first) > 1)
			add_loop(f, first, i);
	}
}

/* Returns the first loop that has the place; NULL: none. Places must not descend. */
static const struct loop *loop_of(struct function_code *f, size_t place)
{
	size_t n;
	const struct loop *loop = loops_of(f, &n);

	while (f->passed < n && loop[f->passed].last < place)
		f->passed++;
	return f->passed < n && loop[f->passed].first <= place ? &loop[f->passed] : NULL;
}

/* --- Candidates --- */

static void add_hot_loop(struct buf *out, const struct function_code *f, const struct loop *loop)
{
	struct hot_code *hot = buf_extend(out, sizeof(*hot));

	*hot = (struct hot_code){.row = place_at(f, loop->first)->row,
				 .first = loop->first,
				 .last = loop->last,
				 .loop = true,
				 .times = executions(f, loop->last)};
	for (size_t i = loop->first; i <= loop->last; i++)
		hot->executed += executions(f, i);
}

static bool block_goes_on(struct function_code *f, size_t i)
{
	const struct profile_place *before = place_at(f, i - 1);

	return !loop_of(f, i) && executions(f, i) == executions(f, i - 1) &&
	       place_at(f, i)->address == before->address + before->bytes;
}

/* Returns the first place behind the block. */
static size_t add_hot_block(struct buf *out, struct function_code *f, size_t first)
{
	struct hot_code *hot = buf_extend(out, sizeof(*hot));
	size_t end = first + 1;

	while (end < f->end && end - first < HOT_INSNS && block_goes_on(f, end))
		end++;
	*hot = (struct hot_code){.row = place_at(f, first)->row,
				 .first = first,
				 .last = end - 1,
				 .times = executions(f, first),
				 .executed = (end - first) * executions(f, first)};
	return end;
}

static void add_function(struct buf *out, struct function_code *f)
{
	find_loops(f);
	for (size_t i = f->first; i < f->end;) {
		const struct loop *loop = loop_of(f, i);

		if (loop) {
			add_hot_loop(out, f, loop);
			i = loop->last + 1;
		} else if (executions(f, i)) {
			i = add_hot_block(out, f, i);
		} else {
			i++;
		}
	}
	buf_free(&f->loops);
}

/* --- All of a profile --- */

static int hotter_first(const void *a, const void *b)
{
	const struct hot_code *x = a, *y = b;

	if (x->executed != y->executed)
		return x->executed < y->executed ? 1 : -1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static void keep_hottest(struct buf *out, size_t most)
{
	struct hot_code *hot = (struct hot_code *)(void *)out->data;
	const size_t n = out->size / sizeof(*hot);

	if (n)
		qsort(hot, n, sizeof(*hot), hotter_first);
	if (n > most)
		out->size = most * sizeof(*hot);
}

/* Adds the bytes of an instruction; false: there is no more room. */
static bool add_instruction(struct hot_code *hot, const struct profile *profile,
			    const struct elf_file *file, size_t i)
{
	const struct profile_place *p = &profile->place[i];
	uint64_t n;
	const uint8_t *code = elf_file_code(file, p->address, &n);

	if (!code || n < p->bytes || hot->n == HOT_INSNS)
		return false;
	memcpy(hot->code + hot->bytes, code, p->bytes);
	hot->bytes += p->bytes;
	hot->place[hot->n++] = i;
	return true;
}

/* Reads the instructions that are executed at least half as often as the branch back. */
static void read_hot_code(struct hot_code *hot, const struct profile *profile)
{
	struct elf_file file;
	struct reason ignored;

	hot->code = memory_checked(malloc(HOT_INSNS * ZYDIS_MAX_INSTRUCTION_LENGTH));
	hot->place = memory_checked(malloc(HOT_INSNS * sizeof(*hot->place)));
	if (elf_file_open(&file, profile->place[hot->first].object->host, &ignored))
		return;
	for (size_t i = hot->first; i <= hot->last; i++)
		if (profile->place[i].self.of[0] >= hot->times / 2 &&
		    !add_instruction(hot, profile, &file, i))
			break;
	elf_file_close(&file);
}

/* Functions are read one after the other, and the file of the last one stays open. */
void hot_code_find(struct buf *out, const struct profile *profile, const bool *is_match,
		   size_t most)
{
	const struct code_object *object = NULL;
	struct elf_file file = {0};
	struct reason ignored;

	for (size_t i = 0; i < profile->nplaces;) {
		const struct profile_place *p = &profile->place[i];
		struct function_code f = {.profile = profile, .file = &file, .first = i};

		for (f.end = i; f.end < profile->nplaces; f.end++)
			if (profile->place[f.end].row != p->row)
				break;
		i = f.end;
		if (!p->object || (is_match && !is_match[p->row]))
			continue;
		if (p->object != object) {
			elf_file_close(&file);
			object = elf_file_open(&file, p->object->host, &ignored) ? NULL : p->object;
		}
		if (object)
			add_function(out, &f);
		if (out->size > 4 * most * sizeof(struct hot_code))
			keep_hottest(out, most);
	}
	elf_file_close(&file);
	keep_hottest(out, most);
	for (size_t i = 0; i < out->size / sizeof(struct hot_code); i++)
		read_hot_code((struct hot_code *)(void *)out->data + i, profile);
}

void hot_code_free(struct buf *found)
{
	struct hot_code *hot = (struct hot_code *)(void *)found->data;

	for (size_t i = 0; i < found->size / sizeof(*hot); i++) {
		free(hot[i].code);
		free(hot[i].place);
	}
	buf_free(found);
}
