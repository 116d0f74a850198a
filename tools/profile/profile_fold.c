// SPDX-License-Identifier: BSD-2-Clause
/* profile_fold.c - see profile_fold.h. */
#include "tools/profile/profile_fold.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/profile/folding.h"
#include "tools/util/memory.h"

/* --- Checks --- */

static bool is_in_bounds(const struct profile_header *h)
{
	return h->ncosts <= PROFILE_COSTS && h->npieces <= PROFILE_PIECES_MOST &&
	       h->ninsns <= PROFILE_INSNS_MOST && h->nbytes <= PROFILE_BYTES_MOST &&
	       h->nsymbols <= PROFILE_SYMBOLS_MOST && h->nundone <= PROFILE_UNDONE_MOST &&
	       h->nfunctions < PROFILE_FUNCTIONS_MOST - PROFILE_SYMBOLS_MOST &&
	       h->nnodes <= PROFILE_NODES_MOST;
}

static bool are_pieces_valid(const struct profile_file *file)
{
	for (uint32_t i = 0; i < file->header.npieces; i++) {
		const struct profile_piece *piece = &file->piece[i];

		if (piece->insn > file->header.ninsns ||
		    piece->ninsns > file->header.ninsns - piece->insn ||
		    piece->object > file->header.nobjects)
			return false;
	}
	return true;
}

static bool are_nodes_valid(const struct profile_file *file)
{
	for (uint32_t i = 1; i < file->header.nnodes; i++)
		if (file->node[i].parent >= i)
			return false;
	return true;
}

static int check_profile(const struct profile_file *file, const struct code_map *map,
			 struct reason *why)
{
	const struct profile_header *header = &file->header;

	if (memcmp(header->magic, PROFILE_MAGIC, sizeof(header->magic)) != 0 ||
	    header->version != PROFILE_VERSION)
		return refuse(why, EPROTO, "the profile is of another version of perf0");
	if (header->nobjects != map->n || !is_in_bounds(header) || !are_pieces_valid(file) ||
	    !are_nodes_valid(file))
		return refuse(why, EBADMSG, "the profile is damaged");
	return 0;
}

/* --- Events --- */

static int find_cost(const struct profile_header *header, unsigned cost)
{
	for (unsigned i = 0; i < header->ncosts; i++)
		if (header->cost[i] == cost)
			return (int)i;
	return -1;
}

static int add_weight(int8_t weight[PROFILE_COSTS], const struct profile_header *header,
		      int16_t term, unsigned ring, const char *name, struct reason *why)
{
	const int i = find_cost(header, events_term_count(term) | ring);

	if (i < 0)
		return refuse(why, EINVAL, "the profile has no counts for %s", name);
	weight[i] = (int8_t)(weight[i] + (term < 0 ? -1 : 1));
	return 0;
}

static int weigh_event(int8_t weight[PROFILE_COSTS], const struct profile_header *header,
		       const struct profile_event *event, struct reason *why)
{
	int err = 0;

	for (unsigned i = 0; i < EVENTS_TERMS && event->term[i] && !err; i++) {
		if (event->user)
			err = add_weight(weight, header, event->term[i], 0, event->name, why);
		if (event->kernel && !err)
			err = add_weight(weight, header, event->term[i], PROFILE_RING0, event->name,
					 why);
	}
	return err;
}

static int weigh_events(struct folding *f, struct reason *why)
{
	int err = 0;

	if (f->profile->nevents > PROFILE_EVENTS)
		return refuse(why, E2BIG, "a profile has at most %u events", PROFILE_EVENTS);
	for (size_t i = 0; i < f->profile->nevents && !err; i++)
		err = weigh_event(f->weight[i], &f->file->header, &f->profile->event[i], why);
	return err;
}

struct profile_sum folding_sum(const struct folding *f, const uint64_t cost[PROFILE_COSTS])
{
	struct profile_sum sum = {{0}};

	for (size_t i = 0; i < f->profile->nevents; i++)
		for (unsigned k = 0; k < PROFILE_COSTS; k++)
			sum.of[i] += (uint64_t)(int64_t)f->weight[i][k] * cost[k];
	return sum;
}

static bool is_undecided(uint8_t cost)
{
	return cost & PROFILE_RING0 || profile_is_modelled(cost);
}

/* Returns the costs that no instruction of ring 3 alone decides: ring 0's, and modelled ones. */
static struct profile_sum undecided_sum(const struct folding *f, const uint64_t cost[PROFILE_COSTS])
{
	uint64_t kept[PROFILE_COSTS];

