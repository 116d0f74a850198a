// SPDX-License-Identifier: BSD-2-Clause
/* sys_socket.c - sockets of AF_UNIX: socket(2) and its kin. There is no network. */
#include "linux/syscall/sockets.h"

#include "arch/x86/cpu/user.h"
#include "lib/string.h"
#include "linux/syscall/syscall_files.h"
#include "linux/task/sched.h"
#include "linux/tree/tree.h"

#include <asm/socket.h>
#include <asm/unistd_64.h>
#include <linux/un.h>

#define TYPE_BITS  0xfu
#define TYPES      11u                      /* SOCK_MAX */
#define OPEN_FLAGS (O_CLOEXEC | O_NONBLOCK) /* SOCK_CLOEXEC, SOCK_NONBLOCK */
#define NAME_HEAD  sizeof(__kernel_sa_family_t)

long with_socket(struct trap_frame *f, socket_fn *fn)
{
	struct file *file = files_get(f->rdi);
	struct socket *s = file ? socket_of(file) : NULL;
	long result = -EBADF;

	if (file && !(file->flags & O_PATH))
		result = s ? fn(file, s, f) : -ENOTSOCK;
	file_put(file);
	return result;
}

/* --- Names --- */

int socket_name_read(uint64_t from, uint64_t bytes, struct socket_name *name)
{
	struct sockaddr_un address;

	*name = (struct socket_name){0};
	if (bytes < NAME_HEAD || bytes > sizeof(address))
		return -EINVAL;
	if (copy_from_user(&address, from, bytes))
		return -EFAULT;
	if (address.sun_family != SOCKET_UNIX)
		return -EINVAL;
	name->length = (unsigned)(bytes - NAME_HEAD);
	memcpy(name->path, address.sun_path, name->length);
	if (name->length && name->path[0])
		name->length = (unsigned)strnlen(name->path, name->length) + 1;
	return 0;
}

long socket_name_put(uint64_t to, uint64_t room, const struct socket_name *name)
{
	char bytes[NAME_HEAD + sizeof(name->path)] = {SOCKET_UNIX};
	const size_t n = NAME_HEAD + name->length;

	memcpy(bytes + NAME_HEAD, name->path, name->length);
	return copy_to_user(to, bytes, n < room ? n : room) ? -EFAULT : (long)n;
}

long socket_name_return(uint64_t to, uint64_t length, const struct socket_name *name, bool always)
{
	long n = 0;
	int room;

	if (copy_from_user(&room, length, sizeof(room)))
		return -EFAULT;
	if (room < 0)
		return -EINVAL;
	if (always || name->length)
		n = socket_name_put(to, (uint64_t)room, name);
	room = (int)n;
	return n < 0 || copy_to_user(length, &room, sizeof(room)) ? -EFAULT : 0;
}

static int find_at_path(const struct socket_name *name, struct socket **out)
{
	struct inode *inode;
	const int err = walk_inode(files_view(), NULL, name->path, true, &inode);

	if (err)
		return err;
	*out = socket_at(inode);
	inode_put(inode);
	return *out ? 0 : -ECONNREFUSED;
}

int socket_find(const struct socket *s, const struct socket_name *name, struct socket **out)
{
	if (!name->length)
		return -EINVAL;
	if (name->path[0])
		return find_at_path(name, out);
	*out = socket_named(name, socket_type(s));
	return *out ? 0 : -ECONNREFUSED;
}

/* --- Waiting --- */

long socket_wait(struct file *file, unsigned events, const struct socket *to, bool now)
{
	struct task *t = sched_current();
	const uint64_t ns = socket_patience(socket_of(file), events & POLLOUT),
		       deadline = syscall_deadline(ns);
	int ready;

	if (now || file->flags & O_NONBLOCK || (ns && syscall_is_late()))
		return -EAGAIN;
	if (!syscall_may_sleep())
		return ns ? -EINTR : -SIGNAL_RESTART;
	ready = socket_await(file, events, to, &t->waits);
	if (!ready)
		return syscall_sleep_until(deadline);
	return syscall_wait_end(ready);
}

/* --- Creation --- */

static int check_socket_type(unsigned family, unsigned type, unsigned protocol)
{
	if (type & ~(TYPE_BITS | OPEN_FLAGS) || (type & TYPE_BITS) >= TYPES)
		return -EINVAL;
	if (family != SOCKET_UNIX)
		return -EAFNOSUPPORT;
	return protocol && protocol != SOCKET_UNIX ? -EPROTONOSUPPORT : 0;
}

