/* SPDX-License-Identifier: BSD-2-Clause */
/* wholefile.h - reads a whole file into memory. */
#ifndef TOOLS_UTIL_WHOLEFILE_H
#define TOOLS_UTIL_WHOLEFILE_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/*
 * whole_file_read() - appends the contents of the file at `path` to `to`. If the file has more than
 * `most` bytes, it appends more than `most` bytes, but not all. -E with the reason, which names the
 * file.
 */
int whole_file_read(struct buf *to, const char *path, size_t most, struct reason *why);

#define TEXT_FILE_MOST (2047u << 20) /* bytes; an int holds the size */

/*
 * text_file_read() - reads the file at `path` into the empty `out`. -E with the reason, which names
 * the file.
 */
int text_file_read(struct buf *out, const char *path, struct reason *why);

#endif
