// SPDX-License-Identifier: BSD-2-Clause
/* inode.c - see inode.h. */
#include "linux/file/inode.h"

#include "lib/panic.h"
#include "lib/string.h"
#include "lib/time.h"
#include "linux/file/file_host.h"
#include "linux/portable/locked.h"
#include "linux/file/record_lock.h"
#include "linux/file/text.h"
#include "rt/base/heap.h"

#include <linux/errno.h>

static struct lock lock;
static uint64_t numbers;

uint64_t tree_lock(void)
{
	return locked(&lock);
}

void tree_unlock(uint64_t flags)
{
	unlocked(&lock, flags);
}

void inode_numbers_begin(void)
{
	__atomic_store_n(&numbers, 0, __ATOMIC_RELAXED);
}

static uint64_t now(void)
{
	return file_host.now(HOST_REALTIME);
}

struct inode *inode_new(const struct inode_ops *ops, uint32_t mode, enum inode_device device)
{
	struct inode *inode = heap_alloc(sizeof(*inode));
	struct host_owner owner;

	if (!inode)
		return NULL;
	file_host.owner(&owner);
	inode->uid = owner.uid;
	inode->gid = owner.gid;
	inode->ops = ops;
	inode->refs = 1;
	inode->mode = mode;
	inode->device = device;
	inode->number = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
	inode->accessed = inode->modified = inode->changed = now();
	return inode;
}

struct inode *inode_get(struct inode *inode)
{
	if (inode)
		__atomic_fetch_add(&inode->refs, 1, __ATOMIC_RELAXED);
	return inode;
}

/* Frees the inode and returns the directory of its last name, with that name's reference to it. */
static struct inode *free_inode(struct inode *inode)
{
	struct entry *name = inode->names;
	struct inode *parent = name ? name->parent : NULL;

	ASSERT(!name || name->is_dead);
	record_locks_free(inode);
	if (inode->ops->destroy)
		inode->ops->destroy(inode);
	heap_free(name);
	heap_free(inode);
	return parent;
}

void inode_put(struct inode *inode)
{
	while (inode && !__atomic_sub_fetch(&inode->refs, 1, __ATOMIC_ACQ_REL))
		inode = free_inode(inode);
}

void inode_stat(struct inode *inode, struct stat *out)
{
	const uint64_t flags = tree_lock();

	*out = (struct stat){
		.st_dev = inode->device,
		.st_ino = inode->number,
		.st_nlink = inode->links,
		.st_mode = inode->mode,
		.st_uid = inode->uid,
		.st_gid = inode->gid,
		.st_rdev = inode->rdev,
		.st_size = (int64_t)inode->size,
		.st_blksize = PAGE_BYTES,
		.st_blocks = inode_has_content(inode)
				     ? (int64_t)(inode->content.pages * (PAGE_BYTES / 512))
				     : 0,
		.st_atime = inode->accessed / NSEC_PER_SEC,
		.st_atime_nsec = inode->accessed % NSEC_PER_SEC,
		.st_mtime = inode->modified / NSEC_PER_SEC,
		.st_mtime_nsec = inode->modified % NSEC_PER_SEC,
		.st_ctime = inode->changed / NSEC_PER_SEC,
		.st_ctime_nsec = inode->changed % NSEC_PER_SEC,
	};
	tree_unlock(flags);
}

struct inode *inode_parent(struct inode *dir)
{
	struct inode *parent;
	uint64_t flags;

	if (dir->ops->parent)
		return dir->ops->parent(dir);
	flags = tree_lock();
	parent = inode_get(directory_parent(dir));
	tree_unlock(flags);
	return parent;
}

static void set_times(struct inode *inode, unsigned times, uint64_t accessed, uint64_t modified,
		      uint64_t changed)
{
	const uint64_t flags = tree_lock();

	if (times & TIME_ACCESS)
		inode->accessed = accessed;
	if (times & TIME_MODIFY)
		inode->modified = modified;
	if (times & (TIME_MODIFY | TIME_CHANGE))
		inode->changed = changed;
	tree_unlock(flags);
}

void inode_touch(struct inode *inode, unsigned times)
{
	const uint64_t at = now();

	set_times(inode, times, at, at, at);
}

void inode_set_times(struct inode *inode, unsigned times, uint64_t accessed, uint64_t modified)
{
	set_times(inode, times | TIME_CHANGE, accessed, modified, now());
}

int inode_chmod(struct inode *inode, uint32_t mode)
{
	uint64_t flags;

	if (inode->device == DEVICE_PROC || inode->device == DEVICE_SYS ||
	    inode->device == DEVICE_CGROUP)
		return -EPERM;
	flags = tree_lock();
	inode->mode = (inode->mode & MODE_TYPE) | (mode & MODE_BITS);
	tree_unlock(flags);
	inode_touch(inode, TIME_CHANGE);
	return 0;
}

void inode_chown(struct inode *inode, uint32_t uid, uint32_t gid)
{
	const uint64_t flags = tree_lock();

	inode->uid = uid == UINT32_MAX ? inode->uid : uid;
	inode->gid = gid == UINT32_MAX ? inode->gid : gid;
	tree_unlock(flags);
	inode_touch(inode, TIME_CHANGE);
}

/* --- Symbolic links --- */

static int symlink_read(struct inode *link, struct text *to)
{
	text_add(to, link->target, link->size);
	return text_failed(to);
}

static void symlink_destroy(struct inode *link)
{
	heap_free(link->target);
}

static const struct inode_ops symlink_ops = {.readlink = symlink_read, .destroy = symlink_destroy};

struct inode *symlink_new(const char *target)
{
	const size_t n = strlen(target);
	char *copy = heap_alloc(n + 1);
	struct inode *link = copy ? inode_new(&symlink_ops, MODE_LINK | 0777, DEVICE_ROOT) : NULL;

	if (!link) {
		heap_free(copy);
		return NULL;
	}
	memcpy(copy, target, n + 1);
	link->target = copy;
	link->size = n;
	return link;
}
