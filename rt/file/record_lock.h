/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_lock.h - locks on parts of files: fcntl(F_SETLK) by process, F_OFD_SETLK and flock(2) by
 * open file. Task context without any lock.
 */
#ifndef RT_FILE_RECORD_LOCK_H
#define RT_FILE_RECORD_LOCK_H

#include "rt/file/file.h"

/*
 * record_lock_fcntl() - the commands F_GETLK, F_SETLK, F_SETLKW and F_OFD_ ones, of the process
 * that has `table` as its file descriptors and the id `pid`. -EAGAIN: another holds a lock that is
 * in the way; what waits (F_SETLKW, F_OFD_SETLKW) does so on record_lock_queue. -EBADF, -EINVAL,
 * -ENOMEM.
 */
int record_lock_fcntl(struct file *f, const void *table, int pid, unsigned command,
		      struct flock *lock);

/* file_flock() - flock(2): LOCK_SH, LOCK_EX or LOCK_UN of <linux/fcntl.h>, without LOCK_NB. */
int file_flock(struct file *f, unsigned operation);

/* Woken when a lock is let go, of whatever file. */
extern struct wait_queue record_lock_queue;

/* record_locks_drop() - all of `owner`: a table of file descriptors, an open file. */
void record_locks_drop(struct inode *inode, const void *owner);

/* record_locks_free() - with the inode. */
void record_locks_free(struct inode *inode);

#endif
