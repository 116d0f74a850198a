/* SPDX-License-Identifier: BSD-2-Clause */
/* textfile.h - reads whole text files. */
#ifndef TOOLS_GATE_TEXTFILE_H
#define TOOLS_GATE_TEXTFILE_H

#include "lib/reason.h"
#include "tools/util/buf.h"

#define TEXT_FILE_MOST (256u << 20) /* bytes */

/*
 * text_file_read() - reads the file at `path` into the empty `out`. -E with the reason, which names
 * the file.
 */
int text_file_read(struct buf *out, const char *path, struct reason *why);

#endif
