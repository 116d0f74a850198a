// SPDX-License-Identifier: BSD-2-Clause
/*
 * sample_profile.c - see sample_profile.h.
 *
 * A context is a function, or a function that was inlined at a line of another context. A line has
 * the count of its instruction that is executed most, because the compiler may have moved others
 * out of its block.
 */
#include "tools/pgo/sample_profile.h"

#include <elfutils/libdw.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/pgo/discriminator.h"
#include "tools/symbols/inlined.h"
#include "tools/util/index.h"

#define NO_CONTEXT   UINT32_MAX
#define INLINE_DEPTH 64
#define LINE_MASK    0xffff /* LLVM's lines are of 16 bits */

/* A line of a function. */
struct line_place {
	uint32_t context;
	uint16_t line, discriminator;
};

struct sample_context {
	struct line_place at; /* where it is inlined; `context` is NO_CONTEXT: it is not */
	const char *name;
	unsigned declared;
	uint64_t head, total;
	size_t first_line, nlines, first_child, nchildren;
};

struct sample_line {
	struct line_place at;
	uint64_t count;
};

/* Calls of one function at one line. */
struct sample_call {
	struct line_place at;
	const char *callee;
	uint64_t count;
};

struct sampling {
	const struct executed *executed;
	const struct pgo_functions *functions;
	struct inlined_reader *reader;
	struct buf contexts, lines, calls;
	struct index by_place, by_function, names; /* numbers of contexts, and of names */
	size_t nnames;
	uint32_t *child; /* contexts by where they are inlined */
};

/* --- Contexts --- */

static struct sample_context *context_at(const struct sampling *s, size_t i)
{
	return (struct sample_context *)(void *)s->contexts.data + i;
}

static size_t number_of_name(struct sampling *s, const char *name)
{
	const size_t known = index_find_text(&s->names, name);

	if (known != INDEX_NONE)
		return known;
	index_add_text(&s->names, name, s->nnames);
	return s->nnames++;
}

static uint32_t find_context(struct sampling *s, struct line_place at, const char *name,
			     unsigned declared)
{
	const uint64_t place =
		(uint64_t)at.context << 32 | (uint32_t)at.line << 16 | at.discriminator;
	const size_t number = number_of_name(s, name);
	size_t known = index_find(&s->by_place, place, number);

	if (known == INDEX_NONE) {
		known = s->contexts.size / sizeof(struct sample_context);
		buf_add(&s->contexts,
			&(struct sample_context){.at = at, .name = name, .declared = declared},
			sizeof(struct sample_context));
		index_add(&s->by_place, place, number, known);
	}
	return (uint32_t)known;
}

static struct line_place place_of_line(const struct sampling *s, uint32_t context, unsigned line,
				       unsigned discriminator)
{
	return (struct line_place){context, (uint16_t)(line - context_at(s, context)->declared),
				   (uint16_t)discriminator_base(discriminator)};
}

/* Parts of a function that compilers move elsewhere have its profile. */
static const char *plain_symbol(struct sampling *s, const char *name)
{
	static const char *const suffixes[] = {".cold", ".part.", ".llvm."};
	size_t n = strlen(name), known;
	struct buf plain = {0};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		const char *at = strstr(name, suffixes[i]);

		if (at && at > name && (size_t)(at - name) < n)
			n = (size_t)(at - name);
	}
	if (!name[n])
		return name;
	buf_printf(&plain, "%.*s", (int)n, name);
	known = number_of_name(s, buf_text(&plain));
	buf_free(&plain);
	for (size_t i = 0; i < s->functions->n; i++)
		if (number_of_name(s, s->functions->function[i].name) == known)
			return s->functions->function[i].name;
	return name;
}

/* The search for a function among those of a unit. */
struct function_search {
	uint64_t address;
	int declared; /* line; 0: not found */
};

static int look_at_function(Dwarf_Die *function, void *search)
{
	struct function_search *f = search;

	if (dwarf_haspc(function, f->address) != 1)
		return DWARF_CB_OK;
	dwarf_decl_line(function, &f->declared);
	return DWARF_CB_ABORT;
}