	for (unsigned k = 0; k < PROFILE_COSTS; k++)
		kept[k] = is_undecided(f->file->header.cost[k]) ? cost[k] : 0;
	return folding_sum(f, kept);
}

/* --- Rows --- */

uint32_t folding_add_row(struct folding *f, uint32_t object, uint64_t address, const char *name,
			 char *own)
{
	struct profile *p = f->profile;

	p->row = memory_grow(p->row, p->nrows, sizeof(*p->row));
	p->row[p->nrows] = (struct profile_row){
		.name = own ? own : name,
		.object = folding_object(f, object),
		.address = address,
		.own = own,
	};
	return (uint32_t)p->nrows++;
}

/* Returns the number of the object that has the function with that number. */
static uint32_t object_of_symbol(const struct code_map *map, uint32_t number)
{
	size_t low = 0, high = map->n;

	while (low + 1 < high) {
		const size_t middle = low + (high - low) / 2;

		if (map->object[middle].first < number)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static uint32_t add_symbol_row(struct folding *f, uint32_t number)
{
	const uint32_t i = object_of_symbol(f->map, number);
	const struct code_object *object = &f->map->object[i];
	const struct code_symbol *symbol = code_object_symbol(object, number - 1 - object->first);

	return folding_add_row(f, i + 1, symbol->start, code_symbol_name(object, symbol), NULL);
}

uint32_t folding_jit_row(struct folding *f, uint64_t va)
{
	for (size_t i = 0; f->jit && i < f->jit->n; i++) {
		const struct symbol *found = symbols_find(f->jit->map[i], va);
		size_t row;

		if (!found)
			continue;
		row = index_find(&f->by_jit, i, found->start);
		if (row == INDEX_NONE) {
			row = folding_add_row(f, 0, found->start, found->name, NULL);
			index_set(&f->by_jit, i, found->start, row);
		}
		return (uint32_t)row;
	}
	return PROFILE_NO_ROW;
}

/* Several processes may have called one place of a file at several addresses. */
static const struct called_place *first_called(const struct folding *f, uint32_t number)
{
	const struct called_place *at =
		&f->called[f->called_index[number - f->file->header.nsymbols - 1]];

	while (at > f->called && !compare_code_places(&at[-1].place, &at->place))
		at--;
	return at;
}

static uint32_t add_called_row(struct folding *f, uint32_t number)
{
	const struct called_place *at = first_called(f, number);
	uint32_t row = at->place.object ? PROFILE_NO_ROW : folding_jit_row(f, at->va);
	struct buf name = {0};

	if (at->number != number)
		return folding_row(f, at->number);
	if (row != PROFILE_NO_ROW)
		return row;
	buf_printf(&name, "[0x%llx]", (unsigned long long)at->place.address);
	buf_text(&name);
	return folding_add_row(f, at->place.object, at->place.address, NULL, (char *)name.data);
}

/* Number 0, and numbers that a damaged file has, are unknown code. */
uint32_t folding_row(struct folding *f, uint32_t number)
{
	const struct profile_header *header = &f->file->header;

	if (!number || number > header->nsymbols + header->nfunctions)
		return PROFILE_NO_ROW;
	if (f->row_of[number] == PROFILE_NO_ROW)
		f->row_of[number] = number <= header->nsymbols ? add_symbol_row(f, number)
							       : add_called_row(f, number);
	return f->row_of[number];
}

/* A call that is open counts in one part of a profile, and has costs in others. */
static bool is_called(uint64_t calls, const uint64_t inclusive[PROFILE_COSTS])
{
	for (unsigned k = 0; k < PROFILE_COSTS; k++)
		calls |= inclusive[k];
	return calls;
}

static void fold_functions(struct folding *f)
{
	const struct profile_header *header = &f->file->header;

	for (uint32_t i = 1; i <= header->nsymbols + header->nfunctions; i++) {
		const struct profile_function *function = &f->file->function[i];
		struct profile_sum inclusive;
		uint32_t row;

		if (!is_called(function->calls, function->inclusive))
			continue;
		inclusive = folding_sum(f, function->inclusive);
		row = folding_row(f, i);
		f->profile->row[row].calls += function->calls;
		profile_add(&f->profile->row[row].inclusive, &inclusive);
	}
}

/* --- Calls --- */

static struct code_place call_place(const struct folding *f, const struct profile_edge *edge)
{
	const struct profile_piece *piece;

	if (!edge->piece || edge->piece > f->file->header.npieces)
		return (struct code_place){.address = edge->site};
	piece = &f->file->piece[edge->piece - 1];
	return (struct code_place){piece->object,
				   piece->object ? piece->address + (edge->site - piece->va)
						 : edge->site};
}

/* Finds the row of an instruction; fold_code() has made the places. */
static uint32_t folded_row_at(const struct folding *f, const struct code_place *at)
{
	const struct profile *p = f->profile;
	const struct code_object *object = folding_object(f, at->object);
	size_t low = 0, high = p->nplaces;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct profile_place *place = &p->place[middle];

		if (place->object < object ||
		    (place->object == object && place->address < at->address))
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->nplaces && p->place[low].object == object &&
			       p->place[low].address == at->address
		       ? p->place[low].row
		       : PROFILE_NO_ROW;
}

static void add_edge(struct folding *f, struct buf *calls, const struct profile_edge *edge)
{
	const struct code_place at = call_place(f, edge);
	struct profile_call call = {
		.caller = folding_row(f, edge->caller),
		.callee = folding_row(f, edge->callee),
		.is_jump = edge->is_jump,
		.object = folding_object(f, at.object),
		.address = at.address,
		.calls = edge->calls,
		.inclusive = folding_sum(f, edge->inclusive),
	};

	if (call.callee == PROFILE_NO_ROW)
		return;
	if (call.caller == PROFILE_NO_ROW && edge->site)
		call.caller = folded_row_at(f, &at);
	buf_add(calls, &call, sizeof(call));
}

static int compare_calls(const void *a, const void *b)
{
	const struct profile_call *x = a, *y = b;

	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->callee != y->callee)
		return x->callee < y->callee ? -1 : 1;
	return x->is_jump - y->is_jump;
}

/* Processes that map a file at several addresses have several edges for one call. */
static size_t merge_calls(struct profile_call *call, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (!kept || compare_calls(&call[kept - 1], &call[i])) {
			call[kept++] = call[i];
			continue;
		}
		call[kept - 1].calls += call[i].calls;
		profile_add(&call[kept - 1].inclusive, &call[i].inclusive);
	}
	return kept;
}

