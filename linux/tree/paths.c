// SPDX-License-Identifier: BSD-2-Clause
/* paths.c - paths of existing objects: getcwd(2), /proc/self/fd, names of mappings. */
#include "linux/tree/tree.h"

#include "lib/string.h"
#include "linux/file/text.h"
#include "rt/base/heap.h"

#define DELETED " (deleted)"

/* A path that is written from its end. */
struct path_end {
	char *bytes; /* PATH_BYTES_MOST */
	unsigned first;
};

static bool put_before(struct path_end *path, const char *name, unsigned length)
{
	if (path->first < length + 1)
		return false;
	path->first -= length;
	memcpy(path->bytes + path->first, name, length);
	path->bytes[--path->first] = '/';
	return true;
}

/* Writes the names from `inode` up to `root`, to a name in no directory, or to an inode that has
 * its own `path`: then `*top` is that inode, with a reference. */
static int prepend_names(struct path_end *path, struct inode *inode, const struct inode *root,
			 struct inode **top)
{
	const struct entry *name = inode->names;

	while (inode != root) {
		if (!name && inode->ops->path) {
			*top = inode_get(inode);
			return 0;
		}
		if (!name)
			return -ENOENT; /* above `root` */
		if (!put_before(path, name->name, name->length))
			return -ENAMETOOLONG;
		inode = name->parent;
		if (!inode)
			return 0;
		name = inode->names;
	}
	return 0;
}

static int name_path(struct inode *inode, struct inode *root, struct text *text)
{
	struct path_end path = {.bytes = heap_alloc(PATH_BYTES_MOST), .first = PATH_BYTES_MOST};
	struct inode *top = NULL;
	uint64_t flags;
	bool dead;
	int error;

	if (!path.bytes)
		return -ENOMEM;
	flags = tree_lock();
	error = prepend_names(&path, inode, root, &top);
	dead = inode->names && inode->names->is_dead;
	tree_unlock(flags);
	if (!error && path.first == PATH_BYTES_MOST)
		path.bytes[--path.first] = '/';
	if (top)
		top->ops->path(top, text);
	inode_put(top);
	if (!error)
		text_add(text, path.bytes + path.first, PATH_BYTES_MOST - path.first);
	if (!error && dead)
		text_print(text, DELETED);
	heap_free(path.bytes);
	return error ? error : text_failed(text);
}

/* The path of a file that never had a name: O_TMPFILE. */
static int number_path(const struct inode *inode, struct text *text)
{
	text_print(text, "/#%llu" DELETED, (unsigned long long)inode->number);
	return text_failed(text);
}

int inode_path(struct inode *inode, struct inode *root, struct text *path)
{
	if (inode->ops->path && !inode->names) {
		inode->ops->path(inode, path);
		return text_failed(path);
	}
	if (inode->names || inode == root)
		return name_path(inode, root, path);
	return inode->links ? -ENOENT : number_path(inode, path);
}

int file_path(struct file *f, struct inode *root, struct text *path)
{
	if (f->ops->name) {
		text_print(path, "anon_inode:%s", f->ops->name);
		return text_failed(path);
	}
	if (f->inode->device == DEVICE_PIPES) {
		text_print(path, "pipe:[%llu]", (unsigned long long)f->inode->number);
		return text_failed(path);
	}
	if (f->inode->device == DEVICE_SOCKETS) {
		text_print(path, "socket:[%llu]", (unsigned long long)f->inode->number);
		return text_failed(path);
	}
	return inode_path(f->inode, root, path);
}
