// SPDX-License-Identifier: BSD-2-Clause
/* explain_report.c - see explain_report.h. */
#include "tools/explain/explain_report.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/explain/bounds.h"
#include "tools/forms/disassembly.h"
#include "tools/profile/profile_match.h"
#include "tools/util/memory.h"

#define NEXT_BOUNDS 3 /* told behind the one that binds */

struct explaining {
	const struct profile *profile;
	const struct profile_lines *lines;
	const struct core_model *model;
	const char *core;
};

static const char *const sources[] = {
	[CORE_FROM_DECODERS] = "the decoders",
	[CORE_FROM_CACHE] = "the op cache",
	[CORE_FROM_LOOP] = "the loop buffer",
};

static const struct profile_place *explained_place(const struct explaining *e, size_t i)
{
	return &e->profile->place[i];
}

static double executed_share(const struct explaining *e, const struct hot_code *hot)
{
	const uint64_t all = e->profile->total.of[0];

	return all ? 100.0 * (double)hot->executed / (double)all : 0;
}

/* "execution units (most on p5: 3.00)" */
static void name_bound(struct buf *out, const struct explaining *e, const struct bounds *b,
		       enum bound bound)
{
	buf_printf(out, "%s", bound_name(bound));
	if (bound == BOUND_UNITS)
		buf_printf(out, " (most on %s: %.2f)", e->model->table->units[b->unit],
			   b->unit_uses);
	if (bound == BOUND_LATENCY)
		buf_printf(out, " (marked *)");
}

/* --- Text --- */

static bool is_in_chain(const struct bounds *b, unsigned n)
{
	for (unsigned i = 0; i < b->nchain; i++)
		if (b->chain[i] == n)
			return true;
	return false;
}

struct listing {
	struct buf *out;
	const struct explaining *e;
	const struct hot_code *hot;
	const struct bounds *b;
	size_t place;  /* the next one of the profile */
	unsigned insn; /* the next one that is modelled */
	bool has_chain;
};

static void list_line(void *ctx, uint64_t address, const char *text)
{
	struct listing *l = ctx;
	const struct profile_place *p = explained_place(l->e, l->place);
	char mark = ' ';

	if (l->place > l->hot->last || p->address != address)
		return;
	if (l->insn < l->hot->n && l->hot->place[l->insn] == l->place) {
		if (l->has_chain && is_in_chain(l->b, l->insn))
			mark = '*';
		l->insn++;
	} else {
		mark = '-';
	}
	buf_printf(l->out, "  %15" PRIu64 "  %c %6" PRIx64 ":  %s\n", p->self.of[0], mark, address,
		   text);
	l->place++;
}

static void list_code(struct buf *out, const struct explaining *e, const struct hot_code *hot,
		      const struct bounds *b)
{
	const struct profile_place *first = explained_place(e, hot->first),
				   *last = explained_place(e, hot->last);
	struct listing l = {out, e, hot, b, hot->first, 0, false};

	for (unsigned i = 0; i < b->n && i <= NEXT_BOUNDS; i++)
		l.has_chain |= b->order[i] == BOUND_LATENCY;
	disassemble(first->object, first->address, last->address + last->bytes, list_line, &l);
}

static void tell_place(struct buf *out, const struct explaining *e, const struct hot_code *hot)
{
	const struct source_place *at = e->lines->of_place ? &e->lines->of_place[hot->first] : NULL;

	buf_printf(out, "%s", e->profile->row[hot->row].name);
	if (at && at->file)
		buf_printf(out, ", %s:%u", at->file, at->line);
	buf_printf(out, ": a %s of %u instructions, %" PRIu64 " times, %.1f %% of instructions:u\n",
		   hot->loop ? "loop" : "block", hot->n, hot->times, executed_share(e, hot));
}

static void tell_bounds(struct buf *out, const struct explaining *e, const struct hot_code *hot,
			const struct bounds *b)
{
	buf_printf(out, "  %.2f cycles each, %.2f instructions a cycle, from %s [modelled: %s%s]\n",
		   b->cycles, b->cycles > 0 ? hot->n / b->cycles : 0, sources[b->source],
		   strcmp(e->core, e->model->table->name) != 0 ? "nearest: " : "",
		   e->model->table->name);
	for (unsigned i = 0; i < b->n && i <= NEXT_BOUNDS; i++) {
		buf_printf(out, "    %s %6.2f  ", i ? "then    " : "bound by", b->of[b->order[i]]);
		name_bound(out, e, b, b->order[i]);
		buf_printf(out, "\n");
	}
	if (b->unknown)
		buf_printf(out,
			   "    %u instructions have no row in the tables of %s: a cycle each is "
			   "assumed\n",
			   b->unknown, e->model->table->name);
}

