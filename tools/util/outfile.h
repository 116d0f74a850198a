/* SPDX-License-Identifier: BSD-2-Clause */
/* outfile.h - files that are there whole or not at all. */
#ifndef TOOLS_UTIL_OUTFILE_H
#define TOOLS_UTIL_OUTFILE_H

#include <signal.h>
#include <stdbool.h>

#include "tools/util/buf.h"
#include "lib/reason.h"

struct outfile {
	const char *path;
	struct buf temporary; /* its name; empty: standard output */
	struct buf_file file; /* for the `file` of a struct buf */
	sigset_t before;      /* signals that end the tool wait until outfile_end() */
};

/*
 * outfile_begin() - begins a temporary file beside `path` (NULL: standard output, which begins
 * where it is). Returns 0, or -E with the reason.
 */
int outfile_begin(struct outfile *out, const char *path, struct reason *why);

/*
 * outfile_end() - makes what was written the file `path`: either the old or the whole new file is
 * there, never half of one, and no temporary file is left, also when a signal ends the tool
 * meanwhile. `keep_old`: an old one is kept as `path`.old. Only a plain file is replaced. With
 * `err`, or when writing failed, the old one stays. Returns 0, or -E (`err` itself, if it is set)
 * with the reason.
 */
int outfile_end(struct outfile *out, bool keep_old, int err, struct reason *why);

/* outfile_look() - for files that others write, behind each step: with a signal that is to end the
 * tool, outfile_end() leaves the old file. */
void outfile_look(struct outfile *out);

/* outfile_discard() - instead of outfile_end(): the temporary file goes, and the old one stays.
 * Descriptors that are open keep what is in it. */
void outfile_discard(struct outfile *out);

/* outfile_replace() - both, with `bytes`. */
int outfile_replace(const char *path, const struct buf *bytes, bool keep_old, struct reason *why);

/* outfile_check() - whether `path` is, or can be made, a plain file there. -E with the reason. */
int outfile_check(const char *path, struct reason *why);

#endif
