/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk.h - resolves paths. At most 40 links are followed. `..` does not lead above the root of the
 * process. The lock of the tree is taken for one name at a time. Task context.
 */
#ifndef LINUX_TREE_WALK_H
#define LINUX_TREE_WALK_H

#include "linux/file/inode.h"

/* The root and the working directory of a process, each with a reference. The owner of the
 * structure guards it. */
struct tree_view {
	struct inode *root, *cwd;
	unsigned umask;
};

/* The kind of the last part of a path: only a WALK_NAME can be made or removed. */
enum walk_last { WALK_NAME, WALK_DOT, WALK_DOT_DOT, WALK_ROOT, WALK_JUMP };

struct walk {
	struct inode *parent; /* with a reference; NULL: `last` is no name */
	struct inode *inode;  /* with a reference; NULL: the parent has no such name */
	enum walk_last last;
	bool slash; /* a slash follows the name */
	unsigned length;
	char name[NAME_BYTES_MOST];
};

/*
 * walk_path() - resolves `path` from `start`, a directory; NULL: the working directory. `follow`:
 * follows a link at the end; a link before a slash is always followed. On success the caller calls
 * walk_put() later. -ENOENT: a part before the last is missing, or the path is empty; -ENOTDIR;
 * -ELOOP; -ENAMETOOLONG; -ENOMEM.
 */
int walk_path(const struct tree_view *view, struct inode *start, const char *path, bool follow,
	      struct walk *walk);
void walk_put(struct walk *walk);

/* walk_inode() - only the inode of the path, with a reference; -ENOENT: there is none. */
int walk_inode(const struct tree_view *view, struct inode *start, const char *path, bool follow,
	       struct inode **inode);

#endif
