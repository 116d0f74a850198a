// SPDX-License-Identifier: BSD-2-Clause
/* out_text.c - one line for each sample, to the blank as `perf script` prints it. */
#include "tools/out.h"

#include <inttypes.h>
#include <string.h>

#include "tools/walk.h"

#define NSEC_PER_SEC  UINT64_C(1000000000)
#define NSEC_PER_USEC UINT64_C(1000)

static int width_of_names(const struct stream_command *command)
{
	size_t width = 0;

	for (size_t i = 0; i < command->nevents; i++) {
		size_t n = strlen(command->events[i].name);

		width = n > width ? n : width;
	}
	return (int)width;
}

static void add_head(struct buf *out, const struct sample *s, const char *task, int width)
{
	out_printable(out, 16, task);
	if (s->has & PERF_SAMPLE_TID)
		buf_printf(out, " %5" PRIu32, s->tid);
	if (s->has & PERF_SAMPLE_CPU)
		buf_printf(out, " [%03" PRIu32 "]", s->cpu);
	if (s->has & PERF_SAMPLE_TIME)
		buf_printf(out, " %5" PRIu64 ".%06" PRIu64 ":", s->time / NSEC_PER_SEC,
			   s->time % NSEC_PER_SEC / NSEC_PER_USEC);
	buf_printf(out, " %10" PRIu64 " ", s->period);
	out_printable(out, width, s->event->name);
	buf_printf(out, ": ");
}

static void add_place(struct buf *out, const struct place *place)
{
	buf_printf(out, "%16" PRIx64 " ", place->address);
	if (place->symbol)
		buf_printf(out, "%s+0x%" PRIx64, place->symbol->name,
			   place->vaddr - place->symbol->start);
	else
		buf_printf(out, "[unknown]");
	buf_printf(out, " (%s)\n", place->elf ? place->elf->path : "[unknown]");
}

int out_text(struct buf *out, const struct out_source *source, struct reason *why)
{
	static struct place places[PLACES_MAX];
	int width = width_of_names(source->command);
	struct sample sample;
	struct walk walk;

	(void)why;
	walk_start(&walk, source->stream, source->command, source->elf);
	while (walk_next(&walk, &sample)) {
		bool has_chain = sample.has & PERF_SAMPLE_CALLCHAIN;
		size_t n = places_stack(&walk.places, &sample, places);

		add_head(out, &sample, places_name(&walk.places, sample.pid, sample.tid), width);
		buf_printf(out, has_chain ? "\n" : " ");
		for (size_t i = 0; i < n; i++) {
			buf_printf(out, has_chain ? "\t" : "");
			add_place(out, &places[i]);
		}
		buf_printf(out, has_chain ? "\n" : "");
	}
	walk_end(&walk);
	return 0;
}
