/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symfs.h - programs of a recording below the folder of its perf.data, under the paths that they
 * had in the image: where `perf report --symfs FOLDER` looks for their names.
 */
#ifndef TOOLS_CMD_SYMFS_H
#define TOOLS_CMD_SYMFS_H

#include "tools/stream/stream.h"

/*
 * symfs_lay() - below the folder `to`, which is there: the image, and each file that the recording
 * maps, out of the first of the folders `from` (NULL-terminated) below which one of that path and
 * build-id lies, or else of that name and build-id where the tool is. Of one that is nowhere, or
 * cannot be written, a line says so. Paths come from a stick: none leads out of `to`, and what is
 * there already stays.
 */
void symfs_lay(const char *to, const char *const *from, const struct stream *stream,
	       const struct stream_command *command);

#endif
