/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file.h - open files, the objects behind file descriptors. Several descriptors, of several
 * processes, can refer to one. Functions return 0 or a count, or -E as the system call does.
 * -EAGAIN: the call would block. A caller that wants to wait then calls file_await() and tries
 * again from the start; the caller checks O_NONBLOCK. Task context without any lock, unless they
 * say otherwise.
 */
#ifndef LINUX_FILE_FILE_H
#define LINUX_FILE_FILE_H

#include <asm/poll.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/lock.h"
#include "linux/file/inode.h"
#include "linux/file/file_io.h"
#include "linux/file/wait.h"

struct epoll_item;
struct mapped;

/* The operations of a kind of file. NULL: -EINVAL, or as the comment of the function says. */
struct file_ops {
	const char *name; /* shown by /proc/self/fd for a file without a path: "[eventfd]" */
	bool is_stream;   /* no positions: -ESPIPE for calls with one */

	/* Transfer at the file's offset, which they advance, or at `*at`, which they leave
	 * unchanged. */
	long (*read)(struct file *f, struct io *io, const uint64_t *at);
	long (*write)(struct file *f, struct io *io, const uint64_t *at);

	/* Gets the 8 bytes that read() would give, in few instructions; false: the caller has to
	 * use read(). A file with it can be read. NULL: never. */
	bool (*read_word)(const struct file *f, uint64_t *word);

	/* Sets the offset and returns it. */
	int64_t (*seek)(struct file *f, int64_t offset, int whence);

	/* Returns the current POLL bits, and in `*queue` (never NULL) the queue that is woken
	 * when they change; NULL stays there if they never change. NULL: always ready to read
	 * and to write. */
	unsigned (*poll)(struct file *f, struct wait_queue **queue);

	/* Page `index` with a reference, for a mapping, as regular_page(). NULL: -ENODEV. */
	int (*page)(struct file *f, uint64_t index, bool own, void **page);

	/* Handles a request of ioctl(2). -ENOTTY: it knows no such request. */
	long (*ioctl)(struct file *f, unsigned request, uint64_t argument);

	/* Gets the pages for mmap(2) with MAP_SHARED, with a reference. NULL: the content of a
	 * regular file. -ENODEV. */
	int (*map)(struct file *f, uint64_t bytes, uint64_t offset, bool writable,
		   struct mapped **mapped);

	/* The maximum time that a call waits for POLLIN or POLLOUT, in ns; 0: no limit. NULL: no
	 * limit. */
	uint64_t (*patience)(const struct file *f, unsigned events);

	/* O_ASYNC was set or cleared: file_host signals changes to the owner, or stops doing so.
	 * NULL: it never does. */
	void (*async)(struct file *f, bool on);

	/* The last reference is gone. */
	void (*release)(struct file *f);
};

struct file {
	unsigned refs;
	unsigned flags;  /* O_ACCMODE and O_ flags of open(2), without those that matter only to
			    opening */
	uint64_t offset; /* with the lock of the tree */
	const struct file_ops *ops;
	struct inode *inode;         /* a reference */
	void *private;               /* owned by `ops` */
	int owner, signal;           /* F_SETOWN, F_SETSIG */
	int owner_kind;              /* F_OWNER_TID, F_OWNER_PID, F_OWNER_PGRP */
	int signal_fd;               /* the descriptor by which O_ASYNC was set: si_fd */
	struct epoll_item *watchers; /* items of epoll.c, with its lock */
};

/* file_set_flags() - fcntl(F_SETFL) by the descriptor `fd`: sets the flags of FILE_FLAGS_SET as in
 * `flags`. Returns 0. */
#define FILE_FLAGS_SET (O_APPEND | O_NONBLOCK | O_DIRECT | O_NOATIME | FASYNC)
int file_set_flags(struct file *f, int fd, unsigned flags);

/* file_new() - an open file with one reference; on success it takes over the caller's reference to
 * `inode`. NULL: no memory. file_anonymous() - likewise, with a new inode that no path reaches. */
struct file *file_new(struct inode *inode, const struct file_ops *ops, unsigned flags,
		      void *private);
struct file *file_anonymous(const struct file_ops *ops, unsigned flags, void *private);

/* file_open_inode() - opens an inode by its kind. -ELOOP: a symbolic link; -ENXIO: its kind cannot
 * be opened; -ENOMEM. */
int file_open_inode(struct inode *inode, unsigned flags, struct file **out);

struct file *file_get(struct file *f);
void file_put(struct file *f); /* NULL: nothing */

/* read(2), write(2); with `at`, pread(2) and pwrite(2). */
long file_read(struct file *f, struct io *io);
long file_write(struct file *f, struct io *io);
long file_read_at(struct file *f, struct io *io, int64_t at);
long file_write_at(struct file *f, struct io *io, int64_t at);

/* file_copy() - copies up to `bytes` for sendfile(2) and copy_file_range(2). Each side uses `*at`,
 * which advances, or with NULL the file's own offset. Bytes that were read but not written are read
 * again later, unless `from` is a stream. */
long file_copy(struct file *to, int64_t *to_at, struct file *from, int64_t *from_at,
	       uint64_t bytes);

int64_t file_seek(struct file *f, int64_t offset, int whence);

/* For `seek` of file_ops. file_seek_base() - the position from which SEEK_SET, SEEK_CUR and
 * SEEK_END count; -EINVAL: another `whence`. With the lock of the tree. file_seek_plain() - seeks
 * in a file without an end: only SEEK_SET and SEEK_CUR. */
int64_t file_seek_base(const struct file *f, int whence);
int64_t file_seek_plain(struct file *f, int64_t offset, int whence);
long file_ioctl(struct file *f, unsigned request, uint64_t argument);
int file_page(struct file *f, uint64_t index, bool own, void **page);

/* file_poll() - the bits of `events`, POLLERR and POLLHUP that are set now. `queue`: as in
 * file_ops. */
unsigned file_poll(struct file *f, unsigned events, struct wait_queue **queue);

/* file_can_read(), file_can_write() - was it opened for that? */
static inline bool file_can_read(const struct file *f)
{
	return !(f->flags & O_PATH) && (f->flags & O_ACCMODE) != O_WRONLY;
}
static inline bool file_can_write(const struct file *f)
{
	return !(f->flags & O_PATH) && (f->flags & O_ACCMODE) != O_RDONLY;
}

#endif
