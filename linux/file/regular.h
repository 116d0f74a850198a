/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * regular.h - regular files: content in pages, which mappings share. Task context without any lock.
 */
#ifndef LINUX_FILE_REGULAR_H
#define LINUX_FILE_REGULAR_H

#include <stdint.h>

#include "linux/file/file.h"

/* regular_new() - an empty file; as inode_new(). */
struct inode *regular_new(uint32_t mode, enum inode_device device);

/* memfd_open() - memfd_create(2); MFD_CLOEXEC is the caller's task. */
int memfd_open(const char *name, unsigned flags, struct file **out);

/* regular_truncate() - sets the size. -EINVAL: no regular file, or a negative size; -EFBIG; -EPERM:
 * sealed; -ENOSPC. regular_allocate() - fallocate(2). */
int regular_truncate(struct inode *inode, int64_t size);
int regular_allocate(struct file *f, unsigned mode, int64_t offset, int64_t bytes);

/*
 * regular_page() - gets page `index`, with a reference, for a mapping; a hole is filled. `own`: for
 * a shared mapping, whose writes all others see. Otherwise `*page` may be read-only. -EFAULT: it is
 * behind the end; -ENOSPC: no memory. The lock of a process may be held.
 */
int regular_page(struct inode *inode, uint64_t index, bool own, void **page);

/*
 * regular_map() - counts a mapping, which file_host.unmap() reaches. `writable`: it is shared and
 * may be written to. -EPERM: the file is sealed against that. regular_unmap() - counts one mapping
 * less.
 */
int regular_map(struct inode *inode, bool writable);
void regular_unmap(struct inode *inode, bool writable);

/* regular_seals(), regular_add_seals() - F_GET_SEALS and F_ADD_SEALS of fcntl(2); -EINVAL: no
 * regular file. */
int regular_seals(struct inode *inode);
int regular_add_seals(struct file *f, unsigned seals);

#endif
