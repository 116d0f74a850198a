// SPDX-License-Identifier: BSD-2-Clause
/*
 * tree.c - see tree.h. A path is walked first, with the lock taken for each name. A change then
 * checks the names again, and holds the lock throughout.
 */
#include "linux/tree/tree.h"

#include "lib/string.h"
#include "linux/tree/device.h"
#include "linux/file/pipe.h"
#include "linux/file/regular.h"
#include "linux/tree/synth.h"
#include "linux/file/text.h"
#include "rt/base/heap.h"

#include <linux/fs.h>

/* --- New names --- */

static int add_locked(struct inode *dir, struct entry *entry, struct inode *inode)
{
	const int error = directory_is_real(dir) ? directory_enter(dir, entry, inode) : -EPERM;

	if (error)
		return error;
	inode_get(inode);
	inode->is_nameable = false;
	return 0;
}

/* A file that has lost its last name gets no new one. */
static int link_locked(struct inode *dir, struct entry *entry, struct inode *inode)
{
	return inode->links || inode->is_nameable ? add_locked(dir, entry, inode) : -ENOENT;
}

/* Adds the name to `dir`, with the lock held. The caller keeps its reference. */
static int add_name(struct inode *dir, const char *name, unsigned length, struct inode *inode,
		    int (*add)(struct inode *dir, struct entry *entry, struct inode *inode))
{
	struct entry *entry = entry_new(name, length);
	uint64_t flags;
	int error;

	if (!entry)
		return -ENOMEM;
	flags = tree_lock();
	error = add(dir, entry, inode);
	tree_unlock(flags);
	if (error)
		heap_free(entry);
	else
		inode_touch(dir, TIME_MODIFY);
	return error;
}

int tree_place(struct inode *dir, const char *name, unsigned length, struct inode *inode)
{
	const int error = add_name(dir, name, length, inode, add_locked);

	if (!error)
		inode_put(inode);
	return error;
}

/* Walks to the place of a new name. */
static int walk_to_new(const struct tree_view *view, struct inode *start, const char *path,
		       struct walk *walk)
{
	int error = walk_path(view, start, path, false, walk);

	if (error)
		return error;
	if (walk->inode)
		error = -EEXIST;
	if (error)
		walk_put(walk);
	return error;
}

/* Gives a new inode the name; NULL: there was no memory for the inode. */
static int name_new(const struct walk *walk, struct inode *inode)
{
	int error;

	if (!inode)
		return -ENOMEM;
	inode->device = walk->parent->device;
	error = add_name(walk->parent, walk->name, walk->length, inode, add_locked);
	inode_put(inode);
	return error;
}

static int fail_walk(struct walk *walk, int error)
{
	walk_put(walk);
	return error;
}

int tree_mkdir(const struct tree_view *view, struct inode *start, const char *path, uint32_t mode)
{
	struct walk walk;
	const int error = walk_to_new(view, start, path, &walk);

	mode &= (MODE_BITS & ~MODE_SET_GID) & ~view->umask;
	if (!error && walk.parent->ops->mkdir)
		return fail_walk(&walk,
				 walk.parent->ops->mkdir(walk.parent, walk.name, walk.length));
	return error ? error : fail_walk(&walk, name_new(&walk, directory_new(mode, DEVICE_ROOT)));
}

/* -ENOENT: a slash follows the name, as only directories may have. */
static int walk_to_new_file(const struct tree_view *view, struct inode *start, const char *path,
			    struct walk *walk)
{
	const int error = walk_to_new(view, start, path, walk);

	return !error && walk->slash ? fail_walk(walk, -ENOENT) : error;
}

/* The known types, a bit for each: FIFO, character device, directory, block device, file, link,
 * socket. */
#define MODE_TYPES 0x1556u

int tree_mknod(const struct tree_view *view, struct inode *start, const char *path, uint32_t mode)
{
	const uint32_t type = mode & MODE_TYPE ? mode & MODE_TYPE : MODE_REGULAR;
	struct walk walk;
	int error;

	if (type == MODE_LINK || !(MODE_TYPES >> (type >> 12) & 1))
		return -EINVAL;
	if (type != MODE_REGULAR && type != MODE_FIFO)
		return -EPERM;
	error = walk_to_new_file(view, start, path, &walk);
	if (error)
		return error;
	mode &= MODE_BITS & ~view->umask;
	return fail_walk(&walk,
			 name_new(&walk, type == MODE_FIFO ? fifo_new(mode, DEVICE_ROOT)
							   : regular_new(mode, DEVICE_ROOT)));
}

