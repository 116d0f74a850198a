/* SPDX-License-Identifier: BSD-2-Clause */
/* run_files.h - the open files and the tree of files of the first program of a run. Task
 * context. */
#ifndef LINUX_TASK_RUN_FILES_H
#define LINUX_TASK_RUN_FILES_H

#include "linux/file/inode.h"

struct process;

/* run_files_open() - gives `p` the root `root`, the working directory that the pack names, and
 * standard input, output and error as 0, 1 and 2. Returns NULL, or the reason why it cannot. */
const char *run_files_open(struct process *p, struct inode *root);

/* run_files_end() - called at the end of a command: tells the host how far standard input was
 * read. */
void run_files_end(void);

/* run_tree_of_builtins() - the tree of files that all programs of the image share. run_files.c owns
 * it. NULL: no memory. */
struct inode *run_tree_of_builtins(void);

/* run_image_inode() - returns the file of the image's own programs, which has a path in that tree,
 * with a reference. NULL: no memory. */
#define RUN_IMAGE_FOLDER "/perf0"
#define RUN_IMAGE_NAME   "perf0.elf"
#define RUN_IMAGE_PATH   RUN_IMAGE_FOLDER "/" RUN_IMAGE_NAME
struct inode *run_image_inode(void);

/* run_files_init() - gives linux/file its hooks into the machine. Once, at start-up. */
void run_files_init(void);

#endif
