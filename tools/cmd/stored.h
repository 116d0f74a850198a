/* SPDX-License-Identifier: BSD-2-Clause */
/* stored.h - reads streams that are stored in files. */
#ifndef TOOLS_CMD_STORED_H
#define TOOLS_CMD_STORED_H

#include <stdbool.h>

#include "lib/format/frame.h"
#include "lib/reason.h"
#include "tools/stream/stream.h"

/*
 * stored_read() - reads all frames of the file `path` into the initialised `stream`. `joined`: the
 * file may begin in the middle of a run. -E with the reason: the file cannot be read.
 */
int stored_read(const char *path, bool joined, struct stream *stream, struct frame_stats *stats,
		struct reason *why);

#endif
