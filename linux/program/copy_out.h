/* SPDX-License-Identifier: BSD-2-Clause */
/* copy_out.h - sends the host tool the files that it asked for (`bring` of
 * include/perf0/programs.h). Task context. */
#ifndef LINUX_PROGRAM_COPY_OUT_H
#define LINUX_PROGRAM_COPY_OUT_H

#include "linux/file/inode.h"

/* bring_files() - sends each file, as it is in the tree of `root` now, or the reason why it
 * cannot be read. */
void bring_files(struct inode *root);

#endif
