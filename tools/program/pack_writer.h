/* SPDX-License-Identifier: BSD-2-Clause */
/* pack_writer.h - writes the files of a tree as an archive, which include/perf0/programs.h
 * describes. The same files give the same bytes; host, time and user have no effect. */
#ifndef TOOLS_PROGRAM_PACK_WRITER_H
#define TOOLS_PROGRAM_PACK_WRITER_H

#include <stdint.h>

#include "tools/program/pack_tree.h"

/* pack_bytes() - returns the size of the archive; UINT64_MAX: the size overflows. */
uint64_t pack_bytes(const struct tree *tree);

/* pack_write() - writes the archive to a file in memory. Returns its descriptor, or -E with the
 * reason: a file cannot be read, a file has shrunk, or the archive is too large. */
int pack_write(const struct tree *tree, struct reason *why);

/* pack_write_initrd() - like pack_write(), in the format of Linux's initial file system. Names
 * have no padding, and names that are no paths are omitted. */
int pack_write_initrd(const struct tree *tree, struct reason *why);

#endif
