/* SPDX-License-Identifier: BSD-2-Clause */
/* file_map.h - maps files into memory, for mmap(2) and for loading programs. Task context. */
#ifndef LINUX_PROGRAM_FILE_MAP_H
#define LINUX_PROGRAM_FILE_MAP_H

#include "linux/file/file.h"
#include "linux/tree/walk.h"
#include "linux/portable/mapped.h"
#include "linux/program/exec.h"

enum file_map_how {
	FILE_MAP_CODE = 1,     /* looks up its build-id */
	FILE_MAP_WRITABLE = 2, /* writes to the mapping reach the file, or may do so */
};

/* file_map() - makes `file` mappable, by its path from `root`; `how` has bits of enum file_map_how.
 * The caller gets a reference to `*mapped`; the file stays open as long as there are references.
 * -ENODEV: it cannot be mapped; -EPERM: it is sealed against FILE_MAP_WRITABLE; -ENOMEM. */
int file_map(struct file *file, struct inode *root, unsigned how, struct mapped **mapped);

/* file_map_inode() - the inode that `mapped` maps, with a reference; NULL: it maps no file. */
struct inode *file_map_inode(struct mapped *mapped);

/* file_map_exec() - opens the program of that path for loading: -ENOENT, -EACCES and so on of
 * execve(2). */
int file_map_exec(const struct tree_view *view, const char *path, struct exec_file *file);

#endif
