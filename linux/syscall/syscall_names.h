/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall_names.h - Linux's names of system calls: made from <asm/unistd_64.h>. */
#ifndef LINUX_SYSCALL_SYSCALL_NAMES_H
#define LINUX_SYSCALL_SYSCALL_NAMES_H

/* syscall_name() - the name of a system call; NULL: the number is unknown. */
const char *syscall_name(long number);

#endif
