/* SPDX-License-Identifier: BSD-2-Clause */
/* wholefile.h - a whole file into memory. */
#ifndef TOOLS_UTIL_WHOLEFILE_H
#define TOOLS_UTIL_WHOLEFILE_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/*
 * whole_file_read() - appends what is in the file at `path` to `to`. A file that is larger than
 * `most` bytes is not read to its end, and leaves more than that. -E with the reason, which names
 * the file.
 */
int whole_file_read(struct buf *to, const char *path, size_t most, struct reason *why);

#endif
