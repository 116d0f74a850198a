/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * epoll.h - watches many files through one: epoll_create1(2), epoll_ctl(2), epoll_wait(2). Level
 * and edge triggered, EPOLLONESHOT. Task context without any lock.
 */
#ifndef LINUX_FILE_EPOLL_H
#define LINUX_FILE_EPOLL_H

#include <linux/eventpoll.h>

#include "linux/file/file.h"

int epoll_open(unsigned flags, struct file **out);

/*
 * epoll_control() - `operation` on file descriptor `fd`, which is that of `f`. -EINVAL: `epoll` is
 * no epoll, or is `f`; -EPERM: `f` is always ready; -EEXIST, -ENOENT; -ELOOP: epolls would watch
 * each other in a cycle, or in more than 5 levels; -ENOMEM.
 */
int epoll_control(struct file *epoll, unsigned operation, int fd, struct file *f,
		  const struct epoll_event *event);

/* epoll_collect() - collects up to `most` ready events; 0: none. -EINVAL: `epoll` is no epoll. A
 * caller waits for more by file_await(POLLIN). */
int epoll_collect(struct file *epoll, struct epoll_event *events, unsigned most);

/* epoll_forget() - the file closes: removes all items that watch it. */
void epoll_forget(struct file *f);

#endif
