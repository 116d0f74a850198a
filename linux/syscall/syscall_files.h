/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall_files.h - shared by the system calls on files, and others. System call context. */
#ifndef LINUX_SYSCALL_SYSCALL_FILES_H
#define LINUX_SYSCALL_SYSCALL_FILES_H

#include "linux/file/file.h"
#include "linux/tree/walk.h"
#include "linux/mem/mm.h"

#include <linux/limits.h>

/* files_get() - the open file of a file descriptor of this process, with a reference; NULL: -EBADF.
 * files_install() - the lowest free descriptor for `f`, whose reference is taken over or put;
 * `flags`: O_CLOEXEC. */
struct file *files_get(uint64_t fd);
long files_install(struct file *f, unsigned flags);

/* files_view() - the root and working directory of this process. */
struct tree_view *files_view(void);

/* A path of ring 3, and the directory that it is from. */
struct files_path {
	char *text;          /* of the heap */
	struct inode *start; /* with a reference; NULL: where the process stands */
};

/* files_path() - of `dirfd` and a path; files_path_end() is to come only where it returns 0.
 * -EFAULT, -ENAMETOOLONG, -EBADF, -ENOTDIR, -ENOMEM. */
int files_path(struct files_path *p, int dirfd, uint64_t text);
void files_path_end(struct files_path *p);

/*
 * files_wait() - this call cannot go on before one of `events` holds of `f`: 0, the task sleeps,
 * and the call is made again; 1: it holds by now; -EAGAIN: O_NONBLOCK; or a signal came
 * (-SIGNAL_RESTART).
 */
long files_wait(struct file *f, unsigned events);

/* files_broken_pipe() - raises SIGPIPE for a writer without readers: -EPIPE. */
long files_broken_pipe(void);

/* files_mapped() - mmap(2) of `fd` (-1: of no file): `request` gets what is mapped, with a
 * reference. -EBADF, -ENODEV, -EACCES, -ENOMEM. */
int files_mapped(int fd, struct mm_request *request);

#endif
