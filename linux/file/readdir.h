/* SPDX-License-Identifier: BSD-2-Clause */
/* readdir.h - directories as open files. Task context without any lock. */
#ifndef LINUX_FILE_READDIR_H
#define LINUX_FILE_READDIR_H

#include "linux/file/file.h"

/* A name of a directory, as struct inode_ops tells it. */
struct listed {
	uint64_t number;
	uint32_t mode;
	unsigned length;
	char name[NAME_BYTES_MOST];
};

/* readdir_open() - as struct inode_ops has it, for all kinds of directories. */
int readdir_open(struct file *f);

/* file_readdir() - getdents64(2): as many entries as fit, whole. -EINVAL: not even one does;
 * -ENOTDIR. */
long file_readdir(struct file *f, struct io *io);

#endif
