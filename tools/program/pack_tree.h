/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pack_tree.h - the files that the image is given, by the names that they have in the pack:
 * absolute paths of the image's file tree, and names without a slash, which tell about the run
 * (include/perf0/programs.h). Nothing is read here but what a file is and how large.
 *
 * A path is followed component by component, through the symbolic links that the tree has by then.
 * What is there stays: the first that adds a name decides what it is, but for tree_put().
 */
#ifndef TOOLS_PROGRAM_PACK_TREE_H
#define TOOLS_PROGRAM_PACK_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

enum tree_kind { TREE_FILE, TREE_DIRECTORY, TREE_LINK };

struct tree_entry {
	char *path; /* in the image */
	enum tree_kind kind;
	bool is_executable;
	char *source;       /* of TREE_FILE: the host's file; NULL: it is `content` */
	struct buf content; /* of TREE_LINK: where it points */
	uint64_t bytes;     /* of source or content */
};

/* A zeroed struct is empty. */
struct tree {
	void *root; /* of tsearch(3), by path */
	size_t n;
	bool verbose; /* tell what is left out */
};

/*
 * tree_host() - `path`, absolute, as the host has it: the directories and symbolic links on the
 * way, and the file or directory that it leads to. -E with the reason.
 */
int tree_host(struct tree *tree, const char *path, struct reason *why);

/*
 * tree_put() - the host's file, or the folder with all that is in it, as `path`, in the place of
 * what is there; directories on the way are made. Files of a folder that are neither plain, nor
 * folders, nor symbolic links are left out. -E with the reason.
 */
int tree_put(struct tree *tree, const char *host, const char *path, struct reason *why);

/* tree_content() - a file of `bytes`, which are taken over; `path` may be a name without a slash.
 */
int tree_content(struct tree *tree, const char *path, struct buf *bytes, struct reason *why);

/* tree_script() - the same, of a file that can be started; `path` leads through no link. */
int tree_script(struct tree *tree, const char *path, struct buf *bytes, struct reason *why);

/* tree_folder() - a folder, and those on the way to it. */
int tree_folder(struct tree *tree, const char *path, struct reason *why);

/* tree_find() - what `path`, absolute, leads to; NULL: nothing. */
const struct tree_entry *tree_find(const struct tree *tree, const char *path);

/* tree_each() - calls `take` with all entries, sorted by path, until it returns other than 0. */
int tree_each(const struct tree *tree, int (*take)(void *ctx, const struct tree_entry *entry),
	      void *ctx);

void tree_free(struct tree *tree);

#endif
