/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crash.h - programs that a signal ended in the image: from frames CRASH
 * (include/perf0/wire_frames.h) to the functions that were running, by the files of this host.
 */
#ifndef TOOLS_PROGRAM_CRASH_H
#define TOOLS_PROGRAM_CRASH_H

#include "lib/format/frame.h"
#include "tools/program/program_options.h"

struct crash;

/* A zeroed struct has files where the image has them. */
struct crashes {
	const struct program_given *given; /* which file of the host is which of the image's */
	struct crash *crash;               /* the one that comes; NULL: none does */
};

/* crashes_frame() - a frame that came; those that are not CRASH mean nothing. With the last one of
 * a crash, says on standard error what ended the program, and the chain of callers. */
void crashes_frame(struct crashes *crashes, const struct frame *frame);

/* crashes_end() - what did not end is forgotten. */
void crashes_end(struct crashes *crashes);

#endif
