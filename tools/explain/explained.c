// SPDX-License-Identifier: BSD-2-Clause
/* explained.c - see explained.h. */
#include "tools/explain/explained.h"

#include <Zydis/Zydis.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/forms/disassembly.h"
#include "tools/util/memory.h"

#define NEXT_BOUNDS 3 /* told behind the one that binds */

unsigned explained_bounds(const struct explained *x)
{
	return x->bounds.n < NEXT_BOUNDS + 1 ? x->bounds.n : NEXT_BOUNDS + 1;
}

/* --- Lines --- */

char explained_mark(const struct explained_line *line)
{
	if (line->in_chain)
		return '*';
	return line->insn == NOT_MODELLED ? '-' : ' ';
}

static struct explained_line *add_explained_line(struct explained *x, uint64_t address,
						 const char *text)
{
	struct explained_line *line;

	x->line = memory_checked(realloc(x->line, (x->nlines + 1) * sizeof(*x->line)));
	line = &x->line[x->nlines++];
	*line = (struct explained_line){.address = address, .insn = NOT_MODELLED};
	line->text = memory_checked(strdup(text));
	return line;
}

static void mark_chain(struct explained *x)
{
	bool is_told = false;

	for (unsigned i = 0; i < explained_bounds(x); i++)
		is_told |= x->bounds.order[i] == BOUND_LATENCY;
	for (size_t i = 0; is_told && i < x->nlines; i++)
		for (unsigned k = 0; k < x->bounds.nchain; k++)
			x->line[i].in_chain |= x->line[i].insn == x->bounds.chain[k];
}

/* --- Of a profile --- */

struct listing {
	struct explained *x;
	const struct profile *profile;
	const struct profile_lines *lines;
	const struct hot_code *hot;
	size_t place;  /* the next one of the profile */
	unsigned insn; /* the next one that is modelled */
};

static void list_line(void *ctx, uint64_t address, const char *text)
{
	struct listing *l = ctx;
	const struct profile_place *p = &l->profile->place[l->place];
	struct explained_line *line;

	if (l->place > l->hot->last || p->address != address)
		return;
	line = add_explained_line(l->x, address, text);
	line->executed = p->self.of[0];
	if (l->lines->of_place)
		line->at = l->lines->of_place[l->place];
	if (l->insn < l->hot->n && l->hot->place[l->insn] == l->place)
		line->insn = l->insn++;
	l->place++;
}

static double share_of_all(const struct profile *profile, uint64_t executed)
{
	const uint64_t all = profile->total.of[0];

	return all ? 100.0 * (double)executed / (double)all : 0;
}

void explained_hot(struct explained *x, const struct explaining_core *core,
		   const struct profile *profile, const struct profile_lines *lines,
		   const struct profile_file *file, const struct hot_code *hot)
{
	const struct profile_place *first = &profile->place[hot->first],
				   *last = &profile->place[hot->last];
	struct listing l = {x, profile, lines, hot, hot->first, 0};
	struct hot_times spent = {0};

	*x = (struct explained){
		.function = profile->row[hot->row].name,
		.host = first->object->host,
		.executed = hot->executed,
		.share = share_of_all(profile, hot->executed),
		.code = {hot->code, hot->bytes, first->address, hot->loop, hot->times, &spent},
		.n = hot->n,
	};
	if (lines->of_place)
		x->at = lines->of_place[hot->first];
	if (file)
		hot_times_of(&spent, file, profile, hot);
	x->is_known = bounds_of(&x->bounds, core->model, &x->code);
	x->code.spent = NULL;
	disassemble(first->object, first->address, last->address + last->bytes, list_line, &l);
	mark_chain(x);
}

/* --- Of a snippet --- */

static bool goes_back(const ZydisDisassembledInstruction *insn, uint64_t va)
{
	uint64_t target;

	return (insn->info.meta.category == ZYDIS_CATEGORY_COND_BR ||
		insn->info.meta.category == ZYDIS_CATEGORY_UNCOND_BR) &&
	       insn->operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
	       ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&insn->info, &insn->operands[0],
						     insn->runtime_address, &target)) &&
	       target == va;
}

