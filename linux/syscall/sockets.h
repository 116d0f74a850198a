/* SPDX-License-Identifier: BSD-2-Clause */
/* sockets.h - shared by the system calls on sockets. System call context. */
#ifndef LINUX_SYSCALL_SOCKETS_H
#define LINUX_SYSCALL_SOCKETS_H

#include "linux/socket/socket.h"
#include "linux/syscall/syscall.h"

/* with_socket() - calls `fn` with the socket of the first argument, and returns its result. -EBADF,
 * -ENOTSOCK. */
typedef long socket_fn(struct file *file, struct socket *s, struct trap_frame *f);
long with_socket(struct trap_frame *f, socket_fn *fn);

#define SOCKET_CALL(name)                            \
	static long sys_##name(struct trap_frame *f) \
	{                                            \
		return with_socket(f, do_##name);    \
	}

/* socket_name_read() - reads a name from a struct sockaddr_un of ring 3. -EINVAL, -EFAULT. */
int socket_name_read(uint64_t from, uint64_t bytes, struct socket_name *name);

/* socket_name_put() - writes a name to `room` bytes of ring 3, and cuts it to them. Returns its
 * full length, or -EFAULT. */
long socket_name_put(uint64_t to, uint64_t room, const struct socket_name *name);

/* socket_name_return() - writes a name to ring 3. `length` is the address of the room, which
 * becomes the length of the name. `always`: also for a socket without a name. */
long socket_name_return(uint64_t to, uint64_t length, const struct socket_name *name, bool always);

/* socket_find() - the socket that is bound to the name, as `s` sees it, with a reference. -ENOENT,
 * -ECONNREFUSED. */
int socket_find(const struct socket *s, const struct socket_name *name, struct socket **out);

/* socket_wait() - as files_wait(), but waits by socket_await(). `now`: -EAGAIN instead of a
 * wait. */
long socket_wait(struct file *file, unsigned events, const struct socket *to, bool now);

#endif
