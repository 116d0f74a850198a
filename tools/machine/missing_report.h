/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * missing_report.h - reports files that a program did not find in the machine (frames SOUGHT of
 * include/perf0/wire_frames.h), but that exist on this host under the same names. The user probably
 * meant to pass them.
 */
#ifndef TOOLS_MACHINE_MISSING_REPORT_H
#define TOOLS_MACHINE_MISSING_REPORT_H

#include "lib/format/frame.h"
#include "tools/util/buf.h"

#define SOUGHT_NAMED 3 /* names in the line; further files are counted */

/* The missing files of a command. A zeroed struct has none. */
struct sought {
	unsigned n; /* missing files that exist on this host */
	/*
	 * The last files, the latest first, because most programs exit at the first missing file.
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
