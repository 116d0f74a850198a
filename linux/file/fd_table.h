/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fd_table.h - file descriptors of a process, which its threads share. Functions return 0 or a file
 * descriptor, or -E as the system call of that name; -EBADF: there is no such file descriptor. Task
 * context without any lock.
 */
#ifndef LINUX_FILE_FD_TABLE_H
#define LINUX_FILE_FD_TABLE_H

#include "linux/file/file.h"

#define FD_LIMIT 1024u /* RLIMIT_NOFILE at the start */
#define FD_MOST  4096u /* maximum of RLIMIT_NOFILE */

struct fd_table {
	struct lock lock;
	unsigned refs;                                     /* number of holders */
	unsigned limit;                                    /* RLIMIT_NOFILE, at most FD_MOST */
	struct file **file;                                /* by descriptor; NULL: not open */
	unsigned room;                                     /* of `file`: a multiple of 64 */
	uint64_t used[FD_MOST / 64], closes[FD_MOST / 64]; /* is open; closes with execve(2) */
};

/*
 * fd_table_new() - an empty table. fd_table_copy() - a copy with the same files, as fork(2) makes
 * it. NULL: no memory. fd_table_get(), fd_table_put() - takes or drops a reference; the last
 * fd_table_put() closes all files.
 */
struct fd_table *fd_table_new(void);
struct fd_table *fd_table_copy(struct fd_table *table);
struct fd_table *fd_table_get(struct fd_table *table);
void fd_table_put(struct fd_table *table);

/* fd_table_exec() - closes the descriptors that execve(2) closes. */
void fd_table_exec(struct fd_table *table);

/* fd_get() - the file, with a reference; NULL: not open. fd_is_open() - is the descriptor open? */
struct file *fd_get(struct fd_table *table, int fd);
bool fd_is_open(struct fd_table *table, int fd);

/* fd_peek() - the file, without a reference; NULL: not open. For the only thread of the only
 * process that has the table. Interrupts off. */
static inline struct file *fd_peek(const struct fd_table *table, uint64_t fd)
{
	return fd < table->room ? table->file[fd] : NULL;
}

/* fd_install() - gives `f` the lowest free descriptor from `from` on, and takes over its
 * reference on success. -EMFILE: none is free; -EINVAL: `from` is beyond the limit; -ENOMEM. */
int fd_install(struct fd_table *table, struct file *f, int from, bool closes);

int fd_close(struct fd_table *table, int fd);

/* fd_dup() - dup(2) with `from` 0; fcntl(F_DUPFD, F_DUPFD_CLOEXEC). fd_dup_to() - dup3(2); with
 * `same` dup2(2), which changes nothing if `fd` is `to`. */
int fd_dup(struct fd_table *table, int fd, int from, bool closes);
int fd_dup_to(struct fd_table *table, int fd, int to, bool closes, bool same);

/* fd_close_range() - close_range(2); `only_mark`: CLOSE_RANGE_CLOEXEC. */
int fd_close_range(struct fd_table *table, unsigned first, unsigned last, bool only_mark);

/* fd_closes() - FD_CLOEXEC: 0 or 1. fd_set_closes() - sets it. */
int fd_closes(struct fd_table *table, int fd);
int fd_set_closes(struct fd_table *table, int fd, bool closes);

/* fd_next() - the first open descriptor from `fd` on; -1: none. For /proc/self/fd. */
int fd_next(struct fd_table *table, int fd);

/*
 * fd_fcntl() - fcntl(2) without the commands that take a struct flock (record_lock.h). -EINVAL: an
 * unknown command.
 */
long fd_fcntl(struct fd_table *table, int fd, unsigned command, uint64_t argument);

/* fd_ioctl() - ioctl(2): the requests that every file knows, and those of its kind. -ENOTTY: an
 * unknown request. */
long fd_ioctl(struct fd_table *table, int fd, unsigned request, uint64_t argument);

#endif
