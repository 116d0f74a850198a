// SPDX-License-Identifier: BSD-2-Clause
/* sample_walk.c - see sample_walk.h. */
#include "tools/out/sample_walk.h"

#include <inttypes.h>

#include "tools/util/message.h"

void walk_start(struct walk *walk, const struct stream *stream,
		const struct stream_command *command, const struct elf_image *elf)
{
	*walk = (struct walk){.format = stream_format(command)};
	places_init(&walk->places, stream, command, elf);
	timeline_make(&walk->timeline, command, &walk->format);
}

bool walk_next(struct walk *walk, struct sample *sample)
{
	const struct timeline_entry *entry;

	while ((entry = timeline_next(&walk->timeline))) {
		const struct perf_event_header *record = entry->record;

		if (record->type != PERF_RECORD_SAMPLE)
			places_record(&walk->places, record);
		else if (sample_parse(&walk->format, record, sample))
			return true;
		else
			walk->bad++;
	}
	return false;
}

void walk_end(struct walk *walk)
{
	if (walk->bad)
		message("perf0: %" PRIu64 " samples whose fields do not fit were left out",
			walk->bad);
	timeline_free(&walk->timeline);
	places_free(&walk->places);
}
