/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pipe.h - pipes, with and without a name. Up to PIPE_BUF bytes are written whole or not at all. A
 * write of more may write a part of them: a caller that waits goes on behind it (io_skip()).
 * -EPIPE: nothing reads; the caller raises SIGPIPE. Task context without any lock.
 */
#ifndef LINUX_FILE_PIPE_H
#define LINUX_FILE_PIPE_H

#include "linux/file/file.h"

/* pipe_open() - pipe2(2): the end to read from and the one to write to; `flags`: O_NONBLOCK. */
int pipe_open(struct file *ends[2], unsigned flags);

/* fifo_new() - as inode_new(): a pipe for mkfifo(3). */
struct inode *fifo_new(uint32_t mode, enum inode_device device);

/* fifo_await_peer() - of a file that was just opened: 0; or -EAGAIN, it is a fifo and its other end
 * has not been opened since: then open(2) waits for file_poll()'s queue, unless with O_NONBLOCK. */
int fifo_await_peer(struct file *f);

/* pipe_size(), pipe_resize() - fcntl(F_GETPIPE_SZ, F_SETPIPE_SZ): the size, or -EBADF: no pipe;
 * -EBUSY: what is in it does not fit; -EINVAL; -ENOMEM. */
int pipe_size(struct file *f);
int pipe_resize(struct file *f, uint64_t bytes);

#endif