static void fold_edges(struct folding *f)
{
	struct profile *p = f->profile;
	struct buf calls = {0};

	for (uint32_t i = 0; i < f->file->header.nedges; i++)
		if (is_called(f->file->edge[i].calls, f->file->edge[i].inclusive))
			add_edge(f, &calls, &f->file->edge[i]);
	p->call = (void *)calls.data;
	p->ncalls = calls.size / sizeof(*p->call);
	if (!p->ncalls)
		return;
	qsort(p->call, p->ncalls, sizeof(*p->call), compare_calls);
	p->ncalls = merge_calls(p->call, p->ncalls);
}

/* --- Contexts --- */

/* The row of code that is in no function that was called. */
static uint32_t unknown_row(struct folding *f)
{
	if (f->unknown == PROFILE_NO_ROW)
		f->unknown = folding_add_row(f, 0, 0, profile_row_name(NULL, PROFILE_NO_ROW), NULL);
	return f->unknown;
}

/* Adds the self costs that no instruction has to the function of the context. */
static void add_undecided(struct folding *f, uint32_t row, const uint64_t self[PROFILE_COSTS])
{
	const struct profile_sum sum = undecided_sum(f, self);

	if (profile_is_zero(&sum))
		return;
	if (row == PROFILE_NO_ROW)
		row = unknown_row(f);
	profile_add(&f->profile->row[row].self, &sum);
	profile_add(&f->profile->total, &sum);
}

static void fold_nodes(struct folding *f)
{
	struct profile *p = f->profile;
	const uint32_t n = f->file->header.nnodes;

	p->context = memory_checked(calloc(n + 1u, sizeof(*p->context)));
	p->ncontexts = n;
	for (uint32_t i = 0; i < n; i++) {
		const struct profile_node *node = &f->file->node[i];

		p->context[i] = (struct profile_context){
			.parent = node->parent,
			.row = folding_row(f, node->function),
			.calls = node->calls,
			.self = folding_sum(f, node->self),
		};
		add_undecided(f, p->context[i].row, node->self);
	}
}

/* --- All of it --- */

/* The order of rows in the result, and where each one went. */
struct row_order {
	const struct profile_row *row;
	uint32_t old;
};