/* Returns the line where the function at `address` is declared; 0: unknown. */
static unsigned declared_at(const struct inlined_reader *reader, uint64_t address)
{
	struct function_search search = {.address = address};
	Dwarf_Die unit;

	if (inlined_unit(reader, address, &unit))
		dwarf_getfuncs(&unit, look_at_function, &search, 0);
	return search.declared > 0 ? (unsigned)search.declared : 0;
}

static uint32_t make_context_of_function(struct sampling *s, const struct pgo_function *function)
{
	const struct line_place nowhere = {.context = NO_CONTEXT};
	const unsigned declared = declared_at(s->reader, function->start);

	return declared ? find_context(s, nowhere, plain_symbol(s, function->name), declared)
			: NO_CONTEXT;
}

/* Returns the context of a function that is not inlined, or NO_CONTEXT: it has no lines. */
static uint32_t context_of_function(struct sampling *s, const struct pgo_function *function)
{
	const size_t i = (size_t)(function - s->functions->function);
	size_t known = index_find(&s->by_function, i, 0);

	if (known == INDEX_NONE) {
		known = make_context_of_function(s, function);
		index_add(&s->by_function, i, 0, known);
	}
	return (uint32_t)known;
}

/* Returns the place of an instruction in the function's context, or in one that is inlined there.
 */
static struct line_place place_of_insn(struct sampling *s, uint32_t context,
				       const struct source_place *source)
{
	const struct inlined *stack[INLINE_DEPTH];
	size_t n = 0;

	for (const struct inlined *i = source->inlined; i && n < INLINE_DEPTH; i = i->outer)
		stack[n++] = i;
	while (n--) {
		const struct line_place call =
			place_of_line(s, context, stack[n]->line, stack[n]->discriminator);

		if (!stack[n]->linkage || !stack[n]->declared)
			break;
		context = find_context(s, call, stack[n]->linkage, stack[n]->declared);
	}
	return place_of_line(s, context, source->line, source->discriminator);
}

/* --- Counts --- */

/* A jump to the start of another function is a tail call. */
static void add_call(struct sampling *s, const struct line_place *at,
		     const struct executed_branch *branch)
{
	const struct pgo_function *callee =
		branch->to_outside ? NULL : functions_find(s->functions, branch->to);

	if (!callee || callee->start != branch->to || branch->kind == PROFILE_RETURN ||
	    (branch->kind != PROFILE_CALL && functions_find(s->functions, branch->from) == callee))
		return;
	buf_add(&s->calls, &(struct sample_call){*at, plain_symbol(s, callee->name), branch->count},
		sizeof(struct sample_call));
}

static void add_calls(struct sampling *s, const struct line_place *at, uint64_t address)
{
	size_t n;
	const struct executed_branch *branch = executed_from(s->executed, address, &n);

	for (size_t i = 0; i < n; i++)
		add_call(s, at, &branch[i]);
}

static void add_insn(struct sampling *s, uint32_t context, const struct executed_insn *insn)
{
	const struct source_place source = inlined_find(s->reader, insn->address);
	struct sample_line line = {.count = insn->count};

	if (!source.line)
		return;
	line.at = place_of_insn(s, context, &source);
	line.count *= discriminator_copies(source.discriminator);
	buf_add(&s->lines, &line, sizeof(line));
	if (insn->count)
		add_calls(s, &line.at, insn->address);
}

