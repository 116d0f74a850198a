/* SPDX-License-Identifier: BSD-2-Clause */
/* pack_writer.h - files of a tree as the archive that include/perf0/programs.h describes: the same
 * files give the same bytes, wherever, whenever and by whomever it is made. */
#ifndef TOOLS_PROGRAM_PACK_WRITER_H
#define TOOLS_PROGRAM_PACK_WRITER_H

#include <stdint.h>

#include "tools/program/pack_tree.h"

/* pack_bytes() - how large it will be; UINT64_MAX: too large for any number. */
uint64_t pack_bytes(const struct tree *tree);

/* pack_write() - a file in memory. Returns its descriptor, or -E with the reason: a file can not be
 * read, or has become shorter, or all together are too large. */
int pack_write(const struct tree *tree, struct reason *why);

/* pack_write_initrd() - the same as Linux takes it for a first file system: names are short, and
 * those that are no paths, which tell about a run, are left out. */
int pack_write_initrd(const struct tree *tree, struct reason *why);

#endif
