/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_walk.h - the samples of a recording, one after the other in order of time, with what their
 * addresses and tasks are called at that moment.
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
	uint64_t bad; /* samples so far whose fields do not fit their size: left out */
};

/* walk_start() - `command` is a recording; `elf` may be NULL. */
void walk_start(struct walk *walk, const struct stream *stream,
		const struct stream_command *command, const struct elf_image *elf);

/* walk_next() - the next sample, whose fields live until the one after it; false: there are no
 * more. */
bool walk_next(struct walk *walk, struct sample *sample);

/* walk_end() - frees; says on standard error how many samples were left out, if any were. */
void walk_end(struct walk *walk);

#endif
