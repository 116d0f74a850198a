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

/* The source of an archive. */
struct cpio_source {
	uint64_t bytes;
	/* Copies `n` bytes from `offset` on, all within `bytes`. 0, or -E: the archive is refused.
	 */
	int (*read)(struct cpio_source *source, uint64_t offset, void *to, size_t n);
	/*
	 * Gets the page of memory that has exactly the 4096 bytes from `offset` on, with a
	 * reference, if it never changes. Files share it until they are written to. NULL: there is
	 * no such page. NULL as a function: no page is shared.
	 */
	void *(*page)(struct cpio_source *source, uint64_t offset);
	/* Takes a name that describes the run, and the place of its content. 0, or -E with a
	 * reason: the name is unknown. */
	int (*note)(struct cpio_source *source, const char *name, uint64_t offset, uint64_t bytes,
		    struct reason *why);
};

/*
 * cpio_unpack() - fills the tree. Missing parent directories are made. Members below /proc and
 * /sys, and devices that /dev already has, are skipped: the machine provides those. -EINVAL: the
 * archive is malformed, or has a member of a kind that no tree has; -ENOMEM; errors of `read` and
 * `note`. Members before the error stay in the tree.
 */
int cpio_unpack(struct inode *root, struct cpio_source *source, struct reason *why);

/*
 * cpio_content() - makes a regular file without a name from the content of a note: standard input.
 * -ENOMEM, or the error of `read`.
 */
int cpio_content(struct cpio_source *source, uint64_t offset, uint64_t bytes, struct inode **out);

#endif
