// SPDX-License-Identifier: BSD-2-Clause
/* core_steady.c - see core_steady.h. */
#include "vpmu/core/core_steady.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ACCESS 4
#define STEADY      1200  /* instructions before, and while cycles are counted, at least */
#define STRAIGHT    6000  /* bytes of straight-line code, which runs again and again */
#define SOURCES     65536 /* remembered steps, for chains; a power of two */

/* --- Description --- */

bool core_piece_describe(struct core_piece *piece, const struct core_model *model,
			 const uint8_t *code, size_t bytes)
{
	ZydisDecoder decoder;
	size_t at = 0;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	piece->model = model;
	piece->bytes = (uint32_t)bytes;
	piece->unknown = 0;
	for (piece->n = 0; at < bytes; piece->n++) {
		struct core_place *p = &piece->places[piece->n];

		if (piece->n == CORE_PIECE_INSNS)
			return false;
		p->at = (uint32_t)at;
		if (!core_describe(&p->insn, model, code + at, bytes - at))
			return false;
		piece->unknown += (p->insn.flags & CORE_UNKNOWN) != 0;
		ZydisDecoderDecodeFull(&decoder, code + at, bytes - at, &p->decoded, p->operands);
		at += p->insn.bytes;
	}
	return piece->n > 0;
}

/* --- Addresses --- */

struct registers {
	uint64_t written[ZYDIS_REGISTER_MAX_VALUE + 1]; /* by largest enclosing register */
	int64_t moved;                                  /* the stack pointer, by pushes and pops */
};

static ZydisRegister whole_of(ZydisRegister reg)
{
	return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
}

static uint64_t register_value(const struct registers *r, ZydisRegister reg)
{
	if (reg == ZYDIS_REGISTER_NONE)
		return 0;
	return ((uint64_t)whole_of(reg) << 20 | (r->written[whole_of(reg)] & 0xfffff)) << 16;
}

static uint64_t steady_address(const struct registers *r, const ZydisDecodedOperandMem *mem)
{
	uint64_t va = register_value(r, mem->base) + register_value(r, mem->index) * mem->scale;

	if (mem->base == ZYDIS_REGISTER_RSP)
		va += (uint64_t)r->moved;
	return va + (mem->disp.has_displacement ? (uint64_t)mem->disp.value : 0);
}

static bool accesses(const ZydisDecodedOperand *o, unsigned actions)
{
	return o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
	       (unsigned)o->actions & actions;
}

static bool pushes(const struct core_place *p)
{
	return p->decoded.meta.category == ZYDIS_CATEGORY_PUSH ||
	       p->decoded.meta.category == ZYDIS_CATEGORY_CALL;
}

static void list_accesses(const struct core_place *p, const struct registers *r,
			  struct core_access *list)
{
	static const unsigned actions[] = {ZYDIS_OPERAND_ACTION_MASK_READ,
					   ZYDIS_OPERAND_ACTION_MASK_WRITE};
	unsigned n = 0;

	for (unsigned stores = 0; stores < 2; stores++)
		for (unsigned k = 0; k < p->decoded.operand_count && n < MOST_ACCESS; k++) {
			const ZydisDecodedOperand *o = &p->operands[k];

			if (!accesses(o, actions[stores]))
				continue;
			list[n++] = (struct core_access){.va = steady_address(r, &o->mem) -
							       (stores && pushes(p) ? 8 : 0),
							 .bytes = (uint16_t)(o->size / 8)};
		}
}

static void note_writes(const struct core_place *p, struct registers *r)
{
	for (unsigned k = 0; k < p->decoded.operand_count; k++) {
		const ZydisDecodedOperand *o = &p->operands[k];

		if (o->type != ZYDIS_OPERAND_TYPE_REGISTER ||
		    !(o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		if (whole_of(o->reg.value) == ZYDIS_REGISTER_RSP &&
		    o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN)
			r->moved += pushes(p) ? -8 : 8;
		else
			r->written[whole_of(o->reg.value)]++;
	}
}

/* --- Runs --- */

struct steady_run {
	struct core *core;
	const struct core_piece *piece;
	struct registers registers;
	uint64_t steps;
	uint64_t waited_for[SOURCES]; /* by step */
};

static void run_iteration(struct steady_run *run, uint64_t va, bool loop)
{
	const struct core_piece *piece = run->piece;

	for (unsigned i = 0; i < piece->n; i++) {
		const struct core_place *p = &piece->places[i];
		struct core_access list[MOST_ACCESS] = {{0}};

		list_accesses(p, &run->registers, list);
		core_step(run->core, &p->insn, va + p->at, list, loop && i + 1 == piece->n, false);
		run->waited_for[++run->steps % SOURCES] = core_waited_for(run->core);
		note_writes(p, &run->registers);
	}
}

/* Goes back from the last step with the one that it waited for. */
static void list_chain(struct core_steady *out, const struct steady_run *run)
{
	uint64_t step = run->steps;

	while (step && !run->waited_for[step % SOURCES] && step + SOURCES / 2 > run->steps &&
	       run->steps - step < run->piece->n)
		step--;
	for (out->nchain = 0; step && out->nchain < CORE_CHAIN && step + SOURCES / 2 > run->steps;
	     step = run->waited_for[step % SOURCES])
		out->chain[out->nchain++] = (uint16_t)((step - 1) % run->piece->n);
}

static uint64_t steady_time(const struct core *core, unsigned ideal)
{
	return ideal ? core_time(core) : core_cycles(core);
}

bool core_steady_run(struct core_steady *out, const struct core_piece *piece, uint64_t va,
		     bool loop, unsigned ideal)
{
	const unsigned copies = loop ? 1 : STRAIGHT / piece->bytes + 1,
		       rounds = (STEADY / piece->n / copies + 1) * copies;
	struct steady_run *run = calloc(1, sizeof(*run));
	uint64_t begun = 0;

	if (!run || !(run->core = calloc(1, core_bytes()))) {
		free(run);
		return false;
	}
	run->piece = piece;
	core_init(run->core, piece->model);
	core_idealize(run->core, ideal);
	/* The op cache has all code after the first part, and buffers are full after the second. */
	for (unsigned i = 0; i < 3 * rounds; i++) {
		if (i == 2 * rounds)
			begun = steady_time(run->core, ideal);
		run_iteration(run, va + (loop ? 0 : i % copies * piece->bytes), loop);
	}
	*out = (struct core_steady){.cycles = steady_time(run->core, ideal) - begun,
				    .rounds = rounds,
				    .all_rounds = 3ull * rounds,
				    .source = core_source(run->core)};
	for (unsigned u = 0; u < 32; u++)
		out->uses[u] = core_unit_uses(run->core, u);
	list_chain(out, run);
	free(run->core);
	free(run);
	return true;
}
