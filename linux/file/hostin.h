/* SPDX-License-Identifier: BSD-2-Clause */
/* hostin.h - standard input that the host tool reads when a program does: file_host.input. */
#ifndef LINUX_FILE_HOSTIN_H
#define LINUX_FILE_HOSTIN_H

#include "linux/file/file.h"

/* hostin_open() - opens it at its start, independent of other open files of it. -ENOMEM. Task
 * context. */
int hostin_open(struct file **out);

#endif
