/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pack_tree.h - the files of a pack by their names: absolute paths in the image's file tree, and
 * names without a slash, which describe the run (include/perf0/programs.h). The tree knows the type
 * and the size of a file, and does not read it.
 *
 * A path is resolved component by component, through the symbolic links that are in the tree so
 * far. The first function that adds a name decides its entry; only tree_put() replaces entries.
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
	char *path; /* path in the image */
	enum tree_kind kind;
	bool is_executable;
	char *source;       /* TREE_FILE: the host's file; NULL: `content` has the bytes */
	struct buf content; /* TREE_LINK: the target */
	uint64_t bytes;     /* size of source or content */
};

/* A tree of files. A zeroed struct is empty. */
struct tree {
	void *root; /* entries by path, for tsearch(3) */
	size_t n;
	bool verbose; /* report omitted files */
};

/*
 * tree_host() - adds the host's absolute `path`: the directories and symbolic links on the way, and
 * the file or directory at its end. -E with the reason.
 */
int tree_host(struct tree *tree, const char *path, struct reason *why);

/*
 * tree_put() - adds the host's file, or a folder with its contents, at `path`. It replaces existing
 * entries and makes the directories on the way. In a folder, it omits all but plain files, folders
 * and symbolic links. -E with the reason.
 */
int tree_put(struct tree *tree, const char *host, const char *path, struct reason *why);

/* tree_content() - adds a file with the contents `bytes`, which the tree takes over; `path` may
 * be a name without a slash. */
int tree_content(struct tree *tree, const char *path, struct buf *bytes, struct reason *why);

/* tree_script() - like tree_content(), for an executable file; `path` contains no symbolic link. */
int tree_script(struct tree *tree, const char *path, struct buf *bytes, struct reason *why);

/* tree_folder() - adds a folder, and the folders on the way to it. */
int tree_folder(struct tree *tree, const char *path, struct reason *why);

/* tree_find() - returns the entry to which the absolute `path` resolves; NULL: none. */
const struct tree_entry *tree_find(const struct tree *tree, const char *path);

/*
 * tree_each() - calls `take` for all entries, sorted by path, until it returns something other than
 * 0.
 */
int tree_each(const struct tree *tree, int (*take)(void *ctx, const struct tree_entry *entry),
	      void *ctx);

void tree_free(struct tree *tree);

#endif
