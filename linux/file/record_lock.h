/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_lock.h - locks on parts of files: fcntl(F_SETLK) by process, F_OFD_SETLK and flock(2) by
 * open file. Task context without any lock.
 */
#ifndef LINUX_FILE_RECORD_LOCK_H
#define LINUX_FILE_RECORD_LOCK_H

#include "linux/file/file.h"

/* A process that waits in F_SETLKW. A cycle of waiters would wait forever. All zero: no waiter. */
struct lock_waiter {
	struct lock_waiter *next;
	struct inode *inode; /* a reference; NULL: it does not wait */
	const void *owner;   /* a table of file descriptors */
	short type;
	uint64_t start, end;
};

/*
 * record_lock_fcntl() - the commands F_GETLK, F_SETLK, F_SETLKW, and their F_OFD_ variants. `table`
 * is the table of file descriptors of the calling process, and `pid` its id. -EAGAIN: a lock of
 * another owner conflicts; F_SETLKW and F_OFD_SETLKW then wait on record_lock_queue. F_SETLKW notes
 * the wait in `waiter`, until record_lock_wait_end() or the next try. -EDEADLK: the other owner
 * waits for this process, directly or through others. -EBADF, -EINVAL, -ENOMEM.
 */
int record_lock_fcntl(struct file *f, const void *table, int pid, unsigned command,
		      struct flock *lock, struct lock_waiter *waiter);
void record_lock_wait_end(struct lock_waiter *waiter);

/* file_flock() - flock(2): LOCK_SH, LOCK_EX or LOCK_UN of <linux/fcntl.h>, without LOCK_NB. */
int file_flock(struct file *f, unsigned operation);

/* Woken when a lock on any file is released. */
extern struct wait_queue record_lock_queue;

/* record_locks_drop() - drops all locks of `owner`, a table of file descriptors or an open file. */
void record_locks_drop(struct inode *inode, const void *owner);

/* record_locks_free() - frees all locks, when the inode ends. */
void record_locks_free(struct inode *inode);

#endif
