/* SPDX-License-Identifier: BSD-2-Clause */
/* file_map.h - files as memory: for mmap(2), and for programs that are loaded. Task context. */
#ifndef RT_TASK_FILE_MAP_H
#define RT_TASK_FILE_MAP_H

#include "rt/file/file.h"
#include "rt/tree/walk.h"
#include "rt/portable/mapped.h"
#include "rt/task/exec.h"

/* file_map() - a regular file to be mapped, with its path from `root`; `code`: its build-id is
 * looked for. The reference is the caller's. NULL: no memory. */
struct mapped *file_map(struct inode *inode, struct inode *root, bool code);

/* file_map_inode() - of such a one, with a reference; NULL: it is no file. */
struct inode *file_map_inode(struct mapped *mapped);

/* file_map_exec() - the program of that path, to be loaded: -ENOENT, -EACCES and so on of
 * execve(2). */
int file_map_exec(const struct tree_view *view, const char *path, struct exec_file *file);

#endif
