// SPDX-License-Identifier: BSD-2-Clause
/* tree_open.c - open(2) and statfs(2): see tree.h. */
#include "linux/tree/tree.h"

#include "linux/file/file_host.h"
#include "linux/file/regular.h"

#include <linux/fs.h>
#include <linux/magic.h>

#define WRITES(flags) (((flags)&O_ACCMODE) != O_RDONLY)

static int check_kind(const struct inode *inode, unsigned flags)
{
	if (inode_type(inode) == MODE_LINK)
		return flags & O_PATH ? 0 : flags & O_DIRECTORY ? -ENOTDIR : -ELOOP;
	if (!inode_is_directory(inode))
		return flags & O_DIRECTORY ? -ENOTDIR : 0;
	return !(flags & O_PATH) && (WRITES(flags) || flags & O_CREAT) ? -EISDIR : 0;
}

static int open_found(struct inode *inode, unsigned flags, struct file **out)
{
	int error = flags & O_CREAT && flags & O_EXCL ? -EEXIST : check_kind(inode, flags);

	if (error)
		return error;
	error = file_open_inode(inode, flags, out);
	if (error || !(flags & O_TRUNC) || flags & O_PATH || !inode_has_content(inode))
		return error;
	error = regular_truncate(inode, 0);
	if (error)
		file_put(*out);
	return error;
}

/* Makes the missing file; -EEXIST: it was made in the meantime. */
static int open_created(const struct walk *walk, unsigned flags, uint32_t mode, struct file **out)
{
	struct inode *inode;
	struct file *f;
	int error;

	if (walk->slash)
		return -EISDIR;
	inode = regular_new(mode, walk->parent->device);
	if (!inode)
		return -ENOMEM;
	error = file_open_inode(inode, flags, &f);
	if (!error) {
		error = tree_place(walk->parent, walk->name, walk->length, inode_get(inode));
		if (error) {
			inode_put(inode);
			file_put(f);
		} else {
			*out = f;
		}
	}
	inode_put(inode);
	return error;
}

static int open_walked(const struct tree_view *view, const struct walk *walk, unsigned flags,
		       uint32_t mode, struct file **out)
{
	if (walk->inode)
		return open_found(walk->inode, flags, out);
	if (!(flags & O_CREAT) || flags & O_PATH)
		return -ENOENT;
	return open_created(walk, flags, mode & MODE_BITS & ~view->umask, out);
}

static int open_path(const struct tree_view *view, struct inode *start, const char *path,
		     unsigned flags, uint32_t mode, struct file **out)
{
	const bool follow =
		!(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
	struct walk walk;
	int error = walk_path(view, start, path, follow, &walk);

	if (error)
		return error;
	error = open_walked(view, &walk, flags, mode, out);
	walk_put(&walk);
	return error;
}

/* O_TMPFILE: a file without a name, which linkat(2) may give it unless O_EXCL is among the flags.
 */
static int open_unnamed(const struct tree_view *view, struct inode *start, const char *path,
			unsigned flags, uint32_t mode, struct file **out)
{
	struct inode *dir, *inode;
	int error;

	if (!WRITES(flags) || flags & O_CREAT)
		return -EINVAL;
	error = walk_inode(view, start, path, !(flags & O_NOFOLLOW), &dir);
	if (error)
		return error;
	inode = directory_is_real(dir) ? regular_new(mode & MODE_BITS & ~view->umask, dir->device)
				       : NULL;
	if (!inode_is_directory(dir))
		error = -ENOTDIR;
	else if (!directory_is_real(dir))
		error = -EOPNOTSUPP;
	else
		error = inode ? file_open_inode(inode, flags & ~(unsigned)O_TMPFILE, out) : -ENOMEM;
	if (!error && !(flags & O_EXCL))
		inode->is_nameable = true;
	inode_put(inode);
	inode_put(dir);
	return error;
}

#define UNNAMED(flags) (((flags)&O_TMPFILE) == O_TMPFILE)

int tree_open(const struct tree_view *view, struct inode *start, const char *path, unsigned flags,
	      uint32_t mode, struct file **out)
{
	int error;

	if ((flags & O_ACCMODE) == O_ACCMODE)
		return -EINVAL;
	if (UNNAMED(flags))
		return open_unnamed(view, start, path, flags, mode, out);
	if (flags & O_CREAT && flags & O_DIRECTORY)
		return -EINVAL;
	do
		error = open_path(view, start, path, flags, mode, out);
	while (error == -EEXIST && flags & O_CREAT && !(flags & O_EXCL));
	return error;
}

/* --- statfs --- */

static long magic_of(enum inode_device device)
{
	switch (device) {
	case DEVICE_PROC:
		return PROC_SUPER_MAGIC;
	case DEVICE_CGROUP:
		return CGROUP2_SUPER_MAGIC;
	case DEVICE_SYS:
		return SYSFS_MAGIC;
	case DEVICE_PIPES:
		return PIPEFS_MAGIC;
	default:
		return TMPFS_MAGIC;
	}
}

void inode_statfs(struct inode *inode, struct statfs *out)
{
	uint64_t pages = 0, free = 0;

	if (magic_of(inode->device) == TMPFS_MAGIC)
		file_host.memory(&pages, &free);
	*out = (struct statfs){
		.f_type = magic_of(inode->device),
		.f_bsize = PAGE_BYTES,
		.f_blocks = (long)pages,
		.f_bfree = (long)free,
		.f_bavail = (long)free,
		.f_files = (long)pages,
		.f_ffree = (long)free,
		.f_fsid = {{(int)inode->device, 0}},
		.f_namelen = NAME_BYTES_MOST,
		.f_frsize = PAGE_BYTES,
	};
}
