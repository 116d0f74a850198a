/* SPDX-License-Identifier: BSD-2-Clause */
/* outfile.h - writes files that appear complete or not at all. */
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
	sigset_t before;      /* the mask before; signals that end the tool wait for the end */
};

/*
 * outfile_begin() - creates a temporary file beside `path`; NULL: standard output, from its
 * position. All users may read it, unless umask(2) forbids that. Returns 0, or -E with the reason.
 */
int outfile_begin(struct outfile *out, const char *path, struct reason *why);

/*
 * outfile_begin_private() - likewise, but its owner alone may read the file (0600). perf does so
 * with a perf.data, which has addresses of the kernel and memory of programs.
 */
int outfile_begin_private(struct outfile *out, const char *path, struct reason *why);

/*
 * outfile_end() - renames the temporary file to `path`. Either the old or the complete new file
 * exists, and no temporary file is left, even if a signal ends the tool. `keep_old`: the old file
 * is kept as `path`.old. Only a plain file is replaced. With `err`, or after a failed write, the
 * old file stays. Returns 0, or -E (`err` itself, if set) with the reason.
 */
int outfile_end(struct outfile *out, bool keep_old, int err, struct reason *why);

/*
 * outfile_look() - to call after each step if another program writes the file. If a signal waits
 * that will end the tool, outfile_end() keeps the old file.
 */
void outfile_look(struct outfile *out);

/*
 * outfile_discard() - replaces outfile_end(): removes the temporary file, and keeps the old file.
 * Open descriptors can still read the contents.
 */
void outfile_discard(struct outfile *out);

/* outfile_replace() - begins a file, writes `bytes`, and ends it. */
int outfile_replace(const char *path, const struct buf *bytes, bool keep_old, struct reason *why);

/*
 * outfile_check() - checks whether `path` is a plain file, or can become one. -E with the reason.
 */
int outfile_check(const char *path, struct reason *why);

/*
 * outfile_make_way() - makes the folders up to the last slash of `path`, with `mode`; those in its
 * first `n` characters exist. -E with the reason.
 */
int outfile_make_way(char *path, size_t n, unsigned mode, struct reason *why);

/* outfile_make_folder() - makes the folder, and those on the way to it. -E with the reason. */
int outfile_make_folder(const char *folder, struct reason *why);

#endif
