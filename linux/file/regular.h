/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * regular.h - regular files: content in pages, which mappings share. Task context without any lock.
 */
#ifndef LINUX_FILE_REGULAR_H
#define LINUX_FILE_REGULAR_H

#include <stdint.h>

#include "linux/file/file.h"

/* regular_new() - empty, as inode_new(). */
struct inode *regular_new(uint32_t mode, enum inode_device device);

/* memfd_open() - memfd_create(2), with MFD_CLOEXEC left to the caller. */
int memfd_open(const char *name, unsigned flags, struct file **out);

/* regular_truncate() - -EINVAL: no regular file, or a negative size; -EFBIG; -EPERM: sealed;
 * -ENOSPC. regular_allocate() - fallocate(2). */
int regular_truncate(struct inode *inode, int64_t size);
int regular_allocate(struct file *f, unsigned mode, int64_t offset, int64_t bytes);

/*
 * regular_page() - gets page `index`, with a reference, for a mapping; a hole is filled. `own`:
 * for a shared mapping, whose writes all others see; else `*page` may be read-only. -EFAULT: it
 * is behind the end; -ENOSPC: no memory. Also with the lock of a process.
 */
int regular_page(struct inode *inode, uint64_t index, bool own, void **page);

/*
 * regular_map() - one more mapping of it, which file_host.unmap() knows; `writable`: it is shared,
 * and may be written to. -EPERM: the file is sealed against that. regular_unmap() - one less.
 */
int regular_map(struct inode *inode, bool writable);
void regular_unmap(struct inode *inode, bool writable);

/* regular_seals(), regular_add_seals() - as fcntl(2); -EINVAL: no regular file. */
int regular_seals(struct inode *inode);
int regular_add_seals(struct file *f, unsigned seals);

#endif
