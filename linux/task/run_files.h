/* SPDX-License-Identifier: BSD-2-Clause */
/* run_files.h - the files with which the first program of a run begins. Task context. */
#ifndef LINUX_TASK_RUN_FILES_H
#define LINUX_TASK_RUN_FILES_H

#include "linux/file/inode.h"

struct process;

/* run_files_open() - places `p` in the tree of `root`, in the folder that the pack names, with
 * standard input, output and error as 0, 1 and 2. NULL; or why not. */
const char *run_files_open(struct process *p, struct inode *root);

/* run_files_end() - a command has ended: tells the host how far standard input was read. */
void run_files_end(void);

/* run_tree_of_builtins() - the one tree that programs of the image share; this file owns it.
 * NULL: no memory. */
struct inode *run_tree_of_builtins(void);

/* run_image_inode() - the file of those programs, which has a path in that tree; with a reference.
 * NULL: no memory. */
#define RUN_IMAGE_FOLDER "/perf0"
#define RUN_IMAGE_NAME   "perf0.elf"
#define RUN_IMAGE_PATH   RUN_IMAGE_FOLDER "/" RUN_IMAGE_NAME
struct inode *run_image_inode(void);

/* run_files_init() - gives linux/file its hooks into the machine. Once, at start-up. */
void run_files_init(void);

#endif
