/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tree_cpio.h - fills a tree from an archive in the "newc" format of cpio(5), which
 * include/perf0/programs.h describes: names that begin with `/` are files of the tree, the
 * others describe the run. Nothing in an archive is trusted. Task context.
 */
#ifndef LINUX_TREE_TREE_CPIO_H
#define LINUX_TREE_TREE_CPIO_H

#include "lib/reason.h"
#include "linux/file/inode.h"

/* Where an archive lies. */
struct cpio_source {
	uint64_t bytes;
	/* Copies `n` bytes from `offset` on, all within `bytes`. 0, or -E: the archive is refused.
	 */
	int (*read)(struct cpio_source *source, uint64_t offset, void *to, size_t n);
	/*
	 * The page of memory with the 4096 bytes from `offset` on, with a reference, if they are
	 * one page that never changes: files share it until they are written to. NULL: they are
	 * not. A NULL function: no page is shared.
	 */
	void *(*page)(struct cpio_source *source, uint64_t offset);
	/* A name that describes the run, and the place of its content. 0, or -E with a reason:
	 * the name is unknown. */
	int (*note)(struct cpio_source *source, const char *name, uint64_t offset, uint64_t bytes,
		    struct reason *why);
};

/*
 * cpio_unpack() - -EINVAL: the archive is not what it says, or has what no tree has; -ENOMEM; what
 * `read` and `note` return. What came before stays in the tree. Directories that the archive does
 * not name come into being. What it has below /proc and /sys, and devices of /dev that are there
 * already, are left out: those are the machine's own.
 */
int cpio_unpack(struct inode *root, struct cpio_source *source, struct reason *why);

/*
 * cpio_content() - a regular file without a name, with the content of a note: standard input.
 * -ENOMEM, or the error of `read`.
 */
int cpio_content(struct cpio_source *source, uint64_t offset, uint64_t bytes, struct inode **out);

#endif
