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
 * record_lock_fcntl() - the commands F_GETLK, F_SETLK, F_SETLKW and F_OFD_ ones, of the process
 * that has `table` as its file descriptors and the id `pid`. -EAGAIN: another holds a lock that is
 * in the way; what waits (F_SETLKW, F_OFD_SETLKW) does so on record_lock_queue. F_SETLKW notes
 * that in `waiter`, until record_lock_wait_end() or the next try; -EDEADLK: the other waits for
 * this process, by itself or by way of others. -EBADF, -EINVAL, -ENOMEM.
 */
int record_lock_fcntl(struct file *f, const void *table, int pid, unsigned command,
		      struct flock *lock, struct lock_waiter *waiter);
void record_lock_wait_end(struct lock_waiter *waiter);

/* file_flock() - flock(2): LOCK_SH, LOCK_EX or LOCK_UN of <linux/fcntl.h>, without LOCK_NB. */
int file_flock(struct file *f, unsigned operation);

/* Woken when a lock on any file is released. */
extern struct wait_queue record_lock_queue;

/* record_locks_drop() - all of `owner`: a table of file descriptors, an open file. */
void record_locks_drop(struct inode *inode, const void *owner);

/* record_locks_free() - with the inode. */
void record_locks_free(struct inode *inode);

#endif
