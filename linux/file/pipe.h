/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pipe.h - pipes, with and without a name. A write of up to PIPE_BUF bytes is done whole or not at
 * all. A longer write may be done in part: a caller that waits continues behind that part
 * (io_skip()). -EPIPE: there are no readers; the caller raises SIGPIPE. Task context without any
 * lock.
 */
#ifndef LINUX_FILE_PIPE_H
#define LINUX_FILE_PIPE_H

#include "linux/file/file.h"

/* pipe_open() - pipe2(2): the end to read from and the one to write to; `flags`: O_NONBLOCK. */
int pipe_open(struct file *ends[2], unsigned flags);

/* fifo_new() - as inode_new(): a pipe for mkfifo(3). */
struct inode *fifo_new(uint32_t mode, enum inode_device device);

/* fifo_await_peer() - checks a file that was just opened. 0: open(2) may return. -EAGAIN: it is a
 * fifo whose other end has not been opened since; without O_NONBLOCK open(2) then waits on the
 * queue of file_poll(). */
int fifo_await_peer(struct file *f);

/* pipe_size(), pipe_resize() - fcntl(F_GETPIPE_SZ, F_SETPIPE_SZ): the size, or -EBADF: it is no
 * pipe; -EBUSY: its content does not fit; -EINVAL; -ENOMEM. */
int pipe_size(struct file *f);
int pipe_resize(struct file *f, uint64_t bytes);

#endif
