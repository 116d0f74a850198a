// SPDX-License-Identifier: BSD-2-Clause
/* core_steady.c - see core_steady.h. */
#include "vpmu/core/core_steady.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ACCESS 4
#define STEADY      1200  /* instructions before, and while cycles are counted, at least */
#define STRAIGHT    6000  /* bytes of straight-line code, which runs again and again */
#define APART       256   /* bytes between the places that two registers name, in their pages */
#define ALIGNMENTS  64    /* copies behind which a piece begins in the same place of a line */
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
	return (((uint64_t)whole_of(reg) << 20 | (r->written[whole_of(reg)] & 0xfffff)) << 16) +
	       APART * (uint64_t)ZydisRegisterGetId(whole_of(reg));
}

/* `next`: where the next instruction is, from which RIP counts. */
static uint64_t steady_address(const struct registers *r, const ZydisDecodedOperandMem *mem,
			       uint64_t next)
{
	uint64_t va = (mem->base == ZYDIS_REGISTER_RIP ? next : register_value(r, mem->base)) +
		      register_value(r, mem->index) * mem->scale;

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

static void list_accesses(const struct core_place *p, const struct registers *r, uint64_t next,
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
			list[n++] = (struct core_access){.va = steady_address(r, &o->mem, next) -
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

		list_accesses(p, &run->registers, va + p->at + p->insn.bytes, list);
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

/* Straight-line code of Intel's cores never runs again, so that it comes from the decoders: how
 * much of it the op cache had would depend on its length. */
static bool is_always_new(const struct core_piece *piece, bool loop)
{
	return !loop && !(piece->model->shape->traits & CORE_AMD);
}

static unsigned copies_of(const struct core_piece *piece, bool loop)
{
	if (is_always_new(piece, loop))
		return ALIGNMENTS;
	return loop ? 1 : STRAIGHT / piece->bytes + 1;
}

static unsigned rounds_of(const struct core_piece *piece, bool loop)
{
	const unsigned copies = copies_of(piece, loop);

	return (STEADY / piece->n / copies + 1) * copies;
}

static struct steady_run *begin_steady(const struct core_piece *piece, unsigned ideal)
{
	struct steady_run *run = calloc(1, sizeof(*run));

	if (!run || !(run->core = calloc(1, core_bytes()))) {
		free(run);
		return NULL;
	}
	run->piece = piece;
	core_init(run->core, piece->model);
	core_idealize(run->core, ideal);
	return run;
}

static void end_steady(struct steady_run *run)
{
	free(run->core);
	free(run);
}

/* Runs iterations [from, to). */
static void run_rounds(struct steady_run *run, uint64_t va, bool loop, unsigned from, unsigned to)
{
	const unsigned copies = is_always_new(run->piece, loop) ? to : copies_of(run->piece, loop);

	for (unsigned i = from; i < to; i++)
		run_iteration(run, va + (loop ? 0 : i % copies * run->piece->bytes), loop);
}

static enum core_source main_source(const struct core_counts *before,
				    const struct core_counts *after)
{
	unsigned most = 0;

	for (unsigned i = 1; i < CORE_SOURCES_OF_UOPS; i++)
		if (after->deliveries.uops[i] - before->deliveries.uops[i] >
		    after->deliveries.uops[most] - before->deliveries.uops[most])
			most = i;
	return (enum core_source)most;
}

bool core_steady_run(struct core_steady *out, const struct core_piece *piece, uint64_t va,
		     bool loop, unsigned ideal)
{
	const unsigned rounds = rounds_of(piece, loop);
	struct steady_run *run = begin_steady(piece, ideal);
	struct core_counts before, after;
	uint64_t begun;

	if (!run)
		return false;
	/* The op cache has all code after the first part, and buffers are full after the second. */
	run_rounds(run, va, loop, 0, 2 * rounds);
	begun = steady_time(run->core, ideal);
	core_read(run->core, &before);
	run_rounds(run, va, loop, 2 * rounds, 3 * rounds);
	core_read(run->core, &after);
	*out = (struct core_steady){.cycles = steady_time(run->core, ideal) - begun,
				    .rounds = rounds,
				    .all_rounds = 3ull * rounds,
				    .width = piece->model->shape->width,
				    .source = main_source(&before, &after)};
	for (unsigned u = 0; u < 32; u++)
		out->uses[u] = core_unit_uses(run->core, u);
	for (unsigned i = 0; i < CORE_LOST_CAUSES; i++)
		out->lost[i] = after.lost[i] - before.lost[i];
	list_chain(out, run);
	end_steady(run);
	return true;
}

bool core_steady_log(struct core_log *log, const struct core_piece *piece, uint64_t va, bool loop,
		     unsigned rounds)
{
	const unsigned before = 2 * rounds_of(piece, loop);
	struct steady_run *run = begin_steady(piece, 0);
	const unsigned first = log->n;

	if (!run)
		return false;
	run_rounds(run, va, loop, 0, before);
	core_log_to(run->core, log);
	run_rounds(run, va, loop, before, before + rounds);
	for (unsigned i = first; i < log->n; i++)
		log->uops[i].step -= (uint64_t)before * piece->n;
	end_steady(run);
	return true;
}
