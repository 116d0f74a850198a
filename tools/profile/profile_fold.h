/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_fold.h - an exact profile by function, call and instruction, from what the plugin counted
 * (include/perf0/profile_file.h).
 *
 * Self costs belong to the function that contains the instruction's address, so their sum over all
 * functions is the total. Code without a symbol belongs to the function of the perf map, else to
 * the nearest address below it that was called, else to its range of addresses.
 */
#ifndef TOOLS_PROFILE_PROFILE_FOLD_H
#define TOOLS_PROFILE_PROFILE_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/events_page.h"
#include "include/perf0/profile_file.h"
#include "lib/reason.h"
#include "tools/profile/code_map.h"
#include "tools/symbols/symbols.h"

#define PROFILE_EVENTS 8u /* at most, in one profile */
#define PROFILE_NO_ROW UINT32_MAX

/*
 * An event is a sum of counts. The image reports `instructions` as INSTRUCTIONS - REP_ITERATIONS.
 */
struct profile_event {
	const char *name;
	int16_t term[EVENTS_TERMS]; /* as in struct events_target */
	bool user, kernel;          /* counts of ring 3; of ring 0 on behalf of the task */
};

/* profile_event_is_modelled() - only functions and calls have it: no line, no instruction. */
static inline bool profile_event_is_modelled(const struct profile_event *event)
{
	return events_term_count(event->term[0]) >= EVENTS_UOPS;
}

/* A sum of each event. */
struct profile_sum {
	uint64_t of[PROFILE_EVENTS];
};

/* A function. */
struct profile_row {
	const char *name;                 /* of the source, or "[0xADDRESS]" */
	const struct code_object *object; /* NULL: code of no known file */
	uint64_t address;                 /* of its start; in the file, or virtual */
	uint64_t calls;
	struct profile_sum self;
	struct profile_sum inclusive; /* self at least, as the start may never be called */
	char *own;                    /* the name, if it belongs to the row */
};

/* The calls from one place to one function. */
struct profile_call {
	uint32_t caller; /* index of a row; PROFILE_NO_ROW: a task began there, or a signal came */
	uint32_t callee;
	bool is_jump;                     /* a tail call */
	const struct code_object *object; /* of the call, like a row's */
	uint64_t address;
	uint64_t calls;
	struct profile_sum inclusive;
};

/* An instruction. */
struct profile_place {
	const struct code_object *object; /* like a row's */
	uint64_t address;
	uint32_t row;
	uint8_t bytes;
	struct profile_sum self;
};

/* A calling context. The first is the root, which has no row. */
struct profile_context {
	uint32_t parent; /* index, lower than its own except for the root */
	uint32_t row;    /* PROFILE_NO_ROW: unknown code */
	uint64_t calls;
	struct profile_sum self;
};

struct profile {
	const struct code_map *map;
	const struct profile_event *event;
	size_t nevents;
	struct profile_row *row; /* in the order of files and addresses */
	size_t nrows;
	struct profile_call *call; /* sorted by caller, address, callee */
	size_t ncalls;
	struct profile_place *place; /* sorted by row and address */
	size_t nplaces;
	struct profile_context *context; /* none: the plugin kept no contexts */
	size_t ncontexts;
	bool has_calls;             /* else it has self counts alone */
	struct profile_sum total;   /* of all self costs */
	struct profile_sum counted; /* of all tasks, as the plugin summed it up */
	uint32_t nfull;             /* entries that found no room: the profile lacks them */
};

/* The perf maps of JIT compilers, from symbols_open_perfmap(). */
struct profile_jit {
	const struct symbols *const *map;
	size_t n;
};

/*
 * profile_fold() - folds a file, of which `map` wrote the code. The profile refers to `map`, to
 * the maps of `jit` and to `event`. Returns 0, or -E with the reason: the file is of another
 * version or damaged, or lacks the counts of an event.
 */
int profile_fold(struct profile *profile, const struct profile_file *file,
		 const struct code_map *map, const struct profile_jit *jit,
		 const struct profile_event *event, size_t nevents, struct reason *why);

void profile_free(struct profile *profile);

/* profile_context_is_region() - true for a function's region (include/perf0/profile_file.h). */
static inline bool profile_context_is_region(const struct profile *profile,
					     const struct profile_context *context)
{
	return context->row != PROFILE_NO_ROW &&
	       context->row == profile->context[context->parent].row;
}

/* profile_object_name() - returns the path of a file in the image; NULL is unknown code. */
const char *profile_object_name(const struct code_object *object);

/* profile_row_name() - returns the name of a row, which may be PROFILE_NO_ROW. */
const char *profile_row_name(const struct profile *profile, uint32_t row);

/* profile_add(), profile_subtract() - add `more` to `sum`, or take it off. */
static inline void profile_add(struct profile_sum *sum, const struct profile_sum *more)
{
	for (unsigned i = 0; i < PROFILE_EVENTS; i++)
		sum->of[i] += more->of[i];
}

static inline void profile_subtract(struct profile_sum *sum, const struct profile_sum *less)
{
	for (unsigned i = 0; i < PROFILE_EVENTS; i++)
		sum->of[i] -= less->of[i];
}

/* profile_is_zero() - true where all events are 0. */
static inline bool profile_is_zero(const struct profile_sum *sum)
{
	uint64_t any = 0;

	for (unsigned i = 0; i < PROFILE_EVENTS; i++)
		any |= sum->of[i];
	return !any;
}

#endif
