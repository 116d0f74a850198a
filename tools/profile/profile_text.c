// SPDX-License-Identifier: BSD-2-Clause
/* profile_text.c - see profile_text.h. Each event has a table of its own. */
#include "tools/profile/profile_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/printf.h"
#include "tools/profile/profile_inlined.h"
#include "tools/profile/profile_match.h"
#include "tools/util/memory.h"
#include "tools/util/plainbuf.h"

#define NUMBER_MAX   32
#define NUMBER_WIDTH 16  /* columns */
#define NAME_MOST    120 /* bytes of a name at most */
#define NAME_WIDTH   48  /* columns of a name at most; a longer name moves what follows */

static const char *grouped_number(char text[NUMBER_MAX], uint64_t value)
{
	fmt_print(text, NUMBER_MAX, "%'llu", (unsigned long long)value);
	return text;
}

static void add_count_column(struct buf *out, uint64_t value)
{
	char text[NUMBER_MAX];

	buf_printf(out, "%*s  ", NUMBER_WIDTH, grouped_number(text, value));
}

static void add_share_column(struct buf *out, uint64_t part, uint64_t all)
{
	if (all)
		buf_printf(out, "%6.2f%%  ", 100.0 * (double)part / (double)all);
	else
		buf_printf(out, "%7s  ", "");
}

/* Adds a name, cut to NAME_MOST bytes at the start of a character. */
static void add_short_name(struct buf *out, const char *name)
{
	const size_t start = out->size;

	plain_add(out, name, strlen(name));
	if (out->size - start <= NAME_MOST)
		return;
	out->size = start + NAME_MOST - 3;
	while (out->size > start && (out->data[out->size] & 0xc0) == 0x80)
		out->size--;
	buf_printf(out, "...");
}

static void add_padded(struct buf *out, const char *text, int width)
{
	add_short_name(out, text);
	for (int n = plain_width(text); n < width; n++)
		buf_printf(out, " ");
}

static void widen_to(int *width, const char *text)
{
	const int n = plain_width(text);

	if (n > *width)
		*width = n < NAME_WIDTH ? n : NAME_WIDTH;
}

static void add_table_title(struct buf *out, const struct profile *profile, size_t event,
			    const char *what)
{
	buf_printf(out, "\n ");
	plain_add(out, profile->event[event].name, strlen(profile->event[event].name));
	buf_printf(out, "%s, %s:\n\n",
		   profile_event_is_modelled(&profile->event[event]) ? " [modelled]" : "", what);
}

/* --- Functions --- */

/* A row in the order of a table. */
struct ranked_row {
	const struct profile_row *row;
	uint64_t self, inclusive;
};

