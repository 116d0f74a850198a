// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_absent.c - calls on what is not here, which programs do well without where they are told so
 * as Linux tells it: extended attributes, sockets.
 */
#include "rt/syscall/syscall.h"

#include "rt/syscall/files.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>

/* As on a filesystem that has none: a list of them is empty. */
static long sys_no_attributes(struct trap_frame *f)
{
	(void)f;
	return -EOPNOTSUPP;
}

static long sys_empty_list(struct trap_frame *f)
{
	(void)f;
	return 0;
}

static long sys_no_network(struct trap_frame *f)
{
	(void)f;
	return -EAFNOSUPPORT;
}

static long sys_no_socket(struct trap_frame *f)
{
	struct file *file = files_get(f->rdi);

	if (!file)
		return -EBADF;
	file_put(file);
	return -ENOTSOCK;
}

const struct syscall_row syscall_absent_rows[] = {
	{__NR_getxattr, sys_no_attributes},
	{__NR_lgetxattr, sys_no_attributes},
	{__NR_fgetxattr, sys_no_attributes},
	{__NR_setxattr, sys_no_attributes},
	{__NR_lsetxattr, sys_no_attributes},
	{__NR_fsetxattr, sys_no_attributes},
	{__NR_removexattr, sys_no_attributes},
	{__NR_lremovexattr, sys_no_attributes},
	{__NR_fremovexattr, sys_no_attributes},
	{__NR_listxattr, sys_empty_list},
	{__NR_llistxattr, sys_empty_list},
	{__NR_flistxattr, sys_empty_list},
	{__NR_socket, sys_no_network},
	{__NR_socketpair, sys_no_network},
	{__NR_accept, sys_no_socket},
	{__NR_accept4, sys_no_socket},
	{__NR_bind, sys_no_socket},
	{__NR_connect, sys_no_socket},
	{__NR_getpeername, sys_no_socket},
	{__NR_getsockname, sys_no_socket},
	{__NR_getsockopt, sys_no_socket},
	{__NR_listen, sys_no_socket},
	{__NR_recvfrom, sys_no_socket},
	{__NR_recvmmsg, sys_no_socket},
	{__NR_recvmsg, sys_no_socket},
	{__NR_sendmmsg, sys_no_socket},
	{__NR_sendmsg, sys_no_socket},
	{__NR_sendto, sys_no_socket},
	{__NR_setsockopt, sys_no_socket},
	{__NR_shutdown, sys_no_socket},
	{0, NULL},
};
