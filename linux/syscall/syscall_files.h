/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall_files.h - shared by the system calls on files, and others. System call context. */
#ifndef LINUX_SYSCALL_SYSCALL_FILES_H
#define LINUX_SYSCALL_SYSCALL_FILES_H

#include "linux/file/file.h"
#include "linux/tree/walk.h"
#include "linux/mem/mm.h"

#include <linux/limits.h>

/* files_get() - the open file of a descriptor of this process, with a reference; NULL: -EBADF.
 * files_install() - gives `f` the lowest free descriptor; its reference is taken over, or put on
 * failure. `flags`: O_CLOEXEC. */
struct file *files_get(uint64_t fd);
long files_install(struct file *f, unsigned flags);

/* files_view() - the root and working directory of this process. */
struct tree_view *files_view(void);

/* A path of ring 3, and the directory at which it starts. */
struct files_path {
	char *text;          /* of the heap */
	struct inode *start; /* with a reference; NULL: the working directory */
};

/* files_path() - reads a path and its start from `dirfd` and the address `text`. After 0 the caller
 * calls files_path_end() later. -EFAULT, -ENAMETOOLONG, -EBADF, -ENOTDIR, -ENOMEM. */
int files_path(struct files_path *p, int dirfd, uint64_t text);
void files_path_end(struct files_path *p);

/*
 * files_wait() - waits until one of `events` is set for `f`. 0: the task sleeps, and the call is
 * made again; 1: an event is set by now; -EAGAIN: O_NONBLOCK; -SIGNAL_RESTART: a signal came.
 */
long files_wait(struct file *f, unsigned events);

/* files_broken_pipe() - raises SIGPIPE for a writer without readers. Returns -EPIPE. */
long files_broken_pipe(void);

/* files_mapped() - prepares mmap(2) of `fd` (-1: no file): sets the object of `request`, with a
 * reference. -EBADF, -ENODEV, -EACCES, -ENOMEM. */
int files_mapped(int fd, struct mm_request *request);

#endif