int tree_make(const struct tree_view *view, struct inode *start, const char *path,
	      struct inode *inode)
{
	struct walk walk;
	const int error = walk_to_new_file(view, start, path, &walk);

	if (!error)
		return fail_walk(&walk, name_new(&walk, inode));
	inode_put(inode);
	return error;
}

int tree_symlink(const struct tree_view *view, struct inode *start, const char *path,
		 const char *target)
{
	const size_t n = strnlen(target, PATH_BYTES_MOST);
	struct walk walk;
	int error;

	if (!n)
		return -ENOENT;
	if (n == PATH_BYTES_MOST)
		return -ENAMETOOLONG;
	error = walk_to_new_file(view, start, path, &walk);
	return error ? error : fail_walk(&walk, name_new(&walk, symlink_new(target)));
}

static int check_link(const struct inode *inode, const struct walk *walk)
{
	if (inode_is_directory(inode))
		return -EPERM;
	return inode->device == walk->parent->device ? 0 : -EXDEV;
}

int tree_link(struct inode *inode, const struct tree_view *view, struct inode *start,
	      const char *path)
{
	struct walk walk;
	int error = walk_to_new_file(view, start, path, &walk);

	if (error)
		return error;
	error = check_link(inode, &walk);
	if (!error)
		error = add_name(walk.parent, walk.name, walk.length, inode, link_locked);
	if (!error)
		inode_touch(inode, TIME_CHANGE);
	return fail_walk(&walk, error);
}

/* --- Removal of names --- */

/* Returns the inode of the name, with the name's reference. */
static struct inode *remove_locked(struct inode *dir, struct entry *entry)
{
	struct inode *inode = entry->inode;

	directory_count_link(dir, inode, -1);
	if (inode_is_directory(inode))
		inode->links = 0;
	directory_remove(dir, entry);
	return inode;
}

/* /dev, /proc and /sys cannot be removed. */
static bool is_mounted(const struct inode *dir, const struct inode *inode)
{
	return inode->device != dir->device;
}

static int check_rmdir(const struct inode *dir, const struct inode *inode)
{
	if (!inode_is_directory(inode))
		return -ENOTDIR;
	if (is_mounted(dir, inode))
		return -EBUSY;
	return inode->dir.nentries ? -ENOTEMPTY : 0;
}

static int unlink_locked(const struct walk *walk, bool directory, struct inode **gone)
{
	struct inode *dir = walk->parent;
	struct entry *entry;
	int error = 0;

	if (!directory_is_real(dir))
		return -EPERM;
	entry = directory_find(dir, walk->name, walk->length);
	if (!entry)
		return -ENOENT;
	if (directory)
		error = check_rmdir(dir, entry->inode);
	else if (inode_is_directory(entry->inode))
		error = -EISDIR;
	if (!error)
		*gone = remove_locked(dir, entry);
	return error;
}

static int unlink_walked(const struct walk *walk, bool directory)
{
	static const int no_name[2][4] = {
		[false] = {[WALK_DOT] = -EISDIR, [WALK_DOT_DOT] = -EISDIR, [WALK_ROOT] = -EISDIR},
		[true] = {[WALK_DOT] = -EINVAL, [WALK_DOT_DOT] = -ENOTEMPTY, [WALK_ROOT] = -EBUSY},
	};
	struct inode *gone = NULL;
	uint64_t flags;
	int error;

	if (walk->last != WALK_NAME)
		return no_name[directory][walk->last];
	if (!walk->inode)
		return -ENOENT;
	if (directory && walk->parent->ops->rmdir)
		return walk->parent->ops->rmdir(walk->parent, walk->name, walk->length);
	flags = tree_lock();
	error = unlink_locked(walk, directory, &gone);
	tree_unlock(flags);
	if (error)
		return error;
	inode_touch(walk->parent, TIME_MODIFY);
	inode_touch(gone, TIME_CHANGE);
	inode_put(gone);
	return 0;
}

int tree_unlink(const struct tree_view *view, struct inode *start, const char *path, bool directory)
{
	struct walk walk;
	const int error = walk_path(view, start, path, false, &walk);

	return error ? error : fail_walk(&walk, unlink_walked(&walk, directory));
}

/* --- Renaming --- */