static long sys_socket(struct trap_frame *f)
{
	const unsigned type = (unsigned)f->rsi;
	struct file *made;
	int err = check_socket_type((unsigned)f->rdi, type, (unsigned)f->rdx);

	if (!err)
		err = socket_open(type & TYPE_BITS, type & O_NONBLOCK, &made);
	return err ? err : files_install(made, type & O_CLOEXEC);
}

/* As pipe2(2): both ends get a descriptor, or none does. */
static long install_pair(struct file *ends[2], unsigned flags, uint64_t to)
{
	struct fd_table *table = sched_current()->process->files;
	int fds[2];

	fds[0] = (int)files_install(ends[0], flags);
	if (fds[0] < 0) {
		file_put(ends[1]);
		return fds[0];
	}
	fds[1] = (int)files_install(ends[1], flags);
	if (fds[1] >= 0 && !copy_to_user(to, fds, sizeof(fds)))
		return 0;
	fd_close(table, fds[0]);
	if (fds[1] >= 0)
		fd_close(table, fds[1]);
	return fds[1] < 0 ? fds[1] : -EFAULT;
}

static long sys_socketpair(struct trap_frame *f)
{
	const unsigned type = (unsigned)f->rsi;
	struct file *ends[2];
	int err = check_socket_type((unsigned)f->rdi, type, (unsigned)f->rdx);

	if (!err)
		err = socket_pair(type & TYPE_BITS, type & O_NONBLOCK, ends);
	return err ? err : install_pair(ends, type & O_CLOEXEC, f->r10);
}

/* --- Binding and connecting --- */

static int bind_path(struct socket *s, const struct socket_name *name)
{
	struct inode *inode = socket_inode_new(0777 & ~files_view()->umask);
	int err;

	if (!inode)
		return -ENOMEM;
	err = tree_make(files_view(), NULL, name->path, inode_get(inode));
	if (!err)
		err = socket_bind(s, name, inode);
	inode_put(inode);
	return err == -EEXIST ? -EADDRINUSE : err;
}

static long do_bind(struct file *file, struct socket *s, struct trap_frame *f)
{
	struct socket_name name;
	const int err = socket_name_read(f->rsi, (unsigned)f->rdx, &name);

	(void)file;
	if (err)
		return err;
	if (socket_is_bound(s))
		return -EINVAL;
	return name.length && name.path[0] ? bind_path(s, &name) : socket_bind(s, &name, NULL);
}
SOCKET_CALL(bind)

static long do_listen(struct file *file, struct socket *s, struct trap_frame *f)
{
	(void)file;
	return socket_listen(s, (int)f->rsi);
}
SOCKET_CALL(listen)

static long connect_waiting(struct file *file, struct socket *s, struct socket *to)
{
	for (;;) {
		long n = socket_connect(s, to);

		if (n != -EAGAIN)
			return n;
		n = socket_wait(file, POLLOUT, to, false);
		if (n <= 0)
			return n;
	}
}

/* AF_UNSPEC removes the peer of a datagram socket. */
static int is_unspecified(uint64_t from, uint64_t bytes)
{
	__kernel_sa_family_t family;

	if (bytes < sizeof(family))
		return -EINVAL;
	return copy_from_user(&family, from, sizeof(family)) ? -EFAULT : !family;
}

static long do_connect(struct file *file, struct socket *s, struct trap_frame *f)
{
	struct socket *to = NULL;
	struct socket_name name;
	long err = is_unspecified(f->rsi, (unsigned)f->rdx);

	if (err < 0)
		return err;
	if (err)
		return socket_connect(s, NULL);
	err = socket_name_read(f->rsi, (unsigned)f->rdx, &name);
	if (!err)
		err = socket_find(s, &name, &to);
	if (!err && socket_passes_owner(s) && !socket_is_bound(s))
		err = socket_bind(s, &(struct socket_name){0}, NULL);
	if (!err)
		err = connect_waiting(file, s, to);
	socket_put(to);
	return err;
}
SOCKET_CALL(connect)

