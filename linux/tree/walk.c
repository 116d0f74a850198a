// SPDX-License-Identifier: BSD-2-Clause
/* walk.c - see walk.h. */
#include "linux/tree/walk.h"

#include "lib/string.h"
#include "linux/file/text.h"
#include "rt/base/heap.h"

#include <linux/errno.h>

#define LINKS_MOST 40

struct walker {
	const struct tree_view *view;
	struct inode *here; /* with a reference */
	const char *rest;   /* of the path */
	char *owned;        /* memory of `rest`, once a link was followed */
	unsigned links;
	bool follow;
	bool is_done; /* a name at the end was found, or is missing */
	struct walk *walk;
};

void walk_put(struct walk *walk)
{
	inode_put(walk->parent);
	inode_put(walk->inode);
	walk->parent = walk->inode = NULL;
}

static void stand_on(struct walker *k, struct inode *inode)
{
	inode_put(k->here);
	k->here = inode;
}

static void skip_slashes(struct walker *k)
{
	while (*k->rest == '/')
		k->rest++;
}

/* --- Links --- */

/* Puts `target` before the rest of the path. */
static int follow_target(struct walker *k, struct text *target)
{
	if (!target->size)
		return -ENOENT;
	text_add(target, k->rest, strlen(k->rest));
	if (!text_end(target))
		return -ENOMEM;
	heap_free(k->owned);
	k->owned = target->bytes;
	k->rest = target->bytes;
	*target = (struct text){0};
	if (*k->rest == '/')
		stand_on(k, inode_get(k->view->root));
	return 0;
}

static int follow_text(struct walker *k, struct inode *link)
{
	struct text target = {0};
	int error = link->ops->readlink(link, &target);

	if (!error)
		error = follow_target(k, &target);
	text_free(&target);
	return error;
}

static int follow_jump(struct walker *k, struct inode *link, bool is_last)
{
	struct inode *to;
	int error = link->ops->jump(link, &to);

	if (error)
		return error;
	stand_on(k, to);
	k->walk->last = WALK_JUMP;
	k->is_done = is_last && !k->walk->slash;
	if (k->is_done)
		k->walk->inode = inode_get(to);
	return 0;
}

static int follow_link(struct walker *k, struct inode *link, bool is_last)
{
	if (++k->links > LINKS_MOST)
		return -ELOOP;
	return link->ops->jump ? follow_jump(k, link, is_last) : follow_text(k, link);
}

/* --- Names --- */

static int step_up(struct walker *k)
{
	struct inode *parent =
		k->here == k->view->root ? inode_get(k->here) : inode_parent(k->here);

	if (!parent)
		return -ENOMEM;
	stand_on(k, parent);
	return 0;
}

/* The path ends with this name. */
static int end_with_name(struct walker *k, const char *name, unsigned length, struct inode *child)
{
	struct walk *walk = k->walk;

	if (child && walk->slash && !inode_is_directory(child))
		return -ENOTDIR;
	walk->last = WALK_NAME;
	walk->parent = inode_get(k->here);
	walk->inode = inode_get(child);
	walk->length = length;
	memcpy(walk->name, name, length);
	k->is_done = true;
	return 0;
}

static bool is_followed(const struct walker *k, const struct inode *child, bool is_last)
{
	return child && inode_type(child) == MODE_LINK && (!is_last || k->follow || k->walk->slash);
}

static int step_to(struct walker *k, const char *name, unsigned length, struct inode *child,
		   bool is_last)
{
	if (is_followed(k, child, is_last))
		return follow_link(k, child, is_last);
	if (is_last)
		return end_with_name(k, name, length, child);
	if (!child)
		return -ENOENT;
	stand_on(k, inode_get(child));
	return 0;
}

/* Is the rest of the path only slashes, or empty? */
static bool ends_here(struct walker *k)
{
	const char *at = k->rest;

	while (*at == '/')
		at++;
	k->walk->slash = !*at && at != k->rest;
	return !*at;
}

static int step_name(struct walker *k, const char *name, unsigned length)
{
	const bool is_last = ends_here(k);
	struct inode *child = NULL;
	int error = k->here->ops->lookup(k->here, name, length, &child);

	if (error)
		return error;
	error = step_to(k, name, length, child, is_last);
	inode_put(child);
	return error;
}

/* Walks the first part of `rest`. */
static int step_part(struct walker *k)
{
	const char *name = k->rest;
	size_t length = 0;

	while (name[length] && name[length] != '/')
		length++;
	if (!inode_is_directory(k->here))
		return -ENOTDIR;
	if (length > NAME_BYTES_MOST)
		return -ENAMETOOLONG;
	k->rest += length;
	if (length == 1 && name[0] == '.') {
		k->walk->last = WALK_DOT;
		return 0;
	}
	if (length == 2 && name[0] == '.' && name[1] == '.') {
		k->walk->last = WALK_DOT_DOT;
		return step_up(k);
	}
	return step_name(k, name, (unsigned)length);
}

static int walk_parts(struct walker *k)
{
	int error = 0;

	for (skip_slashes(k); !error && !k->is_done && *k->rest; skip_slashes(k))
		error = step_part(k);
	if (error || k->is_done)
		return error;
	if (k->walk->last == WALK_JUMP && !inode_is_directory(k->here))
		return -ENOTDIR; /* a slash follows it */
	k->walk->inode = inode_get(k->here);
	return 0;
}

int walk_path(const struct tree_view *view, struct inode *start, const char *path, bool follow,
	      struct walk *walk)
{
	struct walker k = {.view = view, .rest = path, .follow = follow, .walk = walk};
	const size_t n = strnlen(path, PATH_BYTES_MOST);
	int error;

	*walk = (struct walk){.last = WALK_ROOT};
	if (!n)
		return -ENOENT;
	if (n == PATH_BYTES_MOST)
		return -ENAMETOOLONG;
	k.here = inode_get(*path == '/' ? view->root : start ? start : view->cwd);
	error = walk_parts(&k);
	inode_put(k.here);
	heap_free(k.owned);
	if (error)
		walk_put(walk);
	return error;
}

int walk_inode(const struct tree_view *view, struct inode *start, const char *path, bool follow,
	       struct inode **inode)
{
	struct walk walk;
	int error = walk_path(view, start, path, follow, &walk);

	if (error)
		return error;
	*inode = inode_get(walk.inode);
	walk_put(&walk);
	return *inode ? 0 : -ENOENT;
}
