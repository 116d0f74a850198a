/* SPDX-License-Identifier: BSD-2-Clause */
/* files.h - what other system calls want of those on files. System call context. */
#ifndef RT_SYSCALL_FILES_H
#define RT_SYSCALL_FILES_H

#include "rt/mem/mm.h"

/* files_mapped() - mmap(2) of `fd` (-1: of no file): `request` gets what is mapped, with a reference.
 * -EBADF, -ENODEV, -EACCES, -ENOMEM. */
int files_mapped(int fd, struct mm_request *request);

#endif