static long accept_waiting(struct file *file, struct socket *s, unsigned flags, struct file **out)
{
	for (;;) {
		long n = socket_accept(s, flags, out);

		if (n != -EAGAIN)
			return n ? n : 1;
		n = socket_wait(file, POLLIN, NULL, false);
		if (n <= 0)
			return n;
	}
}

static long put_peer(struct file *made, uint64_t to, uint64_t length)
{
	struct socket_name name;
	const long err = socket_name(socket_of(made), true, &name);

	return err ? err : socket_name_return(to, length, &name, true);
}

static long accept_with(struct file *file, struct socket *s, struct trap_frame *f, unsigned flags)
{
	struct file *made;
	long n;

	if (flags & ~OPEN_FLAGS)
		return -EINVAL;
	n = accept_waiting(file, s, flags & O_NONBLOCK, &made);
	if (n <= 0)
		return n;
	n = f->rsi ? put_peer(made, f->rsi, f->rdx) : 0;
	if (!n)
		return files_install(made, flags & O_CLOEXEC);
	file_put(made);
	return n == -ENOTCONN ? -ECONNABORTED : n;
}

static long do_accept(struct file *file, struct socket *s, struct trap_frame *f)
{
	return accept_with(file, s, f, 0);
}
SOCKET_CALL(accept)

static long do_accept4(struct file *file, struct socket *s, struct trap_frame *f)
{
	return accept_with(file, s, f, (unsigned)f->r10);
}
SOCKET_CALL(accept4)

static long do_shutdown(struct file *file, struct socket *s, struct trap_frame *f)
{
	(void)file;
	return socket_shutdown(s, (int)f->rsi);
}
SOCKET_CALL(shutdown)

static long return_name(const struct socket *s, bool of_peer, struct trap_frame *f)
{
	struct socket_name name;
	const int err = socket_name(s, of_peer, &name);

	return err ? err : socket_name_return(f->rsi, f->rdx, &name, true);
}

static long do_getsockname(struct file *file, struct socket *s, struct trap_frame *f)
{
	(void)file;
	return return_name(s, false, f);
}
SOCKET_CALL(getsockname)

static long do_getpeername(struct file *file, struct socket *s, struct trap_frame *f)
{
	(void)file;
	return return_name(s, true, f);
}
SOCKET_CALL(getpeername)

/* --- Options --- */

static long do_getsockopt(struct file *file, struct socket *s, struct trap_frame *f)
{
	uint8_t value[SOCKET_OPTION_MOST];
	unsigned bytes = sizeof(value);
	int room;
	long err;

	(void)file;
	if ((int)f->rsi != SOL_SOCKET)
		return -EOPNOTSUPP;
	if (copy_from_user(&room, f->r8, sizeof(room)))
		return -EFAULT;
	if (room < 0)
		return -EINVAL;
	bytes = (unsigned)room < bytes ? (unsigned)room : bytes;
	err = socket_get_option(s, (unsigned)f->rdx, value, &bytes);
	if (err)
		return err;
	return copy_to_user(f->r10, value, bytes) || copy_to_user(f->r8, &bytes, sizeof(bytes))
		       ? -EFAULT
		       : 0;
}
SOCKET_CALL(getsockopt)

static long do_setsockopt(struct file *file, struct socket *s, struct trap_frame *f)
{
	uint8_t value[SOCKET_OPTION_MOST];
	const unsigned given = (unsigned)f->r8, most = sizeof(value),
		       bytes = given < most ? given : most;

	(void)file;
	if ((int)given < 0)
		return -EINVAL;
	if ((int)f->rsi != SOL_SOCKET)
		return -EOPNOTSUPP;
	if (bytes && copy_from_user(value, f->r10, bytes))
		return -EFAULT;
	return socket_set_option(s, (unsigned)f->rdx, value, bytes);
}
SOCKET_CALL(setsockopt)

const struct syscall_row syscall_socket_rows[] = {
	{__NR_socket, sys_socket},
	{__NR_socketpair, sys_socketpair},
	{__NR_bind, sys_bind},
	{__NR_listen, sys_listen},
	{__NR_connect, sys_connect},
	{__NR_accept, sys_accept},
	{__NR_accept4, sys_accept4},
	{__NR_shutdown, sys_shutdown},
	{__NR_getsockname, sys_getsockname},
	{__NR_getpeername, sys_getpeername},
	{__NR_getsockopt, sys_getsockopt},
	{__NR_setsockopt, sys_setsockopt},
	{0, NULL},
};
