/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symfs.h - copies the programs of a recording below the folder of its perf.data, under their paths
 * in the image. `perf report --symfs FOLDER` looks for their symbols there.
 */
#ifndef TOOLS_CMD_SYMFS_H
#define TOOLS_CMD_SYMFS_H

#include "tools/stream/stream.h"

/*
 * symfs_lay() - copies the image, and each file that the recording maps, below the existing folder
 * `to`. A file comes from the first of the folders `from` (NULL-terminated) that has that path and
 * build-id, or else from the current folder by name and build-id. A message names each file that is
 * missing or cannot be written. Paths come from a stick: none leads out of `to`, and existing files
 * stay.
 */
void symfs_lay(const char *to, const char *const *from, const struct stream *stream,
	       const struct stream_command *command);

#endif
