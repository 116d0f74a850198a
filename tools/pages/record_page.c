// SPDX-License-Identifier: BSD-2-Clause
/* record_page.c - see record_page.h. */
#include "tools/pages/record_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/forms/flame_stacks.h"
#include "tools/out/sample_walk.h"
#include "tools/picture/html_page.h"
#include "tools/picture/markup.h"
#include "tools/symbols/source.h"
#include "tools/top/profile.h"
#include "tools/util/memory.h"

#define ROWS_OPEN    20   /* functions of an event; further ones are folded */
#define ROWS_MOST    1000 /* further ones are left out */
#define DETAILS_MOST 10   /* functions of an event whose lines are told */
#define LINES_MOST   20   /* of a function */
#define LINE_TEXT    256
#define COLOURS      7 /* of files in a flame graph */

/* The stacks of an event. */
struct stacks {
	struct stack_tree tree;
	unsigned *colour; /* of each node */
	size_t ncolours;
	bool has_chains;
};

/* All samples of a recording. */
struct sampled {
	struct walk walk;
	const struct stream_command *command;
	struct profile profile;
	struct stacks *stacks; /* of each event */
	const struct elf_image *file[COLOURS];
	size_t nfiles;
};

/* --- Samples --- */

/* Returns a colour for each of the first files, and one for all others. */
static unsigned colour_of_file(struct sampled *s, const struct place *place)
{
	for (size_t i = 0; i < s->nfiles; i++)
		if (s->file[i] == place->elf)
			return (unsigned)i;
	if (s->nfiles == COLOURS)
		return COLOURS;
	s->file[s->nfiles++] = place->elf;
	return (unsigned)s->nfiles - 1;
}

static void add_stack(struct sampled *s, struct stacks *stacks, const struct place *place, size_t n,
		      uint64_t weight)
{
	uint32_t node = 0;

	for (size_t i = n; i--;) {
		char room[24];

		node = stack_tree_child(&stacks->tree, node, profile_name(&place[i], room));
		while (stacks->ncolours < stacks->tree.n) {
			stacks->colour = memory_grow(stacks->colour, stacks->ncolours,
						     sizeof(*stacks->colour));
			stacks->colour[stacks->ncolours++] = colour_of_file(s, &place[i]);
		}
	}
	stacks->tree.node[node].self[STACK_NEW] += weight;
	stacks->has_chains |= n > 1;
}

static void take_sample(struct sampled *s, const struct sample *sample)
{
	static struct place place[PLACES_MAX];
	const size_t n = places_stack(&s->walk.places, sample, place);
	const size_t event = (size_t)(sample->event - s->command->events);

	if (!n)
		return;
	profile_add(&s->profile, event, &place[0], sample_weight(sample), sample->cpu);
	add_stack(s, &s->stacks[event], place, n, sample_weight(sample));
}

static void take_samples(struct sampled *s, const struct out_source *source)
{
	struct sample sample;

	*s = (struct sampled){.command = source->command};
	s->stacks = memory_checked(calloc(source->command->nevents + 1, sizeof(*s->stacks)));
	walk_start(&s->walk, source->stream, source->command, source->elf);
	while (walk_next(&s->walk, &sample))
		take_sample(s, &sample);
}

static void free_samples(struct sampled *s)
{
	for (size_t i = 0; i < s->command->nevents; i++) {
		stack_tree_free(&s->stacks[i].tree);
		free(s->stacks[i].colour);
	}
	free(s->stacks);
	profile_clear(&s->profile);
	walk_end(&s->walk);
}

/* --- What was recorded --- */

static void add_period(struct buf *out, const struct perf_event_attr *attr)
{
	struct buf text = {0};

	if (attr->freq)
		buf_printf(&text, "%" PRIu64 " a second", (uint64_t)attr->sample_freq);
	else if (attr->sample_period)
		buf_printf(&text, "each %" PRIu64, (uint64_t)attr->sample_period);
	page_cell(out, "v", buf_text(&text));
	buf_free(&text);
}