void explained_snippet(struct explained *x, const struct explaining_core *core, const uint8_t *code,
		       size_t bytes, uint64_t va)
{
	ZydisDisassembledInstruction insn;

	*x = (struct explained){.code = {.code = code, .bytes = bytes, .va = va}};
	for (size_t at = 0;
	     at < bytes && ZYAN_SUCCESS(ZydisDisassembleIntel(ZYDIS_MACHINE_MODE_LONG_64, va + at,
							      code + at, bytes - at, &insn));
	     at += insn.info.length) {
		add_explained_line(x, at, insn.text)->insn = x->n++;
		x->code.loop = at + insn.info.length == bytes && goes_back(&insn, va);
	}
	x->is_known = x->n && bounds_of(&x->bounds, core->model, &x->code);
	mark_chain(x);
}

void explained_free(struct explained *x)
{
	for (size_t i = 0; i < x->nlines; i++)
		free(x->line[i].text);
	free(x->line);
	*x = (struct explained){0};
}

/* --- Sentences --- */

static const char *const sources[] = {
	[CORE_FROM_DECODERS] = "the decoders",
	[CORE_FROM_CACHE] = "the op cache",
	[CORE_FROM_LOOP] = "the loop buffer",
};

/* The count behind a cause: each of these has happened so often an iteration. */
static const struct {
	enum bound bound;
	enum profile_time_count count;
	const char *of;
} behind[] = {
	{BOUND_L2, PROFILE_TIME_LOADS_L2, "loads wait for it"},
	{BOUND_LLC, PROFILE_TIME_LOADS_LLC, "loads wait for it"},
	{BOUND_MEMORY, PROFILE_TIME_LOADS_MEMORY, "loads wait for it"},
	{BOUND_BLOCKED, PROFILE_TIME_LOADS_BLOCKED, "loads wait for a store"},
	{BOUND_ALIAS, PROFILE_TIME_LOADS_ALIAS, "loads are issued again"},
	{BOUND_SPECULATION, PROFILE_TIME_MISPREDICTED, "branches"},
};

static void add_count_behind(struct buf *out, const struct bounds *b, enum bound bound)
{
	for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++)
		if (behind[i].bound == bound && b->counted[behind[i].count] > 0)
			buf_printf(out, " (%.3f %s)", b->counted[behind[i].count], behind[i].of);
}

void explained_bound(struct buf *out, const struct explained *x, const struct explaining_core *core,
		     enum bound bound, const char *mark)
{
	const struct bounds *b = &x->bounds;

	buf_printf(out, "%s", bound_name(bound));
	if (bound == BOUND_UNITS)
		buf_printf(out, " (most on %s: %.2f)", core->model->table->units[b->unit],
			   b->unit_uses);
	if (bound == BOUND_LATENCY)
		buf_printf(out, "%s", mark);
	if (b->has_run)
		add_count_behind(out, b, bound);
}

void explained_place(struct buf *out, const struct explained *x)
{
	if (x->at.file)
		buf_printf(out, ", %s:%u", x->at.file, x->at.line);
	buf_printf(out, ": a %s of %u instructions, %" PRIu64 " times, %.1f %% of instructions:u",
		   x->code.loop ? "loop" : "block", x->n, x->code.times, x->share);
}

void explained_cycles(struct buf *out, const struct explained *x,
		      const struct explaining_core *core)
{
	const struct bounds *b = &x->bounds;
	const char *name = core->model->table->name;

	if (b->has_run)
		buf_printf(out, "%.2f cycles each when it ran; ", b->ran);
	buf_printf(out, "%.2f cycles each%s, %.2f instructions a cycle, from %s [modelled: %s%s]",
		   b->cycles, b->has_run ? " if all hits L1 and is predicted" : "",
		   b->cycles > 0 ? x->n / b->cycles : 0, sources[b->source],
		   strcmp(core->asked, name) != 0 ? "nearest: " : "", name);
}

void explained_unknown(struct buf *out, const struct explained *x,
		       const struct explaining_core *core)
{
	if (x->bounds.unknown)
		buf_printf(out,
			   "%u instructions have no row in the tables of %s: a cycle each is "
			   "assumed",
			   x->bounds.unknown, core->model->table->name);
}
