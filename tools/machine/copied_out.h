/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copied_out.h - files of the image that --bring asks for: from frames FILE
 * (include/perf0/wire_frames.h) to files of the host. Each is there whole or not at all; of several
 * commands that wrote one, the last's stays. Perf maps among them name functions
 * (tools/symbols/perfmap.h).
 */
#ifndef TOOLS_MACHINE_COPIED_OUT_H
#define TOOLS_MACHINE_COPIED_OUT_H

#include <stdbool.h>

#include "lib/format/frame.h"
#include "lib/reason.h"
#include "tools/program/program_options.h"
#include "tools/util/outfile.h"

struct bring_file {
	char *path;          /* of the host */
	bool is_there;       /* it was written */
	struct reason wrong; /* why not, or what of the last time */
};

/* A zeroed struct brings nothing. */
struct bring {
	const struct given_words *words; /* GUEST[:HOST] */
	struct bring_file *file;         /* one for each */
	/* The one that is being written. */
	bool is_open;
	uint32_t index;
	uint64_t have; /* bytes */
	struct outfile out;
	struct buf bytes;
};

/* bring_begin() - for a run; `words` stay the caller's. */
void bring_begin(struct bring *bring, const struct given_words *words);

/* bring_frame() - a frame that came; those that are not FILE mean nothing. */
void bring_frame(struct bring *bring, const struct frame *frame);

/* bring_end() - says for each file that is not there why, in a line. Returns 0, or STATUS_FAILED if
 * there are such. What was begun and did not end is gone. */
int bring_end(struct bring *bring);

/* bring_note_perfmaps() - the same of files that another process brought. Returns whether there
 * are any. */
bool bring_note_perfmaps(const struct given_words *words);

#endif
