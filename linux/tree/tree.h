/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tree.h - the tree of names: what open(2), mkdir(2), rename(2) and their kin do with paths.
 * `start`: the directory that paths not beginning with `/` are from, or NULL for the process's own.
 * All return 0 or -E as the system call of that name; where one fails, it has done nothing.
 *
 * No mode keeps a user out.
 */
#ifndef LINUX_TREE_TREE_H
#define LINUX_TREE_TREE_H

#include <asm/statfs.h>

#include "linux/file/file.h"
#include "linux/tree/walk.h"

/*
 * tree_create() - a root with what each run has: /tmp, /dev, /proc, /sys. NULL: no memory.
 * tree_destroy() - takes all names away, and the reference of the caller; what is open lives on.
 */
struct inode *tree_create(void);
void tree_destroy(struct inode *root);

/* tree_open() - as openat(2). Of a fifo: file_await_peer() of pipe.h is to follow. */
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

/* tree_place() - `inode`, with the caller's reference, gets that name in a directory, without a
 * look at the kind of the directory: for those that build a tree. -EEXIST; -ENOMEM. */
int tree_place(struct inode *dir, const char *name, unsigned length, struct inode *inode);

/* inode_readlink() - -EINVAL: it is no link. inode_access() - access(2), of root: `mode` as there.
 */
int inode_readlink(struct inode *inode, struct text *to);
int inode_access(struct inode *inode, unsigned mode);
void inode_statfs(struct inode *inode, struct statfs *out);

/* tree_chdir(), tree_chroot() - -ENOTDIR. */
int tree_chdir(struct tree_view *view, struct inode *to);
int tree_chroot(struct tree_view *view, struct inode *to);

/*
 * inode_path() - a path of it from `root`, with " (deleted)" behind it where it has none any more,
 * or what stands for one where it never had: "pipe:[12]". `f`: the file that it is open as, or
 * NULL. -ENOENT: it is not under `root`; -ENOMEM.
 */
int inode_path(struct inode *inode, struct inode *root, struct text *path);
int file_path(struct file *f, struct inode *root, struct text *path);

#endif