static int compare_ranked_rows(const void *a, const void *b)
{
	const struct ranked_row *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	if (x->inclusive != y->inclusive)
		return x->inclusive > y->inclusive ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Collects the rows with costs of an event, of those in `is_match`; NULL: of all. */
static size_t rank_rows(struct ranked_row *ranked, const struct profile *profile, size_t event,
			const bool *is_match)
{
	size_t n = 0;

	for (size_t i = 0; i < profile->nrows; i++) {
		const struct profile_row *row = &profile->row[i];

		if (is_match ? is_match[i] : row->self.of[event] || row->inclusive.of[event])
			ranked[n++] = (struct ranked_row){row, row->self.of[event],
							  row->inclusive.of[event]};
	}
	qsort(ranked, n, sizeof(*ranked), compare_ranked_rows);
	return n;
}

static int names_width(const struct ranked_row *ranked, size_t n)
{
	int width = (int)strlen("function");

	for (size_t i = 0; i < n; i++)
		widen_to(&width, ranked[i].row->name);
	return width;
}

/* Adds the columns of a row before its name. A profile without calls has self counts alone. */
static void add_columns(struct buf *out, const struct profile *profile, size_t event,
			const struct ranked_row *ranked)
{
	if (profile->has_calls)
		add_count_column(out, ranked->row->calls);
	add_count_column(out, ranked->self);
	add_share_column(out, ranked->self, profile->total.of[event]);
	if (profile->has_calls)
		add_count_column(out, ranked->inclusive);
}

static void add_ranked_row(struct buf *out, const struct profile *profile, size_t event,
			   const struct ranked_row *ranked, int width)
{
	add_columns(out, profile, event, ranked);
	add_padded(out, ranked->row->name, width);
	buf_printf(out, "  ");
	plain_add(out, profile_object_name(ranked->row->object),
		  strlen(profile_object_name(ranked->row->object)));
	buf_printf(out, "\n");
}

static void add_function_rows(struct buf *out, const struct profile *profile, size_t event,
			      const struct ranked_row *ranked, size_t n)
{
	const int width = names_width(ranked, n);

	if (profile->has_calls)
		buf_printf(out, "%*s  ", NUMBER_WIDTH, "calls");
	buf_printf(out, "%*s  %7s  ", NUMBER_WIDTH, "self", "%");
	if (profile->has_calls)
		buf_printf(out, "%*s  ", NUMBER_WIDTH, "inclusive");
	buf_printf(out, "%-*s  object\n", width, "function");
	for (size_t i = 0; i < n; i++)
		add_ranked_row(out, profile, event, &ranked[i], width);
}

/* Adds a line of costs that no single function has. */
static void add_sum_row(struct buf *out, const struct profile *profile, size_t event, uint64_t sum,
			const char *text)
{
	if (profile->has_calls)
		buf_printf(out, "%*s  ", NUMBER_WIDTH, "");
	add_count_column(out, sum);
	add_share_column(out, sum, profile->total.of[event]);
	if (profile->has_calls)
		buf_printf(out, "%*s  ", NUMBER_WIDTH, "");
	buf_printf(out, "%s\n", text);
}

static void add_others(struct buf *out, const struct profile *profile, size_t event,
		       const struct ranked_row *ranked, size_t n)
{
	char text[NUMBER_MAX];
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += ranked[i].self;
	snprintf(text, sizeof(text), "%zu other%s", n, n == 1 ? "" : "s");
	if (n)
		add_sum_row(out, profile, event, sum, text);
}

/* Returns the costs of the object's functions without names. */
static uint64_t nameless_costs(const struct profile *profile, const struct code_object *object,
			       size_t event)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->nrows; i++)
		if (profile->row[i].own && profile->row[i].object == object)
			sum += profile->row[i].self.of[event];
	return sum;
}

static void add_nameless_object(struct buf *out, const struct profile *profile,
				const struct code_object *object, size_t event)
{
	const uint64_t total = profile->total.of[event];
	const uint64_t sum = nameless_costs(profile, object, event);
	const char *path = profile_object_name(object);

	if (sum * 100 <= total)
		return;
	buf_printf(out, "\n ");
	plain_add(out, path, strlen(path));
	buf_printf(out, ": %.2f%% in functions without a symbol, [0xADDRESS]; %s\n",
		   100.0 * (double)sum / (double)total,
		   object ? "its debug file has names: install it (-dbgsym), or set DEBUGINFOD_URLS"
			  : "a JIT compiler's perf map has names: --bring /tmp/perf-PID.map");
}

/* Tells how to get names, where functions without them matter. */
static void add_nameless(struct buf *out, const struct profile *profile, size_t event)
{
	add_nameless_object(out, profile, NULL, event);
	for (size_t i = 0; i < profile->map->n; i++)
		add_nameless_object(out, profile, &profile->map->object[i], event);
}

void profile_text_functions(struct buf *out, const struct profile *profile, size_t most)
{
	struct ranked_row *ranked = memory_checked(calloc(profile->nrows + 1, sizeof(*ranked)));

	for (size_t event = 0; event < profile->nevents; event++) {
		const size_t n = rank_rows(ranked, profile, event, NULL);
		const size_t shown = n < most ? n : most;

		add_table_title(out, profile, event, "by function");
		add_function_rows(out, profile, event, ranked, shown);
		add_others(out, profile, event, ranked + shown, n - shown);
		add_sum_row(out, profile, event, profile->total.of[event], "total");
	}
	add_nameless(out, profile, 0);
	free(ranked);
}

