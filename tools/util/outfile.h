/* SPDX-License-Identifier: BSD-2-Clause */
/* outfile.h - files that are written whole or not at all. */
#ifndef TOOLS_UTIL_OUTFILE_H
#define TOOLS_UTIL_OUTFILE_H

#include <signal.h>
#include <stdbool.h>

#include "tools/util/buf.h"
#include "lib/reason.h"

struct outfile {
	const char *path;
	struct buf temporary; /* the name of the temporary file; empty: standard output */
	struct buf_file file; /* the `file` of a struct buf */
	sigset_t before;      /* the signal mask from before; signals that end the tool wait until
				 outfile_end() */
};

/*
 * outfile_begin() - creates a temporary file beside `path`; NULL: standard output, from its
 * position. Returns 0, or -E with the reason.
 */
int outfile_begin(struct outfile *out, const char *path, struct reason *why);

/*
 * outfile_end() - renames the temporary file to `path`. Either the old or the whole new file
 * exists, and no temporary file is left, even when a signal ends the tool meanwhile. `keep_old`:
 * the old file is kept as `path`.old. Only a plain file is replaced. With `err`, or after a failed
 * write, the old file stays. Returns 0, or -E (`err` itself, if it is set) with the reason.
 */
int outfile_end(struct outfile *out, bool keep_old, int err, struct reason *why);

/*
 * outfile_look() - for files that others write, after each step: if a signal is to end the tool,
 * outfile_end() keeps the old file.
 */
void outfile_look(struct outfile *out);

/*
 * outfile_discard() - instead of outfile_end(): removes the temporary file, and keeps the old one.
 * Open descriptors can still read the contents.
 */
void outfile_discard(struct outfile *out);

/* outfile_replace() - begins, writes `bytes` and ends. */
int outfile_replace(const char *path, const struct buf *bytes, bool keep_old, struct reason *why);

/* outfile_check() - whether `path` is a plain file, or can be made one. -E with the reason. */
int outfile_check(const char *path, struct reason *why);

#endif
