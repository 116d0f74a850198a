/* SPDX-License-Identifier: BSD-2-Clause */
/* names.h - Linux's names of system calls: made from <asm/unistd_64.h>. */
#ifndef RT_SYSCALL_NAMES_H
#define RT_SYSCALL_NAMES_H

/* syscall_name() - NULL: no system call has that number. */
const char *syscall_name(long number);

#endif
