// SPDX-License-Identifier: BSD-2-Clause
/* explain_text.c - text and JSON of explain_forms.h. */
#include "tools/explain/explain_forms.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>

/* --- Text --- */

static void add_bounds_text(struct buf *out, const struct explained *x,
			    const struct explaining_core *core)
{
	buf_printf(out, "  ");
	explained_cycles(out, x, core);
	buf_printf(out, "\n");
	for (unsigned i = 0; i < explained_bounds(x); i++) {
		const enum bound bound = x->bounds.order[i];

		buf_printf(out, "    %s %6.2f  ", i ? "then    " : "bound by", x->bounds.of[bound]);
		explained_bound(out, x, core, bound, " (marked *)");
		buf_printf(out, "\n");
	}
	if (x->bounds.unknown) {
		buf_printf(out, "    ");
		explained_unknown(out, x, core);
		buf_printf(out, "\n");
	}
}

static void add_code_text(struct buf *out, const struct explained *x)
{
	for (size_t i = 0; i < x->nlines; i++) {
		const struct explained_line *l = &x->line[i];

		if (x->function)
			buf_printf(out, "  %15" PRIu64, l->executed);
		buf_printf(out, "  %c %6" PRIx64 ":  %s\n", explained_mark(l), l->address, l->text);
	}
}

void explain_text(struct buf *out, const struct explained *list, size_t n,
		  const struct explaining_core *core)
{
	for (size_t i = 0; i < n; i++) {
		const struct explained *x = &list[i];

		if (x->function) {
			buf_printf(out, "%s", x->function);
			explained_place(out, x);
			buf_printf(out, "\n");
		}
		if (x->is_known)
			add_bounds_text(out, x, core);
		else
			buf_printf(out, "  n/a: this code cannot be modelled\n");
		add_code_text(out, x);
		buf_printf(out, "\n");
	}
}

/* --- JSON --- */

static void add_figure(struct json_object *to, const char *name, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", value);
	json_object_object_add(to, name, json_object_new_double_s(value, text));
}

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

static struct json_object *json_of_chain(const struct explained *x)
{
	struct json_object *list = json_object_new_array();

	for (unsigned k = 0; k < x->bounds.nchain; k++)
		for (size_t i = 0; i < x->nlines; i++)
			if (x->line[i].insn == x->bounds.chain[k])
				json_object_array_add(list,
						      json_object_new_uint64(x->line[i].address));
	return list;
}

/* Counts of the run of the program, an iteration. */
static struct json_object *json_of_run(const struct bounds *b)
{
	static const char *const names[PROFILE_TIME_COUNTS] = {
		[PROFILE_TIME_LOADS_L2] = "loads-from-l2",
		[PROFILE_TIME_LOADS_LLC] = "loads-from-llc",
		[PROFILE_TIME_LOADS_MEMORY] = "loads-from-memory",
		[PROFILE_TIME_LOADS_BLOCKED] = "loads-blocked",
		[PROFILE_TIME_LOADS_ALIAS] = "loads-aliased",
		[PROFILE_TIME_MISPREDICTED] = "mispredicted",
	};
	struct json_object *one;

	if (!b->has_run)
		return NULL;
	one = json_object_new_object();
	add_cycles(one, "cycles", b->ran);
	for (unsigned i = 0; i < PROFILE_TIME_COUNTS; i++)
		if (names[i])
			add_figure(one, names[i], b->counted[i]);
	return one;
}

static struct json_object *json_of(const struct explained *x, const struct explaining_core *core)
{
	struct json_object *one = json_object_new_object();

	if (x->function) {
		json_object_object_add(one, "function", json_object_new_string(x->function));
		json_object_object_add(one, "times", json_object_new_uint64(x->code.times));
		json_object_object_add(one, "executed", json_object_new_uint64(x->executed));
	}
	json_object_object_add(one, "kind",
			       json_object_new_string(x->code.loop ? "loop" : "block"));
	json_object_object_add(one, "address", json_object_new_uint64(x->code.va));
	json_object_object_add(one, "instructions", json_object_new_uint64(x->n));
	if (!x->is_known) {
		json_object_object_add(one, "cycles", NULL);
		return one;
	}
	add_cycles(one, "cycles", x->bounds.cycles);
	json_object_object_add(one, "class", json_object_new_string("modelled"));
	json_object_object_add(one, "core", json_object_new_string(core->model->table->name));
	json_object_object_add(one, "unknown", json_object_new_uint64(x->bounds.unknown));
	json_object_object_add(one, "ran", json_of_run(&x->bounds));
	json_object_object_add(one, "bounds", json_of_bounds(&x->bounds));
	json_object_object_add(one, "chain", json_of_chain(x));
	return one;
}

void explain_json(struct buf *out, const struct explained *list, size_t n,
		  const struct explaining_core *core)
{
	struct json_object *all = json_object_new_array();

	for (size_t i = 0; i < n; i++)
		json_object_array_add(all, json_of(&list[i], core));
	buf_printf(out, "%s\n", json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY));
	json_object_put(all);
}
