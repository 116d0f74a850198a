/* SPDX-License-Identifier: BSD-2-Clause */
/* bring.h - sends the host tool the files that it asked for (`bring` of include/perf0/programs.h).
 * Task context. */
#ifndef RT_TASK_BRING_H
#define RT_TASK_BRING_H

#include "rt/file/inode.h"

/* bring_files() - sends each file, as it is in the tree of `root` now, or the reason why it
 * cannot be read. */
void bring_files(struct inode *root);

#endif
