/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copied_out.h - copies files out of the image for --bring: from frames FILE
 * (include/perf0/wire_frames.h) to files of the host. Each file is whole or absent. If several
 * commands write one file, the last one's stays. Perf maps among the files name functions
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
	char *path;          /* on the host */
	bool is_there;       /* it was written */
	struct reason wrong; /* why it is absent, or why the last writing failed */
};

/* A zeroed struct brings nothing. */
struct bring {
	const struct option_values *words; /* GUEST[:HOST] */
	struct bring_file *file;           /* one for each word */
	/* The file that is being written. */
	bool is_open;
	uint32_t index;
	uint64_t have; /* bytes */
	struct outfile out;
	struct buf bytes;
};

/* bring_begin() - begins a run; `words` stay the caller's. */
void bring_begin(struct bring *bring, const struct option_values *words);

/* bring_frame() - takes a frame; ignores all but FILE. */
void bring_frame(struct bring *bring, const struct frame *frame);

/*
 * bring_end() - prints a line for each file that is absent, with the reason. Returns 0, or
 * STATUS_FAILED if any is. Removes files that were begun and did not end.
 */
int bring_end(struct bring *bring);

/*
 * bring_note_perfmaps() - notes the perf maps among files that another process copied out. Returns
 * whether there are any.
 */
bool bring_note_perfmaps(const struct option_values *words);

#endif