/* Adds a row for an inlined function: it is never called. */
static void add_inlined_row(struct buf *out, const struct profile *profile,
			    const struct profile_inlined *inlined, size_t event)
{
	const struct profile_row *row = &profile->row[inlined->row];

	if (profile->has_calls)
		buf_printf(out, "%*s  ", NUMBER_WIDTH, "inlined");
	add_count_column(out, inlined->self.of[event]);
	add_share_column(out, inlined->self.of[event], profile->total.of[event]);
	if (profile->has_calls)
		add_count_column(out, inlined->inclusive.of[event]);
	add_short_name(out, inlined->name);
	buf_printf(out, " in ");
	add_short_name(out, row->name);
	buf_printf(out, "  ");
	plain_add(out, profile_object_name(row->object), strlen(profile_object_name(row->object)));
	buf_printf(out, "\n");
}

static void add_matching(struct buf *out, const struct profile *profile, size_t event,
			 const bool *is_match, const struct buf *inlined)
{
	struct ranked_row *ranked = memory_checked(calloc(profile->nrows + 1, sizeof(*ranked)));
	const struct profile_inlined *one = (const void *)inlined->data;
	const bool is_modelled = profile_event_is_modelled(&profile->event[event]);

	add_table_title(out, profile, event, "by function");
	add_function_rows(out, profile, event, ranked, rank_rows(ranked, profile, event, is_match));
	for (size_t i = 0; i < inlined->size / sizeof(*one) && !is_modelled; i++)
		add_inlined_row(out, profile, &one[i], event);
	if (profile->ncontexts)
		add_sum_row(out, profile, event, profile_inside(profile, is_match).of[event],
			    "inside of these");
	add_sum_row(out, profile, event, profile->total.of[event], "total");
	free(ranked);
}

int profile_text_matching(struct buf *out, const struct profile *profile,
			  const struct profile_lines *lines, const char *patterns,
			  struct reason *why)
{
	bool *is_match = memory_checked(calloc(profile->nrows + 1, sizeof(*is_match)));
	const int err = profile_match(profile, lines, patterns, is_match, why);
	struct buf inlined = {0};

	if (!err)
		profile_inlined(&inlined, profile, lines, patterns);
	for (size_t event = 0; event < profile->nevents && !err; event++)
		add_matching(out, profile, event, is_match, &inlined);
	buf_free(&inlined);
	free(is_match);
	return err;
}

/* --- Lines --- */

/* A line of the sources, as it was typed. */
struct typed_line {
	const char *file;
	size_t n; /* characters of the name */
	unsigned line;
};

static int read_typed_line(struct typed_line *typed, const char *place, struct reason *why)
{
	const char *colon = strrchr(place, ':');
	char *end = NULL;
	unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;

	if (!colon || colon == place || end == colon + 1 || *end || !line || line > INT32_MAX)
		return refuse(why, EINVAL, "'%s' is no line; FILE:LINE is one", place);
	*typed = (struct typed_line){place, (size_t)(colon - place), (unsigned)line};
	return 0;
}

static bool is_typed_line(const struct typed_line *typed, const struct source_place *at)
{
	const size_t n = at->file ? strlen(at->file) : 0;

	return n >= typed->n && at->line == typed->line &&
	       !memcmp(at->file + n - typed->n, typed->file, typed->n) &&
	       (n == typed->n || at->file[n - typed->n - 1] == '/');
}

/* Returns the inclusive costs of the calls from a line of a function. */
static uint64_t calls_of_line(const struct profile *profile, const struct profile_lines *lines,
			      const struct profile_line *line, size_t event)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->ncalls; i++) {
		const struct source_place *at = &lines->of_call[i];

		if (profile->call[i].caller == line->row && at->line == line->at.line &&
		    at->inlined == line->at.inlined && at->file && line->at.file &&
		    !strcmp(at->file, line->at.file))
			sum += profile->call[i].inclusive.of[event];
	}
	return sum;
}

