// SPDX-License-Identifier: BSD-2-Clause
/* out_text.c - prints one line for each sample, byte for byte as `perf script` prints it. */
#include "tools/out/out.h"

#include <inttypes.h>
#include <string.h>

#include "tools/util/plainbuf.h"
#include "tools/out/sample_walk.h"

#define NSEC_PER_SEC  UINT64_C(1000000000)
#define NSEC_PER_USEC UINT64_C(1000)

static int event_names_width(const struct stream_command *command)
{
	int width = 0;

	for (size_t i = 0; i < command->nevents; i++) {
		int n = plain_width(command->events[i].name);

		width = n > width ? n : width;
	}
	return width;
}

static void add_head(struct buf *out, const struct sample *s, const char *task, int width)
{
	plain_add_right(out, s->has & PERF_SAMPLE_CALLCHAIN ? 0 : 16, task);
	if (s->has & PERF_SAMPLE_TID)
		buf_printf(out, " %5" PRIu32, s->tid);
	if (s->has & PERF_SAMPLE_CPU)
		buf_printf(out, " [%03" PRIu32 "]", s->cpu);
	if (s->has & PERF_SAMPLE_TIME)
		buf_printf(out, " %5" PRIu64 ".%06" PRIu64 ":", s->time / NSEC_PER_SEC,
			   s->time % NSEC_PER_SEC / NSEC_PER_USEC);
	buf_printf(out, " %10" PRIu64 " ", s->period);
	plain_add_right(out, width, s->event->name);
	buf_printf(out, ": ");
}

/* Adds a place. `address` is the offset in the file for entries of a chain, where it is known. */
static void add_place(struct buf *out, const struct place *place, uint64_t address)
{
	buf_printf(out, "%16" PRIx64 " ", address);
	if (place->symbol) {
		plain_add(out, place->symbol->name, strlen(place->symbol->name));
		buf_printf(out, "+0x%" PRIx64, place->vaddr - place->symbol->start);
	} else {
		buf_printf(out, "[unknown]");
	}
	buf_printf(out, " (");
	plain_add_right(out, 0, place->path ? place->path : "[unknown]");
	buf_printf(out, ")\n");
}

static void add_places(struct buf *out, const struct places *places, const struct sample *sample)
{
	static struct place stack[PLACES_MAX];
	size_t n = places_stack(places, sample, stack);

	if (!(sample->has & PERF_SAMPLE_CALLCHAIN)) {
		buf_printf(out, " ");
		add_place(out, &stack[0], stack[0].address);
		return;
	}
	buf_printf(out, "\n");
	for (size_t i = 0; i < n; i++) {
		buf_printf(out, "\t");
		add_place(out, &stack[i], stack[i].path ? stack[i].offset : stack[i].address);
	}
	buf_printf(out, "\n");
}

int out_text(struct buf *out, const struct out_source *source, struct reason *why)
{
	int width = event_names_width(source->command);
	struct sample sample;
	struct walk walk;

	(void)why;
	walk_start(&walk, source->stream, source->command, source->elf);
	while (walk_next(&walk, &sample)) {
		add_head(out, &sample, places_name(&walk.places, sample.pid, sample.tid), width);
		add_places(out, &walk.places, &sample);
		buf_settle(out, false);
	}
	walk_end(&walk);
	return 0;
}
