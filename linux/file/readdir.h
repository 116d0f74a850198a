/* SPDX-License-Identifier: BSD-2-Clause */
/* readdir.h - directories as open files. Task context without any lock. */
#ifndef LINUX_FILE_READDIR_H
#define LINUX_FILE_READDIR_H

#include "linux/file/file.h"

/* A name of a directory, filled by `next` of struct inode_ops. */
struct listed {
	uint64_t number;
	uint32_t mode;
	unsigned length;
	char name[NAME_BYTES_MOST];
};

/* readdir_open() - `open` of struct inode_ops for directories of all kinds. */
int readdir_open(struct file *f);

/* file_readdir() - getdents64(2): writes as many whole entries as fit. -EINVAL: the first one does
 * not fit; -ENOTDIR; -EBADF: the file is not readable. */
long file_readdir(struct file *f, struct io *io);

#endif