static void add_recorded(struct buf *out, const struct sampled *s)
{
	static const char *const heads[] = {"event", ">a sample", ">samples", ">events in them",
					    NULL};

	page_section(out, "What was recorded", NULL);
	page_table_begin(out, heads);
	for (size_t i = 0; i < s->command->nevents; i++) {
		const struct profile_sum sum = profile_total(&s->profile, i);

		buf_printf(out, "<tr>");
		page_cell(out, "name", s->command->events[i].name);
		add_period(out, &s->command->events[i].attr);
		page_number(out, sum.samples);
		page_number(out, sum.weight);
		buf_printf(out, "</tr>\n");
	}
	page_table_end(out);
}

/* --- Functions --- */

static const char *base_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "";
}

static void add_function_row(struct buf *out, const struct profile_row *row, uint64_t all)
{
	char room[24];

	buf_printf(out, "<tr>");
	page_bar(out, all ? (double)row->sum.weight / (double)all : 0);
	page_number(out, row->sum.weight);
	page_number(out, row->sum.samples);
	page_cell(out, "name", profile_name(&row->place, room));
	page_cell(out, "name", base_of(row->place.path));
	page_cell(out, NULL, row->place.kernel ? "0" : "3");
	buf_printf(out, "</tr>\n");
}

static void add_function_rows(struct buf *out, const struct profile_row *row, size_t n,
			      uint64_t all)
{
	static const char *const heads[] = {"share",  ">events", ">samples", "function",
					    "object", "ring",    NULL};

	page_table_begin(out, heads);
	for (size_t i = 0; i < n; i++)
		add_function_row(out, &row[i], all);
	page_table_end(out);
}

static void add_functions_of(struct buf *out, const struct sampled *s, size_t event,
			     const struct profile_row *row, size_t n)
{
	const uint64_t all = profile_total(&s->profile, event).weight;
	const size_t open = n < ROWS_OPEN ? n : ROWS_OPEN, most = n < ROWS_MOST ? n : ROWS_MOST;
	struct buf title = {0};

	buf_printf(&title, "Functions by %s", s->command->events[event].name);
	page_section(out, buf_text(&title),
		     "Events are those that the samples stand for: a sample stands for its "
		     "period.");
	add_function_rows(out, row, open, all);
	if (most > open) {
		buf_printf(out, "<details><summary>%zu more%s</summary>\n", most - open,
			   n > most ? "; the rest is left out" : "");
		add_function_rows(out, row + open, most - open, all);
		buf_printf(out, "</details>\n");
	}
	buf_free(&title);
}

/* --- Lines of a function --- */

/* A source line of a function, or an address without one. */
struct hot_line {
	struct place place;
	const char *file;
	unsigned line; /* 0: none is known */
	uint64_t weight, samples;
};

static int compare_hot_lines(const void *a, const void *b)
{
	const struct hot_line *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x->place.vaddr > y->place.vaddr) - (x->place.vaddr < y->place.vaddr);
}

static struct hot_line *find_hot_line(struct hot_line *line, size_t n, const struct hot_line *as)
{
	for (size_t i = 0; as->line && i < n; i++)
		if (line[i].line == as->line && !strcmp(line[i].file, as->file))
			return &line[i];
	return NULL;
}

/* Sums the addresses of a function by line. Returns the number of lines, sorted. */
static size_t sum_lines(const struct buf *cells, size_t n, struct hot_line *line)
{
	const struct profile_cell *cell = (const void *)cells->data;
	size_t nlines = 0;

	for (size_t i = 0; i < n; i++) {
		struct hot_line as = {.place = cell[i].place, .file = ""}, *of;

		as.line = place_line(&cell[i].place, &as.file);
		of = find_hot_line(line, nlines, &as);
		if (!of) {
			of = &line[nlines++];
			*of = as;
		}
		of->weight += cell[i].sum.weight;
		of->samples += cell[i].sum.samples;
	}
	qsort(line, nlines, sizeof(*line), compare_hot_lines);
	return nlines;
}

