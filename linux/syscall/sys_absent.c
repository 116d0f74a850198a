// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys_absent.c - calls on absent features, which programs can do without if the error is
 * Linux's: extended attributes.
 */
#include "linux/syscall/syscall.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>

/* As on a filesystem without attributes: their list is empty. */
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
	{0, NULL},
};