struct rename {
	struct walk from, to;
	unsigned flags;
	struct entry *fresh; /* for a name that is not there yet; NULL: used */
	struct inode *gone;  /* the inode that the name had before, with a reference */
};

/* Is `inside` the directory `dir`, or below it? */
static bool is_below(struct inode *inside, const struct inode *dir)
{
	while (inside != dir && inside != directory_parent(inside))
		inside = directory_parent(inside);
	return inside == dir;
}

/* May `inode` move to `dir`? */
static int check_move(struct inode *dir, const struct inode *inode, bool slash)
{
	if (!inode_is_directory(inode))
		return slash ? -ENOTDIR : 0;
	return is_below(dir, inode) ? -EINVAL : 0;
}

/* May `inode` take the place of `old`, which is in `dir`? */
static int check_replace(const struct inode *dir, const struct inode *inode,
			 const struct inode *old)
{
	if (!inode_is_directory(inode))
		return inode_is_directory(old) ? -EISDIR : 0;
	return check_rmdir(dir, old);
}

static void move_link(const struct inode *inode, struct inode *from, struct inode *to)
{
	if (!inode_is_directory(inode))
		return;
	from->links--;
	to->links++;
}

static void exchange_names(struct entry *a, struct entry *b)
{
	move_link(a->inode, a->parent, b->parent);
	move_link(b->inode, b->parent, a->parent);
	entry_exchange(a, b);
}

static int move_to_fresh(struct rename *r, struct entry *from)
{
	struct inode *dir = r->to.parent, *inode = from->inode;
	const int error = directory_reserve(dir);

	if (error)
		return error;
	directory_add(dir, r->fresh, inode_get(inode));
	r->fresh = NULL;
	move_link(inode, r->from.parent, dir);
	directory_remove(r->from.parent, from);
	r->gone = inode; /* the reference of the old name */
	return 0;
}

static int move_over(struct rename *r, struct entry *from, struct entry *to)
{
	const int error = check_replace(r->to.parent, from->inode, to->inode);

	if (error)
		return error;
	exchange_names(from, to);
	r->gone = remove_locked(r->from.parent, from);
	return 0;
}

static int exchange(struct rename *r, struct entry *from, struct entry *to)
{
	int error;

	if (!to)
		return -ENOENT;
	error = check_move(r->from.parent, to->inode, r->from.slash);
	if (!error && is_mounted(r->to.parent, to->inode))
		error = -EBUSY;
	if (!error)
		exchange_names(from, to);
	return error;
}

/* May the directory get new names? */
static int check_room(const struct inode *dir)
{
	if (!directory_is_real(dir))
		return -EPERM;
	return dir->links ? 0 : -ENOENT; /* it was removed */
}

static int check_parents(const struct rename *r)
{
	if (r->from.parent->device != r->to.parent->device)
		return -EXDEV;
	if (!directory_is_real(r->from.parent))
		return -EPERM;
	return check_room(r->to.parent);
}

static int rename_locked(struct rename *r)
{
	struct entry *from, *to;
	int error = check_parents(r);

	if (error)
		return error;
	from = directory_find(r->from.parent, r->from.name, r->from.length);
	to = directory_find(r->to.parent, r->to.name, r->to.length);
	if (!from)
		return -ENOENT;
	if (to && r->flags & RENAME_NOREPLACE)
		return -EEXIST;
	if (is_mounted(r->from.parent, from->inode))
		return -EBUSY;
	error = check_move(r->to.parent, from->inode, r->from.slash || r->to.slash);
	if (error)
		return error;
	if (to && from->inode == to->inode)
		return 0;
	if (r->flags & RENAME_EXCHANGE)
		return exchange(r, from, to);
	return to ? move_over(r, from, to) : move_to_fresh(r, from);
}

static void touch_renamed(const struct rename *r)
{
	inode_touch(r->from.parent, TIME_MODIFY);
	inode_touch(r->to.parent, TIME_MODIFY);
	inode_touch(r->from.inode, TIME_CHANGE);
}

static int rename_walked(struct rename *r)
{
	uint64_t flags;
	int error;

	if (r->from.last != WALK_NAME || r->to.last != WALK_NAME)
		return -EBUSY;
	if (!r->from.inode)
		return -ENOENT;
	r->fresh = entry_new(r->to.name, r->to.length);
	if (!r->fresh)
		return -ENOMEM;
	flags = tree_lock();
	error = rename_locked(r);
	tree_unlock(flags);
	if (!error)
		touch_renamed(r);
	heap_free(r->fresh);
	inode_put(r->gone);
	return error;
}