static int compare_row_order(const void *a, const void *b)
{
	const struct row_order *x = a, *y = b;

	if (x->row->object != y->row->object)
		return x->row->object < y->row->object ? -1 : 1;
	if (x->row->address != y->row->address)
		return x->row->address < y->row->address ? -1 : 1;
	return (x->old > y->old) - (x->old < y->old);
}

static void renumber(uint32_t *row, const uint32_t *new)
{
	if (*row != PROFILE_NO_ROW)
		*row = new[*row];
}

static void renumber_rows(struct profile *p, const uint32_t *new)
{
	for (size_t i = 0; i < p->nplaces; i++)
		renumber(&p->place[i].row, new);
	for (size_t i = 0; i < p->ncontexts; i++)
		renumber(&p->context[i].row, new);
	for (size_t i = 0; i < p->ncalls; i++) {
		renumber(&p->call[i].caller, new);
		renumber(&p->call[i].callee, new);
	}
}

static int compare_places(const void *a, const void *b)
{
	const struct profile_place *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

/* Puts the rows in the order of files and addresses, so that each run has the same order. */
static void order_rows(struct profile *p)
{
	struct row_order *order = memory_checked(calloc(p->nrows + 1, sizeof(*order)));
	struct profile_row *sorted = memory_checked(calloc(p->nrows + 1, sizeof(*sorted)));
	uint32_t *new = memory_checked(calloc(p->nrows + 1, sizeof(*new)));

	for (uint32_t i = 0; i < p->nrows; i++)
		order[i] = (struct row_order){&p->row[i], i};
	qsort(order, p->nrows, sizeof(*order), compare_row_order);
	for (uint32_t i = 0; i < p->nrows; i++) {
		sorted[i] = *order[i].row;
		new[order[i].old] = i;
	}
	renumber_rows(p, new);
	free(p->row);
	p->row = sorted;
	free(new);
	free(order);
}

static void raise_inclusive(struct profile *p)
{
	for (size_t i = 0; i < p->nrows; i++)
		for (size_t k = 0; k < p->nevents; k++)
			if (p->row[i].inclusive.of[k] < p->row[i].self.of[k])
				p->row[i].inclusive.of[k] = p->row[i].self.of[k];
}

static void fold_all(struct folding *f)
{
	fold_called(f);
	fold_code(f);
	fold_functions(f);
	fold_edges(f);
	fold_nodes(f);
	raise_inclusive(f->profile);
	f->profile->counted = folding_sum(f, f->file->header.total);
	f->profile->nfull = f->file->header.nfull;
	order_rows(f->profile);
	if (f->profile->nplaces)
		qsort(f->profile->place, f->profile->nplaces, sizeof(*f->profile->place),
		      compare_places);
	if (f->profile->ncalls)
		qsort(f->profile->call, f->profile->ncalls, sizeof(*f->profile->call),
		      compare_calls);
}

int profile_fold(struct profile *profile, const struct profile_file *file,
		 const struct code_map *map, const struct profile_jit *jit,
		 const struct profile_event *event, size_t nevents, struct reason *why)
{
	struct folding f = {.file = file,
			    .map = map,
			    .jit = jit,
			    .profile = profile,
			    .unknown = PROFILE_NO_ROW};
	const size_t n = file->header.nsymbols + (size_t)file->header.nfunctions + 1;
	int err;

	*profile = (struct profile){.map = map, .event = event, .nevents = nevents};
	profile->has_calls = !file->header.skips_calls;
	err = check_profile(file, map, why);
	if (!err)
		err = weigh_events(&f, why);
	if (err)
		return err;
	f.row_of = memory_checked(malloc(n * sizeof(*f.row_of)));
	memset(f.row_of, 0xff, n * sizeof(*f.row_of));
	fold_all(&f);
	index_free(&f.by_jit);
	free(f.called_index);
	free(f.called);
	free(f.row_of);
	return 0;
}

void profile_free(struct profile *profile)
{
	for (size_t i = 0; i < profile->nrows; i++)
		free(profile->row[i].own);
	free(profile->row);
	free(profile->call);
	free(profile->place);
	free(profile->context);
	*profile = (struct profile){0};
}

const char *profile_object_name(const struct code_object *object)
{
	return object ? object->path : "[unknown]";
}

const char *profile_row_name(const struct profile *profile, uint32_t row)
{
	return row == PROFILE_NO_ROW ? "[unknown]" : profile->row[row].name;
}