static void tell_text(struct buf *out, const struct explaining *e, const struct hot_code *hot,
		      const struct bounds *b, bool is_known)
{
	tell_place(out, e, hot);
	if (is_known)
		tell_bounds(out, e, hot, b);
	else
		buf_printf(out, "  n/a: this code cannot be modelled\n");
	list_code(out, e, hot, b);
	buf_printf(out, "\n");
}

/* --- JSON --- */

static void add_cycles(struct json_object *to, const char *name, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2f", value);
	json_object_object_add(to, name, json_object_new_double_s(value, text));
}

static struct json_object *json_of_bounds(const struct bounds *b)
{
	struct json_object *list = json_object_new_array();

	for (unsigned i = 0; i < b->n; i++) {
		struct json_object *one = json_object_new_object();

		json_object_object_add(one, "cause",
				       json_object_new_string(bound_name(b->order[i])));
		add_cycles(one, "cycles", b->of[b->order[i]]);
		json_object_array_add(list, one);
	}
	return list;
}

static struct json_object *json_of_chain(const struct explaining *e, const struct hot_code *hot,
					 const struct bounds *b)
{
	struct json_object *list = json_object_new_array();

	for (unsigned i = 0; i < b->nchain; i++)
		json_object_array_add(
			list, json_object_new_uint64(
				      explained_place(e, hot->place[b->chain[i]])->address));
	return list;
}

static struct json_object *json_of(const struct explaining *e, const struct hot_code *hot,
				   const struct bounds *b, bool is_known)
{
	struct json_object *one = json_object_new_object();

	json_object_object_add(one, "function",
			       json_object_new_string(e->profile->row[hot->row].name));
	json_object_object_add(one, "kind", json_object_new_string(hot->loop ? "loop" : "block"));
	json_object_object_add(one, "address",
			       json_object_new_uint64(explained_place(e, hot->first)->address));
	json_object_object_add(one, "instructions", json_object_new_uint64(hot->n));
	json_object_object_add(one, "times", json_object_new_uint64(hot->times));
	json_object_object_add(one, "executed", json_object_new_uint64(hot->executed));
	if (!is_known) {
		json_object_object_add(one, "cycles", NULL);
		return one;
	}
	add_cycles(one, "cycles", b->cycles);
	json_object_object_add(one, "class", json_object_new_string("modelled"));
	json_object_object_add(one, "core", json_object_new_string(e->model->table->name));
	json_object_object_add(one, "unknown", json_object_new_uint64(b->unknown));
	json_object_object_add(one, "bounds", json_of_bounds(b));
	json_object_object_add(one, "chain", json_of_chain(e, hot, b));
	return one;
}

/* --- The report --- */

static void tell_all(struct buf *out, const struct explaining *e, const struct buf *found,
		     bool json)
{
	const struct hot_code *hot = (const struct hot_code *)(const void *)found->data;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < found->size / sizeof(*hot); i++) {
		struct bounds b = {0};
		const bool is_known =
			bounds_of(&b, e->model, &hot[i], explained_place(e, hot[i].first)->address);

		if (json)
			json_object_array_add(list, json_of(e, &hot[i], &b, is_known));
		else
			tell_text(out, e, &hot[i], &b, is_known);
	}
	if (json)
		buf_printf(out, "%s\n",
			   json_object_to_json_string_ext(list, JSON_C_TO_STRING_PRETTY));
	json_object_put(list);
}

int explain_report(struct buf *out, const struct profile *profile,
		   const struct profile_lines *lines, const struct core_model *model,
		   const char *core, const struct explain_options *o, struct reason *why)
{
	const struct explaining e = {profile, lines, model, core};
	bool *is_match = NULL;
	struct buf found = {0};
	int err = 0;

	if (o->function) {
		is_match = memory_checked(calloc(profile->nrows + 1, sizeof(*is_match)));
		err = profile_match(profile, NULL, o->function, is_match, why);
	}
	if (!err) {
		hot_code_find(&found, profile, is_match, o->blocks);
		tell_all(out, &e, &found, o->json);
		hot_code_free(&found);
	}
	free(is_match);
	return err;
}
