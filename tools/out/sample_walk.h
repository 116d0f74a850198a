/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_walk.h - walks through the samples of a recording in the order of time. At each sample,
 * `places` has the names of that moment.
 */
#ifndef TOOLS_OUT_SAMPLE_WALK_H
#define TOOLS_OUT_SAMPLE_WALK_H

#include "tools/out/places.h"
#include "tools/stream/stream_sample.h"
#include "tools/stream/timeline.h"

struct walk {
	struct record_format format;
	struct places places;
	struct timeline timeline;
	uint64_t bad; /* samples dropped so far: their fields did not fit their size */
};

/* walk_start() - starts at the first sample of the recording `command`; `elf` may be NULL. */
void walk_start(struct walk *walk, const struct stream *stream,
		const struct stream_command *command, const struct elf_image *elf);

/* walk_next() - stores the next sample, whose fields are valid until the next call. Returns
 * false at the end. */
bool walk_next(struct walk *walk, struct sample *sample);

/* walk_end() - frees the walk. A message tells how many samples were dropped, if any. */
void walk_end(struct walk *walk);

#endif