/* Lines that are not executed count 0: without a count, clang would guess one. */
static void add_all_lines(struct sampling *s, uint32_t context, const struct pgo_function *function)
{
	Dwarf_Lines *lines;
	Dwarf_Die unit;
	size_t n;

	if (!inlined_unit(s->reader, function->start, &unit) ||
	    dwarf_getsrclines(&unit, &lines, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		struct executed_insn none = {0};
		bool is_end = true;
		Dwarf_Line *line = dwarf_onesrcline(lines, i);

		if (!dwarf_lineaddr(line, &none.address) && !dwarf_lineendsequence(line, &is_end) &&
		    !is_end && none.address >= function->start && none.address < function->end)
			add_insn(s, context, &none);
	}
}

static uint32_t begin_function(struct sampling *s, const struct pgo_function *function)
{
	const uint32_t context = context_of_function(s, function);

	if (context != NO_CONTEXT)
		add_all_lines(s, context, function);
	return context;
}

static void add_insns(struct sampling *s)
{
	const struct pgo_function *function = NULL;
	uint32_t context = NO_CONTEXT;

	for (size_t i = 0; i < s->executed->ninsns; i++) {
		const struct executed_insn *insn = &s->executed->insn[i];

		if (!function || insn->address < function->start ||
		    insn->address >= function->end) {
			function = functions_find(s->functions, insn->address);
			context = function ? begin_function(s, function) : NO_CONTEXT;
		}
		if (context != NO_CONTEXT)
			add_insn(s, context, insn);
	}
}

/* Adds up how often each function is entered. */
static void add_heads(struct sampling *s)
{
	for (size_t i = 0; i < s->executed->nbranches; i++) {
		const struct executed_branch *b = &s->executed->branch[i];
		const struct pgo_function *function =
			b->to_outside ? NULL : functions_find(s->functions, b->to);
		uint32_t context;

		if (!function || function->start != b->to || b->kind == PROFILE_RETURN ||
		    (b->kind != PROFILE_CALL && !b->from_outside &&
		     functions_find(s->functions, b->from) == function))
			continue;
		context = context_of_function(s, function);
		if (context != NO_CONTEXT)
			context_at(s, context)->head += b->count;
	}
}

/* --- Order --- */

static int compare_places(const struct line_place *x, const struct line_place *y)
{
	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	if (x->line != y->line)
		return x->line - y->line;
	return x->discriminator - y->discriminator;
}

static int compare_sample_lines(const void *a, const void *b)
{
	return compare_places(&((const struct sample_line *)a)->at,
			      &((const struct sample_line *)b)->at);
}

static int compare_sample_calls(const void *a, const void *b)
{
	const struct sample_call *x = a, *y = b;
	const int order = compare_places(&x->at, &y->at);

	return order ? order : strcmp(x->callee, y->callee);
}

static const struct sampling *compared; /* by compare_children() */

static int compare_children(const void *a, const void *b)
{
	const struct sample_context *x = context_at(compared, *(const uint32_t *)a);
	const struct sample_context *y = context_at(compared, *(const uint32_t *)b);
	const int order = compare_places(&x->at, &y->at);

	return order ? order : strcmp(x->name, y->name);
}

static void sort_buf(struct buf *buf, size_t size, int (*compare)(const void *, const void *))
{
	if (buf->size)
		qsort(buf->data, buf->size / size, size, compare);
}

/* Sorts the lines, keeps the greatest count of each, and gives them to their contexts. */
static void order_lines(struct sampling *s)
{
	struct sample_line *line = (void *)s->lines.data;
	const size_t n = s->lines.size / sizeof(*line);
	size_t kept = 0;

	sort_buf(&s->lines, sizeof(*line), compare_sample_lines);
	for (size_t i = 0; i < n; i++) {
		struct sample_context *context = context_at(s, line[i].at.context);

		if (kept && !compare_places(&line[kept - 1].at, &line[i].at)) {
			if (line[i].count > line[kept - 1].count)
				line[kept - 1].count = line[i].count;
			continue;
		}
		if (!context->nlines++)
			context->first_line = kept;
		line[kept++] = line[i];
	}
	s->lines.size = kept * sizeof(*line);
	sort_buf(&s->calls, sizeof(struct sample_call), compare_sample_calls);
}

static void order_contexts(struct sampling *s)
{
	const size_t n = s->contexts.size / sizeof(struct sample_context);
	struct buf children = {0};

	for (uint32_t i = 0; i < n; i++)
		buf_add(&children, &i, sizeof(i));
	compared = s;
	sort_buf(&children, sizeof(uint32_t), compare_children);
	s->child = (void *)children.data;
	for (size_t i = 0; i < n; i++) {
		const uint32_t parent = context_at(s, s->child[i])->at.context;

		if (parent != NO_CONTEXT && !context_at(s, parent)->nchildren++)
			context_at(s, parent)->first_child = i;
	}
}

/* A context stands behind the one in which it is inlined. */
static void sum_totals(struct sampling *s)
{
	const struct sample_line *line = (const void *)s->lines.data;

	for (size_t i = 0; i < s->lines.size / sizeof(*line); i++)
		context_at(s, line[i].at.context)->total += line[i].count;
	for (size_t i = s->contexts.size / sizeof(struct sample_context); i--;) {
		const struct sample_context *context = context_at(s, i);

		if (context->at.context != NO_CONTEXT)
			context_at(s, context->at.context)->total += context->total;
	}
}

/* --- Text --- */

static void print_place(struct buf *out, unsigned depth, const struct line_place *at)
{
	buf_printf(out, "%*s%u", (int)depth, "", at->line);
	if (at->discriminator)
		buf_printf(out, ".%u", at->discriminator);
	buf_printf(out, ": ");
}

/* Prints the calls at a line, each callee once. */
static void print_calls(struct buf *out, const struct sampling *s, const struct line_place *at)
{
	const struct sample_call *call = (const void *)s->calls.data;
	const size_t n = s->calls.size / sizeof(*call);
	size_t low = 0, high = n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_places(&call[middle].at, at) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	while (low < n && !compare_places(&call[low].at, at)) {
		const char *callee = call[low].callee;
		uint64_t count = 0;

		for (; low < n && !compare_places(&call[low].at, at) &&
		       !strcmp(call[low].callee, callee);
		     low++)
			count += call[low].count;
		buf_printf(out, " %s:%" PRIu64, callee, count);
	}
}

static void print_context(struct buf *out, const struct sampling *s,
			  const struct sample_context *context, unsigned depth)
{
	const struct sample_line *line = (const void *)s->lines.data;

	for (size_t i = context->first_line; i < context->first_line + context->nlines; i++) {
		print_place(out, depth, &line[i].at);
		buf_printf(out, "%" PRIu64, line[i].count);
		print_calls(out, s, &line[i].at);
		buf_printf(out, "\n");
	}
	for (size_t i = 0; i < context->nchildren; i++) {
		const struct sample_context *child =
			context_at(s, s->child[context->first_child + i]);

		print_place(out, depth, &child->at);
		buf_printf(out, "%s:%" PRIu64 "\n", child->name, child->total);
		print_context(out, s, child, depth + 1);
	}
	buf_settle(out, false);
}

static void print_functions(struct buf *out, const struct sampling *s)
{
	for (size_t i = 0; i < s->contexts.size / sizeof(struct sample_context); i++) {
		const struct sample_context *context = context_at(s, s->child[i]);

		if (context->at.context != NO_CONTEXT)
			continue;
		buf_printf(out, "%s:%" PRIu64 ":%" PRIu64 "\n", context->name, context->total,
			   context->head);
		print_context(out, s, context, 1);
	}
}

int sample_profile(struct buf *out, const struct executed *executed,
		   const struct pgo_functions *functions, struct reason *why)
{
	struct sampling s = {.executed = executed, .functions = functions};

	if (!symbols_dwarf(executed->object->symbols))
		return refuse(why, ENODATA,
			      "%s has no debug information (-g), which clang's profiles need",
			      executed->object->path);
	s.reader = inlined_open(executed->object->symbols);
	add_insns(&s);
	add_heads(&s);
	order_lines(&s);
	order_contexts(&s);
	sum_totals(&s);
	print_functions(out, &s);
	inlined_close(s.reader);
	index_free(&s.by_place);
	index_free(&s.by_function);
	index_free(&s.names);
	buf_free(&s.contexts);
	buf_free(&s.lines);
	buf_free(&s.calls);
	free(s.child);
	return 0;
}
