/* SPDX-License-Identifier: BSD-2-Clause */
/* outfile.h - files that are there whole or not at all. */
#ifndef TOOLS_OUTFILE_H
#define TOOLS_OUTFILE_H

#include <stdbool.h>

#include "tools/buf.h"
#include "tools/reason.h"

/*
 * outfile_replace() - makes `bytes` the file `path`, by way of a temporary file beside it: either
 * the old or the whole new file is there, never half of one, and no temporary file is left, also
 * when a signal ends the tool meanwhile. `keep_old`: an old one is kept as `path`.old. Only a plain
 * file is replaced. Returns 0, or -E with the reason.
 */
int outfile_replace(const char *path, const struct buf *bytes, bool keep_old, struct reason *why);

/* outfile_print() - `bytes` to standard output. Returns 0, or -E with the reason. */
int outfile_print(const struct buf *bytes, struct reason *why);

#endif
