/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * missing_report.h - files that a program looked for in the machine in vain (frames SOUGHT of
 * include/perf0/wire_frames.h) and that this host has under the same names: the user probably meant
 * to pass them.
 */
#ifndef TOOLS_MACHINE_MISSING_REPORT_H
#define TOOLS_MACHINE_MISSING_REPORT_H

#include "lib/format/frame.h"
#include "tools/util/buf.h"

#define SOUGHT_NAMED 3 /* names in the line; the others are counted */

/* All zero: no frame came yet. */
struct sought {
	unsigned n; /* files that are on this host */
	/*
	 * The last files, the latest first: most programs end at once where something is missing.
	 */
	char *name[SOUGHT_NAMED];
};

/* sought_frame() - takes a frame. At RESULT prints a line with the missing files of the command. */
void sought_frame(struct sought *sought, const struct frame *frame);

/* sought_line() - adds that line to `text`, without its end; nothing if no file is missing. */
void sought_line(const struct sought *sought, struct buf *text);

/* sought_end() - frees the names. */
void sought_end(struct sought *sought);

#endif
