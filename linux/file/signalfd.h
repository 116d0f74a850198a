/* SPDX-License-Identifier: BSD-2-Clause */
/* signalfd.h - signals as files, by the hooks of file_host.h. Task context of the process in
 * question.
 */
#ifndef LINUX_FILE_SIGNALFD_H
#define LINUX_FILE_SIGNALFD_H

#include "linux/file/file.h"

/* signalfd_open() - a file of the signals in `mask`, where bit 0 is signal 1; `flags`: O_NONBLOCK.
 * signalfd_set() - changes the mask; -EINVAL: `f` is no such file. */
int signalfd_open(uint64_t mask, unsigned flags, struct file **out);
int signalfd_set(struct file *f, uint64_t mask);

#endif
