/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crash.h - reports programs that a signal ended in the image. From frames CRASH
 * (include/perf0/wire_frames.h) it finds the functions that were running, in files of this host.
 */
#ifndef TOOLS_PROGRAM_CRASH_H
#define TOOLS_PROGRAM_CRASH_H

#include "lib/format/frame.h"
#include "tools/program/program_options.h"

struct crash;

/* The state of crash reports. A zeroed struct expects files at their paths in the image. */
struct crashes {
	const struct program_options *options; /* maps paths of the image to files of the host */
	struct crash *crash;                   /* the crash whose frames arrive; NULL: none */
};

/* crashes_frame() - takes a frame, and ignores those other than CRASH. After the last frame of a
 * crash it prints the signal and the chain of callers on standard error. */
void crashes_frame(struct crashes *crashes, const struct frame *frame);

/* crashes_end() - drops an incomplete crash. */
void crashes_end(struct crashes *crashes);

#endif
