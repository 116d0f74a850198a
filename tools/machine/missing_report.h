/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * missing_report.h - files that a program looked for in the machine in vain (frames SOUGHT of
 * include/perf0/wire_frames.h) and that this host has under the same names: most probably they were
 * to be taken along.
 */
#ifndef TOOLS_MACHINE_MISSING_REPORT_H
#define TOOLS_MACHINE_MISSING_REPORT_H

#include "lib/format/frame.h"
#include "tools/util/buf.h"

#define SOUGHT_NAMED 3 /* in the line; of the others there is the number */

/* All zero: nothing came yet. */
struct sought {
	unsigned n; /* of those that are on this host */
	/* The last ones, the last one first: most programs end at once where something is missing.
	 */
	char *name[SOUGHT_NAMED];
};

/* sought_frame() - a frame that came. RESULT: a line tells of what the command sought. */
void sought_frame(struct sought *sought, const struct frame *frame);

/* sought_line() - adds that line to `text`, without its end; nothing, where nothing is to be told.
 */
void sought_line(const struct sought *sought, struct buf *text);

/* sought_end() - forgets them. */
void sought_end(struct sought *sought);

#endif