static void add_line_row(struct buf *out, const struct hot_line *line, uint64_t all)
{
	char text[LINE_TEXT];

	if (line->line)
		source_line(text, sizeof(text), line->place.path, line->file, line->line);
	else
		snprintf(text, sizeof(text), "0x%" PRIx64, line->place.vaddr);
	buf_printf(out, "<tr>");
	page_bar(out, all ? (double)line->weight / (double)all : 0);
	page_number(out, line->weight);
	page_number(out, line->samples);
	page_cell(out, "name", text);
	buf_printf(out, "</tr>\n");
}

static void add_lines_of(struct buf *out, const struct sampled *s, size_t event,
			 const struct profile_row *row)
{
	static const char *const heads[] = {"share", ">events", ">samples", "line or address",
					    NULL};
	struct buf cells = {0};
	const size_t n = profile_addresses(&s->profile, event, &row->place, &cells);
	struct hot_line *line = memory_checked(calloc(n + 1, sizeof(*line)));
	const size_t nlines = sum_lines(&cells, n, line);
	char room[24];

	buf_printf(out, "<details><summary>");
	markup_add(out, profile_name(&row->place, room));
	buf_printf(out, "</summary>\n");
	page_table_begin(out, heads);
	for (size_t i = 0; i < nlines && i < LINES_MOST; i++)
		add_line_row(out, &line[i], row->sum.weight);
	page_table_end(out);
	if (nlines > LINES_MOST)
		buf_printf(out, "<p class=\"faint\">%zu more are left out.</p>\n",
			   nlines - LINES_MOST);
	buf_printf(out, "</details>\n");
	free(line);
	buf_free(&cells);
}

static void add_flame(struct buf *out, const struct sampled *s, size_t event)
{
	const struct stacks *stacks = &s->stacks[event];

	if (!stacks->has_chains)
		return;
	buf_printf(out,
		   "<p class=\"faint\">A box is as wide as the samples in it and above it. The "
		   "pointer shows numbers; equal colours are one file.</p>\n");
	page_picture_begin(out);
	flame_stacks_svg(out, &stacks->tree, stacks->colour, s->command->events[event].name);
	page_picture_end(out);
}

static void add_record_event(struct buf *out, const struct sampled *s, size_t event)
{
	struct buf rows = {0};
	const size_t n = profile_rows(&s->profile, event, PROFILE_BY_WEIGHT, &rows);
	const struct profile_row *row = (const void *)rows.data;

	if (n) {
		add_functions_of(out, s, event, row, n);
		add_flame(out, s, event);
		for (size_t i = 0; i < n && i < DETAILS_MOST; i++)
			add_lines_of(out, s, event, &row[i]);
	}
	buf_free(&rows);
}

/* --- Losses --- */

static void add_book(struct buf *out, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	page_fact(out, name, text);
}

static void add_losses(struct buf *out, const struct stream_command *command)
{
	const struct wire_books *books = &command->result.books;
	const uint64_t lost = books->lost + books->refused + books->overwritten + command->lost;

	page_section(out, "Losses",
		     !command->ended ? "The recording did not end, so its books are not known."
		     : lost          ? "Samples are missing: shares are of those that are left."
				     : "None: each overflow of a counter is a sample.");
	page_facts_begin(out);
	if (command->ended) {
		add_book(out, "overflows", books->overflows);
		add_book(out, "samples written", books->written);
		add_book(out, "lost: no room", books->lost);
		add_book(out, "refused: no ring", books->refused);
		if (books->overwritten)
			add_book(out, "overwritten", books->overwritten);
	}
	add_book(out, "lost on the line", command->lost);
	add_book(out, "samples that arrived", command->samples);
	page_facts_end(out);
}

void record_sections(struct buf *out, const struct out_source *source)
{
	struct sampled sampled;

	take_samples(&sampled, source);
	add_recorded(out, &sampled);
	for (size_t i = 0; i < source->command->nevents; i++)
		add_record_event(out, &sampled, i);
	add_losses(out, source->command);
	free_samples(&sampled);
}
