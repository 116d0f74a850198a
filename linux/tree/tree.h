/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tree.h - the tree of names: open(2), mkdir(2), rename(2) and other calls with paths. `start` is
 * the directory at which relative paths begin; NULL: the working directory of the process. All
 * return 0, or -E as the system call of that name. A call that fails has changed nothing.
 *
 * Modes refuse no user anything.
 */
#ifndef LINUX_TREE_TREE_H
#define LINUX_TREE_TREE_H

#include <asm/statfs.h>

#include "linux/file/file.h"
#include "linux/tree/walk.h"

/*
 * tree_create() - a root with the directories of every run: /tmp, /dev, /proc, /sys. NULL: no
 * memory. tree_destroy() - removes all names, and drops the caller's reference. Open files live on.
 */
struct inode *tree_create(void);
void tree_destroy(struct inode *root);

/* tree_open() - as openat(2). After opening a fifo, the caller calls file_await_peer() of
 * pipe.h. */
int tree_open(const struct tree_view *view, struct inode *start, const char *path, unsigned flags,
	      uint32_t mode, struct file **out);

int tree_mkdir(const struct tree_view *view, struct inode *start, const char *path, uint32_t mode);
/* tree_mknod() - MODE_REGULAR or MODE_FIFO; -EPERM: another type. */
int tree_mknod(const struct tree_view *view, struct inode *start, const char *path, uint32_t mode);
/* tree_make() - gives `inode`, whose reference is taken over, the path as its first name. */
int tree_make(const struct tree_view *view, struct inode *start, const char *path,
	      struct inode *inode);
int tree_symlink(const struct tree_view *view, struct inode *start, const char *path,
		 const char *target);

/* tree_unlink() - `directory`: as rmdir(2). */
int tree_unlink(const struct tree_view *view, struct inode *start, const char *path,
		bool directory);

/* tree_link() - gives `inode` another name; tree_rename() - `flags`: RENAME_NOREPLACE and
 * RENAME_EXCHANGE of <linux/fs.h>. */
int tree_link(struct inode *inode, const struct tree_view *view, struct inode *start,
	      const char *path);
int tree_rename(const struct tree_view *view, struct inode *old_start, const char *old_path,
		struct inode *new_start, const char *new_path, unsigned flags);

/* tree_place() - adds `inode` to a directory by that name, whatever the kind of the directory, for
 * code that builds a tree. On success it takes over the caller's reference to `inode`. -EEXIST;
 * -ENOMEM. */
int tree_place(struct inode *dir, const char *name, unsigned length, struct inode *inode);

/* inode_readlink() - writes the target of a link; -EINVAL: it is no link. inode_access() -
 * access(2) for root, with its `mode`. */
int inode_readlink(struct inode *inode, struct text *to);
int inode_access(struct inode *inode, unsigned mode);
void inode_statfs(struct inode *inode, struct statfs *out);

/* tree_chdir(), tree_chroot() - set the working directory, or the root, to `to`. -ENOTDIR. */
int tree_chdir(struct tree_view *view, struct inode *to);
int tree_chroot(struct tree_view *view, struct inode *to);

/*
 * inode_path() - writes a path of the inode from `root`. An inode that lost its last name gets that
 * path and " (deleted)"; one that never had a name gets "/#12 (deleted)" with its number.
 * file_path() - likewise for an open file, but "pipe:[12]" and the like for files without a name.
 * -ENOENT: it is not below `root`; -ENOMEM.
 */
int inode_path(struct inode *inode, struct inode *root, struct text *path);
int file_path(struct file *f, struct inode *root, struct text *path);

#endif