static void add_line_row(struct buf *out, const struct profile *profile,
			 const struct profile_lines *lines, const struct profile_line *line,
			 size_t event)
{
	const uint64_t self = line->self.of[event];

	add_count_column(out, self);
	add_share_column(out, self, profile->total.of[event]);
	if (profile->has_calls)
		add_count_column(out, self + calls_of_line(profile, lines, line, event));
	for (const struct inlined *at = line->at.inlined; at; at = at->outer) {
		add_short_name(out, at->name);
		buf_printf(out, " (inlined) < ");
	}
	add_short_name(out, profile->row[line->row].name);
	buf_printf(out, "  %s\n", profile_object_name(profile->row[line->row].object));
}

int profile_text_line(struct buf *out, const struct profile *profile,
		      const struct profile_lines *lines, const char *place, struct reason *why)
{
	struct typed_line typed = {0};
	size_t found = 0;
	int err = read_typed_line(&typed, place, why);

	for (size_t event = 0; event < profile->nevents && !err; event++)
		if (profile_event_is_modelled(&profile->event[event]))
			err = refuse(why, EINVAL,
				     "%s is modelled: functions and calls have it, no line has",
				     profile->event[event].name);

	for (size_t event = 0; event < profile->nevents && !err; event++) {
		add_table_title(out, profile, event, place);
		buf_printf(out, "%*s  %7s  ", NUMBER_WIDTH, "self", "%");
		if (profile->has_calls)
			buf_printf(out, "%*s  ", NUMBER_WIDTH, "inclusive");
		buf_printf(out, "function\n");
		for (size_t i = 0; i < lines->n; i++) {
			if (!is_typed_line(&typed, &lines->line[i].at))
				continue;
			add_line_row(out, profile, lines, &lines->line[i], event);
			found++;
		}
	}
	if (!err && !found)
		err = refuse(why, ENOENT, "%s: no instruction of that line was executed", place);
	return err;
}

/* --- Calls --- */

struct ranked_call {
	size_t i;
	uint64_t inclusive;
};

static int compare_ranked_calls(const void *a, const void *b)
{
	const struct ranked_call *x = a, *y = b;

	if (x->inclusive != y->inclusive)
		return x->inclusive > y->inclusive ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

static void add_ranked_call(struct buf *out, const struct profile *profile,
			    const struct profile_lines *lines, const struct ranked_call *ranked,
			    uint64_t total)
{
	const struct profile_call *call = &profile->call[ranked->i];
	const struct source_place *at = &lines->of_call[ranked->i];
	const char *caller = call->caller == PROFILE_NO_ROW
				     ? "[start]"
				     : profile_row_name(profile, call->caller);

	add_count_column(out, call->calls);
	add_count_column(out, ranked->inclusive);
	add_share_column(out, ranked->inclusive, total);
	add_short_name(out, caller);
	buf_printf(out, call->is_jump ? " => " : " -> ");
	add_short_name(out, profile->row[call->callee].name);
	if (at->file) {
		buf_printf(out, "  ");
		plain_add(out, at->file, strlen(at->file));
		buf_printf(out, ":%u", at->line);
	}
	buf_printf(out, "\n");
}

void profile_text_calls(struct buf *out, const struct profile *profile,
			const struct profile_lines *lines, size_t most)
{
	struct ranked_call *ranked = memory_checked(calloc(profile->ncalls + 1, sizeof(*ranked)));

	for (size_t event = 0; event < profile->nevents; event++) {
		for (size_t i = 0; i < profile->ncalls; i++)
			ranked[i] = (struct ranked_call){i, profile->call[i].inclusive.of[event]};
		qsort(ranked, profile->ncalls, sizeof(*ranked), compare_ranked_calls);
		add_table_title(out, profile, event, "by call; => is a jump to another function");
		buf_printf(out, "%*s  %*s  %7s  caller -> callee  place\n", NUMBER_WIDTH, "calls",
			   NUMBER_WIDTH, "inclusive", "%");
		for (size_t i = 0; i < profile->ncalls && i < most; i++)
			add_ranked_call(out, profile, lines, &ranked[i], profile->total.of[event]);
	}
	free(ranked);
}
