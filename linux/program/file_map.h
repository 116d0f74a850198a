/* SPDX-License-Identifier: BSD-2-Clause */
/* file_map.h - maps files into memory, for mmap(2) and for loading programs. Task context. */
#ifndef LINUX_PROGRAM_FILE_MAP_H
#define LINUX_PROGRAM_FILE_MAP_H

#include "linux/file/file.h"
#include "linux/tree/walk.h"
#include "linux/portable/mapped.h"
#include "linux/program/exec.h"

enum file_map_how {
	FILE_MAP_CODE = 1,     /* search its build-id */
	FILE_MAP_WRITABLE = 2, /* writes to the mapping reach the file, or may do so */
};

/* file_map() - a file to be mapped, with its path from `root`; `how`: enum file_map_how. The
 * reference is the caller's; the file stays open as long as there are any. -ENODEV: it cannot be
 * mapped; -EPERM: it is sealed against FILE_MAP_WRITABLE; -ENOMEM. */
int file_map(struct file *file, struct inode *root, unsigned how, struct mapped **mapped);

/* file_map_inode() - the inode of such a mapping, with a reference; NULL: it is not of a file. */
struct inode *file_map_inode(struct mapped *mapped);

/* file_map_exec() - the program of that path, to be loaded: -ENOENT, -EACCES and so on of
 * execve(2). */
int file_map_exec(const struct tree_view *view, const char *path, struct exec_file *file);

#endif
