// SPDX-License-Identifier: BSD-2-Clause
/*
 * out_folded.c - prints stacks for flamegraph.pl and similar tools: task;outermost;...;innermost
 * and the number of events, one line for each different stack. With several events, the event's
 * name comes first. Functions of ring 0 end with _[k], by which those tools colour them.
 */
#include "tools/out/out.h"

#include <inttypes.h>
#include <string.h>

#include "tools/util/plainbuf.h"
#include "tools/util/sorter.h"
#include "tools/out/sample_walk.h"

/* The stack of one sample. */
struct line {
	uint64_t weight;
	char text[]; /* NUL-terminated */
};

static int compare_folded_stacks(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/* Adds a name. Semicolons separate names, so a semicolon inside of one becomes a colon. */
static void add_folded_name(struct buf *out, const char *name)
{
	size_t start = out->size;

	plain_add(out, name, strlen(name));
	for (size_t i = start; i < out->size; i++)
		if (out->data[i] == ';')
			out->data[i] = ':';
}

static void add_frame(struct buf *out, const struct place *place)
{
	buf_printf(out, ";");
	if (place->symbol)
		add_folded_name(out, place->symbol->name);
	else
		buf_printf(out, "0x%" PRIx64, place->address);
	if (place->kernel)
		buf_printf(out, "_[k]");
}

static void add_stack(struct buf *texts, const struct walk *walk, const struct sample *sample)
{
	static struct place places[PLACES_MAX];
	size_t n = places_stack(&walk->places, sample, places);

	if (walk->format.nevents > 1) {
		add_folded_name(texts, sample->event->name);
		buf_printf(texts, ";");
	}
	add_folded_name(texts, places_name(&walk->places, sample->pid, sample->tid));
	while (n--)
		add_frame(texts, &places[n]);
	buf_extend(texts, 1);
}

static void add_line(struct buf *out, const struct buf *stack, uint64_t weight)
{
	if (!stack->size)
		return;
	buf_printf(out, "%s %" PRIu64 "\n", (const char *)stack->data, weight);
	buf_settle(out, false);
}

/* Adds one line for each group of equal stacks. */
static void add_lines(struct buf *out, struct sorter *lines)
{
	const struct line *line;
	struct buf stack = {0};
	uint64_t weight = 0;
	size_t n;

	while ((line = sorter_next(lines, &n))) {
		if (stack.size && strcmp((const char *)stack.data, line->text) != 0) {
			add_line(out, &stack, weight);
			weight = stack.size = 0;
		}
		if (!stack.size)
			buf_add(&stack, line->text, n - sizeof(*line));
		weight += line->weight;
	}
	add_line(out, &stack, weight);
	buf_free(&stack);
}

int out_folded(struct buf *out, const struct out_source *source, struct reason *why)
{
	struct sorter lines = {.compare = compare_folded_stacks};
	struct buf line = {0};
	struct sample sample;
	struct walk walk;

	(void)why;
	walk_start(&walk, source->stream, source->command, source->elf);
	while (walk_next(&walk, &sample)) {
		line.size = 0;
		buf_add_u64(&line, sample_weight(&sample));
		add_stack(&line, &walk, &sample);
		sorter_add(&lines, line.data, line.size);
	}
	add_lines(out, &lines);
	walk_end(&walk);
	sorter_free(&lines);
	buf_free(&line);
	return 0;
}
