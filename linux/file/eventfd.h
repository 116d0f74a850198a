/* SPDX-License-Identifier: BSD-2-Clause */
/* eventfd.h - counters as files: eventfd2(2), with EFD_SEMAPHORE as `semaphore`. Task context. */
#ifndef LINUX_FILE_EVENTFD_H
#define LINUX_FILE_EVENTFD_H

#include "linux/file/file.h"

/* eventfd_open() - `flags`: O_NONBLOCK. */
int eventfd_open(uint32_t count, bool semaphore, unsigned flags, struct file **out);

#endif
