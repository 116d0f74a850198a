// SPDX-License-Identifier: BSD-2-Clause
/*
 * out_folded.c - stacks as flamegraph.pl and its kin read them: task;outermost;...;innermost and
 * the events that fell there, a line for each different stack. With several events, an event's name
 * stands in front. Functions of ring 0 end with _[k], as those tools colour them.
 */
#include "tools/out.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/plainbuf.h"
#include "tools/walk.h"

struct line {
	size_t at; /* of the text, terminated */
	uint64_t weight;
};

static int compare(const void *a, const void *b, void *texts)
{
	const struct line *x = a, *y = b;

	return strcmp((char *)texts + x->at, (char *)texts + y->at);
}

/* A semicolon separates; a name that has one gets a colon instead. */
static void add_name(struct buf *out, const char *name)
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
		add_name(out, place->symbol->name);
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
		add_name(texts, sample->event->name);
		buf_printf(texts, ";");
	}
	add_name(texts, places_name(&walk->places, sample->pid, sample->tid));
	while (n--)
		add_frame(texts, &places[n]);
	buf_extend(texts, 1);
}

/* Equal stacks become one line. */
static void add_lines(struct buf *out, struct buf *texts, struct buf *lines)
{
	struct line *line = (void *)lines->data;
	size_t n = lines->size / sizeof(*line);

	if (n)
		qsort_r(line, n, sizeof(*line), compare, texts->data);
	for (size_t i = 0; i < n;) {
		const char *text = (const char *)texts->data + line[i].at;
		uint64_t weight = 0;

		for (; i < n && !strcmp(text, (const char *)texts->data + line[i].at); i++)
			weight += line[i].weight;
		buf_printf(out, "%s %" PRIu64 "\n", text, weight);
	}
}

int out_folded(struct buf *out, const struct out_source *source, struct reason *why)
{
	struct buf texts = {0}, lines = {0};
	struct sample sample;
	struct walk walk;

	(void)why;
	walk_start(&walk, source->stream, source->command, source->elf);
	while (walk_next(&walk, &sample)) {
		const struct line line = {texts.size, sample_weight(&sample)};

		add_stack(&texts, &walk, &sample);
		buf_add(&lines, &line, sizeof(line));
	}
	add_lines(out, &texts, &lines);
	walk_end(&walk);
	buf_free(&texts);
	buf_free(&lines);
	return 0;
}