/* Holds two walks, which would not fit on the stack. */
static int rename_paths(struct rename *r, const struct tree_view *view, struct inode *old_start,
			const char *old_path, struct inode *new_start, const char *new_path)
{
	int error = walk_path(view, old_start, old_path, false, &r->from);

	if (error)
		return error;
	error = walk_path(view, new_start, new_path, false, &r->to);
	if (!error) {
		error = rename_walked(r);
		walk_put(&r->to);
	}
	walk_put(&r->from);
	return error;
}

int tree_rename(const struct tree_view *view, struct inode *old_start, const char *old_path,
		struct inode *new_start, const char *new_path, unsigned flags)
{
	struct rename *r;
	int error;

	if (flags & ~(unsigned)(RENAME_NOREPLACE | RENAME_EXCHANGE) ||
	    flags == (RENAME_NOREPLACE | RENAME_EXCHANGE))
		return -EINVAL;
	r = heap_alloc(sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->flags = flags;
	error = rename_paths(r, view, old_start, old_path, new_start, new_path);
	heap_free(r);
	return error;
}

/* --- The whole tree --- */

/* Removes the first name of `dir` and returns its inode with its reference; NULL: it has no
 * names. */
static struct inode *take_first(struct inode *dir)
{
	const uint64_t flags = tree_lock();
	struct entry *entry = directory_after(dir, 0);
	struct inode *inode = entry ? remove_locked(dir, entry) : NULL;

	tree_unlock(flags);
	return inode;
}

static int place_new(struct inode *dir, const char *name, struct inode *inode)
{
	int error;

	if (!inode)
		return -ENOMEM;
	error = tree_place(dir, name, (unsigned)strlen(name), inode);
	if (error)
		inode_put(inode);
	return error;
}

static int place_devices(struct inode *root)
{
	struct inode *dev = directory_new(0755, DEVICE_DEV);
	int error = dev ? device_fill(dev) : -ENOMEM;

	if (!error)
		error = tree_place(root, "dev", 3, dev);
	if (error && dev)
		tree_destroy(dev);
	return error;
}

static int fill_root(struct inode *root)
{
	int error = place_devices(root);

	if (!error)
		error = place_new(root, "proc", synth_mount("/proc", DEVICE_PROC));
	if (!error)
		error = place_new(root, "sys", synth_mount("/sys", DEVICE_SYS));
	if (!error)
		error = place_new(root, "tmp", directory_new(MODE_STICKY | 0777, DEVICE_ROOT));
	return error;
}

struct inode *tree_create(void)
{
	struct inode *root;

	inode_numbers_begin();
	root = directory_new(0755, DEVICE_ROOT);
	if (!root)
		return NULL;
	root->links = 2;
	if (!fill_root(root))
		return root;
	tree_destroy(root);
	return NULL;
}

void tree_destroy(struct inode *root)
{
	root->doomed = NULL;
	while (root) {
		struct inode *dir = root, *child;

		root = dir->doomed;
		while ((child = take_first(dir))) {
			if (directory_is_real(child)) {
				child->doomed = root;
				root = child;
			} else {
				inode_put(child);
			}
		}
		inode_put(dir);
	}
}

/* --- Properties of inodes --- */

int inode_readlink(struct inode *inode, struct text *to)
{
	return inode->ops->readlink ? inode->ops->readlink(inode, to) : -EINVAL;
}

#define ACCESS_EXECUTE 1u /* X_OK of <unistd.h> */
#define ACCESS_ALL     7u
#define ANY_EXECUTE    0111u

int inode_access(struct inode *inode, unsigned mode)
{
	if (mode & ~ACCESS_ALL)
		return -EINVAL;
	if (mode & ACCESS_EXECUTE && !inode_is_directory(inode) && !(inode->mode & ANY_EXECUTE))
		return -EACCES;
	return 0;
}

static int exchange_place(struct inode **place, struct inode *to)
{
	struct inode *old;
	uint64_t flags;

	if (!inode_is_directory(to))
		return -ENOTDIR;
	inode_get(to);
	flags = tree_lock();
	old = *place;
	*place = to;
	tree_unlock(flags);
	inode_put(old);
	return 0;
}

int tree_chdir(struct tree_view *view, struct inode *to)
{
	return exchange_place(&view->cwd, to);
}

int tree_chroot(struct tree_view *view, struct inode *to)
{
	return exchange_place(&view->root, to);
}
