// SPDX-License-Identifier: BSD-2-Clause
/*
 * out_speedscope.c - writes speedscope's file format: a "sampled" profile for each event and CPU,
 * whose weights are periods. The profiles share their functions, with file and line of the start if
 * DWARF has them. An address outside of all functions is a frame of its own.
 */
#include "tools/out/out.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "include/perf0/version.h"
#include "tools/util/plainbuf.h"
#include "tools/out/sample_walk.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

/* A function, identified by its start in its ELF file, or else an address. */
struct frame_key {
	struct place place; /* the place of any sample in the function */
	uint64_t at;
};

/* A sample. Its frames are in `keys`, innermost first. */
struct stack {
	const struct stream_event *event;
	uint32_t cpu;
	uint64_t weight;
	size_t first, n;
};

struct speedscope {
	struct buf *out;
	struct buf stacks; /* struct stack, sorted by profile */
	struct buf keys;   /* struct frame_key of all stacks */
	struct buf frames; /* struct frame_key, sorted, without duplicates */
};

static int compare_keys(const void *a, const void *b)
{
	const struct frame_key *x = a, *y = b;
	int order = 0;

	if (!x->place.symbol != !y->place.symbol)
		return x->place.symbol ? -1 : 1;
	if (x->place.symbol)
		order = place_compare_files(&x->place, &y->place);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

/*
 * Orders stacks by profile, and then by the position of their keys. That keeps samples in the order
 * of time, although qsort() is not stable.
 */
static int compare_stacks(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

static struct frame_key frame_key_of(const struct place *place)
{
	return (struct frame_key){*place, place->symbol ? place->symbol->start : place->address};
}

static void add_speedscope_sample(struct speedscope *s, const struct walk *walk,
				  const struct sample *sample)
{
	static struct place places[PLACES_MAX];
	const struct stack stack = {
		.event = sample->event,
		.cpu = sample->cpu,
		.weight = sample_weight(sample),
		.first = s->keys.size / sizeof(struct frame_key),
		.n = places_stack(&walk->places, sample, places),
	};

	for (size_t i = 0; i < stack.n; i++) {
		const struct frame_key key = frame_key_of(&places[i]);

		buf_add(&s->keys, &key, sizeof(key));
	}
	buf_add(&s->stacks, &stack, sizeof(stack));
}

static void make_frames(struct speedscope *s)
{
	struct frame_key *frame;
	size_t n = s->keys.size / sizeof(*frame), kept = 0;

	if (!n)
		return;
	buf_add(&s->frames, s->keys.data, s->keys.size);
	frame = (void *)s->frames.data;
	qsort(frame, n, sizeof(*frame), compare_keys);
	for (size_t i = 0; i < n; i++)
		if (!kept || compare_keys(&frame[kept - 1], &frame[i]))
			frame[kept++] = frame[i];
	s->frames.size = kept * sizeof(*frame);
}

static void write_frame(struct speedscope *s, const struct frame_key *key)
{
	struct place start = key->place;
	const char *file;
	unsigned line;

	if (!start.symbol) {
		buf_printf(s->out, "{\"name\":\"0x%" PRIx64 "\"}", key->at);
		return;
	}
	buf_printf(s->out, "{\"name\":");
	plain_add_json(s->out, start.symbol->name);
	start.vaddr = key->at;
	line = place_line(&start, &file);
	if (line) {
		buf_printf(s->out, ",\"file\":");
		plain_add_json(s->out, file);
		buf_printf(s->out, ",\"line\":%u", line);
	}
	buf_printf(s->out, "}");
}

static void write_frames(struct speedscope *s)
{
	const struct frame_key *frames = (const void *)s->frames.data;

	buf_printf(s->out, "{\"$schema\":\"" SCHEMA "\",\n\"shared\":{\"frames\":[");
	for (size_t i = 0; i < s->frames.size / sizeof(*frames); i++) {
		buf_printf(s->out, i ? ",\n" : "\n");
		write_frame(s, &frames[i]);
	}
	buf_printf(s->out, "]},\n\"profiles\":[");
}

static size_t frame_index(const struct speedscope *s, const struct frame_key *key)
{
	const struct frame_key *frames = (const void *)s->frames.data;
	const struct frame_key *at = bsearch(key, frames, s->frames.size / sizeof(*frames),
					     sizeof(*frames), compare_keys);

	return (size_t)(at - frames);
}

static bool is_clock_attr(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static void write_profile_head(struct speedscope *s, const struct stack *stack, size_t n)
{
	struct buf name = {0};
	uint64_t end = 0;

	buf_printf(&name, "%s, CPU %" PRIu32, stack->event->name, stack->cpu);
	for (size_t i = 0; i < n; i++)
		end += stack[i].weight;
	buf_printf(s->out, "{\"type\":\"sampled\",\"name\":");
	plain_add_json(s->out, buf_text(&name));
	buf_free(&name);
	buf_printf(s->out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRIu64,
		   is_clock_attr(&stack->event->attr) ? "nanoseconds" : "none", end);
}

/* Writes the frames of a stack, outermost first. */
static void write_stack(struct speedscope *s, const struct stack *stack)
{
	const struct frame_key *keys = (const void *)s->keys.data;

	buf_printf(s->out, "[");
	for (size_t i = stack->n; i--;)
		buf_printf(s->out, "%zu%s", frame_index(s, &keys[stack->first + i]), i ? "," : "");
	buf_printf(s->out, "]");
}

static void write_profile(struct speedscope *s, const struct stack *stack, size_t n)
{
	write_profile_head(s, stack, n);
	buf_printf(s->out, ",\n\"samples\":[");
	for (size_t i = 0; i < n; i++) {
		buf_printf(s->out, i ? "," : "");
		write_stack(s, &stack[i]);
	}
	buf_printf(s->out, "],\n\"weights\":[");
	for (size_t i = 0; i < n; i++)
		buf_printf(s->out, "%s%" PRIu64, i ? "," : "", stack[i].weight);
	buf_printf(s->out, "]}");
}

/* Writes the profiles. `stacks` is sorted by profile. */
static void write_profiles(struct speedscope *s)
{
	struct stack *stack = (void *)s->stacks.data;
	size_t n = s->stacks.size / sizeof(*stack), first = 0;

	if (n)
		qsort(stack, n, sizeof(*stack), compare_stacks);
	while (first < n) {
		size_t end = first;

		while (end < n && stack[end].event == stack[first].event &&
		       stack[end].cpu == stack[first].cpu)
			end++;
		buf_printf(s->out, first ? ",\n" : "\n");
		write_profile(s, &stack[first], end - first);
		first = end;
	}
	buf_printf(s->out, "],\n");
}

int out_speedscope(struct buf *out, const struct out_source *source, struct reason *why)
{
	struct speedscope s = {.out = out};
	struct sample sample;
	struct walk walk;

	(void)why;
	walk_start(&walk, source->stream, source->command, source->elf);
	while (walk_next(&walk, &sample))
		add_speedscope_sample(&s, &walk, &sample);
	make_frames(&s);
	write_frames(&s);
	write_profiles(&s);
	buf_printf(out,
		   "\"activeProfileIndex\":0,\"exporter\":\"perf0 " PERF0_VERSION "\",\n\"name\":");
	plain_add_json(out, source->command->line);
	buf_printf(out, "}\n");
	walk_end(&walk);
	buf_free(&s.stacks);
	buf_free(&s.keys);
	buf_free(&s.frames);
	return 0;
}
